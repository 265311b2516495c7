"""Answers by a model, of whose citations only those are kept that code can prove."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.answer import AnswerMode, Citation, RefusalReason
from core.errors import ModelError, ModelResponseError
from core.ports.embedder import Embedder
from core.ports.llm import ChatTurn
from core.ports.metered import MeteredModel
from core.prompts import answer as prompt
from core.rag.answering import NOTHING_PROVEN, Draft, Material, refused
from core.rag.citations import Claim, Prover
from core.rag.extractive import extractive
from core.rag.gate import Gate
from core.rag.guard import doubts
from core.rag.retrieval import Found
from core.rag.selection import MAX_QUOTES
from core.rag.support import ClaimFinder, Support, by_words
from core.text.sentences import sentence_spans

logger = logging.getLogger(__name__)

PASSAGES_FOR_MODEL = 6
ANSWER = "answer"
"""Purpose of the call in the record of a question's calls."""
MAX_REPLY_CHARACTERS = 20_000
"""A reply longer than this is a model that does not stop."""
_GAP_BEFORE_STOP = re.compile(r"[ \t]+([.,;:!?。，；：！？])")

_Mark = tuple[int, int]
"""Position of a part of the reply, and of the mark behind it; -1 for a part without one."""


@dataclass(frozen=True, slots=True)
class Proofs:
    """What could be proven of a reply.

    `numbers` are the citations of each mark, `chunks` the citations by chunk, `removed` counts the
    marks that fell out.
    """

    citations: tuple[Citation, ...]
    numbers: Mapping[_Mark, int]
    chunks: Mapping[str, tuple[int, ...]]
    removed: int


class Generator:
    """Answers with a model, and keeps of its citations what code can prove."""

    def __init__(self, model: MeteredModel, embedder: Embedder, prover: Prover, gate: Gate) -> None:
        self._model = model
        self._embedder = embedder
        self._prover = prover
        self._gate = gate

    def stream(self, material: Material) -> Iterator[str | Draft]:
        """Yield the reply's text without citation marks as it comes, then the proven draft.

        When the model fails, or nothing it says can be proven, the draft is extractive and its
        notice says why: the learner gets proof in any case.
        """
        marks = prompt.MarkFilter()
        reply: list[str] = []
        length = 0
        try:
            for piece in self._model.stream(ANSWER, self._turns(material)):
                reply.append(piece)
                length += len(piece)
                if length > MAX_REPLY_CHARACTERS:
                    raise ModelResponseError("The language model's answer did not come to an end.")
                if shown := marks.feed(piece):
                    yield shown
        except ModelError as exc:
            logger.warning("The model failed: %s", exc)
            yield self._instead(material, exc.code, exc.sentence)
            return
        text = "".join(reply)
        if prompt.is_refusal(text):
            yield replace(
                refused(material.language, RefusalReason.MODEL_DECLINED), read=_read(material)
            )
            return
        yield self._proven(text, material)

    def _turns(self, material: Material) -> list[ChatTurn]:
        passages = [_for_model(f) for f in _shown(material)]
        user = prompt.user_turn(
            material.question,
            passages,
            material.language,
            nearest=_nearest(material),
            notes=material.notes,
        )
        system = prompt.SYSTEM[material.language]
        return [ChatTurn("system", system), ChatTurn("user", user)]

    def _instead(
        self, material: Material, notice: str, detail: str | None, removed: int = 0
    ) -> Draft:
        draft = extractive(material, self._prover, self._gate)
        return replace(
            draft,
            removed=draft.removed + removed,
            notice=notice,
            detail=detail,
            read=_read(material),
        )

    def _proven(self, reply: str, material: Material) -> Draft:
        parts = prompt.parse(reply)
        proofs = self._prove(self._supports(parts, material), material)
        if not proofs.citations:
            return self._instead(material, NOTHING_PROVEN, None, proofs.removed)
        text = _tidy("".join(_with_numbers(p.text, i, proofs.numbers) for i, p in enumerate(parts)))
        return Draft(
            text=text,
            mode=AnswerMode.GENERATED,
            citations=proofs.citations,
            removed=proofs.removed,
            doubts=doubts(text, proofs.citations),
            cited_chunks=proofs.chunks,
            read=_read(material),
        )

    def _supports(
        self, parts: Sequence[prompt.ReplyPart], material: Material
    ) -> dict[_Mark, tuple[Found, Support] | None]:
        """Return what supports each mark, None for nothing.

        Small models forget marks: the last sentence of a part without any is looked for too.
        """
        finder = ClaimFinder(_shown(material), material.pages, self._embedder)
        out: dict[_Mark, tuple[Found, Support] | None] = {}
        for i, part in enumerate(parts):
            claim = _last_sentence(part.text)
            if not part.references and (unmarked := finder.unmarked(claim)) is not None:
                out[i, -1] = unmarked
            for k, reference in enumerate(part.references):
                out[i, k] = _support(claim, reference, finder, material)
        return out

    def _prove(
        self, supports: Mapping[_Mark, tuple[Found, Support] | None], material: Material
    ) -> Proofs:
        """Prove the supporting sentences. Two marks for the same sentence share one citation."""
        keys: dict[tuple[str, int, int], list[_Mark]] = {}
        claims: dict[tuple[str, int, int], tuple[Claim, str]] = {}
        removed = 0
        for mark, supported in supports.items():
            if supported is None:
                removed += 1
                continue
            found, support = supported
            first = support.sentence.ranges[0]
            key = (found.document.id, first.page, first.start)
            keys.setdefault(key, []).append(mark)
            claim = Claim(
                found.document,
                support.sentence.ranges,
                support.likeness,
                found.chunk.heading_path,
            )
            claims.setdefault(key, (claim, found.chunk.id))
        proven = self._prover.prove([claim for claim, _ in claims.values()], material.pages)
        numbers: dict[_Mark, int] = {}
        chunks: dict[str, tuple[int, ...]] = {}
        citations: list[Citation] = []
        for (key, (_, chunk_id)), citation in zip(claims.items(), proven, strict=True):
            if citation is None:
                removed += len(keys[key])
                continue
            citations.append(citation)
            chunks[chunk_id] = (*chunks.get(chunk_id, ()), citation.number)
            numbers |= dict.fromkeys(keys[key], citation.number)
        return Proofs(tuple(citations), numbers, chunks, removed)


