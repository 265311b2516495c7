"""The composition root of erasure: everything that keeps something of a learner."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from core import adapters
from core.erasing import Erasing
from core.erasing_places import Places
from core.files import LearnerFiles
from core.memory_adapters import make_collections
from core.memory_parts import MemoryParts
from core.ports.embedder import Embedder
from core.ports.history_store import HistoryStore
from core.ports.jobs import JobQueue
from core.ports.perceptual_encoder import PerceptualEncoder
from core.rag.indexes import Indexes
from core.rag.library import Library
from core.settings import Settings

SETTLE_SECONDS = 60.0
"""How long an erasure waits for what is learnt in the background, of all learners; whatever is
learnt later looks first whether its memory is still there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keepers:
    """Who keeps something, as the application has wired them."""

    memory: MemoryParts
    indexes: Indexes
    library: Library
    history: HistoryStore
    jobs: JobQueue
    files: LearnerFiles


def erasing_of(settings: Settings, keepers: Keepers, *, clock: Callable[[], datetime]) -> Erasing:
    """Wire the erasure over all that is kept.

    Opens nothing. Raises `ConfigurationError`.
    """
    memory = keepers.memory
    spaces = () if memory.perceptual is None else memory.perceptual.senses.spaces
    encoders = {} if memory.perceptual is None else adapters.make_perceptual_encoders(settings)
    embedder = keepers.indexes.current.embedder
    used: list[tuple[Embedder | PerceptualEncoder, str]] = [
        (embedder, "documents"),
        (embedder, "memories"),
        *((encoder, f"perceptual_{modality.value}") for modality, encoder in encoders.items()),
    ]
    engine = memory.engine
    places = Places(
        records=memory.erasure,
        memories=memory.records,
        archived=memory.archived,
        changes=memory.changes,
        history=keepers.history,
        working=engine.working,
        graph=memory.graph_store,
        vectors=[
            keepers.indexes.current.vectors,
            memory.vectors,
            *(space.vectors for space in spaces),
        ],
        collections=make_collections(settings, used),
        indexes=keepers.indexes,
        library=keepers.library,
        jobs=keepers.jobs,
        files=keepers.files,
        folders=[settings.data_dir],
        on_removed=[memory.replacing.let_go],
        on_let_go=[lambda namespace: engine.perceptual.sweep(namespace=namespace)],
        turns=memory.engine.turns,
        settle=partial(memory.afterwards.wait, SETTLE_SECONDS),
    )
    return Erasing(places, clock)
