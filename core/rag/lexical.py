"""BM25 over the chunks of one learner, from one index segment a document.

Own code, because what exists either holds one index for all users (their texts would show in each
other's word statistics) or cannot add and delete single documents. A segment holds hashes of terms,
no text; adding a document adds its segment, deleting removes it, statistics are sums over the
segments that are asked: so they are per namespace, incremental and persistent.
"""

import struct
import threading
import zlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.domain.document import Chunk
from core.errors import StoreError
from core.ports.document_store import StoredSegment
from core.rag.concepts import Concept, Weighted, Wording
from core.scoring import Floats, bm25_part, inverse_document_frequency
from core.text.terms import term_hash, terms

_VERSION = 1
_HEAD = struct.Struct("<HIII")
_CACHED_SEGMENTS = 256


class SegmentBuilder:
    """Collects consecutive chunks of one document."""

    def __init__(self) -> None:
        self._postings: dict[str, list[tuple[int, int]]] = {}
        self._lengths: list[int] = []
        self._pages: list[int] = []

    def add(self, chunk: Chunk) -> None:
        """Index a chunk with its headings and its context; chunks come by ordinal."""
        found = terms("\n".join((*chunk.heading_path, chunk.context, chunk.text)))
        ordinal = len(self._lengths)
        self._lengths.append(len(found))
        self._pages.append(chunk.ranges[0].page)
        for term, frequency in Counter(found).items():
            self._postings.setdefault(term, []).append((ordinal, min(frequency, 0xFFFF)))

    def to_bytes(self) -> bytes:
        """Return the segment as bytes."""
        hashed = sorted((term_hash(term), entries) for term, entries in self._postings.items())
        flat = [entry for _, entries in hashed for entry in entries]
        return _packed(
            lengths=np.array(self._lengths, dtype="<u4"),
            pages=np.array(self._pages, dtype="<u4"),
            hashes=np.array([h for h, _ in hashed], dtype="<u8"),
            counts=np.array([len(entries) for _, entries in hashed], dtype="<u4"),
            ordinals=np.array([ordinal for ordinal, _ in flat], dtype="<u4"),
            frequencies=np.array([frequency for _, frequency in flat], dtype="<u2"),
        )


def _packed(
    *,
    lengths: NDArray[np.uint32],
    pages: NDArray[np.uint32],
    hashes: NDArray[np.uint64],
    counts: NDArray[np.uint32],
    ordinals: NDArray[np.uint32],
    frequencies: NDArray[np.uint16],
) -> bytes:
    head = _HEAD.pack(_VERSION, len(lengths), len(hashes), len(ordinals))
    parts = (lengths, pages, hashes, counts, ordinals, frequencies)
    return head + zlib.compress(b"".join(part.tobytes() for part in parts), 1)


