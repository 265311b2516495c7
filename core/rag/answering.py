"""Answers: extractive from the best sentences, or generated; either way proven."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.answer import AnswerMode, Citation
from core.domain.document import BlockKind
from core.errors import ModelError, ModelResponseError
from core.ports.embedder import Embedder
from core.ports.llm import LLM, ChatTurn
from core.prompts import answer as prompt
from core.rag.citations import Claim, Prover
from core.rag.retrieval import Found, PageLookup, Retrieval
from core.rag.selection import MAX_QUOTES, Chosen, choose
from core.rag.support import Support, by_claim, by_words
from core.text.sentences import sentence_spans

logger = logging.getLogger(__name__)

PASSAGES_FOR_MODEL = 8
MAX_REPLY_CHARACTERS = 20_000
"""A reply longer than this is a model that does not stop."""
MIN_COSINE = 0.3
"""A sentence that shares no word with the question must at least be so near to it."""
_WEAKER = 0.45
"""Further sentences are quoted when they score this part of the best one."""
_CANDIDATES_TO_PROVE = 6

NOTHING_PROVEN = "nothing_proven"
"""Nothing the model said: the best sentences stand in its place."""
NOT_PROVABLE = "not_provable"
"""No sentence of the documents, for example because their files are gone."""
_GAP_BEFORE_STOP = re.compile(r"[ \t]+([.,;:!?。，；：！？])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An answer before it is recorded. `notice` and `detail` as in `Answer`."""

    text: str
    mode: AnswerMode
    citations: tuple[Citation, ...] = ()
    removed: int = 0
    notice: str | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Material:
    """What an answer is made from."""

    question: str
    language: str
    retrieval: Retrieval
    pages: PageLookup
    chosen: Sequence[Chosen] = field(default=())


def refused(language: str) -> Draft:
    """Return the answer that says that the documents do not answer."""
    return Draft(text=prompt.REFUSAL[language], mode=AnswerMode.REFUSED)


def extractive(material: Material, prover: Prover) -> Draft:
    """Quote the best sentences that can be proven, at most `MAX_QUOTES`."""
    candidates = [c for c in material.chosen if c.coverage > 0 or _is_near(c)]
    if not candidates:
        return refused(material.language)
    best = candidates[0].score
    wanted = [c for c in candidates if c.score >= _WEAKER * best][:_CANDIDATES_TO_PROVE]
    claims = [
        Claim(c.found.document, c.sentence.ranges, c.score, c.found.chunk.heading_path)
        for c in wanted
    ]
    citations: list[Citation] = []
    removed = 0
    # Prove what is shown first; what falls out is replaced by the next best.
    while claims and len(citations) < MAX_QUOTES:
        step = claims[: MAX_QUOTES - len(citations)]
        claims = claims[len(step) :]
        proven = [c for c in prover.prove(step, material.pages) if c is not None]
        removed += len(step) - len(proven)
        citations += proven
    numbered = [_numbered(c, i) for i, c in enumerate(citations, start=1)]
    if not numbered:
        return Draft(
            text=prompt.REFUSAL[material.language],
            mode=AnswerMode.REFUSED,
            removed=removed,
            notice=NOT_PROVABLE,
        )
    text = "\n\n".join(f"{c.quote} [{c.number}]" for c in numbered)
    return Draft(text=text, mode=AnswerMode.EXTRACTIVE, citations=tuple(numbered), removed=removed)


def _is_near(chosen: Chosen) -> bool:
    """Tell whether a sentence answers without sharing a word; a heading never does."""
    return chosen.cosine >= MIN_COSINE and chosen.sentence.kind is not BlockKind.HEADING


def _numbered(citation: Citation, number: int) -> Citation:
    values = {name: getattr(citation, name) for name in citation.__slots__}
    return Citation(**{**values, "number": number})


