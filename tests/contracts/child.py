"""A second process, for what a contract says about processes.

    python -m tests.contracts.child write-vectors KIND LOCATION
    python -m tests.contracts.child open-vectors KIND LOCATION
    python -m tests.contracts.child write-documents URL FOLDER
    python -m tests.contracts.child write-memories URL FOLDER VECTORS

The writers write without end and print a number after each acknowledged write.
"""

import itertools
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from core.domain.memory import MemoryKind
from core.errors import StoreError
from core.memory.engine import MemoryEngine
from core.stores.database import open_database
from core.stores.documents import SqlDocumentStore
from core.stores.memories import SqlMemoryStore
from tests.contracts.backends import make_vector_store
from tests.contracts.graph_samples import numbered, open_graph
from tests.contracts.samples import OWNER, START, add_document, batch_of_points
from tests.fakes import Clock, WordEmbedder

ROOT = Path(__file__).parents[2]
SHARED_WRITES = 25


def say(line: object) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def write_vectors(kind: str, location: str) -> None:
    store = make_vector_store(kind, location)
    for number in itertools.count():
        store.upsert(batch_of_points(number), namespace=OWNER)
        say(number)


def open_vectors(kind: str, location: str) -> None:
    store = make_vector_store(kind, location)
    try:
        store.ensure_ready()
    except StoreError as error:
        say(error.sentence)
    else:
        say("open")
        sys.stdin.read()  # hold the store until the parent closes the pipe
        store.close()


def write_documents(url: str, folder: str) -> None:
    store = SqlDocumentStore(open_database(url or None, Path(folder)))
    for number in itertools.count():
        document_id = f"document {number}"
        add_document(store, document_id, namespace=OWNER)
        say(number)


def write_memories(url: str, folder: str, vectors_at: str) -> None:
    embedder = WordEmbedder(("tide", "潮水"))
    vectors = make_vector_store("edge", vectors_at, embedder.dimension, embedder.name)
    vectors.ensure_ready()
    engine = MemoryEngine(
        store=SqlMemoryStore(open_database(url or None, Path(folder))),
        vectors=vectors,
        embedder=embedder,
        clock=Clock(START),
        new_id=lambda: str(uuid.uuid4()),
        working_capacity=50,
        working_ttl_minutes=60,
    )
    for number in itertools.count():
        engine.add(
            f"tide number {number}",
            MemoryKind.SEMANTIC,
            namespace=OWNER,
            session_id="s",
            event="note",
            importance=0.5,
        )
        say(number)


def write_graph(where: str, folder: str) -> None:
    store = open_graph(where, Path(folder))
    for number in itertools.count():
        store.write(*numbered(number), namespace=OWNER)
        say(number)


def write_shared_graph(where: str, folder: str) -> None:
    store = open_graph(where, Path(folder))
    for number in range(SHARED_WRITES):
        store.write(*numbered(number), namespace=OWNER)
    store.close()


@contextmanager
def child(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run this file with `arguments`; the process is gone when the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.contracts.child", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin, process.stdout:
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def acknowledged_before_kill(*arguments: str, after: int) -> int:
    """Kill a writing child after `after` acknowledgements; return how many it gave in all."""
    with child(*arguments) as process:
        assert process.stdout is not None
        seen = [next(process.stdout) for _ in range(after)]
        process.kill()
        seen += process.stdout.readlines()
        assert process.wait() != 0
    return len(seen)


ACTIONS: dict[str, Callable[..., None]] = {
    "write-vectors": write_vectors,
    "open-vectors": open_vectors,
    "write-documents": write_documents,
    "write-graph": write_graph,
    "write-shared-graph": write_shared_graph,
    "write-memories": write_memories,
}

if __name__ == "__main__":
    ACTIONS[sys.argv[1]](*sys.argv[2:])
