"""The quality report and the picture of a graph."""

import numpy as np
import pytest

from core.domain.graph import EntityKind, RelationKind
from core.domain.graph_views import ContradictionKind, MergeReason
from core.errors import NotFoundError
from core.graph.knowledge import KnowledgeGraph
from core.graph.picture import layout

NS = "pdf_a"


def learn(graph: KnowledgeGraph, *pages: str, document: str = "d1") -> None:
    graph.learn_pages(document, [(i, text, "en") for i, text in enumerate(pages, 1)], namespace=NS)


def test_an_empty_graph_has_nothing_wrong(graph: KnowledgeGraph) -> None:
    report = graph.quality(namespace=NS)
    assert report.counts.entities == 0
    assert report.orphan_count == 0
    assert report.doubtful == 0
    assert report.contradictions == report.cycles == report.duplicates == ()
    assert graph.picture(namespace=NS).nodes == ()


def test_kinds_orphans_and_duplicates_are_counted(graph: KnowledgeGraph) -> None:
    learn(
        graph,
        "Ada Lovelace was born in London. We read about Paul Dirac. Paul Dirac was quiet.",
        "The photosynthesis reaction uses light. The photosinthesis reaction uses water.",
    )
    report = graph.quality(namespace=NS)
    assert report.orphan_count == 1
    assert [one.name for one in report.orphans] == ["Paul Dirac"]
    assert report.entity_kinds[EntityKind.PERSON] == 1
    assert report.relation_kinds == {RelationKind.BORN_IN: 1, RelationKind.USES: 2}
    assert [p.reason for p in report.duplicates] == [MergeReason.SPELLING]
    assert report.self_relations == ()


@pytest.mark.parametrize(
    ("pages", "kind"),
    [
        (("Ada Lovelace was born in London.", "Ada Lovelace was born in Paris."),
         ContradictionKind.BORN),
        (("Ada Lovelace was born in 1815.", "Ada Lovelace was born in 1816."),
         ContradictionKind.BORN),
        (("Hans Lippershey invented the telescope.", "Galileo Galilei invented the telescope."),
         ContradictionKind.CREATED),
        (("The war began in 1914.", "The war began in 1915."), ContradictionKind.HAPPENED),
        (("The engine is part of the machine room.", "The machine room is part of the engine."),
         ContradictionKind.BOTH_WAYS),
    ],
)  # fmt: skip
def test_what_cannot_both_be_so_is_shown(
    graph: KnowledgeGraph, pages: tuple[str, str], kind: ContradictionKind
) -> None:
    learn(graph, *pages)
    (found,) = graph.quality(namespace=NS).contradictions
    assert found.kind is kind
    assert len(found.relations) == 2


@pytest.mark.parametrize(
    "pages",
    [
        ("Ada Lovelace was born in London in 1815.", "Ada Lovelace was born in London."),
        ("Marie Curie and Pierre Curie discovered polonium.",),
        ("The war began in 1914.", "The war ended in 1918."),
        ("Ada Lovelace was born in London.", "Grace Hopper was born in New York."),
    ],
)
def test_what_fits_together_is_no_contradiction(
    graph: KnowledgeGraph, pages: tuple[str, ...]
) -> None:
    learn(graph, *pages)
    assert graph.quality(namespace=NS).contradictions == ()


def test_circles_of_is_a_are_found_once(graph: KnowledgeGraph) -> None:
    learn(graph, "A lynx is a feline. A feline is a predator. A predator is a lynx.")
    (circle,) = graph.quality(namespace=NS).cycles
    assert {one.name for one in circle} == {"lynx", "feline", "predator"}


def test_the_picture_has_every_relation_between_its_entities(graph: KnowledgeGraph) -> None:
    learn(
        graph,
        "The cell membrane consists of lipids, proteins and sugars. A cell membrane is a barrier.",
        "Lake Baikal lies in Siberia.",
    )
    whole = graph.picture(namespace=NS)
    assert len(whole.nodes) == 7
    assert len(whole.edges) == 5
    assert whole.left_out == 0
    near = graph.picture(namespace=NS, around="lipid")
    assert {node.entity.name for node in near.nodes} == {
        "cell membrane", "lipid", "protein", "sugar", "barrier"
    }  # fmt: skip
    assert max(near.nodes, key=lambda node: node.degree).entity.name == "cell membrane"
    few = graph.picture(namespace=NS, limit=3)
    assert len(few.nodes) <= 3
    assert few.left_out >= 4
    shown = {node.entity.id for node in few.nodes}
    assert all({edge.subject.id, edge.object.id} <= shown for edge in few.edges)
    assert graph.picture(namespace=NS) == whole
    with pytest.raises(NotFoundError):
        graph.picture(namespace=NS, around="Atlantis")


@pytest.mark.parametrize("count", [0, 1, 2, 7, 60])
def test_places_are_in_the_square_and_apart(count: int) -> None:
    edges = [(i, i // 2) for i in range(1, count)]
    places = layout(count, edges)
    assert places.shape == (count, 2)
    assert np.isfinite(places).all()
    assert count == 0 or (places.min() >= 0 and places.max() <= 1)
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + np.eye(count)
    assert count < 2 or gaps.min() > 0.01


def test_related_things_stand_nearer() -> None:
    edges = [(a, b) for a in range(5) for b in range(a)] + [
        (a, b) for a in range(5, 10) for b in range(5, a)
    ]
    places = layout(10, edges)
    inside = np.mean([np.linalg.norm(places[a] - places[b]) for a, b in edges])
    across = np.mean(
        [np.linalg.norm(places[a] - places[b]) for a in range(5) for b in range(5, 10)]
    )
    assert inside < across / 2
