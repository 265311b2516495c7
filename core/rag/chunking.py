"""Pages to passages: packed by sentences, never over a heading, overlapping by whole sentences."""

import itertools
import uuid
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.document import BlockKind, Chunk, Page, TextRange
from core.errors import ConfigurationError
from core.ports.embedder import Vectors
from core.rag.boundaries import CutSizes
from core.rag.ranges import merged_ranges, slices
from core.rag.stretches import STRETCH_TOKENS, Embed, Stretch
from core.rag.table_parts import (
    CONTEXT_TOKENS,
    Table,
    TableContext,
    caption_of,
    context_of,
    read_table,
)
from core.rag.windows import Window, windows
from core.text.sentences import Sentence, split_pages
from core.text.tokens import count_tokens

__all__ = [
    "PASSAGE_TOKENS",
    "Chunker",
    "Passage",
    "Window",
    "chunk_id_for",
    "document_id_for",
    "merged_ranges",
    "windows",
]

PASSAGE_TOKENS = 100
"""Passages are packed to this size when the settings allow more.

Measured on XQuAD (dev, English and Chinese): the right page is first for .96 of the questions with
100 tokens, .955 with 130, and in the first five for .997 against .99 (`tests/evals/xquad.py`).
"""
OVERLAP_SHARE = 0.2
"""Overlap in relation to size, as the tutorial's 200 of 1000."""
TABLE_FACTOR = 1.3
"""A table up to so many times the size stays in one passage."""
_NEVER_REPEATED = (BlockKind.HEADING, BlockKind.TABLE)
_CONTEXT_SHARE = CONTEXT_TOKENS / PASSAGE_TOKENS


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk with the sentences it is made of."""

    chunk: Chunk
    sentences: tuple[Sentence, ...]


def document_id_for(namespace: str, sha256: str) -> str:
    """Return the id of a document: the same content of the same learner is the same document."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{namespace}\n{sha256}"))


def chunk_id_for(document_id: str, ordinal: int) -> str:
    """Return the id of a chunk."""
    return str(uuid.uuid5(uuid.UUID(document_id), str(ordinal)))


