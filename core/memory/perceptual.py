"""Perceptual memory: what was seen and heard, found by what it says and by what it shows."""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.domain.memory import Memory, MemoryHit, MemoryKind, MemoryState
from core.domain.perception import Modality
from core.errors import (
    AssistantError,
    ConfigurationError,
    DocumentError,
    InvalidInputError,
    NotFoundError,
)
from core.files import LearnerFiles
from core.memory.durable import DurableMemory
from core.memory.encoded import EncodedSpace
from core.memory.kept_files import KeptFiles, file_of
from core.memory.query import FIGURE
from core.ports.embedder import Embedder, Vectors
from core.ports.memory_store import MemoryStore
from core.ports.perceiver import Perceiver
from core.ports.vector_store import VectorStore
from core.relatedness import Relatedness
from core.scoring import scale_by_max

logger = logging.getLogger(__name__)

_MORE = 4
"""So many times the limit is asked for where hits are left out afterwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Senses:
    """What perceptual memory has besides texts.

    `spaces` are the encoders' collections, at most one a modality; without any, pictures and
    recordings are found by their text alone. `elsewhere` returns the memories of a namespace that
    are kept outside the records (archive, undo log): their files stay.
    """

    files: LearnerFiles
    perceiver: Perceiver
    spaces: tuple[EncodedSpace, ...] = ()
    elsewhere: Callable[[str], Iterable[Memory]] = lambda _: ()


class PerceptualMemory(DurableMemory):
    """Texts, pictures, recordings and videos that were perceived, and figures of documents.

    All of them have text vectors of what they say (recognised text, caption, transcript), with
    their modality. Where an encoder is configured, the file's own vector is in a collection of that
    modality and encoder: vectors of different lengths never meet. A file is kept as long as a
    memory refers to it.
    """

    kind = MemoryKind.PERCEPTUAL

    def __init__(
        self,
        *,
        store: MemoryStore,
        vectors: VectorStore,
        embedder: Embedder,
        senses: Senses | None = None,
    ) -> None:
        super().__init__(store=store, vectors=vectors, embedder=embedder)
        self._senses = senses
        self._spaces = {space.modality: space for space in senses.spaces} if senses else {}
        self._kept = None if senses is None else KeptFiles(senses.files, self._referring)
        self._relatedness = Relatedness(embedder)
        self._looked_through: set[str] = set()
        self._lock = threading.Lock()

    def add_all(self, memories: Sequence[Memory], *, namespace: str) -> None:
        """See `DurableMemory.add_all`; a file that is kept with one is encoded.

        Raises `DocumentError` besides, for a file that cannot be looked at.
        """
        ids = [memory.id for memory in memories]
        try:
            for memory in memories:
                self._encode(memory, namespace)
            super().add_all(memories, namespace=namespace)
        except AssistantError:
            self._delete_encoded(ids, namespace)
            raise

    def update(self, memory: Memory, *, namespace: str) -> None:
        """See `DurableMemory.update`; its file and modality may be others, too."""
        before = self.get(memory.id, namespace=namespace)
        super().update(memory, namespace=namespace)
        if (file_of(before), modality_of(before)) != (file_of(memory), modality_of(memory)):
            self._delete_encoded([memory.id], namespace)
            self.embed([memory], namespace=namespace)
            self.release(filter(None, [file_of(before)]), namespace=namespace)

    def embed_missing(self, memories: Sequence[Memory], *, namespace: str) -> None:
        """Write the vectors of those stored memories that have none, the encoders' too."""
        super().embed_missing(memories, namespace=namespace)
        self._encode_missing(memories, namespace)

    def embed(self, memories: Sequence[Memory], *, namespace: str) -> None:
        """See `DurableMemory.embed`; files that are kept with them are encoded too."""
        super().embed(memories, namespace=namespace)
        self._encode_missing(memories, namespace)

    def _encode_missing(self, memories: Sequence[Memory], namespace: str) -> None:
        for memory in memories:
            space = self._space_of(memory)
            if space is None or space.has(memory.id, namespace=namespace):
                continue
            try:
                self._encode(memory, namespace)
            except DocumentError as exc:  # what it says is still found
                logger.warning("A kept file could not be encoded (%s)", exc.code)

    def similar_of(
        self, modality: Modality, vector: Vectors, *, namespace: str, limit: int
    ) -> dict[str, float]:
        """Return as `similar` the nearest memories of one modality, by what they say."""
        where: dict[str, str] = {"kind": self.kind.value}
        if modality is not Modality.IMAGE:
            where["modality"] = modality.value
        found: dict[str, float] = {}
        for hit in self._vectors.search(
            vector, namespace=namespace, where=where, limit=limit * _MORE
        ):
            # figures that were kept by earlier versions have no modality with their vectors
            if hit.payload.get("modality", Modality.IMAGE) == modality:
                found.setdefault(str(hit.payload["memory_id"]), hit.score)
        return dict(islice(found.items(), limit))

    def across(
        self,
        text: str,
        *,
        namespace: str,
        limit: int,
        among: Sequence[str] | None = None,
        modality: Modality | None = None,
    ) -> dict[str, float]:
        """See `DurableMemory.across`; `modality` narrows to it."""
        found: dict[str, float] = {}
        for space in self._spaces.values():
            if modality in (None, space.modality):
                self._look_through(namespace)
                found |= space.by_text(text, namespace=namespace, limit=limit, among=among)
        return found

    def search(
        self, text: str, *, namespace: str, limit: int = 5, modality: Modality | None = None
    ) -> list[MemoryHit]:
        """Return current memories that have to do with a text, best first, of one modality or all.

        What they say and what encoders see in them count alike: the better one is the relevance.
        Raises `ModelError`, `ConfigurationError` and `StoreError`.
        """
        near, pool = self._embedder.embed_query(text), limit * _MORE
        if modality is None:
            cosines = self.similar(near, namespace=namespace, limit=pool)
        else:
            cosines = self.similar_of(modality, near, namespace=namespace, limit=pool)
        edge = self._relatedness.limit()
        above = scale_by_max([cosine - edge for cosine in cosines.values()])
        said = dict(zip(cosines, above, strict=True))
        shown = self.across(text, namespace=namespace, limit=pool, modality=modality)
        relevance = {
            i: strength
            for i in {**said, **shown}
            if (strength := max(said.get(i, 0.0), shown.get(i, 0.0))) > 0
        }
        return self._hits(relevance, namespace)[:limit]

    def like_file(
        self, path: Path, *, modality: Modality, namespace: str, limit: int = 5
    ) -> list[MemoryHit]:
        """Return current memories whose file looks or sounds like this one, nearest first.

        Relevance is the cosine, 0 for one below. `path` may be hostile. Raises
        `ConfigurationError` without an encoder of the modality, `DocumentError`, `ModelError` and
        `StoreError`.
        """
        space = self._spaces.get(modality)
        if self._senses is None or space is None:
            raise _no_encoder(modality)
        self._look_through(namespace)
        with self._view(path, modality, namespace) as view:
            found = space.by_file(view, namespace=namespace, limit=limit * _MORE)
        return self._hits({i: max(0.0, cosine) for i, cosine in found.items()}, namespace)[:limit]

    def delete(self, memory_id: str, *, namespace: str) -> None:
        """See `DurableMemory.delete`; a file that nothing else refers to goes too."""
        gone = self._store.many([memory_id], namespace=namespace)
        self._delete_encoded([memory_id], namespace)
        super().delete(memory_id, namespace=namespace)
        self.release(filter(None, map(file_of, gone)), namespace=namespace)

    def delete_all(self, ids: Sequence[str], *, namespace: str) -> None:
        """See `DurableMemory.delete_all`; files that nothing else refers to go too."""
        gone = self._store.many(ids, namespace=namespace)
        if ids:
            self._delete_encoded(ids, namespace)
        super().delete_all(ids, namespace=namespace)
        self.release(filter(None, map(file_of, gone)), namespace=namespace)

    def clear(self, *, namespace: str) -> None:
        """See `DurableMemory.clear`."""
        for space in self._spaces.values():
            space.clear(namespace=namespace)
        super().clear(namespace=namespace)
        self.sweep(namespace=namespace)

    def holding(self, name: str, *, namespace: str) -> AbstractContextManager[None]:
        """Keep a file meanwhile: the memory that will refer to it is being made."""
        return self._kept.holding(name, namespace=namespace) if self._kept else nullcontext()

    def release(self, names: Iterable[str], *, namespace: str) -> None:
        """Delete those of the kept files that nothing refers to (any more)."""
        if self._kept is not None:
            self._kept.release(names, namespace=namespace)

    def sweep(self, *, namespace: str) -> int:
        """Delete all kept files that nothing refers to (any more); return how many.

        To be called when an archive or an undo log has let go of memories, and after a crash.
        """
        return 0 if self._kept is None else self._kept.sweep(namespace=namespace)

    def _payload(self, memory: Memory) -> dict[str, str | int]:
        return {**super()._payload(memory), "modality": modality_of(memory).value}

    def _space_of(self, memory: Memory) -> EncodedSpace | None:
        return self._spaces.get(modality_of(memory)) if file_of(memory) else None

    def _encode(self, memory: Memory, namespace: str) -> None:
        space, name = self._space_of(memory), file_of(memory)
        if space is None or name is None or self._senses is None:
            return
        try:
            path = self._senses.files.seen(name, namespace=namespace)
        except NotFoundError:  # a memory that comes back from the undo log is worth having without
            logger.warning("The file of a memory is gone")
            return
        with self._view(path, space.modality, namespace) as view:
            space.add({memory.id: view}, namespace=namespace)

    @contextmanager
    def _view(self, path: Path, modality: Modality, namespace: str) -> Iterator[Path]:
        """Give what an encoder may look at, as a file in the learner's folder for as long."""
        assert self._senses is not None
        content = self._senses.perceiver.view(path, modality)
        suffix = "png" if modality is Modality.IMAGE else "wav"
        with self._senses.files.passing(content, suffix=suffix, namespace=namespace) as view:
            yield view

    def _look_through(self, namespace: str) -> None:
        """Encode what was kept before an encoder was configured, once for each learner."""
        if namespace in self._looked_through:
            return
        with self._lock:
            if namespace not in self._looked_through:
                kept = [m for m in self.list(namespace=namespace) if self._space_of(m)]
                self.embed_missing(kept, namespace=namespace)
                self._looked_through.add(namespace)

    def _delete_encoded(self, ids: Sequence[str], namespace: str) -> None:
        for space in self._spaces.values():
            space.delete(ids, namespace=namespace)

    def _referring(self, namespace: str) -> Iterable[Memory]:
        """Return the memories that may refer to kept files, wherever those are."""
        yield from self.list(namespace=namespace)
        if self._senses is not None:
            yield from self._senses.elsewhere(namespace)

    def _hits(self, relevance: dict[str, float], namespace: str) -> list[MemoryHit]:
        memories = self._store.many(list(relevance), namespace=namespace)
        hits = [
            MemoryHit(memory=memory, score=relevance[memory.id], relevance=relevance[memory.id])
            for memory in memories
            if memory.state is MemoryState.CURRENT
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.memory.id))


def modality_of(memory: Memory) -> Modality:
    """Return what a memory says it is of: figures are images, what says nothing is text."""
    told = str(memory.metadata.get("modality", ""))
    if told in {modality.value for modality in Modality}:
        return Modality(told)
    return Modality.IMAGE if memory.event == FIGURE else Modality.TEXT


def modality_named(name: str) -> Modality:
    """Return a modality by its name. Raises `InvalidInputError`, which lists them."""
    try:
        return Modality(name.strip().lower())
    except ValueError as exc:
        known = ", ".join(modality.value for modality in Modality)
        raise InvalidInputError(
            f"There is no modality {name!r}.", remedy=f"Choose one of: {known}."
        ) from exc


def _no_encoder(modality: Modality) -> ConfigurationError:
    settings = {
        Modality.IMAGE: "PERCEPTUAL_IMAGE_MODEL",
        Modality.AUDIO: "PERCEPTUAL_AUDIO_MODEL",
    }
    setting = settings.get(modality)
    return ConfigurationError(
        f"Nothing is configured that compares two files of the kind {modality.value}.",
        remedy="Search by words" + (f", or set {setting}." if setting else "."),
    )
