"""Port: the knowledge graph."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.graph import Entity, Evidence, Fact, GraphCounts, Mention, Relation, SourceKind


class GraphStore(Protocol):
    """Entities and relations of all learners, each namespace a graph of its own.

    Safe in several threads and processes. Every method raises `StoreError` when the store fails.
    """

    def ensure_ready(self) -> None:
        """Connect and create what is missing (tables, constraints, indexes)."""

    def write(self, mentions: Sequence[Mention], facts: Sequence[Fact], *, namespace: str) -> None:
        """Add to the graph, all or nothing, durably. Writing the same again changes nothing.

        The entities of facts need no mention of their own. An entity whose name is an alias of
        another one (`merge`) is taken as that one. The first kind and spelling of a name stay;
        `EntityKind.OTHER` and `CONCEPT` give way to a more telling kind. The same sentence of the
        same source and page is one piece of evidence with the greater confidence. An alias that
        comes with an entity is taken unless it names another entity already. Raises `ValueError`
        for a name of spaces only.
        """

    def find(self, names: Sequence[str], *, namespace: str) -> list[Entity]:
        """Return the entities with these names or aliases (by `name_key`), in order, each once."""

    def entities(self, *, namespace: str, limit: int | None = None) -> list[Entity]:
        """Return entities, those with the most relations first, then by name."""

    def relations(
        self, *, namespace: str, of: Sequence[str] = (), limit: int | None = None
    ) -> list[Relation]:
        """Return relations with their evidence; `of` narrows to those of these entity ids."""

    def neighbourhood(
        self, ids: Sequence[str], *, namespace: str, hops: int = 1, limit: int = 200
    ) -> list[Relation]:
        """Return the relations within `hops` steps of entities, in any direction, nearest first."""

    def shortest_path(
        self, start: str, end: str, *, namespace: str, longest: int = 6
    ) -> list[Relation]:
        """Return the relations of a shortest path between two entity ids, in order from `start`.

        Directions do not count. `[]` when there is none of at most `longest` relations.
        """

    def evidence(self, ids: Sequence[str], *, namespace: str) -> dict[str, list[Evidence]]:
        """Return for entity ids the evidence of their mentions and relations, if any."""

    def merge(self, keep: str, drop: str, *, namespace: str) -> None:
        """Make two entities one: `drop`'s name and aliases become aliases of `keep`, for good.

        Relations and evidence move over; a relation between the two goes. Raises `NotFoundError`.
        """

    def remove_source(self, kind: SourceKind, source_id: str, *, namespace: str) -> int:
        """Remove what only this source supports, on disk too; return how many sentences went.

        Entities and relations without any evidence left go, with their aliases.
        """

    def sources(self, kind: SourceKind, *, namespace: str) -> list[str]:
        """Return the ids of sources of this kind that support anything, in no order."""

    def count(self, *, namespace: str) -> GraphCounts:
        """Return how much there is."""

    def clear(self, *, namespace: str) -> None:
        """Remove everything of a namespace, on disk too."""

    def close(self) -> None:
        """Release the store. A closed store opens again at the next use."""
