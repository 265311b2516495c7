"""Memories that say the same in slightly other words: to be shown, never merged unasked."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import combinations

from core.domain.memory import Memory, MemoryKind, MemoryState
from core.domain.upkeep import Change, ChangeKind, NearDuplicate
from core.memory.durable import DurableMemory
from core.memory.replacing import STATE_NOTHING
from core.memory.undo import Undo
from core.ports.memory_store import MemoryStore
from core.text.claims import outdated, stated_in
from core.text.terms import terms
from core.text.tokens import language_of

ALIKE = 0.85
"""Least share of words, in their order, that two texts must have in common, in [0, 1]."""
LONGEST = 600
"""Characters: longer texts are not compared."""
_RAREST = 4
"""Each text is compared with those that share one of its rarest words …"""
_COMMON = 40
"""… unless more texts than these have that word …"""
_SHARED = 0.5
"""… and as long as they share this part of all their words."""
_FIGURES = re.compile(
    r"\d+(?:[.,:]\d+)*|[零一二两三四五六七八九十百千万]+(?=[章页节课题次天周月年点号日])"
)
_DENIALS = re.compile(
    r"\b(?:not|no|never|none|without|cannot|hardly|except|un\w{4,}|in(?:correct|valid))\b|n['’]t\b"
    r"|不|没|无|非|未|勿|别|否",
    re.IGNORECASE,
)
_FILLERS = frozenset("着过就很指会能可以所地得一些种吧嘛啦")
"""Characters that carry no meaning of their own, beside the stop words."""
_WORDS = re.compile(r"[A-Za-z0-9]+|[\u3400-\u9fff]")


class NearDuplicates:
    """Finds pairs, and merges one on request. Raises `StoreError` when a store does not answer."""

    def __init__(
        self,
        *,
        store: MemoryStore,
        durable: Mapping[MemoryKind, DurableMemory],
        undo: Undo,
    ) -> None:
        self._store = store
        self._durable = durable
        self._undo = undo

    def find(self, *, namespace: str) -> list[NearDuplicate]:
        """Return pairs of notes and other statements that say nearly the same, most alike first.

        Figures, denials and what contradicts each other keep two texts apart.
        """
        kept = self._store.list(
            namespace=namespace,
            kinds=[MemoryKind.EPISODIC, MemoryKind.SEMANTIC],
            states=[MemoryState.CURRENT],
        )
        return near_duplicates([m for m in kept if m.event not in STATE_NOTHING])

    def merge(self, pair: NearDuplicate, *, namespace: str) -> Change | None:
        """Keep the newer text, seen as often as both; one change. None when one is gone."""
        with self._undo.turns.of(namespace):
            ids = [pair.older.id, pair.newer.id]
            there = {m.id: m for m in self._store.many(ids, namespace=namespace)}
            if len(there) < len(ids):
                return None
            older, newer = (there[memory_id] for memory_id in ids)
            change = self._undo.record(
                ChangeKind.MERGED, [older, newer], after=[newer.id], namespace=namespace
            )
            merged = replace(
                newer,
                sightings=newer.sightings + older.sightings,
                seen_at=newer.last_at,
                importance=max(older.importance, newer.importance),
                pinned=older.pinned or newer.pinned,
            )
            self._store.exchange([merged], without=[older.id], namespace=namespace)
            self._durable[older.kind].delete_all([older.id], namespace=namespace)
            return change


def near_duplicates(memories: Sequence[Memory]) -> list[NearDuplicate]:
    """Return the pairs among memories of the same kind and event, most alike first."""
    found = []
    for one, other in _candidates([m for m in memories if len(m.content) <= LONGEST]):
        alike = likeness(one.content, other.content)
        if alike >= ALIKE:
            older, newer = sorted((one, other), key=lambda m: (m.created_at, m.id))
            found.append(NearDuplicate(older=older, newer=newer, alike=alike))
    return sorted(found, key=lambda pair: (-pair.alike, pair.newer.id, pair.older.id))


def likeness(one: str, other: str) -> float:
    """Return how alike two texts are, in [0, 1]; 0 when they may say different things."""
    if language_of(one) != language_of(other):
        return 0.0
    if _same_claims(one, other):
        return 1.0
    if any(_marks(p, one) != _marks(p, other) for p in (_FIGURES, _DENIALS)):
        return 0.0
    if outdated(one, [other]) or outdated(other, [one]):
        return 0.0
    a, b = (_WORDS.findall(text.lower()) for text in (one, other))
    words = SequenceMatcher(None, a, b, autojunk=False).ratio()
    letters = SequenceMatcher(None, " ".join(a), " ".join(b), autojunk=False).ratio()
    return max(words, letters) if _only_spelled_otherwise(a, b) else 0.0


def _same_claims(one: str, other: str) -> bool:
    """Tell whether every clause of both states the same value of the same thing."""
    read = [
        [
            {(c.subject, c.slot, c.value, c.positive) for c in clause if c.slot != "so"}
            for clause in stated_in(text).clauses
        ]
        for text in (one, other)
    ]
    return bool(read[0]) and all(read[0]) and read[0] == read[1]


def _only_spelled_otherwise(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether what differs is spelling or words without a meaning of their own."""
    left = list((Counter(one) - Counter(other)).elements())
    right = list((Counter(other) - Counter(one)).elements())
    meant = [[w for w in words if terms(w) and w not in _FILLERS] for words in (left, right)]
    return len(meant[0]) == len(meant[1]) and all(
        _misspelt(a, b) for a, b in zip(sorted(meant[0]), sorted(meant[1]), strict=True)
    )


def _misspelt(one: str, other: str) -> bool:
    """Tell whether two longer words differ in one or two letters only."""
    alike = SequenceMatcher(None, one, other, autojunk=False).ratio()
    return min(len(one), len(other)) >= 4 and alike >= 0.85


def _marks(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(match.lower() for match in pattern.findall(text))


def _candidates(memories: Sequence[Memory]) -> Iterator[tuple[Memory, Memory]]:
    """Yield pairs of one kind and event that share a rare word, each once."""
    words = [set(terms(memory.content)) for memory in memories]
    frequency = Counter(word for of_one in words for word in of_one)
    having: defaultdict[str, list[int]] = defaultdict(list)
    for number, of_one in enumerate(words):
        shared = [w for w in of_one if 1 < frequency[w] <= _COMMON]
        for word in sorted(shared, key=lambda w: (frequency[w], w))[:_RAREST]:
            having[word].append(number)
    seen: set[tuple[int, int]] = set()
    for numbers in having.values():
        for a, b in combinations(numbers, 2):
            same = memories[a].kind is memories[b].kind and memories[a].event == memories[b].event
            if same and (a, b) not in seen:
                seen.add((a, b))
                if len(words[a] & words[b]) < _SHARED * len(words[a] | words[b]):
                    continue
                yield memories[a], memories[b]