@dataclass(frozen=True, slots=True)
class Segment:
    """One document's index. `starts[i]` to `starts[i + 1]` are the postings of `hashes[i]`."""

    document_id: str
    lengths: NDArray[np.uint32]
    pages: NDArray[np.uint32]
    hashes: NDArray[np.uint64]
    starts: NDArray[np.int64]
    ordinals: NDArray[np.uint32]
    frequencies: NDArray[np.uint16]

    @classmethod
    def from_stored(cls, stored: StoredSegment) -> "Segment":
        """Read a segment. Raises `StoreError` when it is not one."""
        try:
            version, chunks, words, postings = _HEAD.unpack_from(stored.data)
            body = zlib.decompress(stored.data[_HEAD.size :])
        except (struct.error, zlib.error) as exc:
            raise StoreError("The word index of a document is damaged.") from exc
        sizes = [("<u4", chunks), ("<u4", chunks), ("<u8", words), ("<u4", words)]
        sizes += [("<u4", postings), ("<u2", postings)]
        if version != _VERSION or len(body) != sum(np.dtype(t).itemsize * n for t, n in sizes):
            raise StoreError(
                "The word index of a document was made by another version.",
                remedy="Delete the document and load it again.",
            )
        parts = []
        at = 0
        for kind, count in sizes:
            parts.append(np.frombuffer(body, dtype=kind, count=count, offset=at))
            at += np.dtype(kind).itemsize * count
        lengths, pages, hashes, counts, ordinals, frequencies = parts
        starts = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
        return cls(stored.document_id, lengths, pages, hashes, starts, ordinals, frequencies)

    @classmethod
    def joined(cls, parts: Sequence["Segment"]) -> "Segment":
        """Return consecutive segments of one document as one."""
        if len(parts) == 1:
            return parts[0]
        firsts = np.concatenate(([0], np.cumsum([len(p.lengths) for p in parts])))
        every = np.concatenate([np.repeat(p.hashes, np.diff(p.starts)) for p in parts])
        order = np.argsort(every, kind="stable")  # stable: ordinals stay ascending
        hashes, counts = np.unique(every, return_counts=True)
        ordinals = [p.ordinals + np.uint32(firsts[i]) for i, p in enumerate(parts)]
        return cls(
            parts[0].document_id,
            np.concatenate([p.lengths for p in parts]),
            np.concatenate([p.pages for p in parts]),
            hashes,
            np.concatenate(([0], np.cumsum(counts, dtype=np.int64))),
            np.concatenate(ordinals)[order],
            np.concatenate([p.frequencies for p in parts])[order],
        )

    def to_bytes(self) -> bytes:
        """Return the segment as bytes."""
        return _packed(
            lengths=self.lengths,
            pages=self.pages,
            hashes=self.hashes,
            counts=np.diff(self.starts).astype("<u4"),
            ordinals=self.ordinals,
            frequencies=self.frequencies,
        )

    def postings(self, hashed: int) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
        """Return (chunk ordinals, frequencies) of a term; empty when it does not occur."""
        at = int(np.searchsorted(self.hashes, np.uint64(hashed)))
        if at == len(self.hashes) or int(self.hashes[at]) != hashed:
            return self.ordinals[:0], self.frequencies[:0]
        part = slice(int(self.starts[at]), int(self.starts[at + 1]))
        return self.ordinals[part], self.frequencies[part]


def read_segments(stored: Sequence[StoredSegment]) -> dict[str, Segment]:
    """Return one segment for each document, from its parts by `first`.

    Raises `StoreError` when a part is damaged.
    """
    parts: dict[str, list[Segment]] = {}
    for part in stored:
        parts.setdefault(part.document_id, []).append(Segment.from_stored(part))
    return {document_id: Segment.joined(found) for document_id, found in parts.items()}


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """Scores of all chunks of the documents asked, segment after segment.

    `bm25` is the chunk's, `page_bm25` that of the page it begins on, `coverage` the share of the
    question's concepts in the chunk, weighted by rarity, in [0, 1].
    """

    segments: tuple[Segment, ...]
    bm25: Floats
    page_bm25: Floats
    coverage: Floats
    weighted: tuple[Weighted, ...]
    """The question's concepts with their IDF (BM25's, always positive)."""


def score(concepts: Sequence[Concept], segments: Sequence[Segment]) -> LexicalScores:
    """Score every chunk of `segments` for the concepts of a question.

    A concept with several wordings counts as one term: its frequency in a chunk is that of the
    wording found most there, and a wording of several terms is there as often as its rarest one
    (a structured query, Pirkola 1998).
    """
    lengths = _joined([s.lengths for s in segments])
    offsets = np.concatenate(([0], np.cumsum([len(s.lengths) for s in segments])))
    page_of, page_lengths = _pages(segments, lengths)
    total = len(lengths)
    bm25, coverage = np.zeros(total), np.zeros(total)
    page_bm25 = np.zeros(len(page_lengths))
    weighted: list[Weighted] = []
    for concept in concepts:
        rows, frequencies = _frequencies(concept, segments, offsets)
        weight = inverse_document_frequency(total, len(rows))
        weighted.append(Weighted(concept, weight))
        if not len(rows):
            continue
        bm25[rows] += weight * bm25_part(
            frequencies, lengths[rows], max(float(lengths.mean()), 1.0)
        )
        coverage[rows] += weight
        on_page = _summed(page_of[rows], frequencies, len(page_lengths))
        page_weight = inverse_document_frequency(len(page_lengths), int((on_page > 0).sum()))
        average = max(float(page_lengths.mean()), 1.0)
        page_bm25 += page_weight * bm25_part(on_page, page_lengths, average)
    coverage /= max(sum(w.weight for w in weighted), 1e-9)
    paged = page_bm25[page_of] if total else page_bm25
    return LexicalScores(tuple(segments), bm25, paged, coverage, tuple(weighted))