class Generator:
    """Answers with a model, and keeps of its citations what code can prove."""

    def __init__(self, llm: LLM, embedder: Embedder, prover: Prover) -> None:
        self._llm = llm
        self._embedder = embedder
        self._prover = prover

    def stream(self, material: Material) -> Iterator[str | Draft]:
        """Yield the reply's text without citation marks as it comes, then the proven draft.

        When the model fails, or nothing it says can be proven, the draft is extractive and its
        notice says why: the learner gets proof in any case.
        """
        marks = prompt.MarkFilter()
        reply: list[str] = []
        length = 0
        try:
            for piece in self._llm.stream(self._turns(material)):
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
            yield refused(material.language)
            return
        yield self._proven(text, material)

    def _turns(self, material: Material) -> list[ChatTurn]:
        passages = [_for_model(f) for f in material.retrieval.found[:PASSAGES_FOR_MODEL]]
        user = prompt.user_turn(material.question, passages, material.language)
        system = prompt.SYSTEM[material.language]
        return [ChatTurn("system", system), ChatTurn("user", user)]

    def _instead(
        self, material: Material, notice: str, detail: str | None, removed: int = 0
    ) -> Draft:
        draft = extractive(material, self._prover)
        return Draft(
            text=draft.text,
            mode=draft.mode,
            citations=draft.citations,
            removed=draft.removed + removed,
            notice=notice,
            detail=detail,
        )

    def _proven(self, reply: str, material: Material) -> Draft:
        parts = prompt.parse(reply)
        found = material.retrieval.found[:PASSAGES_FOR_MODEL]
        supports: dict[tuple[int, int], tuple[Found, Support]] = {}
        removed = 0
        for i, part in enumerate(parts):
            for k, reference in enumerate(part.references):
                support = self._support(part.text, reference, found, material)
                if support is None:
                    removed += 1
                else:
                    supports[i, k] = (found[reference.number - 1], support)
        numbers, citations, unproven = self._prove(supports, material)
        removed += unproven
        if not citations:
            return self._instead(material, NOTHING_PROVEN, None, removed)
        text = "".join(_with_numbers(part.text, i, numbers) for i, part in enumerate(parts))
        return Draft(
            text=_tidy(text),
            mode=AnswerMode.GENERATED,
            citations=tuple(citations),
            removed=removed,
        )

    def _support(
        self,
        claim: str,
        reference: prompt.Reference,
        found: Sequence[Found],
        material: Material,
    ) -> Support | None:
        if not 1 <= reference.number <= len(found):
            return None
        passage = found[reference.number - 1]
        if reference.words:
            return by_words(reference.words, passage, material.pages)
        spans = sentence_spans(claim)
        last = claim[spans[-1][0] : spans[-1][1]] if spans else ""
        return by_claim(last, passage, material.pages, self._embedder)

    def _prove(
        self, supports: Mapping[tuple[int, int], tuple[Found, Support]], material: Material
    ) -> tuple[dict[tuple[int, int], int], list[Citation], int]:
        """Return the number of each supported mark, the citations, and how many marks fell out.

        Two marks that lead to the same sentence share one citation.
        """
        keys: dict[tuple[str, int, int], list[tuple[int, int]]] = {}
        claims: dict[tuple[str, int, int], Claim] = {}
        for at, (found, support) in supports.items():
            first = support.sentence.ranges[0]
            key = (found.document.id, first.page, first.start)
            keys.setdefault(key, []).append(at)
            claim = Claim(
                found.document,
                support.sentence.ranges,
                support.likeness,
                found.chunk.heading_path,
            )
            claims.setdefault(key, claim)
        proven = self._prover.prove(list(claims.values()), material.pages)
        numbers: dict[tuple[int, int], int] = {}
        citations: list[Citation] = []
        unproven = 0
        for key, citation in zip(claims, proven, strict=True):
            if citation is None:
                unproven += len(keys[key])
                continue
            citations.append(citation)
            for at in keys[key]:
                numbers[at] = citation.number
        return numbers, citations, unproven


def _with_numbers(text: str, part: int, numbers: Mapping[tuple[int, int], int]) -> str:
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


def choose_sentences(
    question: str, language: str, retrieval: Retrieval, pages: PageLookup
) -> Material:
    """Return the material of an answer with its candidate sentences."""
    chosen = choose(question, language, retrieval, pages)
    return Material(question, language, retrieval, pages, chosen)
