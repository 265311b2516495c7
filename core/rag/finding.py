"""Finding passages with everything that helps: further queries, feedback, a reranker."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.answer import DEFAULT_OPTIONS, AskOptions
from core.domain.document import Document
from core.domain.trace import QueryKind, TraceQuery
from core.errors import ModelError
from core.ports.metered import MeteredModel
from core.ports.reranker import MOST_CANDIDATES, Reranker
from core.rag.expansion import Expander, Expansion
from core.rag.feedback import feedback_query, weights_of
from core.rag.retrieval import Found, Retrieval, Retriever
from core.text.tokens import language_of

logger = logging.getLogger(__name__)

PASSAGES = 10
"""So many passages an answer is made from and shows."""
_RERANKED_CHARACTERS = 2000
_FEW = 500
"""Feedback searches among so many passages at most."""
_SAID = 0.5
"""A passage with so much of the question (by rarity) says it in the question's own words."""

MakeReranker = Callable[[MeteredModel | None], Reranker | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is searched for. `model` is None without one; `advanced` asks for further queries."""

    question: str
    kind: QueryKind = QueryKind.QUESTION
    options: AskOptions = DEFAULT_OPTIONS
    advanced: bool = True
    model: MeteredModel | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingSettings:
    """What the operator set; see `core.settings`."""

    enable_mqe: bool = True
    enable_hyde: bool = True
    expansion_seconds: float = 8.0


class Finder:
    """Retrieves for one question at a time. Thread-safe."""

    def __init__(
        self,
        retriever: Retriever,
        *,
        settings: FindingSettings | None = None,
        make_reranker: MakeReranker = lambda _: None,
    ) -> None:
        self._retriever = retriever
        self._settings = settings or FindingSettings()
        self._make_reranker = make_reranker

    @property
    def retriever(self) -> Retriever:
        """What searches."""
        return self._retriever

    def warm_up(self) -> None:
        """Load what the first question would wait for."""
        self._retriever.warm_up()

    def forget(self, document_id: str) -> None:
        """Drop what is kept in memory of a document."""
        self._retriever.cache.drop(document_id)

    def find(self, query: Query, documents: Sequence[Document], *, namespace: str) -> Retrieval:
        """Return the passages for a question, and in `notes` what did not go as asked."""
        reranker = self._make_reranker(query.model)

        def retrieve(further: Sequence[TraceQuery] = ()) -> Retrieval:
            return self._retriever.retrieve(
                query.question,
                documents=documents,
                namespace=namespace,
                limit=PASSAGES if reranker is None else MOST_CANDIDATES,
                further=further,
                pool_multiplier=query.options.candidate_pool_multiplier,
                kind=query.kind,
            )

        wanted = self._wanted(query)
        if query.model is not None and (wanted.mqe or wanted.hyde):
            expander = Expander(query.model.call, seconds=self._settings.expansion_seconds)
            expansion = expander.start(
                query.question, language_of(query.question), mqe=wanted.mqe, hyde=wanted.hyde
            )
            plain = retrieve()
            found = _noted(self._expanded(expansion, retrieve, plain, query.model), expansion.notes)
        elif wanted.feedback:
            found = self._with_feedback(query, retrieve, namespace)
        else:
            found = retrieve()
        if reranker is None:
            return found
        return _reranked(found, reranker, query.question)

    def _wanted(self, query: Query) -> "_Wanted":
        """Return what the options ask for, or the settings where they leave it open."""
        options = query.options
        mqe = self._settings.enable_mqe if options.enable_mqe is None else options.enable_mqe
        hyde = self._settings.enable_hyde if options.enable_hyde is None else options.enable_hyde
        if not query.advanced and options.enable_mqe is None and options.enable_hyde is None:
            return _Wanted()
        return _Wanted(
            mqe=options.mqe_expansions if mqe else 0,
            hyde=hyde,
            feedback=mqe and query.model is None,
        )

    def _expanded(
        self,
        expansion: Expansion,
        retrieve: Callable[[Sequence[TraceQuery]], Retrieval],
        plain: Retrieval,
        model: MeteredModel,
    ) -> Retrieval:
        """Search for the further queries too; without any in time the plain result stands."""
        queries = expansion.queries()
        for purpose in expansion.late:
            model.mark(purpose, "late")
        return retrieve(queries) if queries else plain

    def _with_feedback(
        self, query: Query, retrieve: Callable[..., Retrieval], namespace: str
    ) -> Retrieval:
        """Search also for telling words of the first passages, where they are in its language.

        Where the first passage has most of the question's words, other words have nothing to add;
        and among many passages a second search takes longer than it is worth.
        """
        plain: Retrieval = retrieve()
        own = [f for f in plain.found if f.document.language == language_of(query.question)]
        said = own[0].scores.get("coverage", 0.0) if own else 0.0
        searched = sum(d.chunks for d in {f.document.id: f.document for f in own}.values())
        if len(own) < len(plain.found) or not own or said >= _SAID or searched > _FEW:
            return _noted(plain, ("expansion_needs_model",))
        texts = [f.chunk.text for f in own]
        documents = list({f.document.id: f.document for f in own}.values())
        segments = self._retriever.segments_of(documents, namespace=namespace)
        weights = weights_of(query.question, texts, segments)
        further = feedback_query(query.question, texts, weights)
        if further is None:
            return _noted(plain, ("expansion_needs_model",))
        return _noted(retrieve([further]), ("expansion_needs_model", "feedback"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """Further queries: so many in other words, an imagined answer, feedback."""

    mqe: int = 0
    hyde: bool = False
    feedback: bool = False


def _noted(retrieval: Retrieval, notes: Sequence[str]) -> Retrieval:
    return replace(retrieval, notes=(*retrieval.notes, *notes))


def _reranked(retrieval: Retrieval, reranker: Reranker, question: str) -> Retrieval:
    """Order by the reranker's judgement; what falls behind `PASSAGES` is not taken.

    When it fails the order stays as it was, and a note says so.
    """
    found = retrieval.found
    try:
        scores = reranker.scores(question, [f.chunk.text[:_RERANKED_CHARACTERS] for f in found])
    except ModelError as exc:
        logger.warning("The reranker failed: %s", exc)
        return replace(_noted(retrieval, ("rerank_failed",)), found=found[:PASSAGES])
    judged = [replace(f, reranked=s) for f, s in zip(found, scores, strict=True)]
    judged.sort(key=lambda f: -(f.reranked or 0.0))
    return replace(
        retrieval,
        found=tuple(judged[:PASSAGES]),
        others=(*map(_other, judged[PASSAGES:]), *retrieval.others),
    )


def _other(found: Found) -> tuple[str, Document, int, Mapping[str, float]]:
    return found.chunk.id, found.document, found.page, {**found.scores, "query": found.query}
