"""Many learners in one store: their documents are written through the product's own indexing.

Reading files and embedding for real would take an hour; so their text is made of sentences drawn
from real pages, and their vectors are random directions, the same for the same text. Exact search
costs the same for any vectors.
"""

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID, uuid5

import numpy as np

from core.domain.document import Block, BlockKind, Document, DocumentState, Page, ReaderName
from core.memory_parts import utc_now
from core.ports.embedder import Vectors
from core.rag.chunking import Chunker, Passage
from core.rag.indexing import Batch, IndexStores, embed_windows, store_batch, window_points
from core.rag.lexical import read_segments
from core.services import Services
from core.text.tokens import language_of
from tests.evals.sentences import split_sentences

PAGE_CHARACTERS = {"en": 3000, "zh": 1000}
_CHUNK_SIZE, _CHUNK_OVERLAP = 1000, 200  # as the settings have it


class RandomEmbedder:
    """Unit vectors in random directions, seeded by the text; named as the one it stands in for."""

    window_tokens = 10_000

    def __init__(self, name: str, dimension: int) -> None:
        self.name = name
        self.dimension = dimension
        self.texts = 0

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text."""
        self.texts += len(texts)
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> Vectors:
        """Return one vector."""
        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
        found = np.random.default_rng(seed).standard_normal(self.dimension, dtype=np.float32)
        return np.asarray(found / np.linalg.norm(found), dtype=np.float32)


def sentence_pool(texts: Sequence[str]) -> list[str]:
    """Return the sentences of page texts."""
    return [s for text in texts for s in split_sentences(text) if 20 <= len(s) <= 400]


def pages_of(pool: Sequence[str], seed: int) -> Iterator[Page]:
    """Yield pages without end: three paragraphs each, of sentences drawn at random."""
    chance = random.Random(seed)
    lang = language_of(" ".join(pool[:20]))
    number = 0
    while True:
        number += 1
        text, blocks = "", []
        for _ in range(3):
            start = len(text)
            while len(text) - start < PAGE_CHARACTERS[lang] // 3:
                text += chance.choice(pool) + ("" if lang == "zh" else " ")
            text = text.rstrip()
            blocks.append(Block(kind=BlockKind.PARAGRAPH, start=start, end=len(text)))
            text += "\n"
        yield Page(
            number=number, label=None, text=text, width=595, height=842, blocks=tuple(blocks)
        )


def passages_of(
    document_id: str, pool: Sequence[str], seed: int, number: int
) -> tuple[list[Page], list[Passage]]:
    """Return `number` passages, cut by the product, with the pages they stand on."""
    chunker = Chunker(document_id, chunk_size=_CHUNK_SIZE, chunk_overlap=_CHUNK_OVERLAP)
    pages: list[Page] = []
    passages: list[Passage] = []
    for page in pages_of(pool, seed):
        pages.append(page)
        passages += chunker.add([page])
        if len(passages) >= number:
            break
    return pages, passages[:number]


@dataclass(frozen=True, slots=True)
class Crowd:
    """What the others' vectors are made with; `refined` None: they have none of that tier."""

    instant: RandomEmbedder
    refined: RandomEmbedder | None


def add_learner(
    services: Services, crowd: Crowd, pool: Sequence[str], seed: int, passages: int
) -> Document:
    """Write a learner with one document of so many passages; return its record."""
    namespace = f"pdf_crowd_{seed}"
    document_id = str(uuid5(UUID(int=0), namespace))
    pages, found = passages_of(document_id, pool, seed, passages)
    stores = IndexStores(crowd.instant, services.engine.index, services.engine.store)
    text = pages[0].text
    beginning = Document(
        id=document_id,
        name=f"crowd_{seed}.pdf",
        title=f"Crowd {seed}",
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        size=len(text),
        pages=0,
        chunks=0,
        language=language_of(text),
        reader=ReaderName.PYPDF,
        loaded_at=utc_now(),
        embedder=crowd.instant.name,
        state=DocumentState.READING,
    )
    stores.documents.begin(beginning, namespace=namespace)
    record = replace(beginning, pages=len(pages), pages_read=len(pages), chunks=len(found))
    store_batch(Batch(record, pages, found), stores, namespace=namespace)
    final = replace(record, state=DocumentState.READY)
    whole = read_segments(stores.documents.segments([document_id], namespace=namespace))
    segment = whole[document_id].to_bytes()
    stores.documents.finish(final, segment=segment, namespace=namespace)
    if crowd.refined is not None:
        points = embed_windows(window_points(found), crowd.instant)
        vectors = {p.id: crowd.refined.embed_query(p.id) for p in points}
        stores.vectors.refine(vectors, namespace=namespace)
        stores.vectors.flush()
        stores.documents.note_refined(document_id, len(found), namespace=namespace)
    return final


def folder_bytes(folder: Path, pattern: str = "*") -> int:
    """Return the bytes that the files of a folder take on the disk."""
    return sum(f.stat().st_blocks * 512 for f in folder.rglob(pattern) if f.is_file())
