"""Erasure on disk: every place of one learner, none of another's, and a proof that can fail."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from core.errors import NotFoundError
from core.stores.schema import metadata
from tests.contracts.samples import asked, memory
from tests.erasing import PLACES, World, filled_world, open_world, vector_of, words
from tests.integration.erasure_child import TARGETS
from tests.servers.bolt import BoltServer, bolt_server
from tests.servers.postgres import PostgresServer, postgres_server
from tests.upkeep import NS, OTHER_NS, made

ROOT = Path(__file__).parents[2]
OWN_WORDS = {"note", "working", "question", "gap", "archived", "forgotten", "fact"}
NOT_ON_DISK = {"working", "file"}
"""Working memory is in the process only, and the file's words are not in its name."""
ERASED = {
    "person": set(PLACES.split()),
    "document": {"page", "page2", "name", "figure", "passage", "answer", "quote", "graph", "file"},
    "memory": {"note"},
}
EVERYWHERE = [place for place in PLACES.split() if place != "working"]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made_world = filled_world(tmp_path)
    yield made_world
    made_world.close()


@pytest.fixture
def small(tmp_path: Path) -> Iterator[World]:
    """A world without collections of former embedders, which is quicker."""
    made_world = filled_world(tmp_path, former=False)
    yield made_world
    made_world.close()


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="module")
def bolt() -> Iterator[BoltServer]:
    with bolt_server() as server:
        yield server


def vectors_on_disk(world: World, owner: str) -> bool:
    """Whether the owner's vector stands in any file of the indexes."""
    return vector_of(world, owner).tobytes()[64:128] in world.written("vectors")


def rows_of(world: World, namespace: str) -> dict[str, int]:
    found: dict[str, int] = {}
    with world.parts.database.read() as connection:
        for table in metadata.sorted_tables:
            rows = connection.execute(select(table).where(table.c.namespace == namespace)).all()
            if rows:
                found[table.name] = len(rows)
    return found


def test_everything_is_on_disk_before(world: World) -> None:
    archived = {"archived"}  # compressed
    assert set(world.left_of("ada")) == set(EVERYWHERE) - archived
    assert vectors_on_disk(world, "ada")
    assert len(rows_of(world, NS)) >= 15


def test_a_person_is_erased_everywhere_and_nobody_else(world: World) -> None:
    theirs = rows_of(world, OTHER_NS), world.left_of("bob")
    proof = world.erasing.person(namespace=NS)
    assert proof.complete
    assert proof.found_in == ()
    assert (
        set(proof.before)
        == set(proof.after)
        >= {
            *(
                "records",
                "full_text",
                "documents",
                "pages",
                "questions",
                "gaps",
                "sessions",
                "jobs",
            ),
            *("archive", "undo_log", "graph", "vectors", "files", "working"),
        }
    )
    assert all(number > 0 for number in proof.before.values())
    assert proof.searched >= len(EVERYWHERE) - len(NOT_ON_DISK)
    assert proof.files_read > 10
    assert world.left_of("ada") == []
    assert not vectors_on_disk(world, "ada")
    assert rows_of(world, NS) == {}
    assert not world.files.folder(NS).exists()
    assert (rows_of(world, OTHER_NS), world.left_of("bob")) == theirs
    assert vectors_on_disk(world, "bob")
    assert world.parts.archive.second_chance("archived", namespace=OTHER_NS)

    again = world.erasing.person(namespace=NS)
    assert again.complete
    assert set(again.before.values()) == {0}
    assert again.searched == 0
    assert (rows_of(world, OTHER_NS), world.left_of("bob")) == theirs


def test_what_was_on_its_way_is_erased_too(tmp_path: Path) -> None:
    late = made("late", "zebra late unmistakable ada 斑马迟到")

    def answered_meanwhile() -> None:
        world.parts.add(late)

    world = filled_world(tmp_path, former=False, settle=answered_meanwhile)
    proof = world.erasing.person(namespace=NS)
    assert proof.complete
    assert rows_of(world, NS) == {}
    assert late.content.encode() not in world.written()
    world.close()


