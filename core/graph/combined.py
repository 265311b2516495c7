"""Several extractors as one."""

from collections.abc import Sequence
from dataclasses import replace

from core.ports.extractor import Extracted, Extractor, ReadAlias, ReadFact, ReadMention


class CombinedExtractor:
    """Reads with each of `extractors`; what two of them read counts for more.

    The confidence of a fact that several state is 1 - Π(1 - c).
    """

    def __init__(self, extractors: Sequence[Extractor]) -> None:
        self._extractors = tuple(extractors)

    @property
    def name(self) -> str:
        """Their names, joined by `+`."""
        return "+".join(one.name for one in self._extractors)

    def extract(self, text: str, *, language: str) -> Extracted:
        """See `Extractor.extract`. Raises what they raise."""
        every = [one.extract(text, language=language) for one in self._extractors]
        facts: dict[tuple[str, str, str, str], ReadFact] = {}
        mentions: dict[tuple[str, str], ReadMention] = {}
        aliases: dict[tuple[str, str], ReadAlias] = {}
        for found in every:
            for fact in found.facts:
                key = (fact.subject.id, fact.kind.value, fact.object.id, fact.sentence)
                there = facts.get(key)
                doubt = (1 - fact.confidence) * (1 - (there.confidence if there else 0.0))
                facts[key] = replace(there or fact, confidence=1 - doubt)
            for mention in found.mentions:
                mentions.setdefault((mention.entity.id, mention.sentence), mention)
            for alias in found.aliases:
                aliases.setdefault((alias.entity.id, alias.other.id), alias)
        return Extracted(
            mentions=tuple(mentions.values()),
            facts=tuple(facts.values()),
            aliases=tuple(aliases.values()),
        )
