"""What every log of changes promises (core/ports/upkeep_store.py)."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from core.domain.memory import Memory
from core.domain.upkeep import Change, ChangeKind
from core.errors import NotFoundError
from core.ports.upkeep_store import ChangeLog
from core.stores.changes import SqlChangeLog
from core.stores.database import Database
from tests.contracts.backends import RecordBackend
from tests.contracts.samples import OTHER, OWNER, START, memory

PHRASE = "zebra-unmistakable-斑马-undo"


@pytest.fixture
def log(database: Database) -> ChangeLog:
    return SqlChangeLog(database)


def change(
    change_id: str,
    *before: Memory,
    at: datetime = START,
    days: float = 30,
    after: tuple[str, ...] = (),
) -> Change:
    return Change(
        id=change_id,
        kind=ChangeKind.FORGOTTEN,
        at=at,
        expires_at=at + timedelta(days=days),
        before=before,
        after=after,
        detail="importance_based 重要性",
    )


def test_a_change_comes_back_as_it_was(log: ChangeLog) -> None:
    used = replace(memory("a"), uses=3, used_at=START, pinned=True)
    stored = change("1", used, memory("b"), after=("c",))
    log.add(stored, namespace=OWNER)
    assert log.get("1", namespace=OWNER) == stored
    assert log.list(namespace=OWNER) == [stored]


def test_the_last_change_is_listed_first(log: ChangeLog) -> None:
    for name, minutes in (("1", 0), ("2", 5), ("3", 5), ("4", 2)):
        log.add(change(name, memory("a"), at=START + timedelta(minutes=minutes)), namespace=OWNER)
    assert [c.id for c in log.list(namespace=OWNER)] == ["3", "2", "4", "1"]


def test_nothing_there_is_empty_or_not_found(log: ChangeLog) -> None:
    assert log.list(namespace=OWNER) == []
    with pytest.raises(NotFoundError):
        log.get("1", namespace=OWNER)
    log.remove(["1"], namespace=OWNER)
    log.remove([], namespace=OWNER)
    log.remove_memory("a", namespace=OWNER)
    assert log.expire_of_all(START) == 0


def test_no_method_but_one_reaches_another_namespace(log: ChangeLog) -> None:
    log.add(change("1", memory("a")), namespace=OWNER)
    assert log.list(namespace=OTHER) == []
    with pytest.raises(NotFoundError):
        log.get("1", namespace=OTHER)
    log.remove(["1"], namespace=OTHER)
    log.remove_memory("a", namespace=OTHER)
    log.add(change("1", memory("b")), namespace=OTHER)
    assert log.list(namespace=OWNER) == [change("1", memory("a"))]


def test_removing_takes_those_and_no_others(log: ChangeLog) -> None:
    for name in "123":
        log.add(change(name, memory("a")), namespace=OWNER)
    log.remove(["1", "3", "unknown"], namespace=OWNER)
    assert [c.id for c in log.list(namespace=OWNER)] == ["2"]


def test_a_memory_leaves_all_changes_and_empty_ones_go(log: ChangeLog) -> None:
    log.add(change("1", memory("a"), memory("a%_"), memory("aa")), namespace=OWNER)
    log.add(change("2", memory("a")), namespace=OWNER)
    log.add(change("3", memory("b"), after=("a", "b")), namespace=OWNER)
    log.remove_memory("a", namespace=OWNER)
    kept = {c.id: ([m.id for m in c.before], c.after) for c in log.list(namespace=OWNER)}
    assert kept == {"1": (["a%_", "aa"], ()), "3": (["b"], ("b",))}
    log.remove_memory("a%_", namespace=OWNER)
    assert [m.id for m in log.get("1", namespace=OWNER).before] == ["aa"]


def test_changes_over_their_time_go_of_all_users(log: ChangeLog) -> None:
    log.add(change("1", memory("a"), days=30), namespace=OWNER)
    log.add(change("2", memory("a"), days=31), namespace=OWNER)
    log.add(change("1", memory("a"), days=1), namespace=OTHER)
    assert log.expire_of_all(START + timedelta(days=30) - timedelta(microseconds=1)) == 1
    assert log.expire_of_all(START + timedelta(days=30)) == 1
    assert log.expire_of_all(START + timedelta(days=30)) == 0
    assert [c.id for c in log.list(namespace=OWNER)] == ["2"]
    assert log.list(namespace=OTHER) == []


def test_what_was_added_is_there_after_a_restart(
    log: ChangeLog, record_backend: RecordBackend
) -> None:
    log.add(change("1", memory("a")), namespace=OWNER)
    again = SqlChangeLog(record_backend.open())
    assert again.list(namespace=OWNER) == [change("1", memory("a"))]


@pytest.mark.parametrize("way", ["remove", "remove_memory", "expire"])
def test_what_is_removed_is_nowhere_in_the_files(sqlite_backend: RecordBackend, way: str) -> None:
    log = SqlChangeLog(sqlite_backend.open())
    log.add(change("kept", memory("b"), days=90), namespace=OWNER)
    log.add(change("1", memory("a", content=f"{PHRASE} " * 300)), namespace=OWNER)
    assert PHRASE.encode() in sqlite_backend.bytes_on_disk()
    if way == "remove":
        log.remove(["1"], namespace=OWNER)
    elif way == "remove_memory":
        log.remove_memory("a", namespace=OWNER)
    else:
        log.expire_of_all(START + timedelta(days=40))
    assert PHRASE.encode() not in sqlite_backend.bytes_on_disk()
    assert [c.id for c in log.list(namespace=OWNER)] == ["kept"]