def test_a_document_goes_with_what_was_read_from_it(world: World) -> None:
    theirs = rows_of(world, OTHER_NS), world.left_of("bob")
    proof = world.erasing.document("document-ada", namespace=NS)
    assert proof.complete
    assert proof.before["memories"] == 2
    assert proof.before["vectors"] >= 4
    assert all(number > 0 for number in proof.before.values())
    assert proof.searched >= 6  # two pages, name, figure, passage, sentence
    assert set(world.left_of("ada")) == (OWN_WORDS | {"report"}) - {"working", "archived"}
    assert not vectors_on_disk(world, "ada")
    assert {m.id for m in world.parts.store.list(namespace=NS)} == {
        *("note-ada", "fact-ada", "qa-ada")
    }
    (kept,) = world.history.questions(namespace=NS)
    assert (kept.answer.text, kept.answer.citations) == ("", ())
    assert kept.answer.question == words("question", "ada")
    assert (rows_of(world, OTHER_NS), world.left_of("bob")) == theirs

    again = world.erasing.document("document-ada", namespace=NS)
    assert again.complete
    assert set(again.before.values()) == {0}


def test_a_memory_goes_with_its_former_versions_and_out_of_answers(world: World) -> None:
    theirs = rows_of(world, OTHER_NS), world.left_of("bob")
    proof = world.erasing.memory("note-ada", namespace=NS)
    assert proof.complete
    assert proof.before == {
        "working": 0,
        "records": 1,
        "vectors": 4,
        "archive": 0,
        "undo_log": 0,
        "questions": 1,
        "graph": 1,
    }
    assert "note" not in world.left_of("ada")
    assert {"page", "graph", "quote", "question", "fact"} <= set(world.left_of("ada"))
    (kept,) = world.history.questions(namespace=NS)
    assert (kept.answer.text, kept.answer.memories) == ("", ())
    assert len(kept.answer.citations) == 1
    assert not (world.files.reports(NS) / "learning_report_s1.json").exists()
    assert (rows_of(world, OTHER_NS), world.left_of("bob")) == theirs
    with pytest.raises(NotFoundError):
        world.erasing.memory("note-ada", namespace=NS)
    with pytest.raises(NotFoundError):
        world.erasing.memory("note-bob", namespace=NS)


@pytest.mark.parametrize("place", ["archived", "forgotten", "working"])
def test_a_memory_is_erased_wherever_it_is(small: World, place: str) -> None:
    proof = small.erasing.memory(f"{place}-ada", namespace=NS)
    assert proof.complete
    assert sum(proof.before.values()) == 1
    assert place not in small.left_of("ada")
    with pytest.raises(NotFoundError):
        small.erasing.memory(f"{place}-ada", namespace=NS)


def test_everything_of_all_leaves_nothing(world: World) -> None:
    proof = world.erasing.everything_of_all()
    assert proof.complete
    assert proof.searched >= 2 * (len(EVERYWHERE) - len(NOT_ON_DISK))
    assert rows_of(world, NS) == rows_of(world, OTHER_NS) == {}
    assert world.left_of("ada") == world.left_of("bob") == []
    assert not vectors_on_disk(world, "ada")
    assert not vectors_on_disk(world, "bob")
    assert world.erasing.everything_of_all().complete


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "json"])
def test_the_proof_finds_what_was_left_in_a_file(small: World, encoding: str) -> None:
    text = f"2026-03-02 ERROR a note failed: {words('note', 'ada')} (end)"
    data = json.dumps({"log": text}).encode() if encoding == "json" else text.encode(encoding)
    log = small.folder / "logs" / "app.log"
    log.parent.mkdir()
    log.write_bytes(b"x" * 1001 + data)
    proof = small.erasing.person(namespace=NS)
    assert not proof.complete
    assert [Path(found).name for found in proof.found_in] == ["app.log"]
    assert set(proof.after.values()) == {0}


def test_the_proof_finds_what_was_left_in_a_row(small: World) -> None:
    stray = asked("stray", text=f"It says: {words('page', 'ada')}. Filler.")
    small.history.add_question(stray, namespace=NS)
    proof = small.erasing.document("document-ada", namespace=NS)
    assert not proof.complete
    assert "questions" in proof.found_in
    assert set(proof.after.values()) == {0}


