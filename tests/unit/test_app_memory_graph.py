"""The knowledge graph as it is shown: picture, sentences, connections, what may be wrong."""

from dataclasses import replace

import pytest

from app.components.memory_graph import Sources, connecting, graph_section
from app.components.memory_quality import quality_section
from app.i18n import LANGUAGES, Words
from core.domain.graph import (
    Entity,
    EntityKind,
    Evidence,
    GraphCounts,
    Relation,
    RelationKind,
    SourceKind,
)
from core.domain.graph_views import (
    Connection,
    Contradiction,
    ContradictionKind,
    GraphPicture,
    GraphQuality,
    MergeProposal,
    MergeReason,
    PictureNode,
    Step,
)
from tests.samples import EN, HOSTILE, WHEN, ZH, Tags, assert_tame, note

BOTH = [Words(language) for language in LANGUAGES]


def entity(name: str, kind: EntityKind = EntityKind.CONCEPT) -> Entity:
    return Entity(id=f"id {name}", name=name, kind=kind, language="en")


def evidence(**changes: object) -> Evidence:
    values: dict[str, object] = {
        "source_kind": SourceKind.DOCUMENT, "source_id": "d1", "page": 14, "confidence": 0.8,
        "sentence": "An encoder is a network.", "at": WHEN,
    }  # fmt: skip
    return Evidence(**{**values, **changes})  # type: ignore[arg-type]


def relation(
    subject: str, kind: RelationKind, obj: str, *said: Evidence, id: str = "r1"
) -> Relation:
    return Relation(
        id=id, subject=entity(subject), kind=kind, object=entity(obj),
        evidence=said or (evidence(),),
    )  # fmt: skip


IS_A = relation("encoder", RelationKind.IS_A, "network")
SOURCES = Sources(documents={"d1": "paper.pdf"}, memories={"m1": note()})


def picture(*names: str, edges: tuple[Relation, ...] = (IS_A,), left_out: int = 0) -> GraphPicture:
    nodes = tuple(
        PictureNode(entity=entity(name), x=n / 10, y=0.5, degree=n + 1)
        for n, name in enumerate(names)
    )
    return GraphPicture(nodes=nodes, edges=edges, left_out=left_out)


@pytest.mark.parametrize("words", BOTH, ids=LANGUAGES)
def test_the_picture_has_things_connections_and_a_sentence(words: Words) -> None:
    html = graph_section(picture("encoder", "network", left_out=5), None, SOURCES, words)
    text = Tags(html).text
    assert html.count("<circle") == 2
    assert html.count('class="line"') == 1
    assert html.count('data-act="graph_around" data-entity="encoder"') == 1
    assert words("graph.says_is_a") in text
    assert words("graph.caption_all", nodes=2, edges=1) in text
    assert words("graph.left_out", count=5) in text
    assert words("graph.kind_concept") in text
    # The same for those who do not see the picture, with the sentence and its page.
    assert "An encoder is a network." in text
    assert 'data-act="read_document" class="link source" data-document="d1" data-page="14"' in html


def test_the_thing_in_the_middle_is_marked_and_its_connections_come_first() -> None:
    other = relation("network", RelationKind.HAS, "layer", id="r2")
    around = entity("layer")
    html = graph_section(
        picture("layer", "network", "encoder", edges=(IS_A, other)), around, SOURCES, EN
    )
    assert 'class="node kind-concept centre" href="#graph" data-act="graph_around"' in html
    assert EN("graph.caption_around", name="layer", nodes=3, edges=2) in Tags(html).text
    listed = html.split('class="statements"')[1]
    assert listed.index("layer") < listed.index("encoder")
    assert 'value="layer"' in html


def test_a_picture_without_things_says_what_will_come() -> None:
    for words in BOTH:
        html = graph_section(GraphPicture(nodes=(), edges=()), None, SOURCES, words)
        assert words("graph.empty_title") in Tags(html).text


def test_names_are_whole_in_chinese_and_short_in_the_picture() -> None:
    name = "预训练的双向编码器表示模型以及它在各种自然语言任务中的应用"
    html = graph_section(picture(name, edges=()), None, SOURCES, ZH)
    assert f'data-entity="{name}"' in html
    assert "…" in Tags(html).text


def test_hostile_names_and_sentences_stay_text() -> None:
    evil = relation(HOSTILE, RelationKind.USES, HOSTILE, evidence(sentence=HOSTILE))
    evil = replace(evil, label=HOSTILE)
    sources = Sources(documents={"d1": HOSTILE})
    for html in (
        graph_section(picture(HOSTILE, edges=(evil,)), entity(HOSTILE), sources, EN),
        connecting((HOSTILE, HOSTILE), None, sources, EN),
        connecting(("a", "b"), connection(evil), sources, EN),
    ):
        assert_tame(html)
        assert HOSTILE in Tags(html).text
    assert_tame(quality_section(quality(self_relations=(evil,)), sources, EN))


@pytest.mark.parametrize("kind", list(RelationKind))
def test_every_kind_of_connection_has_words(kind: RelationKind) -> None:
    for words in BOTH:
        html = graph_section(
            picture("a", "b", edges=(relation("a", kind, "b"),)), None, SOURCES, words
        )
        assert words(f"graph.says_{kind}") in Tags(html).text


