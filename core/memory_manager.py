"""`MemoryManager`: one learner's memory under the names of the tutorial (*Hello-Agents*, 8.2.4)."""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from core.domain.memory import Memory, MemoryKind
from core.domain.memory_item import MemoryConfig, MemoryItem, as_item
from core.domain.upkeep import ForgetStrategy
from core.errors import ConfigurationError, InvalidInputError, NotFoundError
from core.learner_memory import LearnerMemory
from core.memory.base import BaseMemory
from core.memory.checks import (
    checked_importance,
    checked_limit,
    checked_number,
    is_storable,
    lies_in,
)
from core.memory.consolidation import WORKING_THRESHOLD
from core.memory.forgetting import DEFAULT_MAX_AGE_DAYS, least_worth
from core.memory.importance import auto_classify as classified
from core.memory.importance import automatic_importance
from core.memory.query import MEMORY, NOTE
from core.memory.summary import summarise
from core.memory.working import said_at
from core.services import Services
from core.wiring import shared_services

_EVENT_KEY = "event"
_FILE_KEY = "raw_data"
"""Metadata of a perceptual memory: the path of its file, as in the text."""


class MemoryManager(LearnerMemory):
    """Adds, finds, forgets and consolidates the memories of one user.

    All users of a process share `services`, those of the environment when left out; each has the
    namespace `pdf_{user_id}`, and nobody reaches another's. Types that are not enabled are neither
    written nor searched. Making one opens nothing. Besides the errors named, every method raises
    `StoreError` when a store does not answer.
    """

    def __init__(
        self,
        config: MemoryConfig | None = None,
        user_id: str = "default_user",
        enable_working: bool = True,
        enable_episodic: bool = True,
        enable_semantic: bool = True,
        enable_perceptual: bool = True,
        *,
        services: Services | None = None,
        session_id: str | None = None,
    ) -> None:
        """Raises `InvalidInputError` for an empty user id, `ConfigurationError` for a config."""
        if not user_id.strip():
            raise InvalidInputError("The user id is empty.", remedy="Give a user id.")
        if not is_storable(user_id + (session_id or "")):
            raise InvalidInputError("The ids of user and session have letters that cannot be kept.")
        services = services or shared_services()
        session = session_id or f"session_{services.clock():%Y%m%d_%H%M%S}_{secrets.token_hex(3)}"
        super().__init__(services, user_id=user_id, session_id=session)
        self.config = _checked(config or MemoryConfig())
        enabled = {
            MemoryKind.WORKING: enable_working,
            MemoryKind.EPISODIC: enable_episodic,
            MemoryKind.SEMANTIC: enable_semantic,
            MemoryKind.PERCEPTUAL: enable_perceptual,
        }
        self._kinds = tuple(kind for kind, is_enabled in enabled.items() if is_enabled)

    @property
    def memory_types(self) -> dict[str, BaseMemory]:
        """The enabled types of memory by name."""
        return {kind.value: self._services.memory.type_of(kind) for kind in self._kinds}

    def add_memory(
        self,
        content: str,
        memory_type: str = "working",
        importance: float | None = None,
        metadata: Mapping[str, object] | None = None,
        auto_classify: bool = False,
    ) -> str:
        """Remember something and return its id.

        The same text again is the same memory, with one more sighting. Without an `importance` it
        is 0.5, more for a note or a high `priority` in the metadata. `metadata` is kept as it is;
        its `event` says what the memory is (`memory` when left out), and `raw_data` is the path of
        a file that is perceived and kept with a perceptual memory. Raises `InvalidInputError`
        (nothing written, a type that is unknown or not enabled, an importance outside [0, 1],
        metadata that are no JSON or too long, a file in DATA_DIR),
        `DocumentError` for a file that cannot be perceived, and `ModelError`.
        """
        kind = classified(content) if auto_classify else self._kind(memory_type)
        kept = dict(metadata or {})
        weight = _importance(kept) if importance is None else importance
        self._services.ensure_ready()
        self._services.history.note_session(
            self.session_id, at=self._services.clock(), namespace=self.namespace
        )
        session = str(kept.pop("session_id", None) or self.session_id)
        modality = kept.get("modality")
        if kind is MemoryKind.PERCEPTUAL and modality is not None:
            self._check_modality(str(modality))
        perceiving = self._services.memory_parts.perceiving
        if kind is MemoryKind.PERCEPTUAL and _FILE_KEY in kept and perceiving is not None:
            return perceiving.remember(
                self._nobodys(Path(str(kept[_FILE_KEY]))),
                caption=content,
                importance=weight,
                session_id=session,
                namespace=self.namespace,
                metadata=kept,
            ).id
        memory = self._services.memory.add(
            content,
            kind,
            namespace=self.namespace,
            session_id=session,
            event=str(kept.pop(_EVENT_KEY, None) or MEMORY),
            importance=weight,
            metadata=kept,
        )
        self._keep_to_config(memory)
        return memory.id

    def _nobodys(self, path: Path) -> Path:
        """Return a path; what is kept of learners is nobody's to name."""
        if lies_in(path, self._services.settings.data_dir):
            raise InvalidInputError(
                "This file lies in the folder where everybody's files are kept.",
                remedy="Name a file outside DATA_DIR.",
            )
        return path

    def _check_modality(self, modality: str) -> None:
        allowed = self.config.perceptual_memory_modalities
        if modality not in allowed:
            raise InvalidInputError(
                f"Perceptual memories of the modality “{modality}” are not kept here.",
                remedy=f"The modalities are: {', '.join(allowed)}.",
            )

    def _keep_to_config(self, added: Memory) -> None:
        """Let go of what is over the limits of the config, the least worth keeping first.

        What was added just now stays, and what is pinned.
        """
        kind = added.kind
        services, config, now = self._services, self.config, self._services.clock()
        if kind is MemoryKind.WORKING:
            working = services.memory.working
            kept = working.list(namespace=self.namespace)
            oldest = now - timedelta(minutes=config.working_memory_ttl)
            over = [m for m in kept if said_at(m) <= oldest and not m.pinned]
            left = [m for m in kept if m not in over and m.id != added.id]
            room = config.working_memory_capacity - 1
            over += least_worth(left, len(left) - room, now=now)
            for memory in over:
                with suppress(NotFoundError):  # another thread was first
                    working.delete(memory.id, namespace=self.namespace)
            return
        count = services.memory.count(namespace=self.namespace).get(kind, 0)
        if count > config.max_capacity:
            kept = [m for m in self.list(kinds=[kind]) if m.id != added.id]
            going = least_worth(kept, count - config.max_capacity, now=now)
            services.memory_parts.archive.put(going, namespace=self.namespace)

    def retrieve_memories(
        self,
        query: str,
        memory_types: Sequence[str] | None = None,
        limit: int = 5,
        min_importance: float = 0.0,
        time_range: tuple[datetime, datetime] | None = None,
    ) -> list[MemoryItem]:
        """Return what has to do with the query, the most relevant first; it counts as used.

        `limit` is that of all types together. `time_range` is from (inclusive) and until
        (exclusive), aware. Raises `InvalidInputError` and `ModelError`.
        """
        kinds = [self._kind(name) for name in memory_types] if memory_types else self._kinds
        since, until = time_range or (None, None)
        hits = self.search(
            query,
            limit=checked_limit(limit),
            kinds=kinds,
            since=since,
            until=until,
            min_importance=checked_importance(min_importance),
            scorer=self.config.scorer,
        )
        self.wake([hit.memory.id for hit in hits if hit.archived])
        used = [hit.memory.id for hit in hits if not hit.archived]
        self._services.memory.note_used(used, namespace=self.namespace)
        return [as_item(hit.memory, self.user_id) for hit in hits]

    def update_memory(
        self,
        memory_id: str,
        content: str | None = None,
        importance: float | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> MemoryItem:
        """Change a memory and return it as it is then; `metadata` is added to what is there.

        It can be undone, as one change. Raises `NotFoundError`, `InvalidInputError` and
        `ModelError`.
        """
        if content is not None or importance is not None or metadata:
            self.edit(memory_id, content=content, importance=importance, metadata=metadata)
        return as_item(self.get(memory_id), self.user_id)

    def remove_memory(self, memory_id: str) -> None:
        """Delete a memory; for 30 days it can be brought back. Raises `NotFoundError`."""
        self.delete([memory_id])

    def forget_memories(
        self,
        strategy: str = "importance_based",
        threshold: float | None = None,
        max_age_days: float = DEFAULT_MAX_AGE_DAYS,
    ) -> int:
        """Forget by a strategy and return how many; it can be undone for 30 days.

        Raises `InvalidInputError` for an unknown strategy or numbers that make no sense.
        """
        least = self.config.importance_threshold if threshold is None else threshold
        plan = self.forget_preview(
            strategy_of(strategy),
            threshold=checked_number(least, "threshold", most=1),
            max_age_days=checked_number(max_age_days, "age in days"),
            kinds=self._kinds,
        )
        change = self.forget(plan)
        return 0 if change is None else len(change.before)

    def consolidate_memories(
        self,
        from_type: str = "working",
        to_type: str = "episodic",
        importance_threshold: float = WORKING_THRESHOLD,
    ) -> int:
        """Move what is important enough on to a longer-lived type, and return how many.

        Its id, time and source stay; it can be undone. Raises `InvalidInputError` for a step that
        does not lead on, and `ModelError`.
        """
        consolidation = self._ready().memory_parts.consolidation
        plan = consolidation.preview(
            from_type=self._kind(from_type),
            to_type=self._kind(to_type),
            importance_threshold=checked_number(importance_threshold, "threshold", most=1),
            namespace=self.namespace,
        )
        change = consolidation.apply(plan, namespace=self.namespace)
        return 0 if change is None else len(change.before)

    def get_memory_stats(self) -> dict[str, object]:
        """Return how many memories there are, in all and of each enabled type, and the session."""
        counts = self._ready().memory.count(namespace=self.namespace)
        by_type = {kind.value: counts.get(kind, 0) for kind in self._kinds}
        return {
            "user_id": self.user_id,
            "session_id": self.session_id,
            "total": sum(by_type.values()),
            "enabled_types": list(by_type),
            "by_type": by_type,
            "archived": self._services.memory_parts.archived.count(namespace=self.namespace),
        }

    def get_summary(self, limit: int = 10) -> dict[str, object]:
        """Return counts, mean importance by type, important memories and the session."""
        summary = summarise(self.list(kinds=self._kinds), limit=checked_limit(limit))
        return {**summary, "session_id": self.session_id}

    def clear_all_memories(self) -> int:
        """Erase everything of the enabled types and return how many memories that were.

        The archive, what could be undone, what answers have of them, and saved reports that repeat
        them go too. Raises `StoreError`; calling it again completes what a failure interrupted.
        """
        services = self._ready()
        gone = services.erasing.memories(self._kinds, namespace=self.namespace)
        for kind in self._kinds:  # what came meanwhile, and vectors without a record
            gone += services.memory.clear(kind, namespace=self.namespace)
        return gone

    def _kind(self, name: str) -> MemoryKind:
        names = [kind.value for kind in self._kinds]
        if name.strip().lower() not in names:
            raise InvalidInputError(
                f"There is no memory of the type “{name}” here.",
                remedy=f"The types are: {', '.join(names)}.",
            )
        return MemoryKind(name.strip().lower())


def _importance(metadata: Mapping[str, object]) -> float:
    return automatic_importance(
        by_hand=metadata.get(_EVENT_KEY) == NOTE, priority=str(metadata.get("priority") or "")
    )


def _checked(config: MemoryConfig) -> MemoryConfig:
    """Return a config that can be kept to. Raises `ConfigurationError`."""
    usual = MemoryConfig()
    if config.storage_path != usual.storage_path:
        raise ConfigurationError(
            "MemoryConfig.storage_path cannot be chosen: all users of a process share a folder.",
            remedy="Leave it out, and set DATA_DIR.",
        )
    if config.decay_factor != usual.decay_factor:
        raise ConfigurationError(
            "MemoryConfig.decay_factor is fixed: it is part of the printed formula.",
            remedy="Leave it out.",
        )
    limits = (config.max_capacity, config.working_memory_capacity, config.working_memory_ttl)
    if min(limits) < 1:
        raise ConfigurationError("The capacities and the TTL of a MemoryConfig must be at least 1.")
    checked_importance(config.importance_threshold)
    return config


def strategy_of(name: str) -> ForgetStrategy:
    """Return a strategy by its name. Raises `InvalidInputError`."""
    try:
        return ForgetStrategy(name.strip().lower())
    except ValueError as exc:
        choices = ", ".join(strategy.value for strategy in ForgetStrategy)
        raise InvalidInputError(
            f"There is no strategy “{name}”.", remedy=f"The strategies are: {choices}."
        ) from exc