def test_the_same_words_of_another_learner_are_no_failure(small: World) -> None:
    same = replace(
        small.documents.get("document-bob", namespace=OTHER_NS), title=words("page", "ada")
    )
    small.documents.update(same, namespace=OTHER_NS)
    assert small.erasing.person(namespace=NS).complete
    assert "page" in small.left_of("ada")


def test_the_same_words_of_another_note_are_no_failure(small: World) -> None:
    small.parts.add(made("note2", words("note", "ada")))
    proof = small.erasing.memory("note-ada", namespace=NS)
    assert proof.complete
    assert proof.searched == 0
    assert "note" in small.left_of("ada")


def test_a_file_name_counts(small: World) -> None:
    (small.folder / f"{words('question', 'ada')}.txt").touch()
    proof = small.erasing.person(namespace=NS)
    assert len(proof.found_in) == 1


@pytest.mark.parametrize(("target", "step"), [("person", 5), ("document", 11), ("memory", 7)])
def test_killed_at_any_write_erasing_again_completes_it(
    tmp_path: Path, target: str, step: int
) -> None:
    deaths = 0
    for write in range(1, 80, step):
        folder = tmp_path / str(write)
        filled_world(folder, former=False).close()
        command = [sys.executable, "-m", "tests.integration.erasure_child", target, folder, write]
        done = subprocess.run([*map(str, command)], cwd=ROOT, timeout=60, check=False)
        assert done.returncode in (0, -signal.SIGKILL)
        world = open_world(folder)
        try:
            assert TARGETS[target](world.erasing).complete
        except NotFoundError:
            assert target == "memory"
        left = set(world.left_of("ada"))
        assert left & ERASED[target] == set()
        assert set(world.left_of("bob")) == set(EVERYWHERE) - {"archived"}
        world.close()
        if done.returncode == 0:
            break
        deaths += 1
    assert done.returncode == 0
    assert deaths >= 2


def test_postgresql_has_nothing_in_its_rows_and_tables(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    url = postgres.create_database()
    world = filled_world(tmp_path, url=url)
    phrase = words("note", "ada").encode()
    assert postgres.holds(url, phrase)
    assert len(rows_of(world, NS)) >= 15
    theirs = rows_of(world, OTHER_NS)
    proof = world.erasing.person(namespace=NS)
    assert proof.complete
    assert rows_of(world, NS) == {}
    assert rows_of(world, OTHER_NS) == theirs
    assert not postgres.holds(url, phrase)
    assert postgres.holds(url, words("note", "bob").encode())
    for name in ("document", "memory"):
        fill_id = {"document": "document-bob", "memory": "note-bob"}[name]
        erase = getattr(world.erasing, name)
        assert erase(fill_id, namespace=OTHER_NS).complete
    assert not postgres.holds(url, words("note", "bob").encode())
    world.close()


def test_neo4j_has_nothing_of_a_person(bolt: BoltServer, tmp_path: Path) -> None:
    address = bolt.create_database()
    world = filled_world(tmp_path, graph_at=f"{address.uri}#{address.database}")
    assert world.erasing.memory("note-ada", namespace=NS).before["graph"] == 1
    assert world.erasing.document("document-ada", namespace=NS).before["graph"] == 1
    assert world.graph.count(namespace=NS).evidence == 0
    assert world.erasing.person(namespace=NS).complete
    proof = world.erasing.person(namespace=OTHER_NS)
    assert proof.complete
    assert proof.before["graph"] > 0
    with bolt.driver() as driver, driver.session(database=address.database) as session:
        left = str([r.data() for r in session.run("MATCH (n) RETURN properties(n) AS n")])
    assert "zebra" not in left
    world.close()


def test_a_memory_of_no_words_is_erased_too(small: World) -> None:
    small.parts.add(replace(memory("short", content="是"), kind=made("x").kind))
    proof = small.erasing.memory("short", namespace=NS)
    assert proof.complete
    assert proof.searched == 0