def _support(
    claim: str, reference: prompt.Reference, finder: ClaimFinder, material: Material
) -> tuple[Found, Support] | None:
    """Return the sentence that proves a claim: by the words quoted, else by likeness."""
    found = _shown(material)
    named = reference.number - 1 if 1 <= reference.number <= len(found) else None
    if named is not None and reference.words:
        support = by_words(reference.words, found[named], material.pages)
        if support is not None:
            return found[named], support
    return finder.marked(claim, named)


def _shown(material: Material) -> Sequence[Found]:
    return material.retrieval.found[:PASSAGES_FOR_MODEL]


def _nearest(material: Material) -> list[tuple[int, str]]:
    """Return the best sentences of the passages shown, with the passages' numbers."""
    numbers = {found.chunk.id: n for n, found in enumerate(_shown(material), start=1)}
    return [
        (numbers[c.found.chunk.id], " ".join(c.sentence.text.split()))
        for c in material.chosen[:MAX_QUOTES]
        if c.found.chunk.id in numbers
    ]


def _read(material: Material) -> tuple[str, ...]:
    return tuple(found.chunk.id for found in _shown(material))


def _last_sentence(text: str) -> str:
    spans = sentence_spans(text)
    return text[spans[-1][0] : spans[-1][1]] if spans else ""


def _with_numbers(text: str, part: int, numbers: Mapping[_Mark, int]) -> str:
    own = dict.fromkeys(n for (i, _), n in sorted(numbers.items()) if i == part)
    marks = "".join(f"[{n}]" for n in own)
    return f"{text.rstrip()} {marks}" if marks else text


def _tidy(text: str) -> str:
    """Close the gaps that removed marks leave before punctuation."""
    return _GAP_BEFORE_STOP.sub(r"\1", text).strip()


def _for_model(found: Found) -> str:
    """Return a passage as the model reads it: where it stands, then its whole text."""
    where = " > ".join((found.document.title, *found.chunk.heading_path))
    return f"({where}, p. {found.page}) {found.chunk.text}"