def occurs(concept: Concept, segments: Sequence[Segment]) -> bool:
    """Tell whether a concept is in any chunk."""
    return any(len(_in_segment(w, s)[0]) for s in segments for w in concept.wordings)


def _frequencies(
    concept: Concept, segments: Sequence[Segment], offsets: NDArray[np.int64]
) -> tuple[NDArray[np.int64], Floats]:
    """Return the rows of the chunks that have a concept, ascending, and how often they do."""
    rows: list[NDArray[np.int64]] = []
    counts: list[Floats] = []
    for segment, offset in zip(segments, offsets[:-1], strict=True):
        found = [_in_segment(wording, segment) for wording in concept.wordings]
        found = [f for f in found if len(f[0])]
        if len(found) == 1:
            ordinals, most = found[0]
        elif found:
            ordinals = np.unique(np.concatenate([o for o, _ in found]))
            most = np.zeros(len(ordinals))
            for own, often in found:
                at = np.searchsorted(ordinals, own)
                most[at] = np.maximum(most[at], often)
        else:
            continue
        rows.append(ordinals.astype(np.int64) + offset)
        counts.append(most.astype(np.float64))
    if not rows:
        return np.empty(0, dtype=np.int64), np.empty(0)
    return np.concatenate(rows), np.concatenate(counts)


def _in_segment(wording: Wording, segment: Segment) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return (chunk ordinals, frequencies) of a wording, all of whose terms must be there."""
    ordinals, least = segment.postings(wording[0])
    for term in wording[1:]:
        if not len(ordinals):
            break
        others, often = segment.postings(term)
        ordinals, mine, theirs = np.intersect1d(
            ordinals, others, assume_unique=True, return_indices=True
        )
        least = np.minimum(least[mine], often[theirs])
    return ordinals, least


def _pages(segments: Sequence[Segment], lengths: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Return for each chunk the index of its page, and the length of each page in terms."""
    parts = []
    base = 0
    for segment in segments:
        first = int(segment.pages.min()) if len(segment.pages) else 0
        parts.append(segment.pages.astype(np.int64) - first + base)
        base = int(parts[-1].max()) + 1 if len(segment.pages) else base
    page_of = np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
    if not len(page_of):
        return page_of, np.zeros(0)
    return page_of, _summed(page_of, lengths, int(page_of.max()) + 1)


def _joined(parts: Sequence[NDArray[Any]]) -> Floats:
    return np.concatenate(parts).astype(np.float64) if parts else np.empty(0)


def _summed(groups: NDArray[np.int64], values: Floats, count: int) -> Floats:
    """Return the sum of `values` in each of `count` groups."""
    out = np.zeros(count)
    np.add.at(out, groups, values)
    return out


class SegmentCache:
    """Keeps read segments in memory, the last used ones. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Segment] = OrderedDict()

    def get(
        self,
        chunks: Mapping[str, int],
        load: Callable[[Sequence[str]], list[StoredSegment]],
    ) -> list[Segment]:
        """Return the segments of documents, `chunks` being how many chunks each has at least.

        Those that are not kept, or kept from before the document grew, are read with `load`.
        """
        with self._lock:
            kept = {
                i: segment
                for i, least in chunks.items()
                if (segment := self._kept.get(i)) is not None and len(segment.lengths) >= least
            }
        missing = [i for i in chunks if i not in kept]
        if missing:
            kept |= read_segments(load(missing))
        with self._lock:
            for document_id, segment in kept.items():
                self._kept[document_id] = segment
                self._kept.move_to_end(document_id)
            while len(self._kept) > _CACHED_SEGMENTS:
                self._kept.popitem(last=False)
        return [kept[i] for i in chunks if i in kept]

    def drop(self, document_id: str) -> None:
        """Forget a document's segment."""
        with self._lock:
            self._kept.pop(document_id, None)
