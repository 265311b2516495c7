"""Questions about documents as a whole: answered from how each of them begins."""

from collections.abc import Mapping, Sequence

from core.domain.document import BlockKind, Document
from core.ports.document_store import DocumentStore
from core.rag.chunking import chunk_id_for
from core.rag.retrieval import Found, PageLookup, Retrieval
from core.rag.selection import Chosen, sentences_of

_DOCUMENTS = 3
_PASSAGES = 3
_LETTERS = 25
"""A shorter sentence on the first page is a name, a date or a label."""


def with_openings(
    retrieval: Retrieval, documents: Sequence[Document], store: DocumentStore, *, namespace: str
) -> Retrieval:
    """Return the first passages of the documents (of three at most), then what was found."""
    asked = {d.id: d for d in documents[:_DOCUMENTS]}
    ids = [chunk_id_for(d, n) for d in asked for n in range(min(_PASSAGES, asked[d].chunks))]
    known = {found.chunk.id: found for found in retrieval.found}
    openings = [
        known.get(chunk.id)
        or Found(
            chunk=chunk,
            document=asked[chunk.document_id],
            page=chunk.ranges[0].page,
            score=0.0,
            scores={"fused": 0.0},
            windows={},
            refined={},
        )
        for chunk in store.chunks(ids, namespace=namespace)
    ]
    first = {found.chunk.id for found in openings}
    rest = [found for found in retrieval.found if found.chunk.id not in first]
    most = max(len(retrieval.found), len(openings))
    return Retrieval(
        found=(*openings, *rest)[:most],
        weighted=retrieval.weighted,
        by_words_only=retrieval.by_words_only,
        others=retrieval.others,
        queries=retrieval.queries,
        tiers=retrieval.tiers,
        notes=retrieval.notes,
    )


def opening_sentences(
    retrieval: Retrieval, pages: PageLookup, chosen: Sequence[Chosen]
) -> list[Chosen]:
    """Return the sentences with which each document begins, turn by turn, then the others."""
    by_document: dict[str, list[Chosen]] = {}
    for found in retrieval.found:
        if found.chunk.ordinal >= _PASSAGES:
            continue
        by_document.setdefault(found.document.id, []).extend(
            Chosen(
                sentence=sentence,
                found=found,
                score=1.0,
                cosine=0.0,
                coverage=1.0,
                refined=None,
                features=_NONE,
            )
            for sentence in sentences_of(found, pages)
            if sentence.kind is BlockKind.PARAGRAPH and len(sentence.text) >= _LETTERS
        )
    turns = max((len(own) for own in by_document.values()), default=0)
    first = [own[i] for i in range(turns) for own in by_document.values() if i < len(own)]
    return [*first, *chosen]


_NONE: Mapping[str, float] = {}
