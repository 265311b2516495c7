"""The knowledge graph of one learner: seen, asked, put in order."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import tzinfo

from core.domain.graph_views import Connection, GraphPicture, GraphQuality, MergeProposal
from core.graph.knowledge import KnowledgeGraph
from core.memory.checks import checked_limit, storable
from core.services import Services


class LearnerGraph:
    """What one learner's memory says of things and how they are connected. Thread-safe.

    All methods raise `StoreError` when a store does not answer.
    """

    def __init__(self, services: Services, *, user_id: str, session_id: str) -> None:
        self._services = services
        self.user_id = user_id
        self.namespace = f"pdf_{user_id}"
        self.session_id = session_id
        self.zone: tzinfo | None = None

    def graph_picture(self, around: str | None = None, limit: int = 60) -> GraphPicture:
        """Return the graph to be drawn, at most `limit` entities; `around` narrows to a thing.

        Raises `NotFoundError` for a thing that is not in it.
        """
        around = None if around is None else storable(around)
        return self._graph().picture(
            namespace=self.namespace, around=around, limit=checked_limit(limit)
        )

    def graph_quality(self) -> GraphQuality:
        """Return what may be wrong with the graph."""
        return self._graph().quality(namespace=self.namespace)

    def connected(self, one: str, other: str) -> Connection:
        """Return how two things are connected, with a sentence for each step.

        Without steps when they are not. Raises `NotFoundError` for a thing that is not in it.
        """
        return self._graph().connected(storable(one), storable(other), namespace=self.namespace)

    def graph_proposals(self) -> list[MergeProposal]:
        """Return pairs of entities that may be one, the surest first."""
        return self._graph().proposals(namespace=self.namespace)

    def merge_entities(self, keep: str, drop: str) -> None:
        """Make two entities one, by their ids. Raises `NotFoundError`."""
        self._graph().merge(storable(keep), storable(drop), namespace=self.namespace)

    def _graph(self) -> KnowledgeGraph:
        services = self._ready()
        services.memory_parts.graph_learning.catch_up(self.namespace)
        services.graph_reading.want_missing(namespace=self.namespace)
        return services.memory_parts.graph

    @contextmanager
    def _turn(self) -> Iterator[Services]:
        """Hold the turn to change this learner's memories.

        The services are made ready before: who holds a turn must not wait for them.
        """
        services = self._ready()
        with services.memory.turns.of(self.namespace):
            yield services

    def _ready(self) -> Services:
        self._services.ensure_ready()
        return self._services
