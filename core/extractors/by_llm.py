"""Adapter: a language model reads facts; each must quote a sentence that stands in the text."""

from collections.abc import Iterator, Sequence

from core.domain.graph import name_key
from core.graph.naming import entity
from core.graph.sentences import sentences_of, states
from core.ports.extractor import Extracted, ReadFact, ReadMention
from core.ports.llm import LLM, ChatTurn
from core.prompts import extraction as prompt

CONFIDENCE = 0.9
MOST_CALLS = 40
"""Of a longer text, the rest is not read by the model."""


class ModelExtractor:
    """Reads with `llm`, some paragraphs at a time. As thread-safe as the model."""

    def __init__(self, llm: LLM, *, most_calls: int = MOST_CALLS) -> None:
        self._llm = llm
        self._most_calls = most_calls

    @property
    def name(self) -> str:
        """Model id, as shown to the learner."""
        return self._llm.name

    def extract(self, text: str, *, language: str) -> Extracted:
        """See `Extractor.extract`. A fact is dropped whose quote is no sentence of the text, or

        whose names do not stand in it. Raises `ModelError`.
        """
        sentences = [s for s in dict.fromkeys(sentences_of(text)) if states(s, language)]
        facts: list[ReadFact] = []
        for number, batch in enumerate(_batches(sentences, prompt.LONGEST[language])):
            if number == self._most_calls:
                break
            facts += self._read(batch, language)
        mentions = {
            (one.id, fact.sentence): ReadMention(
                entity=one, sentence=fact.sentence, confidence=CONFIDENCE
            )
            for fact in facts
            for one in (fact.subject, fact.object)
        }
        return Extracted(mentions=tuple(mentions.values()), facts=tuple(facts))

    def _read(self, sentences: Sequence[str], language: str) -> Iterator[ReadFact]:
        turns = [
            ChatTurn("system", prompt.SYSTEM[language]),
            ChatTurn("user", prompt.user_turn("\n".join(sentences), language)),
        ]
        for claim in prompt.parse(self._llm.complete(turns, max_tokens=prompt.TOKENS)):
            quoted = " ".join(claim.quote.split())
            sentence = next((s for s in sentences if quoted == " ".join(s.split())), None)
            if sentence is None:
                continue
            key = name_key(sentence)
            if not all(name_key(name) in key for name in (claim.subject, claim.object)):
                continue
            one, other = entity(claim.subject, language), entity(claim.object, language)
            if one.id != other.id:
                yield ReadFact(
                    subject=one,
                    kind=claim.kind,
                    object=other,
                    sentence=sentence,
                    confidence=CONFIDENCE,
                )


def _batches(sentences: Sequence[str], longest: int) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for sentence in sentences:
        if batch and size + len(sentence) > longest:
            yield batch
            batch, size = [], 0
        batch.append(sentence)
        size += len(sentence)
    if batch:
        yield batch
