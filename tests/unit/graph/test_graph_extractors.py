"""Extraction by a language model, by spaCy, and by several together."""

import importlib.util
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from core.domain.graph import RelationKind
from core.errors import ModelUnavailableError
from core.extractors.by_llm import CONFIDENCE, ModelExtractor
from core.extractors.with_spacy import SpacyExtractor, installed_model
from core.graph.combined import CombinedExtractor
from core.graph.rules import RuleExtractor
from core.graph_extractors import memory_extractor, page_extractor
from core.ports.llm import ChatTurn, OnUsage
from core.prompts import extraction as prompt

TEXT = "Osmosis is a kind of diffusion. Does osmosis need energy? The kidney filters blood."


class Reader:
    """A model that gives prepared replies and keeps what it was told."""

    name = "reader-1"

    def __init__(self, *replies: str) -> None:
        self._replies = list(replies)
        self.told: list[str] = []

    def complete(
        self,
        turns: Sequence[ChatTurn],
        *,
        max_tokens: int | None = None,
        on_usage: OnUsage | None = None,
    ) -> str:
        self.told.append(turns[-1].content)
        if not self._replies:
            raise ModelUnavailableError("no reply is left")
        return self._replies.pop(0)

    def stream(
        self,
        turns: Sequence[ChatTurn],
        *,
        max_tokens: int | None = None,
        on_usage: OnUsage | None = None,
    ) -> Iterator[str]:
        yield self.complete(turns, max_tokens=max_tokens, on_usage=on_usage)


def line(subject: str, relation: str, other: str, quote: str) -> str:
    row = {"subject": subject, "relation": relation, "object": other, "quote": quote}
    return json.dumps(row, ensure_ascii=False)


def test_a_fact_of_the_model_needs_a_sentence_of_the_text() -> None:
    replies = [
        line("osmosis", "is_a", "diffusion", "Osmosis is a kind of diffusion."),
        line("kidney", "produces", "urine", "The kidney produces urine."),
        line("kidney", "produces", "urine", "The kidney filters blood."),
        line("osmosis", "uses", "energy", "Does osmosis need energy?"),
        line("kidney", "filters", "blood", "The kidney filters blood."),
        line("diffusion", "is_a", "Diffusion", "Osmosis is a kind of diffusion."),
    ]
    found = ModelExtractor(Reader("\n".join(replies))).extract(TEXT, language="en")
    assert [(f.subject.name, f.kind, f.object.name) for f in found.facts] == [
        ("osmosis", RelationKind.IS_A, "diffusion")
    ]
    assert found.facts[0].confidence == CONFIDENCE
    assert found.facts[0].sentence in TEXT
    assert {m.entity.name for m in found.mentions} == {"osmosis", "diffusion"}


def test_questions_are_not_shown_to_the_model_and_long_texts_come_in_parts() -> None:
    reader = Reader("none", "none", "none")
    text = " ".join(f"The kidney number {i} filters a great deal of blood." for i in range(100))
    ModelExtractor(reader, most_calls=2).extract(f"Is it so? {text}", language="en")
    assert len(reader.told) == 2
    assert "Is it so?" not in reader.told[0]
    assert all(len(told) < prompt.LONGEST["en"] + 200 for told in reader.told)


def test_a_text_without_sentences_asks_nobody() -> None:
    reader = Reader()
    assert ModelExtractor(reader).extract("", language="zh").facts == ()
    assert reader.told == []


def test_a_failing_model_is_heard_of() -> None:
    with pytest.raises(ModelUnavailableError):
        ModelExtractor(Reader()).extract(TEXT, language="en")


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "none",
        "I am sorry, I cannot do that.",
        '{"subject": "a", "relation": "is_a", "object": "b"}',
        '{"subject": "a", "relation": "is_a", "object": "b", "quote": "", "more": 1}',
        '{"subject": 1, "relation": "is_a", "object": "b", "quote": "c"}',
        '{"subject": "a", "relation": "eats", "object": "b", "quote": "c"}',
        '{"subject": "a", "relation": "is_a", "object": "b", "quote": "c"',
        "[" * 5_000,
        line("a" * 81, "is_a", "b", "c"),
    ],
)
def test_a_reply_in_another_form_is_no_fact(reply: str) -> None:
    assert prompt.parse(reply) == []