class Chunker:
    """Takes pages in batches and gives passages as soon as they are complete.

    `chunk_size` and `chunk_overlap` are upper bounds in tokens; a passage is kept to
    `PASSAGE_TOKENS`, since this is what finds best. A table stays whole up to `TABLE_FACTOR` times
    that; a larger one is cut between rows, and its later parts have caption and header as context.
    `first_ordinal` is that of the first passage. With `embed` (texts to L2-normalised vectors),
    stretches of more than `STRETCH_TOKENS` without a heading are cut where the topic changes,
    unless the sections of the document so far are shorter than that on average. How the pages
    come, one by one or all at once, does not change the passages. Raises `ConfigurationError` when
    the overlap is not smaller than the size.
    """

    def __init__(
        self,
        document_id: str,
        *,
        chunk_size: int,
        chunk_overlap: int,
        first_ordinal: int = 0,
        embed: Embed | None = None,
    ) -> None:
        if chunk_overlap >= chunk_size:
            raise ConfigurationError(
                f"CHUNK_OVERLAP ({chunk_overlap}) must be smaller than CHUNK_SIZE ({chunk_size})."
            )
        self._document_id = document_id
        self._hard_limit = chunk_size
        self._size = min(chunk_size, PASSAGE_TOKENS)
        self._overlap = min(chunk_overlap, int(self._size * OVERLAP_SHARE))
        self._table_size = min(chunk_size, int(self._size * TABLE_FACTOR))
        self._held_page: Page | None = None
        self._texts: dict[int, str] = {}
        self._open: Sentence | None = None
        self._current: list[Sentence] = []
        self._tokens = 0
        self._fresh = 0
        self._headings: list[str] = []
        self._ordinal = first_ordinal
        self._context: TableContext | None = None
        self._last_table: TableContext | None = None
        self._stretch = None if embed is None else Stretch(embed, self._cut_sizes())
        self._seen_tokens = 0
        self._seen_headings = 0

    def _cut_sizes(self) -> CutSizes:
        return CutSizes(
            least=self._size * 2 // 5, target=self._size * 4 // 5, most=self._size * 13 // 10
        )

    def add(self, pages: Sequence[Page]) -> Iterator[Passage]:
        """Yield the passages that the new pages complete."""
        for page in pages:
            self._texts[page.number] = page.text
            if self._held_page is not None:
                yield from self._sentences(self._held_page, page)
            self._held_page = page

    def finish(self) -> Iterator[Passage]:
        """Yield the rest."""
        if self._held_page is not None:
            yield from self._sentences(self._held_page, None)
            self._held_page = None
        if self._open is not None:
            yield from self._take(self._open)
            self._open = None
        yield from self._end_stretch()
        yield from self._flush(keep_overlap=False)

    def take_vector(self, text: str) -> Vectors | None:
        """Return the vector of a window that was embedded to find the cuts, once; else None.

        Safe to call from other threads than the one that adds pages.
        """
        return None if self._stretch is None else self._stretch.take_vector(text)

    def _sentences(self, page: Page, following: Page | None) -> Iterator[Passage]:
        """Take the sentences that begin on `page`; `following` may end the last of them."""
        pages = [page] if following is None else [page, following]
        found = [s for s in split_pages(pages) if s.page == page.number]
        if self._open is not None and found:
            # The sentence that began on the page before covers this page's first stretch.
            covered = self._open.ranges[-1]
            if covered.page == page.number:
                found = [s for s in found if s.ranges[0].start >= covered.end]
        if self._open is not None:
            yield from self._take(self._open)
            self._open = None
        if found and found[-1].ranges[-1].page != page.number:
            self._open = found.pop()
        starts = [block.start for block in page.blocks]
        for (kind, _), group in itertools.groupby(
            found, key=lambda s: (s.kind, bisect_right(starts, s.ranges[0].start))
        ):
            if kind is BlockKind.TABLE:
                yield from self._take_table(read_table(page, list(group)))
            else:
                for sentence in group:
                    yield from self._take(sentence)

    def _take(self, sentence: Sentence) -> Iterator[Passage]:
        self._last_table = None
        if self._context is not None:
            yield from self._flush(keep_overlap=False)
        if sentence.kind is BlockKind.HEADING:
            yield from self._end_stretch()
            if any(s.kind is not BlockKind.HEADING for s in self._current):
                yield from self._flush(keep_overlap=False)
            self._headings[sentence.level - 1 :] = [sentence.text]
            self._seen_headings += 1
        for piece in self._cut(sentence):
            if self._stretch is None or sentence.kind is BlockKind.HEADING:
                yield from self._pack(piece)
            else:
                self._stretch.add(piece)
                self._seen_tokens += count_tokens(piece.text)
                if self._stretch.is_long:
                    yield from self._cut_stretch(self._stretch)

    def _end_stretch(self) -> Iterator[Passage]:
        """Pack what waited whether its stretch gets long."""
        if self._stretch is None:
            return
        if self._stretch.was_long:
            yield from self._whole(self._stretch.cut(final=True))
        else:
            for sentence in self._stretch.taken():
                yield from self._pack(sentence)

    def _cut_stretch(self, stretch: Stretch) -> Iterator[Passage]:
        if not stretch.was_long and self._seen_headings * STRETCH_TOKENS > self._seen_tokens:
            # Its headings divide this document well enough; a long section among them is no novel.
            yield from self._end_stretch()
            return
        if not stretch.was_long:
            stretch.begin_with(self._current[len(self._current) - self._fresh :])
            self._current, self._tokens, self._fresh = [], 0, 0
        yield from self._whole(stretch.cut(final=False))

    def _whole(self, parts: Sequence[Sequence[Sentence]]) -> Iterator[Passage]:
        """Make each part a passage."""
        for part in parts:
            self._current, self._fresh = list(part), len(part)
            self._tokens = sum(count_tokens(s.text) for s in part)
            yield from self._flush(keep_overlap=False)

    def _pack(self, piece: Sentence) -> Iterator[Passage]:
        tokens = count_tokens(piece.text)
        if self._current and self._tokens + tokens > self._size:
            yield from self._flush(keep_overlap=True)
            while self._current and self._tokens + tokens > self._size:
                self._tokens -= count_tokens(self._current.pop(0).text)
        self._append(piece, tokens)

    def _append(self, piece: Sentence, tokens: int) -> None:
        self._current.append(piece)
        self._tokens += tokens
        self._fresh += 1

    def _cut(self, sentence: Sentence) -> Iterator[Sentence]:
        """Cut what is longer than a chunk may be, at spaces or anywhere in Chinese."""
        if count_tokens(sentence.text) <= self._hard_limit:
            yield sentence
            return
        for where in sentence.ranges:
            # A token has at least one character, so a slice of `limit` characters never has more.
            for start in range(where.start, where.end, self._hard_limit):
                end = min(where.end, start + self._hard_limit)
                text = self._texts[where.page][start:end]
                if text.strip():
                    part = TextRange(page=where.page, start=start, end=end)
                    yield Sentence(text=text, ranges=(part,), kind=sentence.kind)

    def _take_table(self, table: Table) -> Iterator[Passage]:
        before = [*self._current, *(self._stretch.sentences if self._stretch else ())]
        yield from self._end_stretch()
        caption = caption_of(before)
        earlier = None if self._last_table is None else self._last_table
        context = context_of(
            table,
            caption,
            earlier=earlier,
            texts=self._texts,
            limit=int(self._size * _CONTEXT_SHARE),
        )
        sizes = [sum(count_tokens(s.text) for s in row) for row in table.rows]
        if self._tokens + sum(sizes) > self._size or self._context not in (None, context):
            yield from self._make_room(caption)
        if not self._current and context is earlier:
            self._begin_with(context)
        if self._tokens + sum(sizes) <= self._table_size:
            for sentence in itertools.chain.from_iterable(table.rows):
                self._append(sentence, count_tokens(sentence.text))
        else:
            yield from self._by_rows(table, context, sum(sizes))
        self._last_table = context

    def _make_room(self, caption: Sequence[Sentence]) -> Iterator[Passage]:
        """End the passage before a table, which takes its caption and headings with it."""
        at = len(self._current)
        if tuple(self._current[at - len(caption) :]) == tuple(caption):
            at -= len(caption)
        while at and self._current[at - 1].kind is BlockKind.HEADING:
            at -= 1
        if not at:
            return
        moved = self._current[at:]
        self._tokens -= sum(count_tokens(s.text) for s in moved)
        del self._current[at:]
        self._fresh = max(0, self._fresh - len(moved))
        yield from self._flush(keep_overlap=False)
        for sentence in moved:
            self._append(sentence, count_tokens(sentence.text))

    def _begin_with(self, context: TableContext) -> None:
        self._context = context
        self._tokens += context.tokens

    def _by_rows(self, table: Table, context: TableContext, size: int) -> Iterator[Passage]:
        """Cut a table between rows into parts of about the same size."""
        room = max(1, self._size - max(context.tokens, self._tokens))
        aim = size / -(-size // room)
        header = set(table.header)
        part = 0.0
        for row in table.rows:
            for unit in self._units(row):
                tokens = sum(count_tokens(s.text) for s in unit)
                full = self._tokens + tokens > self._size or part + tokens / 2 > aim
                if full and self._current:
                    yield from self._flush(keep_overlap=False)
                    fits = context.tokens + tokens <= self._hard_limit
                    if fits and not header.issuperset(unit):
                        self._begin_with(context)
                    part = 0.0
                for sentence in unit:
                    self._append(sentence, count_tokens(sentence.text))
                part += tokens
        yield from self._flush(keep_overlap=False)

    def _units(self, row: Sequence[Sentence]) -> list[list[Sentence]]:
        """Return a row whole, or in pieces when it is longer than a passage."""
        pieces = [piece for sentence in row for piece in self._cut(sentence)]
        if sum(count_tokens(s.text) for s in pieces) <= self._size:
            return [pieces]
        return [[piece] for piece in pieces]

    def _flush(self, *, keep_overlap: bool) -> Iterator[Passage]:
        if self._fresh:
            yield self._passage()
        else:
            keep_overlap = False
        kept: list[Sentence] = []
        tokens = 0
        if keep_overlap:
            for sentence in reversed(self._current):
                more = count_tokens(sentence.text)
                if tokens + more > self._overlap or sentence.kind in _NEVER_REPEATED:
                    break
                kept.insert(0, sentence)
                tokens += more
        self._current, self._tokens, self._fresh = kept, tokens, 0
        self._context = None

    def _passage(self) -> Passage:
        sentences = tuple(self._current)
        ranges = merged_ranges(sentences)
        self._texts = {n: t for n, t in self._texts.items() if n >= ranges[0].page}
        context = self._context
        chunk = Chunk(
            id=chunk_id_for(self._document_id, self._ordinal),
            document_id=self._document_id,
            ordinal=self._ordinal,
            text=slices(ranges, self._texts),
            ranges=ranges,
            heading_path=tuple(h for h in self._headings if h),
            tokens=self._tokens,
            context="" if context is None else context.text,
            context_ranges=() if context is None else context.ranges,
        )
        self._ordinal += 1
        return Passage(chunk=chunk, sentences=sentences)
