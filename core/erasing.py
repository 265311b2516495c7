"""Erasure: forgetting a person, a document, a memory or everything, in every place, with a proof.

The rows of the record store go last, so that what a crash interrupts is completed by erasing again.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from core.domain.graph import SourceKind
from core.domain.memory import Memory, MemoryKind
from core.domain.upkeep import ErasureProof
from core.erasing_places import Places
from core.erasing_reports import remove_citing, remove_repeating
from core.erasing_vectors import delete, points, purge
from core.errors import NotFoundError, StoreError
from core.memory.erasure import Needles, samples_of_all
from core.memory.erasure_proof import Searched, Target, prove
from core.memory.query import NOTE, QA_INTERACTION, QUESTION
from core.ports.erasure_store import StoredText
from core.ports.vector_store import VectorStore, Where

OWN_WORDS = frozenset({NOTE, QUESTION, QA_INTERACTION})
"""Events whose texts are the learner's own: they stay when a document they are about is erased."""

_OF_DOCUMENTS = "_documents"
"""In the name of a collection of documents."""


class Erasing:
    """Erases. Every method raises `StoreError` when a place does not answer; repeat it then."""

    def __init__(self, places: Places, clock: Callable[[], datetime]) -> None:
        self._places = places
        self._clock = clock

    def person(self, *, namespace: str) -> ErasureProof:
        """Erase everything of a learner: documents, memories, questions, files, jobs, counts."""
        places = self._places
        needles = Needles(samples_of_all(self._texts(namespace)))
        with self._all_vectors() as vectors:
            before = self._count(vectors, namespace)
            self._remove_learner(vectors, namespace)
            places.settle()
            after = self._count(vectors, namespace)
            if any(after.values()):  # an answer or a sentence was on its way
                self._remove_learner(vectors, namespace)
                after = self._count(vectors, namespace)
            purge(vectors)
        target = Target(
            name="person",
            namespace=namespace,
            kept=lambda _: False,
            files=places.files.folder(namespace),
        )
        return self._prove(target, needles, before, after)

    def everything_of_all(self) -> ErasureProof:
        """Erase everything of ALL learners."""
        places = self._places
        namespaces = places.records.namespaces_of_all()
        texts = (text for namespace in namespaces for text in self._texts(namespace))
        needles = Needles(samples_of_all(texts))
        with self._all_vectors() as vectors:
            before = _sum(self._count(vectors, namespace) for namespace in namespaces)
            for namespace in namespaces:
                self._remove_learner(vectors, namespace)
            _remove_folder(self._learners())
            places.settle()
            purge(vectors)
            after = _sum(self._count(vectors, namespace) for namespace in namespaces)
        target = Target(name="everything", namespace=None, kept=lambda _: False, files=None)
        return self._prove(target, needles, before, after)

    def document(self, document_id: str, *, namespace: str) -> ErasureProof:
        """Erase a document with everything that was read from it or says its name.

        Notes and questions stay, as they are the learner's own words; answers lose what they have
        of it. Nothing there is no error: what a crash left is removed.
        """
        places, at = self._places, self._clock()
        about = [m for m in self._places.everywhere(namespace) if _is_about(m, document_id)]
        gone = frozenset({document_id, *(m.id for m in about)})
        texts = [t.text for t in places.records.texts(namespace=namespace) if t.item in gone]
        texts += [m.content for m in about]
        samples = samples_of_all(texts)
        target = self._target("document", gone, (), namespace)
        where: Where = {"document_id": document_id}
        with self._all_vectors() as vectors:
            before = self._count_document(vectors, document_id, about, namespace)
            places.jobs.stop_document(document_id, namespace=namespace)
            places.history.forget_document(document_id, at=at, namespace=namespace)
            self._forget_in_graph(document_id, namespace)
            delete(vectors, where, namespace)
            self._remove_memories([m.id for m in about], vectors, namespace)
            remove_repeating(places.files.reports(namespace), texts)
            self.reports_citing(document_id, namespace=namespace)
            places.library.remove(document_id, namespace=namespace)
            # once more for an answer that was on its way
            places.history.forget_document(document_id, at=at, namespace=namespace)
            places.records.erase_document(document_id, namespace=namespace)
            places.settle()
            self._forget_in_graph(document_id, namespace)
            purge(vectors)
            left = [m for m in self._places.everywhere(namespace) if _is_about(m, document_id)]
            after = self._count_document(vectors, document_id, left, namespace)
        return self._prove(target, Needles(samples), before, after)

    def memory(self, memory_id: str, *, namespace: str) -> ErasureProof:
        """Erase one memory, its former versions too, and what answers have of it.

        Other memories that said the same and are gone, or say something else by now, leave the log
        of what can be undone. Raises `NotFoundError` when it is nowhere.
        """
        places = self._places
        kept = [m for m in places.everywhere(namespace) if m.id == memory_id]
        logged = places.logged_with_text_of(kept, namespace)
        there = {m.id for m in places.kept(namespace)}
        gone = [memory_id, *(twin for twin in logged if twin not in there)]
        answers = [
            answer
            for one in gone
            for answer in places.records.answers_from_memory(one, namespace=namespace)
        ]
        if not kept and not answers:
            raise NotFoundError("This memory is not there (any more).")
        samples = samples_of_all(m.content for m in kept)
        target = self._target("memory", frozenset(gone), answers, namespace)
        with self._all_vectors() as vectors:
            before = self._count_memory(vectors, memory_id, logged, namespace)
            self._remove_one(kept, gone, logged, vectors, namespace)
            purge(vectors)
            after = self._count_memory(vectors, memory_id, logged, namespace)
        return self._prove(target, Needles(samples), before, after)

    def forget(self, memory_id: str, *, namespace: str) -> None:
        """Remove one memory and its former versions, without a proof: quick, however much there is.

        The vectors, which hold no text, leave the disk at the next erasure with a proof.
        """
        places = self._places
        kept = [m for m in places.everywhere(namespace) if m.id == memory_id]
        logged = places.logged_with_text_of(kept, namespace)
        there = {m.id for m in places.kept(namespace)}
        gone = [memory_id, *(twin for twin in logged if twin not in there)]
        self._remove_one(kept, gone, logged, places.vectors, namespace)

    def _remove_one(
        self,
        kept: Sequence[Memory],
        gone: Sequence[str],
        logged: Sequence[str],
        vectors: Sequence[VectorStore],
        namespace: str,
    ) -> None:
        """Remove the memory `gone` begins with, its former versions, and what answers have."""
        places, at = self._places, self._clock()
        for one in gone:
            places.records.forget_memory(one, at=at, namespace=namespace)
        remove_repeating(places.files.reports(namespace), [m.content for m in kept])
        places.changes.remove_memories(logged, namespace=namespace)
        self._remove_memories(gone[:1], vectors, namespace)
        places.settle()
        places.records.scrub()

    def memories(self, kinds: Sequence[MemoryKind], *, namespace: str) -> int:
        """Erase all memories of these kinds, archived ones and former versions too; say how many.

        Answers lose what they have of them, and saved reports that repeat one go. A change of which
        any memory is of these kinds loses it, and cannot be undone when it has no other.
        """
        places = self._places
        of_kinds = [m for m in places.everywhere(namespace) if m.kind in kinds]
        every = list(dict.fromkeys(m.id for m in of_kinds))
        ids = list(dict.fromkeys(m.id for m in places.kept(namespace) if m.kind in kinds))
        gone = set(every)
        at = self._clock()
        named = {
            source.memory_id
            for asked in places.history.questions(namespace=namespace)
            for source in asked.answer.memories
        }
        with self._all_vectors() as vectors:
            for memory_id in sorted(named & gone):
                places.records.forget_memory(memory_id, at=at, namespace=namespace)
            remove_repeating(places.files.reports(namespace), [m.content for m in of_kinds])
            places.changes.remove_memories(every, namespace=namespace)
            self._remove_memories(ids, vectors, namespace)
            for listener in places.on_let_go:
                listener(namespace)
            places.settle()
            places.records.scrub()
            purge(vectors)
        return len(ids)

    def reports_citing(self, document_id: str, *, namespace: str) -> None:
        """Delete the saved reports with an answer that cites a document."""
        remove_citing(self._places.files.reports(namespace), document_id)

    def _remove_learner(self, vectors: Sequence[VectorStore], namespace: str) -> None:
        places = self._places
        for job in places.jobs.list(namespace=namespace):
            places.jobs.stop_document(job.document_id, namespace=namespace)
        with places.turns.of(namespace):
            places.working.clear(namespace=namespace)
            if places.graph is not None:
                places.graph.clear(namespace=namespace)
            delete(vectors, {}, namespace)
            _remove_folder(places.files.folder(namespace))
            places.records.erase(namespace=namespace)

    def _remove_memories(
        self, ids: Sequence[str], vectors: Sequence[VectorStore], namespace: str
    ) -> None:
        places = self._places
        if not ids:
            return
        with places.turns.of(namespace):
            for memory in places.working.list(namespace=namespace):
                if memory.id in ids:
                    places.working.delete(memory.id, namespace=namespace)
            for memory_id in ids:
                self._forget_source(SourceKind.MEMORY, memory_id, namespace)
            places.changes.remove_memories(ids, namespace=namespace)
            delete(vectors, {"memory_id": list(ids)}, namespace)
            places.archived.take(ids, namespace=namespace)
            places.memories.delete_all(ids, namespace=namespace)
            for told in places.on_removed:
                told(ids, namespace)
            for listener in places.on_let_go:
                listener(namespace)

    def _forget_in_graph(self, document_id: str, namespace: str) -> None:
        """Forget what a document says, and what answers from it say: their source is a memory."""
        self._forget_source(SourceKind.DOCUMENT, document_id, namespace)
        for memory in self._places.everywhere(namespace):
            if memory.event == QA_INTERACTION and _names(memory, document_id):
                self._forget_source(SourceKind.MEMORY, memory.id, namespace)

    def _forget_source(self, kind: SourceKind, source_id: str, namespace: str) -> None:
        if self._places.graph is not None:
            self._places.graph.remove_source(kind, source_id, namespace=namespace)

    def _texts(self, namespace: str) -> Iterator[str]:
        for stored in self._places.records.texts(namespace=namespace):
            yield stored.text
        for memory in self._places.working.list(namespace=namespace):
            yield memory.content

    def _count(self, vectors: Sequence[VectorStore], namespace: str) -> dict[str, int]:
        places = self._places
        counts = dict(places.records.count(namespace=namespace))
        counts["vectors"] = points(vectors, {}, namespace)
        counts["files"] = _files_in(places.files.folder(namespace))
        counts["working"] = len(places.working.list(namespace=namespace))
        if places.graph is not None:
            graph = places.graph.count(namespace=namespace)
            there = graph.entities + graph.relations + graph.evidence
            counts["graph"] = max(counts.get("graph", 0), there)
        return counts

    def _count_document(
        self,
        vectors: Sequence[VectorStore],
        document_id: str,
        about: Sequence[Memory],
        namespace: str,
    ) -> dict[str, int]:
        places = self._places
        counts = dict(places.records.count_of_document(document_id, namespace=namespace))
        counts["memories"] = len(about)
        counts["vectors"] = points(vectors, {"document_id": document_id}, namespace)
        counts["vectors"] += points(vectors, {"memory_id": [m.id for m in about]}, namespace)
        files = places.files.folder(namespace) / "files"
        counts["files"] = len(list(files.glob(f"{document_id}.*")))
        if places.graph is not None:
            named = places.graph.sources(SourceKind.DOCUMENT, namespace=namespace)
            counts["graph"] = max(counts.get("graph", 0), named.count(document_id))
        return counts

    def _count_memory(
        self,
        vectors: Sequence[VectorStore],
        memory_id: str,
        logged: Sequence[str],
        namespace: str,
    ) -> dict[str, int]:
        places, ids = self._places, [memory_id]
        with_text = {memory_id, *logged}
        archived = places.archived.list(namespace=namespace)
        changed = places.changes.list(namespace=namespace)
        answers = places.records.answers_from_memory(memory_id, namespace=namespace)
        counts = {
            "working": sum(m.id == memory_id for m in places.working.list(namespace=namespace)),
            "records": len(places.memories.many(ids, namespace=namespace)),
            "vectors": points(vectors, {"memory_id": ids}, namespace),
            "archive": sum(m.id == memory_id for m in archived),
            "undo_log": sum(m.id in with_text for change in changed for m in change.before),
            "questions": len(answers),
        }
        if places.graph is not None:
            named = places.graph.sources(SourceKind.MEMORY, namespace=namespace)
            counts["graph"] = named.count(memory_id)
        return counts

    @contextmanager
    def _all_vectors(self) -> Iterator[list[VectorStore]]:
        """Give all collections there are; those of former embedders are closed at the end."""
        places = self._places
        opened: list[VectorStore] = []
        held: list[VectorStore] = []
        try:
            for collection in places.collections.former():
                of_documents = _OF_DOCUMENTS in collection.name
                index = places.indexes.of(collection.embedder) if of_documents else None
                if index is not None:  # this process may hold it, and nobody else can then
                    held.append(index.vectors)
                else:
                    opened.append(places.collections.open(collection))
            yield [*places.vectors, *held, *opened]
        finally:
            for store in opened:
                store.close()

    def _target(
        self, name: str, gone: frozenset[str], answers: Sequence[str], namespace: str
    ) -> Target:
        """Return what is erased of a learner who stays."""

        def kept(stored: StoredText) -> bool:
            if stored.place in ("questions", "gaps"):
                own_words = stored.field == "question"
                return own_words or (bool(answers) and stored.item not in answers)
            return bool(stored.item) and stored.item not in gone

        files = self._places.files.folder(namespace)
        return Target(name=name, namespace=namespace, kept=kept, files=files)

    def _prove(
        self,
        target: Target,
        needles: Needles,
        before: Mapping[str, int],
        after: Mapping[str, int],
    ) -> ErasureProof:
        places = self._places
        where = Searched(
            records=places.records,
            graph=places.graph,
            folders=places.folders,
            learners=self._learners(),
        )
        return prove(target, needles, where, at=self._clock(), before=before, after=after)

    def _learners(self) -> Path:
        return self._places.files.folder("").parent


def _is_about(memory: Memory, document_id: str) -> bool:
    """Tell whether a memory is of a document, and not in the learner's own words."""
    return memory.event not in OWN_WORDS and _names(memory, document_id)


def _names(memory: Memory, document_id: str) -> bool:
    listed = memory.metadata.get("document_ids")
    return memory.metadata.get("document_id") == document_id or (
        isinstance(listed, list | tuple) and document_id in listed
    )


def _files_in(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))


def _remove_folder(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except OSError as exc:
        raise StoreError(
            f"The learner's files cannot be deleted: {exc.strerror}.",
            remedy="The operator can check the rights of DATA_DIR; then erase again.",
        ) from exc


def _sum(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return dict(total)
