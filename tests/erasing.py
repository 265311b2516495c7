"""Two learners who left something in every place, and the erasure over all of them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.domain.answer import (
    Answer,
    AnswerMode,
    Citation,
    CitationState,
    Gap,
    NearestPage,
    RefusalReason,
    RememberedSource,
)
from core.domain.document import Page
from core.domain.graph import SourceKind
from core.domain.job import JobState
from core.domain.memory import MemoryKind
from core.domain.study import AskedQuestion
from core.erasing import Erasing
from core.erasing_places import Places
from core.files import LearnerFiles
from core.jobs.queue import BackgroundJobs
from core.ports.graph_store import GraphStore
from core.ports.vector_store import VectorPoint
from core.rag.indexes import Index, Indexes
from core.rag.indexing import IndexStores
from core.rag.library import Library
from core.stores.documents import SqlDocumentStore
from core.stores.edge_collections import EdgeCollections
from core.stores.erasure import SqlErasure
from core.stores.history import SqlHistoryStore
from core.stores.jobs import SqlJobStore
from core.stores.qdrant_edge import QdrantEdgeStore
from tests.contracts.graph_samples import fact, open_graph, said
from tests.contracts.samples import add_document, job, page, point_id
from tests.fakes import MONDAY
from tests.upkeep import EPISODIC, NS, OTHER_NS, WORKING, Fuse, Fused, Parts, made, open_parts

_BLOCK = 65_536
USED = ("pdf_documents", "pdf_memories")
FORMER = {"pdf_documents_0ld": "old-model", "pdf_memories_0ld": "old-model"}
PLACES = (
    "page page2 name note figure passage fact archived forgotten working question gap answer quote "
    "graph report file"
)


def words(place: str, owner: str) -> str:
    """What the owner left in a place, and nobody else anywhere."""
    return f"zebra {place} unmistakable {owner} 斑马{place}{owner}"


@dataclass(frozen=True, kw_only=True)
class World:
    folder: Path
    parts: Parts
    documents: SqlDocumentStore
    history: SqlHistoryStore
    vectors: QdrantEdgeStore
    graph: GraphStore
    files: LearnerFiles
    jobs: BackgroundJobs
    erasing: Erasing

    def close(self) -> None:
        self.parts.close()
        self.vectors.close()
        self.graph.close()
        self.jobs.close()

    def written(self, below: str = "") -> bytes:
        """All bytes of all files below a folder but blocks of zeros (most of an index)."""
        blocks: list[bytes] = []
        for path in sorted((self.folder / below).rglob("*")):
            if path.is_file():
                with path.open("rb") as file:
                    blocks += [
                        b for b in iter(lambda f=file: f.read(_BLOCK), b"") if b.strip(b"\0")
                    ]
        return b"".join(blocks)

    def left_of(self, owner: str) -> list[str]:
        """The places whose words stand in any file of the folder."""
        data = self.written()
        return [place for place in PLACES.split() if words(place, owner).encode() in data]


def open_world(
    folder: Path,
    *,
    url: str | None = None,
    graph_at: str | None = None,
    write_at: int = 0,
    settle: Callable[[], object] = lambda: None,
) -> World:
    fuse = Fuse(write_at)
    parts = open_parts(folder, fuse=fuse, url=url, first_id=1000)
    database = parts.database
    documents: Any = Fused(SqlDocumentStore(database), fuse)
    history = SqlHistoryStore(database)
    vectors: Any = Fused(_edge(folder, "pdf_documents", parts.embedder.name), fuse)
    graph: Any = Fused(open_graph((url or "") if graph_at is None else graph_at, folder), fuse)
    files = LearnerFiles(folder)
    indexes = Indexes(Index(parts.embedder, vectors), lambda _: None)
    stores = IndexStores(parts.embedder, vectors, documents)
    library = Library(stores, indexes, files, parts.clock, lambda *_: None)
    jobs = BackgroundJobs(SqlJobStore(database))
    places = Places(
        records=Fused(SqlErasure(database), fuse),
        memories=parts.store,
        archived=parts.archived,
        changes=parts.changes,
        history=history,
        working=parts.working,
        graph=graph,
        vectors=[vectors, parts.vectors],
        collections=EdgeCollections(folder / "vectors", used=USED),
        indexes=indexes,
        library=library,
        jobs=jobs,
        files=files,
        folders=[folder],
        settle=settle,
    )
    return World(
        folder=folder,
        parts=parts,
        documents=documents,
        history=history,
        vectors=vectors,
        graph=graph,
        files=files,
        jobs=jobs,
        erasing=Erasing(places, parts.clock),
    )


def _edge(folder: Path, name: str, embedder: str) -> QdrantEdgeStore:
    return QdrantEdgeStore(folder / "vectors" / name, dimension=256, embedder=embedder)


def fill(world: World, owner: str, namespace: str, former: bool = True) -> None:
    """Leave something in every place; `former`: also vectors of an embedder of long ago."""
    pages = [page(n, f"{words(name, owner)}. {'Filler. ' * 200}") for n, name in _PAGES]
    document_id = f"document-{owner}"
    _document(world, document_id, owner, pages, namespace)
    if former:
        _former_vectors(world, document_id, owner, namespace)
    _memories(world, document_id, owner, namespace)
    _history(world, document_id, owner, namespace)
    of_document = replace(fact("A", "B"), evidence=said(words("graph", owner), document_id))
    note = said(words("note", owner), f"note-{owner}", kind=SourceKind.MEMORY, page=None)
    of_note = replace(fact("A", "C"), evidence=note)
    world.graph.write([], [of_document, of_note], namespace=namespace)
    reports = world.files.reports(namespace)
    reports.mkdir(parents=True, exist_ok=True)
    told = {"notes": [words("note", owner), words("report", owner)]}
    text = json.dumps(told, ensure_ascii=False)
    (reports / "learning_report_s1.json").write_text(text, encoding="utf-8")


_PAGES = ((1, "page"), (2, "page2"))


def _document(
    world: World, document_id: str, owner: str, pages: Sequence[Page], namespace: str
) -> None:
    made_document = add_document(world.documents, document_id, namespace=namespace, pages=[*pages])
    renamed = replace(
        made_document,
        name=f"{words('name', owner)}.pdf",
        embedder=world.parts.embedder.name,
    )
    world.documents.update(renamed, namespace=namespace)
    source = world.folder / "upload"
    source.write_text(words("file", owner), encoding="utf-8")
    world.files.keep(source, document_id, format="pdf", namespace=namespace)
    source.unlink()
    failed = replace(job("j1", document_id=document_id), state=JobState.FAILED)
    SqlJobStore(world.parts.database).put(failed, namespace=namespace)
    world.vectors.upsert([_point(world, 0, owner, document_id)], namespace=namespace)


def _former_vectors(world: World, document_id: str, owner: str, namespace: str) -> None:
    for offset, (name, embedder) in enumerate(FORMER.items(), start=1):
        former = _edge(world.folder, name, embedder)
        point = _point(world, offset, owner, document_id)
        former.upsert([point], namespace=namespace)
        former.close()


def _point(world: World, offset: int, owner: str, document_id: str) -> VectorPoint:
    vector = vector_of(world, owner)
    payload = {"document_id": document_id, "memory_id": f"note-{owner}"}
    first = 10 if owner == "ada" else 20
    return VectorPoint(point_id(first + offset), vector, payload)


def vector_of(world: World, owner: str) -> Any:
    return world.parts.embedder.embed_query(words("page", owner))


def _memories(world: World, document_id: str, owner: str, namespace: str) -> None:
    parts = world.parts
    about = {"metadata": {"document_id": document_id, "page": 1}}
    parts.add(
        made(f"note-{owner}", words("note", owner)),
        made(
            f"figure-{owner}",
            words("figure", owner),
            kind=MemoryKind.PERCEPTUAL,
            event="figure",
            **about,
        ),
        made(f"passage-{owner}", words("passage", owner), event="passage", **about),
        made(f"fact-{owner}", words("fact", owner), event="fact"),
        made(f"archived-{owner}", words("archived", owner), days=900),
        made(f"forgotten-{owner}", words("forgotten", owner), importance=0),
        made(f"working-{owner}", words("working", owner), kind=WORKING),
        made(f"qa-{owner}", "Learning", kind=EPISODIC, event="qa_interaction"),
        namespace=namespace,
    )
    parts.archive.run(namespace=namespace)
    parts.forgetting.apply([f"forgotten-{owner}"], namespace=namespace)


def _history(world: World, document_id: str, owner: str, namespace: str) -> None:
    citation = Citation(
        number=1,
        document=f"{words('name', owner)}.pdf",
        document_id=document_id,
        page=1,
        pages=(1,),
        page_label=None,
        quote=words("quote", owner),
        state=CitationState.EXACT,
        score=1.0,
        boxes=(),
    )
    remembered = RememberedSource(
        number=2,
        memory_id=f"note-{owner}",
        kind="semantic",
        event="note",
        text=words("note", owner),
        created_at=MONDAY,
    )
    answer = Answer(
        id=f"q-{owner}",
        question=words("question", owner),
        text=f"{words('answer', owner)} [1] {words('note', owner)} [2]",
        mode=AnswerMode.EXTRACTIVE,
        language="en",
        citations=(citation,),
        memories=(remembered,),
    )
    asked = AskedQuestion(id=answer.id, session_id="s1", asked_at=MONDAY, answer=answer)
    world.history.add_question(asked, namespace=namespace)
    world.history.note_session("s1", at=MONDAY, namespace=namespace)
    world.history.add_gap(
        Gap(
            id=f"gap-{owner}",
            question=words("gap", owner),
            question_id="q",
            language="en",
            asked_at=MONDAY,
            reason=RefusalReason.NOTHING_FOUND,
            nearest=(
                NearestPage(
                    document=f"{words('name', owner)}.pdf",
                    document_id=document_id,
                    page=1,
                    page_label=None,
                    score=0.5,
                ),
            ),
        ),
        namespace=namespace,
    )


def filled_world(folder: Path, *, former: bool = True, **options: Any) -> World:
    world = open_world(folder, **options)
    fill(world, "ada", NS, former)
    fill(world, "bob", OTHER_NS, former)
    return world
