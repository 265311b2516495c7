"""One question to the documents of a learner: find, answer, prove, and say how."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.answer import (
    DEFAULT_OPTIONS,
    Answer,
    AnswerMode,
    AskOptions,
    Passage,
    Refusal,
    RefusalReason,
    StillReading,
)
from core.domain.document import Document, DocumentState
from core.domain.trace import QueryKind, Trace
from core.ports.document_store import DocumentStore
from core.ports.embedder import Embedder
from core.ports.metered import MeteredModel
from core.prompts.answer import NO_DOCUMENTS, STILL_READING
from core.rag.answerability_whole import asks_for_an_overview
from core.rag.answering import Draft, Material, choose_sentences, refused
from core.rag.citations import Prover
from core.rag.extractive import extractive
from core.rag.finding import Finder, Query
from core.rag.gate import Gate
from core.rag.generation import Generator
from core.rag.retrieval import Found, PageLookup, Retrieval, pages_of
from core.rag.selection import lookup
from core.rag.tracing import nearest_pages, trace_of
from core.rag.ways import FindWay, fitting, no_way, way_sentences, with_way
from core.rag.whole import opening_sentences, with_openings
from core.text.tokens import language_of

BY_WORDS_ONLY = "by_words_only"
"""Notice: the index of a document is being renewed, and only its words could be searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question as it is searched for.

    `documents` are ids; None means all. `kind` says whether it was completed. `model` is None for
    an answer in the documents' own words; `notes` are what the learner noted, for the model.
    """

    question: str
    documents: Sequence[str] | None = None
    kind: QueryKind = QueryKind.QUESTION
    options: AskOptions = DEFAULT_OPTIONS
    advanced: bool = True
    model: MeteredModel | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A finished answer with what it was made from. `timings` are seconds by step."""

    draft: Draft
    language: str
    passages: tuple[Passage, ...] = ()
    timings: Mapping[str, float]
    still_reading: tuple[StillReading, ...] = ()
    trace: Trace | None = None

    def as_answer(self, *, id: str, question: str, seconds: float) -> Answer:
        """Return the answer to the question that is stored as `id`."""
        draft = self.draft
        refusal = None
        if draft.refusal is not None:
            refusal = Refusal(reason=draft.refusal, nearest=nearest_pages(self.passages))
        return Answer(
            id=id,
            question=question,
            text=draft.text,
            mode=draft.mode,
            language=self.language,
            citations=draft.citations,
            passages=self.passages,
            removed=draft.removed,
            notice=draft.notice,
            detail=draft.detail,
            seconds=seconds,
            timings=self.timings,
            still_reading=self.still_reading,
            refusal=refusal,
            doubts=draft.doubts,
            trace=self.trace,
        )


class Asker:
    """Answers questions of one namespace."""

    def __init__(
        self,
        *,
        finder: Finder,
        store: DocumentStore,
        embedder: Embedder,
        prover: Prover,
        gate: Gate,
        monotonic: Callable[[], float],
        find_way: FindWay = no_way,
    ) -> None:
        self._finder = finder
        self._store = store
        self._embedder = embedder
        self._prover = prover
        self._gate = gate
        self._monotonic = monotonic
        self._find_way = find_way

    def answer(self, ask: Ask, *, namespace: str) -> Iterator[str | Finished]:
        """Yield pieces of the answer's text, then the finished answer."""
        language = language_of(ask.question)
        wanted = self._wanted(ask.documents, namespace)
        asked = [d for d in wanted if d.pages_read]
        still = tuple(_still_reading(d) for d in wanted if d.unread)
        if not asked:
            yield _nothing_to_ask(language, still)
            return
        began = self._monotonic()
        way = fitting(self._find_way(ask.question, namespace), asked)
        retrieval = self._found(ask, asked, namespace)
        if way:
            retrieval = with_way(retrieval, way, asked, self._store, namespace=namespace)
        found = self._monotonic()
        pages = self._pages(retrieval.found, namespace)
        material = choose_sentences(ask.question, language, retrieval, pages, ask.notes)
        if asks_for_an_overview(ask.question):
            opening = opening_sentences(retrieval, pages, material.chosen)
            material = replace(material, chosen=opening)
        if way:
            steps = way_sentences(retrieval, pages, way)
            if steps:
                material = replace(material, chosen=steps, is_given=True)
        chosen = self._monotonic()
        draft = refused(language, RefusalReason.NOTHING_FOUND)
        for piece in self._draft(material, ask.model):
            if isinstance(piece, Draft):
                draft = _with_notice(piece, retrieval)
            else:
                yield piece
        timings = {
            "retrieve": found - began,
            "select": chosen - found,
            "answer": self._monotonic() - chosen,
        }
        yield Finished(
            draft=draft,
            language=language,
            passages=tuple(_passage(f, pages) for f in retrieval.found),
            timings=timings,
            still_reading=still,
            trace=trace_of(
                material,
                draft,
                weights=self._finder.retriever.weights,
                timings=timings,
                calls=() if ask.model is None else ask.model.calls,
            ),
        )

    def _found(self, ask: Ask, documents: Sequence[Document], namespace: str) -> Retrieval:
        query = Query(
            question=ask.question,
            kind=ask.kind,
            options=ask.options,
            advanced=ask.advanced,
            model=ask.model,
        )
        retrieval = self._finder.find(query, documents, namespace=namespace)
        if not asks_for_an_overview(ask.question):
            return retrieval
        return with_openings(retrieval, documents, self._store, namespace=namespace)

    def _draft(self, material: Material, model: MeteredModel | None) -> Iterator[str | Draft]:
        if model is None or not material.retrieval.found:
            draft = extractive(material, self._prover, self._gate)
            yield draft.text
            yield draft
        else:
            yield from Generator(model, self._embedder, self._prover, self._gate).stream(material)

    def _wanted(self, documents: Sequence[str] | None, namespace: str) -> list[Document]:
        every = self._store.list(namespace=namespace)
        own = [d for d in every if d.state is not DocumentState.DELETING]
        return own if documents is None else [d for d in own if d.id in set(documents)]

    def _pages(self, found: Sequence[Found], namespace: str) -> PageLookup:
        return lookup(
            {
                document_id: self._store.pages(document_id, numbers, namespace=namespace)
                for document_id, numbers in pages_of(found).items()
            }
        )


def _nothing_to_ask(language: str, still: tuple[StillReading, ...]) -> Finished:
    reason = RefusalReason.STILL_READING if still else RefusalReason.NO_DOCUMENTS
    text = (STILL_READING if still else NO_DOCUMENTS)[language]
    draft = Draft(text=text, mode=AnswerMode.REFUSED, refusal=reason)
    return Finished(draft=draft, language=language, timings={}, still_reading=still)


def _with_notice(draft: Draft, retrieval: Retrieval) -> Draft:
    if retrieval.by_words_only and draft.notice is None:
        return replace(draft, notice=BY_WORDS_ONLY)
    return draft


def _passage(found: Found, pages: PageLookup) -> Passage:
    page = pages.get((found.document.id, found.page))
    return Passage(
        chunk_id=found.chunk.id,
        document=found.document.name,
        document_id=found.document.id,
        page=found.page,
        pages=found.chunk.pages,
        page_label=page.label if page else None,
        text=found.chunk.text,
        heading_path=found.chunk.heading_path,
        score=found.score,
        scores=found.scores,
    )


def _still_reading(document: Document) -> StillReading:
    return StillReading(
        document_id=document.id,
        document=document.name,
        read=document.pages_read,
        pages=document.pages,
    )
