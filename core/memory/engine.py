"""The memory engine: what is kept, recalled and forgotten of each learner."""

import builtins
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from core.domain.memory import Memory, MemoryHit, MemoryKind
from core.errors import InvalidInputError, NotFoundError
from core.memory.durable import (
    DurableMemory,
    EpisodicMemory,
    PerceptualMemory,
    SemanticMemory,
)
from core.memory.query import FIGURE, RecallQuery, parse_query
from core.memory.recall import Recall, Scope
from core.memory.renewal import Renewal
from core.memory.summary import summarise
from core.memory.working import WorkingMemory
from core.ports.embedder import Embedder
from core.ports.memory_store import MemoryStore
from core.ports.vector_store import VectorStore
from core.text.letters import letters

MAX_CONTENT_CHARS = 20_000
MAX_QUERY_CHARS = 2000
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


class MemoryEngine:
    """The four kinds of memory behind one interface. Safe in several threads.

    `clock` gives aware times; days and weeks in a query begin at midnight of its time zone.
    """

    def __init__(
        self,
        *,
        store: MemoryStore,
        vectors: VectorStore,
        embedder: Embedder,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
        working_capacity: int,
        working_ttl_minutes: float,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._clock = clock
        self._new_id = new_id
        self._working = WorkingMemory(
            capacity=working_capacity, ttl_minutes=working_ttl_minutes, clock=clock
        )
        self._durable: dict[MemoryKind, DurableMemory] = {
            memory.kind: memory(store=store, vectors=vectors, embedder=embedder)
            for memory in (EpisodicMemory, SemanticMemory, PerceptualMemory)
        }
        self._renewal = Renewal(store, vectors, self._durable)
        self._recall = Recall(
            working=self._working,
            durable=self._durable,
            store=store,
            embedder=embedder,
            clock=clock,
        )

    def add(
        self,
        content: str,
        kind: MemoryKind,
        *,
        namespace: str,
        session_id: str,
        event: str,
        importance: float,
        metadata: Mapping[str, object] | None = None,
    ) -> Memory:
        """Remember something and return it. When it raises, nothing was kept.

        Raises `InvalidInputError` (no content, over `MAX_CONTENT_CHARS`, importance outside [0, 1],
        a kind that cannot be written), `ModelError` and `StoreError`.
        """
        content = _UNSTORABLE.sub("", content).strip()
        if not content:
            raise InvalidInputError("There is nothing written to remember.")
        if len(content) > MAX_CONTENT_CHARS:
            raise InvalidInputError(
                f"This is too long to remember: {len(content)} characters of {MAX_CONTENT_CHARS}.",
                remedy="Shorten it, or split it into several notes.",
            )
        if not 0.0 <= importance <= 1.0:
            raise InvalidInputError("Importance must be a number from 0 to 1.")
        memory = Memory(
            id=self._new_id(),
            kind=kind,
            content=content,
            importance=importance,
            created_at=self._clock(),
            session_id=session_id,
            event=event,
            metadata=dict(metadata or {}),
        )
        self._renewal.ensure(namespace)
        if kind is MemoryKind.WORKING:
            self._working.add(memory, namespace=namespace)
        else:
            self._of_kind(kind).add(memory, namespace=namespace)
        return memory

    def list(
        self,
        *,
        namespace: str,
        kinds: Sequence[MemoryKind] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
    ) -> builtins.list[Memory]:
        """Return memories, newest first; no kinds means all."""
        scope = Scope(namespace=namespace, kinds=tuple(kinds), since=since, until=until)
        return self._recall.within(scope, limit=limit)[:limit]

    def recall(
        self,
        query: str,
        *,
        namespace: str,
        limit: int = 5,
        kinds: Sequence[MemoryKind] = (),
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> builtins.list[MemoryHit]:
        """Return what has to do with the query, best first; `[]` when nothing has.

        The query may name a time ("last week", "昨天") and a kind of event ("my notes",
        "我问过哪些问题"); without a subject besides, everything of that time and kind comes,
        newest first, all with relevance 1. Raises `InvalidInputError` for a query without letters
        or over `MAX_QUERY_CHARS`, `ModelError` and `StoreError`.
        """
        if not letters(query):
            raise InvalidInputError("There is nothing to recall: the question is empty.")
        if len(query) > MAX_QUERY_CHARS:
            raise InvalidInputError(
                f"This question is too long: {len(query)} characters of {MAX_QUERY_CHARS}.",
                remedy="Ask in fewer words.",
            )
        if limit < 1:
            raise InvalidInputError("The number of memories to recall must be at least 1.")
        self._renewal.ensure(namespace)
        parsed = parse_query(_UNSTORABLE.sub("", query), self._clock())
        scope = _scope(parsed, namespace, kinds, since, until)
        found = self._found(parsed, scope)
        if not found and parsed.events == (FIGURE,):
            # "the diagram of …" may be asked for what was read or noted in words only
            found = self._found(parsed, replace(scope, events=()))
        return found[:limit]

    def _found(self, parsed: RecallQuery, scope: Scope) -> builtins.list[MemoryHit]:
        if parsed.text:
            return self._recall.search(parsed.text, scope)
        return self._recall.all_of(scope)

    def add_figures(
        self,
        figures: Sequence[tuple[str, Mapping[str, object]]],
        *,
        importance: float,
        namespace: str,
        session_id: str,
    ) -> None:
        """Keep figures of a document as perceptual memories, from captions and metadata.

        The metadata names `document_id`, `page` and `box`; the same figure is kept once. Raises
        `ModelError` and `StoreError`.
        """
        memories = [
            Memory(
                id=_figure_id(metadata),
                kind=MemoryKind.PERCEPTUAL,
                content=_UNSTORABLE.sub("", caption).strip(),
                importance=importance,
                created_at=self._clock(),
                session_id=session_id,
                event=FIGURE,
                metadata=dict(metadata),
            )
            for caption, metadata in figures
        ]
        if memories:
            self._of_kind(MemoryKind.PERCEPTUAL).add_all(memories, namespace=namespace)

    def forget_figures(self, document_id: str, *, namespace: str) -> None:
        """Forget the figures of a document that is being deleted. Raises `StoreError`."""
        seen = self._store.list(namespace=namespace, kinds=[MemoryKind.PERCEPTUAL])
        ids = [m.id for m in seen if m.metadata.get("document_id") == document_id]
        self._of_kind(MemoryKind.PERCEPTUAL).delete_all(ids, namespace=namespace)

    def delete(self, memory_id: str, *, namespace: str) -> None:
        """Forget one memory, in every store. Raises `NotFoundError` and `StoreError`."""
        if any(m.id == memory_id for m in self._working.list(namespace=namespace)):
            self._working.delete(memory_id, namespace=namespace)
            return
        memory = self._store.get(memory_id, namespace=namespace)
        self._of_kind(memory.kind).delete(memory_id, namespace=namespace)

    def forget_namespace(self, namespace: str) -> None:
        """Forget everything of one learner, vectors first. Raises `StoreError`; may be repeated."""
        self._working.clear(namespace=namespace)
        self._vectors.delete(namespace=namespace, where={})
        for memory in self._store.list(namespace=namespace):
            try:
                self._store.delete(memory.id, namespace=namespace)
            except NotFoundError:
                continue  # another request deleted it meanwhile, which is what is wanted

    def count(self, *, namespace: str) -> dict[MemoryKind, int]:
        """Return how many there are of each kind; a kind without any is left out."""
        working = len(self._working.list(namespace=namespace))
        counts = self._store.count(namespace=namespace)
        return ({MemoryKind.WORKING: working} if working else {}) | counts

    def summary(self, *, namespace: str, limit: int = 10) -> dict[str, object]:
        """Return counts, mean importance per kind and important memories (see `summarise`)."""
        return summarise(self.list(namespace=namespace), limit=limit)

    def _of_kind(self, kind: MemoryKind) -> DurableMemory:
        if kind not in self._durable:
            raise InvalidInputError(f"Memories of the kind {kind.value} cannot be written.")
        return self._durable[kind]


def _figure_id(metadata: Mapping[str, object]) -> str:
    place = (metadata.get("document_id"), metadata.get("page"), metadata.get("box"))
    return str(uuid.uuid5(uuid.NAMESPACE_OID, repr(place)))


def _scope(
    parsed: RecallQuery,
    namespace: str,
    kinds: Sequence[MemoryKind],
    since: datetime | None,
    until: datetime | None,
) -> Scope:
    """Join what the caller and the query ask for: both must hold."""
    if parsed.window is not None:
        since = parsed.window.since if since is None else max(since, parsed.window.since)
        until = parsed.window.until if until is None else min(until, parsed.window.until)
    return Scope(
        namespace=namespace, kinds=tuple(kinds), since=since, until=until, events=parsed.events
    )
