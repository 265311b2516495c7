"""The tutorial's memory tool: one user's memory behind nine actions."""

from collections.abc import Mapping, Sequence

from core.domain.memory import MemoryKind, MemoryState
from core.domain.memory_item import MemoryConfig, as_item
from core.domain.upkeep import ForgetStrategy
from core.errors import InvalidInputError, NotFoundError
from core.memory_manager import MemoryManager
from core.services import Services
from core.tools import memory_actions as actions
from core.tools.memory_words import (
    PREVIEW,
    SHOWN_ID,
    file_facts,
    listed,
    summary_told,
    with_event,
    would_forget,
)
from core.tools.requests import is_about_the_user, is_question, to_remember
from core.tools.texts import shortened, wrong
from core.tools.texts_memory import say
from core.tools.tool import Tool
from core.wiring import shared_services

_DESCRIPTION = (
    "Memory tool - stores and finds conversation history, knowledge and experience of the user"
)
UNDO_DAYS = 30
_FEW = 3
_KINDS = tuple(kind.value for kind in MemoryKind)


class MemoryTool(Tool):
    """The memory of `user_id`; `execute(action, …)` has the tutorial's nine actions.

    `add`, `search`, `summary`, `stats`, `update`, `remove`, `forget`, `consolidate`, `clear_all`;
    see docs/tutorial.md. It is the memory that `PDFLearningAssistant(user_id)` has, and nobody
    else's. Making one opens nothing. Safe in several threads.
    """

    def __init__(
        self,
        user_id: str = "default_user",
        memory_config: MemoryConfig | None = None,
        memory_types: Sequence[str] | None = None,
        *,
        services: Services | None = None,
    ) -> None:
        """`memory_types` are the enabled ones, all four if left out. Raises `InvalidInputError`."""
        super().__init__(
            "memory",
            _DESCRIPTION,
            [
                actions.ADD.done_by(self._add),
                actions.SEARCH.done_by(self._search),
                actions.SUMMARY.done_by(self._summary),
                actions.STATS.done_by(self._stats),
                actions.UPDATE.done_by(self._update),
                actions.REMOVE.done_by(self._remove),
                actions.FORGET.done_by(self._forget),
                actions.CONSOLIDATE.done_by(self._consolidate),
                actions.CLEAR_ALL.done_by(self._clear_all),
            ],
        )
        services = services or shared_services()
        enabled = _KINDS if memory_types is None else tuple(memory_types)
        for name in enabled:
            if name not in _KINDS:
                raise InvalidInputError(
                    f"There is no memory type “{name}”.",
                    remedy=f"Use some of: {', '.join(_KINDS)}.",
                )
        self.memory_types = enabled
        self.memory_config = memory_config or MemoryConfig()
        self.memory_manager = MemoryManager(
            config=self.memory_config,
            user_id=user_id,
            enable_working="working" in enabled,
            enable_episodic="episodic" in enabled,
            enable_semantic="semantic" in enabled,
            enable_perceptual="perceptual" in enabled,
            services=services,
        )
        self._services = services
        self._added = False

    @property
    def current_session_id(self) -> str | None:
        """The session that what is added belongs to; None before the first."""
        return self.memory_manager.session_id if self._added else None

    def answer_plainly(self, text: str, language: str) -> str | None:
        """Remember what a text asks to be remembered; look up what it asks."""
        what = to_remember(text)
        if what is not None:
            done = self.execute(
                "add", content=what, memory_type="semantic", importance=0.8, language=language
            )
            told = say("remembered", language, what=what)
            return f"{told}\n{done}" if done.startswith("✅") else done
        if not is_question(text):
            return None
        items = self.memory_manager.retrieve_memories(text, limit=_FEW)
        if items:
            return "\n".join([say("from_memory", language), *listed(items, language)])
        return self._known_of_the_user(language) if is_about_the_user(text) else None

    def _known_of_the_user(self, language: str) -> str | None:
        """Return the most important facts, for a question about the user that finds none."""
        manager = self.memory_manager
        facts = manager.list(kinds=[MemoryKind.SEMANTIC], states=[MemoryState.CURRENT])
        if "semantic" not in self.memory_types or not facts:
            return None
        best = sorted(facts, key=lambda memory: memory.importance, reverse=True)[:_FEW]
        items = [as_item(memory, manager.user_id) for memory in best]
        return "\n".join([say("known_of_you", language), *listed(items, language)])

    # The actions

    def _add(
        self,
        language: str,
        content: str = "",
        memory_type: str = "working",
        importance: float = 0.5,
        file_path: str | None = None,
        modality: str | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> str:
        kind = self._kind(memory_type, language)
        kept = dict(metadata or {})
        if file_path is not None:
            private = self._services.settings.data_dir
            kept |= file_facts(file_path, modality, kind, language, private=private)
        elif modality is not None:
            kept["modality"] = modality
        if not content.strip() and file_path is None:
            raise wrong(InvalidInputError, say, "no_content", language)
        memory_id = self.memory_manager.add_memory(
            content=content,
            memory_type=kind,
            importance=importance,
            metadata=with_event(kept, kind),
        )
        self._added = True
        times = self.memory_manager.get(memory_id).sightings
        key = "added" if times == 1 else "seen_again"
        return say(key, language, id=memory_id[:SHOWN_ID], times=times)

    def _search(
        self,
        language: str,
        query: str,
        limit: int = 5,
        memory_types: Sequence[str] | None = None,
        memory_type: str | None = None,
        min_importance: float = 0.1,
    ) -> str:
        wanted = list(memory_types or ([memory_type] if memory_type else []))
        items = self.memory_manager.retrieve_memories(
            query=query,
            limit=limit,
            memory_types=[self._kind(name, language) for name in wanted] or None,
            min_importance=min_importance,
        )
        if not items:
            return say("none_found", language, query=shortened(query, PREVIEW))
        head = say("found" if len(items) > 1 else "found_one", language, n=len(items))
        return "\n".join([head, *listed(items, language)])

    def _summary(self, language: str, limit: int = 10) -> str:
        summary = self.memory_manager.get_summary(limit=limit)
        session = self.current_session_id or say("no_session", language)
        return summary_told(summary, session, language)

    def _stats(self, language: str) -> str:
        stats = self.memory_manager.get_memory_stats()
        by_type = stats["by_type"]
        assert isinstance(by_type, Mapping)
        lines = [
            say(
                "stats",
                language,
                total=stats["total"],
                kinds=", ".join(self.memory_types),
                session=self.current_session_id or say("no_session", language),
            )
        ]
        for name, count in by_type.items():
            lines.append(say("count", language, kind=say(f"kind.{name}", language), n=count))
        if stats.get("archived"):
            lines.append(say("archived", language, n=stats["archived"]))
        return "\n".join(lines)

    def _update(
        self,
        language: str,
        memory_id: str,
        content: str | None = None,
        importance: float | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> str:
        if content is None and importance is None and not metadata:
            raise wrong(InvalidInputError, say, "nothing_to_change", language)
        try:
            item = self.memory_manager.update_memory(
                memory_id, content=content, importance=importance, metadata=metadata or None
            )
        except NotFoundError as exc:
            raise wrong(NotFoundError, say, "no_memory", language, id=memory_id) from exc
        return say(
            "updated",
            language,
            id=item.id[:SHOWN_ID],
            preview=shortened(item.content, PREVIEW),
            importance=item.importance,
        )

    def _remove(self, language: str, memory_id: str) -> str:
        try:
            full = self.memory_manager.full_id(memory_id)
            self.memory_manager.remove_memory(full)
        except NotFoundError as exc:
            raise wrong(NotFoundError, say, "no_memory", language, id=memory_id) from exc
        return say("removed", language, id=full[:SHOWN_ID], days=UNDO_DAYS)

    def _forget(
        self,
        language: str,
        strategy: str = "importance_based",
        threshold: float | None = None,
        max_age_days: float = 30,
        memory_types: Sequence[str] | None = None,
        preview: bool = False,
    ) -> str:
        manager = self.memory_manager
        names = [self._kind(name, language) for name in memory_types or self.memory_types]
        usual = self.memory_config.importance_threshold
        plan = manager.forget_preview(
            ForgetStrategy(strategy),
            threshold=usual if threshold is None else threshold,
            max_age_days=max_age_days,
            kinds=[MemoryKind(name) for name in names],
        )
        if preview:
            return would_forget(plan.items, strategy, language)
        change = manager.forget(plan)
        gone = 0 if change is None else len(change.before)
        return say("forgot", language, n=gone, strategy=strategy)

    def _consolidate(
        self,
        language: str,
        from_type: str = "working",
        to_type: str = "episodic",
        importance_threshold: float = 0.7,
    ) -> str:
        count = self.memory_manager.consolidate_memories(
            from_type=self._kind(from_type, language),
            to_type=self._kind(to_type, language),
            importance_threshold=importance_threshold,
        )
        return say(
            "consolidated",
            language,
            n=count,
            source=from_type,
            target=to_type,
            threshold=importance_threshold,
        )

    def _clear_all(self, language: str) -> str:
        count = self.memory_manager.clear_all_memories()
        return say("cleared", language, n=count, user=self.memory_manager.user_id)

    def _kind(self, name: str, language: str) -> str:
        kind = name.strip().lower()
        if kind not in self.memory_types:
            raise wrong(
                InvalidInputError,
                say,
                "not_enabled",
                language,
                kind=name[:PREVIEW],
                kinds=", ".join(self.memory_types),
            )
        return kind
