"""The trace of an answer from what it was made of: what the glass box shows."""

from collections.abc import Mapping

from core.domain.answer import NearestPage, Passage
from core.domain.trace import Trace, TraceCall, TraceCandidate, TraceSentence
from core.rag.answering import Draft, Material
from core.rag.fusion import FusionWeights, Weights
from core.rag.retrieval import Retrieval

_NEAREST = 3
_LONGEST_SENTENCE = 300


def trace_of(
    material: Material,
    draft: Draft,
    *,
    weights: FusionWeights,
    timings: Mapping[str, float],
    calls: tuple[TraceCall, ...] = (),
    notes: tuple[str, ...] = (),
) -> Trace:
    """Return how an answer was found. Scores, features and weights are rounded to four digits."""
    retrieval = material.retrieval
    return Trace(
        queries=retrieval.queries,
        tiers=retrieval.tiers,
        candidates=_candidates(retrieval, draft),
        sentences=_sentences(material, draft),
        calls=calls,
        weights=_weights(retrieval, material.language, weights),
        timings=dict(timings),
        notes=(*retrieval.notes, *notes),
    )


def _candidates(retrieval: Retrieval, draft: Draft) -> tuple[TraceCandidate, ...]:
    """Return the passages taken and those that were not, with why.

    A passage that was neither quoted from nor shown to a model was dropped, too: nothing of it can
    be in the answer.
    """
    found = [
        TraceCandidate(
            chunk_id=f.chunk.id,
            document_id=f.document.id,
            document=f.document.name,
            page=f.page,
            scores=_rounded(f.scores),
            query=f.query,
            reranked=f.reranked,
            cited=draft.cited_chunks.get(f.chunk.id, ()),
            dropped=None
            if f.chunk.id in draft.read or f.chunk.id in draft.cited_chunks
            else "not_quoted",
        )
        for f in retrieval.found
    ]
    others = [
        TraceCandidate(
            chunk_id=chunk_id,
            document_id=document.id,
            document=document.name,
            page=page,
            scores=_rounded({k: v for k, v in scores.items() if k != "query"}),
            query=int(scores.get("query", 0)),
            dropped="below_limit",
        )
        for chunk_id, document, page, scores in retrieval.others
    ]
    return (*found, *others)


def _sentences(material: Material, draft: Draft) -> tuple[TraceSentence, ...]:
    return tuple(
        TraceSentence(
            document_id=chosen.found.document.id,
            page=chosen.sentence.page,
            text=chosen.sentence.text[:_LONGEST_SENTENCE],
            score=round(chosen.score, 4),
            features=_rounded(chosen.features),
            citation=number,
            why=why,
        )
        for i, (why, number) in sorted(draft.considered.items())
        for chosen in (material.chosen[i],)
    )


def _weights(retrieval: Retrieval, language: str, weights: FusionWeights) -> dict[str, float]:
    """Return the weights that held for the first passage."""
    if not retrieval.found:
        return {}
    first = retrieval.found[0]
    own = first.document.language == language
    if first.passage is None:
        used: Weights = weights.own if own else weights.other
    else:
        used = weights.own_refined if own else weights.other_refined
    return {
        name: round(getattr(used, name) / used.total, 4)
        for name in Weights.__slots__
        if getattr(used, name)
    }


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in values.items()}


def nearest_pages(passages: tuple[Passage, ...]) -> tuple[NearestPage, ...]:
    """Return the pages of the first passages, each once, at most three."""
    seen: dict[tuple[str, int], NearestPage] = {}
    for passage in passages:
        seen.setdefault(
            (passage.document_id, passage.page),
            NearestPage(
                document=passage.document,
                document_id=passage.document_id,
                page=passage.page,
                page_label=passage.page_label,
                score=passage.score,
            ),
        )
    return tuple(seen.values())[:_NEAREST]
