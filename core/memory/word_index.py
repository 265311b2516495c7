"""One learner's memories as finding sees them: words, and what can be filtered by, no text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from core.domain.memory import MemoryKind, MemoryState
from core.memory.postings import Floats, Ints, Mask, Postings
from core.ports.memory_words import WordRow
from core.text.indexed import IndexedText, unpacked

REACH = 3
"""So many turns before and after one are its neighbours."""

_KINDS = {kind: n for n, kind in enumerate(MemoryKind)}
_STATES = {state: n for n, state in enumerate(MemoryState)}
_SMALL_PARTS = 8
"""Postings of what came in lately are merged when there are more parts than this."""
_TAIL_SHARE = 4
"""They join the large part when they are more than its fourth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What is known of each row: one array entry a memory.

    `created` is a POSIX time in seconds. `turn`: it is a turn of a conversation. `speaker` is its
    position among the index's speakers, -1 without.
    """

    seqs: Ints
    places: Ints
    kinds: Ints
    states: Ints
    events: Ints
    sessions: Ints
    created: Floats
    importance: Floats
    lengths: Floats
    asks: Mask
    turn: Mask
    speaker: Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class WordIndex:
    """The index of one learner at one time; it never changes, `extended` returns another.

    A row that is not `alive` was deleted or stored again; it is left out of everything.
    `neighbours[k]` are for each row the row of the neighbour at `OFFSETS[k]`, the number of rows
    where there is none: turns of one session, in the order in which they were said.
    """

    ids: tuple[str, ...]
    row_of: dict[str, int]
    columns: Columns
    alive: Mask
    parts: tuple[Postings, ...]
    names: dict[str, int]
    speakers: tuple[tuple[int, ...], ...]
    neighbours: tuple[Ints, ...]

    @property
    def living(self) -> int:
        """How many memories there are."""
        return int(self.alive.sum())

    @property
    def last_seq(self) -> int:
        """The highest `seq` it has, 0 without any."""
        return int(self.columns.seqs.max()) if len(self.ids) else 0

    @property
    def has_turns(self) -> bool:
        """Whether anything of a conversation is in it."""
        return len(self.neighbours) > 0

    def postings(self, hashed: int) -> tuple[Ints, Floats]:
        """Return (rows, counts) of a word among the living."""
        found = [part.of_word(hashed) for part in self.parts]
        rows = np.concatenate([rows for rows, _ in found]) if found else np.empty(0, np.int64)
        counts = np.concatenate([counts for _, counts in found]) if found else np.empty(0)
        living = self.alive[rows]
        return rows[living], counts[living].astype(np.float64)

    def has_kind(self, kind: MemoryKind, mask: Mask) -> bool:
        """Tell whether any of these rows is of a kind."""
        return bool((self.columns.kinds[mask] == _KINDS[kind]).any())

    def chosen(
        self,
        *,
        kinds: Sequence[MemoryKind],
        states: Sequence[MemoryState],
        events: Sequence[str],
        since: datetime | None,
        until: datetime | None,
        min_importance: float,
    ) -> Mask:
        """Return which rows fulfil all conditions; an empty sequence is none."""
        columns, mask = self.columns, self.alive.copy()
        if kinds:
            mask &= np.isin(columns.kinds, [_KINDS[kind] for kind in kinds])
        if states:
            mask &= np.isin(columns.states, [_STATES[state] for state in states])
        if events:
            mask &= np.isin(columns.events, [self.names.get(f"e{name}", -1) for name in events])
        if since is not None:
            mask &= columns.created >= since.timestamp()
        if until is not None:
            mask &= columns.created < until.timestamp()
        return mask & (columns.importance >= min_importance)

    def extended(self, rows: Sequence[WordRow]) -> "WordIndex":
        """Return the index with further rows; they replace those of the same memory."""
        if not rows:
            return self
        first = len(self.ids)
        texts = [unpacked(row.data) for row in rows]
        names, speakers = dict(self.names), list(self.speakers)
        new = _columns(rows, texts, names, speakers)
        alive = np.concatenate((self.alive, np.ones(len(rows), dtype=bool)))
        row_of = dict(self.row_of)
        for number, row in enumerate(rows, start=first):
            before = row_of.get(row.memory_id)
            if before is not None:
                alive[before] = False
            row_of[row.memory_id] = number
        parts = _tidied((*self.parts, Postings.of(texts, first)))
        index = replace(
            self,
            ids=(*self.ids, *(row.memory_id for row in rows)),
            row_of=row_of,
            columns=_stacked(self.columns, new),
            alive=alive,
            parts=parts,
            names=names,
            speakers=tuple(speakers),
        )
        return index.linked()

    def only(self, seqs: Iterable[int]) -> "WordIndex":
        """Return the index without the rows whose `seq` is not among these."""
        kept = np.fromiter(seqs, dtype=np.int64)
        return replace(self, alive=self.alive & np.isin(self.columns.seqs, kept)).linked()

    def linked(self) -> "WordIndex":
        """Return the index with neighbours as its living turns are now."""
        turns = np.flatnonzero(self.alive & self.columns.turn)
        if not len(turns):
            return replace(self, neighbours=())
        columns = self.columns
        keys = (columns.places[turns], columns.created[turns], columns.sessions[turns])
        ordered = turns[np.lexsort(keys)]
        sessions, none = columns.sessions[ordered], len(self.ids)
        neighbours = []
        for offset in OFFSETS:
            at = np.arange(len(ordered)) + offset
            inside = (at >= 0) & (at < len(ordered))
            at = np.clip(at, 0, len(ordered) - 1)
            inside &= sessions[at] == sessions
            of = np.full(none, none, dtype=np.int64)
            of[ordered] = np.where(inside, ordered[at], none)
            neighbours.append(of)
        return replace(self, neighbours=tuple(neighbours))


OFFSETS = tuple(offset for n in range(1, REACH + 1) for offset in (-n, n))


def empty_index() -> WordIndex:
    """Return an index of nothing."""
    return WordIndex(
        ids=(),
        row_of={},
        columns=_columns([], [], {}, []),
        alive=np.empty(0, dtype=bool),
        parts=(),
        names={},
        speakers=(),
        neighbours=(),
    )


def _columns(
    rows: Sequence[WordRow],
    texts: Sequence[IndexedText],
    names: dict[str, int],
    speakers: list[tuple[int, ...]],
) -> Columns:
    """Return the columns of new rows; `names` and `speakers` grow by what is new."""

    def number(name: str) -> int:
        return names.setdefault(name, len(names))

    def position(speaker: tuple[int, ...]) -> int:
        if not speaker:
            return -1
        if speaker not in speakers:
            speakers.append(speaker)
        return speakers.index(speaker)

    return Columns(
        seqs=_ints(row.seq for row in rows),
        places=_ints(row.place for row in rows),
        kinds=_ints(_KINDS[row.kind] for row in rows),
        states=_ints(_STATES[row.state] for row in rows),
        events=_ints(number(f"e{row.event}") for row in rows),
        sessions=_ints(number(f"s{row.session_id}") for row in rows),
        created=np.array([row.created_at.timestamp() for row in rows], dtype=np.float64),
        importance=np.array([row.importance for row in rows], dtype=np.float64),
        lengths=np.array([text.length for text in texts], dtype=np.float64),
        asks=np.array([text.asks for text in texts], dtype=bool),
        turn=np.array([bool(text.speaker) for text in texts], dtype=bool),
        speaker=_ints(position(text.speaker) for text in texts),
    )


def _ints(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)


def _stacked(old: Columns, new: Columns) -> Columns:
    return Columns(
        **{
            name: np.concatenate((getattr(old, name), getattr(new, name)))
            for name in Columns.__slots__
        }
    )


def _tidied(parts: tuple[Postings, ...]) -> tuple[Postings, ...]:
    """Merge small parts, so that a word is looked up in few."""
    large, *tail = parts
    if sum(map(len, tail)) * _TAIL_SHARE > len(large):
        return (Postings.merged(parts),)
    if len(tail) > _SMALL_PARTS:
        return (large, Postings.merged(tail))
    return parts
