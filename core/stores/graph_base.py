"""A graph store on rows, whatever keeps them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

from core.domain.graph import Entity, Evidence, Fact, GraphCounts, Mention, Relation, SourceKind
from core.stores import graph_walk, graph_work
from core.stores.graph_rows import GraphRows

T = TypeVar("T")


class RowGraphStore(ABC):
    """The port's methods, each in one transaction on the rows of its namespace."""

    @abstractmethod
    def _read(self, work: Callable[[GraphRows], T], namespace: str) -> T:
        """Return what `work` finds in one state of the rows."""

    @abstractmethod
    def _write(self, work: Callable[[GraphRows], T], namespace: str) -> T:
        """Run `work` alone on the namespace, all or nothing; perhaps again after a conflict."""

    @abstractmethod
    def _erase(self) -> None:
        """Make what was deleted leave the disk, where that is this store's business."""

    def write(self, mentions: Sequence[Mention], facts: Sequence[Fact], *, namespace: str) -> None:
        """Add to the graph, all or nothing. Raises `ValueError` for a name of spaces only."""
        self._write(lambda rows: graph_work.write(rows, mentions, facts), namespace)

    def find(self, names: Sequence[str], *, namespace: str) -> list[Entity]:
        """Return the entities with one of these names, each once, in the order of the names."""
        return self._read(lambda rows: graph_work.find(rows, names), namespace)

    def entities(self, *, namespace: str, limit: int | None = None) -> list[Entity]:
        """Return entities, those with the most relations first, then by name."""
        return self._read(lambda rows: graph_work.entities(rows, rows.all_things(limit)), namespace)

    def relations(
        self, *, namespace: str, of: Sequence[str] = (), limit: int | None = None
    ) -> list[Relation]:
        """Return relations, those said by the most sentences first, then by id."""

        def work(rows: GraphRows) -> list[Relation]:
            if of:
                links = graph_walk.by_times_said(rows, rows.links_of(of))[:limit]
                return graph_work.relations(rows, links)
            return graph_work.relations(rows, rows.all_links(limit))

        return self._read(work, namespace)

    def neighbourhood(
        self, ids: Sequence[str], *, namespace: str, hops: int = 1, limit: int = 200
    ) -> list[Relation]:
        """Return the relations within `hops` steps of entities, in any direction, nearest first."""
        return self._read(
            lambda rows: graph_work.relations(
                rows, graph_walk.nearest(rows, ids, hops=hops, limit=limit)
            ),
            namespace,
        )

    def shortest_path(
        self, start: str, end: str, *, namespace: str, longest: int = 6
    ) -> list[Relation]:
        """Return the relations of a shortest path, in order from `start`; `[]` for none."""
        return self._read(
            lambda rows: graph_work.relations(
                rows, graph_walk.shortest(rows, start, end, longest=longest)
            ),
            namespace,
        )

    def evidence(self, ids: Sequence[str], *, namespace: str) -> dict[str, list[Evidence]]:
        """Return the evidence of entities, the most certain first."""
        return self._read(lambda rows: graph_work.evidence(rows, ids), namespace)

    def merge(self, keep: str, drop: str, *, namespace: str) -> None:
        """Make two entities one. Raises `NotFoundError`."""
        self._write(lambda rows: graph_work.merge(rows, keep, drop), namespace)

    def remove_source(self, kind: SourceKind, source_id: str, *, namespace: str) -> int:
        """Remove what only this source supports; return how many of its sentences went."""
        went = self._write(lambda rows: graph_work.remove_source(rows, kind, source_id), namespace)
        self._erase()
        return went

    def sources(self, kind: SourceKind, *, namespace: str) -> list[str]:
        """Return the ids of sources of this kind that support anything, in no order."""
        return self._read(lambda rows: rows.sources(kind), namespace)

    def count(self, *, namespace: str) -> GraphCounts:
        """Return how many entities, relations and sentences there are."""
        things, links, sentences = self._read(lambda rows: rows.counts(), namespace)
        return GraphCounts(entities=things, relations=links, evidence=sentences)

    def clear(self, *, namespace: str) -> None:
        """Remove everything of a namespace."""
        self._write(lambda rows: rows.clear(), namespace)
        self._erase()
