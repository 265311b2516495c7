"""Extraction without a model: rules for English and Chinese."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.domain.graph import Entity
from core.graph import alias_reading, chinese, english
from core.graph.clauses import Subject
from core.graph.phrases import Tokens, tokenize
from core.graph.sentences import plain, sentences_of, states
from core.graph.spotting import Spotter
from core.graph.stated import Stated
from core.graph.terms import chinese_names, chinese_terms, english_names, english_terms
from core.ports.extractor import Extracted, ReadAlias, ReadFact, ReadMention

LEAST_CONFIDENCE = 0.5
"""Facts of which a rule is less sure are left out."""
NAME_CONFIDENCE = 0.7
TERM_CONFIDENCE = 0.5
FACT_CONFIDENCE = 0.9
"""That a thing is spoken of by which a sentence says something."""
_SMALL = re.compile(r"(?<![\w.])[a-z][a-z-]+")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_ALSO = re.compile(
    r", (?:also|commonly|often|sometimes|better|otherwise)? ?"
    r"(?:known as|called|abbreviated(?: as| to)?) [^,.;]{2,50}(?=,)"
)


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence with what it names and says."""

    sentence: str
    named: tuple[Entity, ...]
    facts: tuple[Stated, ...]
    aliases: tuple[tuple[Entity, Entity, float], ...]


class RuleExtractor:
    """Reads by rules alone: verbs, definitions, names, repeated terms. Stateless."""

    name = "rules"

    def extract(self, text: str, *, language: str) -> Extracted:
        """See `Extractor.extract`. Raises nothing."""
        sentences = list(sentences_of(text))
        if language == "zh":
            read, terms = _chinese(text, sentences)
        else:
            read, terms = _english(text, sentences)
        return _joined(read, terms)


def _english(text: str, sentences: Sequence[str]) -> tuple[list[_Read], dict[int, list[Entity]]]:
    small = frozenset(_SMALL.findall(text))
    before: Subject | None = None
    read: list[_Read] = []
    tokens: list[Tokens] = []
    for sentence in sentences:
        line = plain(sentence, "en")
        whole = tokenize(line, small)
        tokens.append(whole)
        facts: list[Stated] = []
        aliases: tuple[tuple[Entity, Entity, float], ...] = ()
        if states(sentence, "en"):
            bare = (
                _ALSO.sub("", _BRACKETS.sub("", line))
                if "(" in line or "known" in line or "called" in line
                else line
            )
            own = whole if bare == line else tokenize(bare, small)
            facts, before = english.facts_of(own, before)
            aliases = tuple(alias_reading.english(line, whole))
        else:
            before = None
        read.append(_Read(sentence, tuple(english_names(whole)), tuple(facts), aliases))
    return read, english_terms(tokens)


def _chinese(text: str, sentences: Sequence[str]) -> tuple[list[_Read], dict[int, list[Entity]]]:
    before: Subject | None = None
    read: list[_Read] = []
    lines = [plain(sentence, "zh") for sentence in sentences]
    for sentence, line in zip(sentences, lines, strict=True):
        facts: list[Stated] = []
        aliases: tuple[tuple[Entity, Entity, float], ...] = ()
        if states(line, "zh"):
            facts, before = chinese.facts_of(line, before)
            aliases = tuple(alias_reading.chinese(line, lambda name: text.count(name) > 1))
        else:
            before = None
        read.append(_Read(sentence, tuple(chinese_names(sentence)), tuple(facts), aliases))
    return read, chinese_terms(lines)


def _joined(read: Sequence[_Read], terms: dict[int, list[Entity]]) -> Extracted:
    mentions: dict[tuple[str, str], ReadMention] = {}
    facts: list[ReadFact] = []
    aliases: list[ReadAlias] = []

    def mention(entities: Iterable[Entity], sentence: str, confidence: float) -> None:
        for one in entities:
            mentions.setdefault(
                (one.id, sentence),
                ReadMention(entity=one, sentence=sentence, confidence=confidence),
            )

    for line in read:
        for fact in line.facts:
            if fact.confidence >= LEAST_CONFIDENCE:
                facts.append(
                    ReadFact(
                        subject=fact.subject,
                        kind=fact.kind,
                        object=fact.object,
                        sentence=line.sentence,
                        confidence=fact.confidence,
                        label=fact.label,
                    )
                )
        for one, other, confidence in line.aliases:
            mention((one, other), line.sentence, FACT_CONFIDENCE)
            aliases.append(
                ReadAlias(entity=one, other=other, sentence=line.sentence, confidence=confidence)
            )
    known = {e.id: e for f in facts for e in (f.subject, f.object)}
    spotter = Spotter(known.values())
    for n, line in enumerate(read):
        mention(spotter.find(line.sentence), line.sentence, FACT_CONFIDENCE)
        mention(line.named, line.sentence, NAME_CONFIDENCE)
        mention(terms.get(n, ()), line.sentence, TERM_CONFIDENCE)
    return Extracted(mentions=tuple(mentions.values()), facts=tuple(facts), aliases=tuple(aliases))