def test_a_reply_may_be_dressed_up_but_says_everything_once() -> None:
    one = line("水", "part_of", "海", "海里有水。")
    reply = f"```json\n[{one},\n{one}]\n```"
    assert prompt.parse(reply) == [prompt.Claim("水", RelationKind.PART_OF, "海", "海里有水。")]
    many = "\n".join(line(str(i), "is_a", "n", "q") for i in range(100))
    assert len(prompt.parse(many)) == prompt.MOST_FACTS


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_prompt_names_every_relation_and_the_text(language: str) -> None:
    assert all(kind.value in prompt.SYSTEM[language] for kind in RelationKind)
    assert "Osmosis" in prompt.user_turn("Osmosis", language)


@Language.component("graph_test_parser")
def parse_by_table(doc: Doc) -> Doc:
    """Take `the A <verb>s the B` apart; every other word belongs to the verb."""
    verbs = {"transports": "transport", "contains": "contain"}
    at = next((t.i for t in doc if t.lower_ in verbs), None)
    nouns = [t.i for t in doc if t.is_alpha and t.lower_ not in {"the", *verbs}]
    heads, deps, tags, lemmas = [], [], [], []
    for token in doc:
        root = 0 if at is None else at
        heads.append(
            next((n for n in nouns if n > token.i), root) if token.lower_ == "the" else root
        )
        noun = "dobj" if at is not None and token.i > at else "nsubj"
        named = token.i in nouns
        deps.append("ROOT" if token.i == root else noun if named else
                    "det" if token.lower_ == "the" else "punct")  # fmt: skip
        tags.append("VERB" if token.i == at else "NOUN" if named else
                    "DET" if token.lower_ == "the" else "PUNCT")  # fmt: skip
        lemmas.append(verbs.get(token.lower_, token.lower_))
    return Doc(doc.vocab, words=[t.text for t in doc], spaces=[bool(t.whitespace_) for t in doc],
               heads=heads, deps=deps, pos=tags, lemmas=lemmas)  # fmt: skip


@pytest.fixture
def model(tmp_path: Path) -> str:
    nlp = spacy.blank("en")
    nlp.add_pipe("graph_test_parser")
    nlp.to_disk(tmp_path / "en_core_web_sm")
    return str(tmp_path / "en_core_web_sm")


def test_spacy_reads_subject_verb_object(model: str) -> None:
    extractor = SpacyExtractor(model)
    text = "The blood transports the oxygen. Does the blood transport it? 血液运输氧气。"
    found = extractor.extract(text, language="en")
    assert [(f.subject.name, f.kind, f.object.name, f.label) for f in found.facts] == [
        ("blood", RelationKind.RELATED, "oxygen", "transport")
    ]
    assert found.facts[0].sentence == "The blood transports the oxygen."
    assert extractor.extract(text, language="zh").facts == ()


def test_a_model_is_used_only_where_one_is_installed() -> None:
    there = [
        name
        for name in spacy.util.get_installed_models()
        if name.startswith("en_") and {"sm", "md", "lg", "trf"} & set(name.split("_"))
    ]
    assert (installed_model("en") is None) == (there == [])
    assert installed_model("zh") is None
    assert importlib.util.find_spec("spacy") is not None


def test_what_two_read_counts_for_more(model: str) -> None:
    text = "The blood contains the oxygen."
    rules, by_structure = RuleExtractor(), SpacyExtractor(model)
    single = [one.extract(text, language="en").facts[0].confidence for one in (rules, by_structure)]
    both = CombinedExtractor([rules, by_structure])
    found = both.extract(text, language="en")
    assert both.name == f"rules+{model}"
    assert len(found.facts) == 1
    assert found.facts[0].confidence == pytest.approx(1 - (1 - single[0]) * (1 - single[1]))


def test_the_model_reads_notes_and_never_documents() -> None:
    reader = Reader(line("osmosis", "is_a", "diffusion", "Osmosis is a kind of diffusion."))
    assert "reader-1" not in page_extractor().name
    assert memory_extractor(None).name == page_extractor().name
    both = memory_extractor(reader)
    assert both.name.endswith("+reader-1")
    (fact,) = both.extract("Osmosis is a kind of diffusion.", language="en").facts
    assert fact.confidence > CONFIDENCE
