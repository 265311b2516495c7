"""How well facts are read from sentences: our own labelled ones against an extractor."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.graph import name_key
from core.ports.extractor import Extractor, ReadFact
from tests.evals.report import Figure, share

SENTENCES = Path(__file__).with_name("graph_sentences.jsonl")
PRECISION_FLOOR = 0.8
RECALL_FLOOR = 0.5


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text with what it states: (subject, kind, object); `a|b` are names that are right alike.

    The rules were written with those of the part `dev` before the eyes. `held` was written after
    them and then used to mend them; `fresh` was written last, and the rules stay as they are.
    """

    language: str
    part: str
    text: str
    facts: tuple[tuple[str, str, str], ...]


@dataclass(slots=True)
class Tally:
    """What was read rightly, wrongly and not at all."""

    right: int = 0
    read: int = 0
    stated: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


def labelled(path: Path = SENTENCES) -> list[Labelled]:
    """Return the labelled texts."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Labelled(
            row["language"],
            row["part"],
            row["text"],
            tuple((one, kind, other) for one, kind, other in row["facts"]),
        )
        for row in rows
    ]


def _same(name: str, names: str) -> bool:
    return name_key(name) in {name_key(one) for one in names.split("|")}


def _is(fact: ReadFact, label: tuple[str, str, str]) -> bool:
    one, kind, other = label
    return (
        fact.kind.value == kind and _same(fact.subject.name, one) and _same(fact.object.name, other)
    )


def tally(extractor: Extractor, texts: Sequence[Labelled]) -> Tally:
    """Return how an extractor does on texts."""
    out = Tally()
    for text in texts:
        facts = extractor.extract(text.text, language=text.language).facts
        out.read += len(facts)
        out.stated += len(text.facts)
        for fact in facts:
            if any(_is(fact, label) for label in text.facts):
                out.right += 1
            else:
                said = f"{fact.subject.name} | {fact.kind.value} | {fact.object.name}"
                out.wrong.append(f"{said} << {text.text}")
        out.missed += [
            f"{' | '.join(label)} << {text.text}"
            for label in text.facts
            if not any(_is(fact, label) for fact in facts)
        ]
    return out


def figures(extractor: Extractor) -> tuple[list[Figure], list[str]]:
    """Return precision and recall by language and part, and what went wrong."""
    out: list[Figure] = []
    notes: list[str] = []
    for language in ("en", "zh"):
        for part in ("fresh", "held", "dev"):
            texts = [t for t in labelled() if t.language == language and t.part == part]
            found = tally(extractor, texts)
            bound = part != "dev"
            out += [
                Figure(
                    name=f"{language} {part} precision",
                    value=share(found.right, found.read),
                    count=found.read,
                    floor=PRECISION_FLOOR if bound else None,
                ),
                Figure(
                    name=f"{language} {part} recall",
                    value=share(found.stated - len(found.missed), found.stated),
                    count=found.stated,
                    floor=RECALL_FLOOR if bound else None,
                ),
            ]
            notes += [f"wrong: {line}" for line in found.wrong]
            notes += [f"missed: {line}" for line in found.missed]
    return out, notes