@pytest.mark.parametrize("kind", list(EntityKind))
def test_every_kind_of_thing_has_words(kind: EntityKind) -> None:
    node = PictureNode(entity=entity("a", kind), x=0, y=1, degree=0)
    for words in BOTH:
        html = graph_section(GraphPicture(nodes=(node,), edges=()), None, SOURCES, words)
        assert words(f"graph.kind_{kind}") in Tags(html).text


# --- where a sentence stands ----------------------------------------------------------------------


def source_of(said: Evidence, sources: Sources = SOURCES) -> str:
    has = relation("a", RelationKind.HAS, "b", said)
    return connecting(("a", "b"), connection(has), sources, EN)


def test_a_sentence_leads_to_its_note_question_or_page() -> None:
    own = evidence(source_kind=SourceKind.MEMORY, source_id="m1", page=None)
    assert 'href="#memory-noted-m1"' in source_of(own)
    asked = note(event="qa_interaction", metadata={"question_id": "q1"})
    assert 'data-act="show_answer"' in source_of(own, Sources(memories={"m1": asked}))
    assert EN("graph.from_memory") in Tags(source_of(own, Sources())).text
    assert EN("memory.from_gone") in Tags(source_of(evidence(), Sources())).text


# --- how two things are connected -----------------------------------------------------------------


def connection(*relations: Relation) -> Connection:
    steps = tuple(Step(relation=r, forward=True, evidence=r.evidence[0]) for r in relations)
    return Connection(start=entity("encoder"), end=entity("layer"), steps=steps)


@pytest.mark.parametrize("words", BOTH, ids=LANGUAGES)
def test_a_connection_is_told_step_by_step(words: Words) -> None:
    has = relation("network", RelationKind.HAS, "layer", id="r2")
    text = Tags(connecting(("encoder", "layer"), connection(IS_A, has), SOURCES, words)).text
    assert words("graph.connect_found", count=2, start="encoder", end="layer") in text
    assert text.count("An encoder is a network.") == 2
    direct = Tags(connecting(("", ""), connection(IS_A), SOURCES, words)).text
    assert words("graph.connect_found_one", start="encoder", end="layer") in direct


@pytest.mark.parametrize("words", BOTH, ids=LANGUAGES)
def test_no_connection_one_thing_and_unknown_things_are_told_apart(words: Words) -> None:
    none = Tags(connecting(("a", "b"), connection(), SOURCES, words)).text
    assert words("graph.connect_none", start="encoder", end="layer") in none
    same = Connection(start=entity("encoder"), end=entity("encoder"))
    told = Tags(connecting(("a", "a"), same, SOURCES, words)).text
    assert words("graph.connect_same", start="encoder") in told
    unknown = Tags(connecting(("a", "b"), None, SOURCES, words)).text
    assert words("graph.connect_unknown", one="a", other="b") in unknown
    assert (
        words("graph.connect_unknown", one="", other="")
        not in Tags(connecting(("", ""), None, SOURCES, words)).text
    )


# --- how good it is -------------------------------------------------------------------------------


def quality(**changes: object) -> GraphQuality:
    values: dict[str, object] = {
        "counts": GraphCounts(entities=1200, relations=900, evidence=3000), "entity_kinds": {},
        "relation_kinds": {}, "orphan_count": 0, "orphans": (), "duplicates": (),
        "contradictions": (), "cycles": (), "self_relations": (), "doubtful": 0.18,
    }  # fmt: skip
    return GraphQuality(**{**values, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize("words", BOTH, ids=LANGUAGES)
def test_a_good_graph_is_said_to_be_good(words: Words) -> None:
    text = Tags(quality_section(quality(), SOURCES, words)).text
    assert "1,200" in text
    assert words("graph.quality_doubtful", percent="18%") in text
    for key in ("no_orphans", "no_duplicates", "no_contradictions"):
        assert words(f"graph.quality_{key}") in text
    nothing = quality(counts=GraphCounts(entities=0, relations=0, evidence=0))
    assert quality_section(nothing, SOURCES, words) == ""


@pytest.mark.parametrize("words", BOTH, ids=LANGUAGES)
def test_what_may_be_wrong_is_named(words: Words) -> None:
    born = [
        relation("Ada", RelationKind.BORN_IN, year, evidence(sentence=f"Ada was born in {year}."))
        for year in ("1815", "1816")
    ]
    pairs = tuple(
        MergeProposal(keep=entity("cat"), drop=entity("cats"), reason=reason, score=0.9)
        for reason in MergeReason
    )
    found = quality(
        orphan_count=40,
        orphans=tuple(entity(f"thing {n}") for n in range(40)),
        duplicates=pairs,
        contradictions=(Contradiction(kind=ContradictionKind.BORN, relations=tuple(born)),),
        cycles=((entity("a"), entity("b")),),
        self_relations=(relation("a", RelationKind.PART_OF, "a"),),
    )
    html = quality_section(found, SOURCES, words)
    text = Tags(html).text
    assert "thing 0" in text
    assert "thing 39" not in text
    assert words("graph.pair", keep="cat", drop="cats") in text
    assert 'data-act="graph_merge" class="link" data-keep="id cat" data-drop="id cats"' in html
    for reason in MergeReason:
        assert words(f"graph.merge_{reason}") in text
    assert "Ada was born in 1816." in text
    for key in ("contradictions", "cycles", "self"):
        assert words(f"graph.quality_{key}") in text
