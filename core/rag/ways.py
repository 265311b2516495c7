"""Questions how two things are connected: answered by the sentences of the way between them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from core.domain.document import Chunk, Document
from core.domain.graph_views import GraphPassage
from core.ports.document_store import DocumentStore
from core.rag.retrieval import Found, PageLookup, Retrieval
from core.rag.selection import MAX_QUOTES, Chosen, sentences_of
from core.text.letters import letters
from core.text.sentences import Sentence

_MOST_OF = 0.6
FindWay = Callable[[str, str], Sequence[GraphPassage]]
"""Returns for a question and a namespace the sentences of the way asked for, in its order.

Nothing for other questions, and where two things are not connected by documents alone.
"""


def no_way(question: str, namespace: str) -> Sequence[GraphPassage]:
    """Return nothing: without a graph no way is known."""
    return ()


def fitting(way: Sequence[GraphPassage], documents: Sequence[Document]) -> Sequence[GraphPassage]:
    """Return a way that the asked documents say whole and an answer can quote, else nothing."""
    asked = {document.id for document in documents}
    whole = all(step.document_id in asked for step in way)
    return way if whole and len(way) <= MAX_QUOTES else ()


def with_way(
    retrieval: Retrieval,
    way: Sequence[GraphPassage],
    documents: Sequence[Document],
    store: DocumentStore,
    *,
    namespace: str,
) -> Retrieval:
    """Return the passages in which the way's sentences stand, then what was found."""
    by_id = {document.id: document for document in documents}
    known = {found.chunk.id: found for found in retrieval.found}
    steps: dict[str, Found] = {}
    for step in way:
        chunk = _chunk_of(step, store, namespace)
        if chunk is None:
            continue
        scores = {"fused": step.score, "graph": step.score}
        found = known.get(chunk.id) or Found(
            chunk=chunk,
            document=by_id[step.document_id],
            page=step.page,
            score=step.score,
            scores=scores,
            windows={},
            refined={},
        )
        steps[chunk.id] = replace(found, scores={**found.scores, "graph": step.score})
    rest = [found for found in retrieval.found if found.chunk.id not in steps]
    most = max(len(retrieval.found), len(steps))
    return replace(retrieval, found=(*steps.values(), *rest)[:most])


def way_sentences(
    retrieval: Retrieval,
    pages: PageLookup,
    way: Sequence[GraphPassage],
) -> list[Chosen]:
    """Return the sentences of the way in its order; `[]` when one is not among the passages."""
    wanted = [letters(step.sentence) for step in way]
    steps: dict[int, Chosen] = {}
    for found in retrieval.found:
        if "graph" not in found.scores:
            continue
        for sentence in sentences_of(found, pages):
            said = letters(sentence.text)
            for n, step in enumerate(wanted):
                if n not in steps and _same(step, said):
                    steps[n] = _given(sentence, found)
    return [steps[n] for n in sorted(steps)] if len(steps) == len(way) else []


def _same(step: str, said: str) -> bool:
    """Tell whether two cuts of a text are of one sentence: one has the other, or most of it."""
    return step in said or (said in step and len(said) >= _MOST_OF * len(step))


def _given(sentence: Sentence, found: Found) -> Chosen:
    return Chosen(
        sentence=sentence,
        found=found,
        score=1.0,
        cosine=0.0,
        coverage=1.0,
        refined=None,
        features=_NONE,
    )


def _chunk_of(step: GraphPassage, store: DocumentStore, namespace: str) -> Chunk | None:
    said = letters(step.sentence)
    ids = store.chunk_ids(step.document_id, namespace=namespace)
    for chunk in store.chunks(ids, namespace=namespace):
        if step.page in chunk.pages and said in letters(chunk.text):
            return chunk
    return None


_NONE: Mapping[str, float] = {}
