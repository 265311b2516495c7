"""`kill -9` between any two writes of forgetting, undoing, archiving and waking."""

import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.memory import Memory
from tests.fakes import MONDAY
from tests.upkeep import EPISODIC, NS, OTHER_NS, Parts, made, open_parts

ROOT = Path(__file__).parents[2]
THREE = {"a", "b", "e"}


def memories() -> list[Memory]:
    return [
        made("a", "entropy grows", days=400, uses=1),
        made("b", "entropy 减少", days=500),
        made("e", "entropy episode", days=600, kind=EPISODIC),
    ]


def run_child(action: str, folder: Path, write: int) -> int:
    command = [sys.executable, "-m", "tests.integration.upkeep_child", action, folder, write]
    done = subprocess.run([*map(str, command)], cwd=ROOT, timeout=60, check=False)
    return done.returncode


def prepare(folder: Path, action: str) -> None:
    parts = open_parts(folder)
    parts.add(*memories(), made("kept", "entropy kept", days=1))
    parts.add(made("bob", "entropy of bob", days=900), namespace=OTHER_NS)
    if action == "undo":
        parts.forgetting.apply(sorted(THREE), namespace=NS)
    if action == "wake":
        parts.archive.run(namespace=NS)
    parts.close()


def is_there(parts: Parts) -> bool:
    """Whether the three are whole: records as they were, and vectors; else nothing of them is."""
    found = {m.id: replace(m, uses=0, used_at=None) for m in parts.store.list(namespace=NS)}
    there = found.keys() >= THREE
    if there:
        wanted = {m.id: replace(m, uses=0) for m in memories()}
        assert {i: found[i] for i in THREE} == wanted
    assert found.keys() == (THREE if there else set()) | {"kept"}
    assert parts.found("entropy") == found.keys()
    assert parts.points() == len(found)
    return there


def check_forget(parts: Parts) -> None:
    changes = parts.undo.list(namespace=NS)
    assert is_there(parts) is (changes == [])
    if changes:
        assert {m.id for m in changes[0].before} == THREE
        parts.undo.undo(changes[0].id, namespace=NS)
        assert is_there(parts)
    parts.forgetting.apply(sorted(THREE), namespace=NS)
    assert not is_there(parts)


def check_undo(parts: Parts) -> None:
    changes = parts.undo.list(namespace=NS)
    assert is_there(parts) is (changes == [])
    for change in changes:
        parts.undo.undo(change.id, namespace=NS)
    assert is_there(parts)
    assert parts.changes.list(namespace=NS) == []


def check_archive(parts: Parts) -> None:
    archived = {m.id for m in parts.archive.list(namespace=NS)}
    assert archived == (set() if is_there(parts) else THREE)
    parts.archive.run(namespace=NS)
    assert not is_there(parts)
    assert parts.archive.count(namespace=NS) == len(THREE)


def check_wake(parts: Parts) -> None:
    archived = {m.id for m in parts.archive.list(namespace=NS)}
    assert archived == (set() if is_there(parts) else THREE)
    parts.archive.wake(sorted(THREE), namespace=NS)
    assert is_there(parts)
    assert parts.store.get("a", namespace=NS).uses == 2
    assert parts.store.get("a", namespace=NS).used_at == MONDAY
    assert parts.archive.count(namespace=NS) == 0


@pytest.mark.parametrize(
    ("action", "check", "least"),
    [
        ("forget", check_forget, 4),
        ("undo", check_undo, 4),
        ("archive", check_archive, 3),
        ("wake", check_wake, 4),
    ],
)
def test_killed_between_two_writes_leaves_one_state_or_the_other(
    tmp_path: Path, action: str, check: Callable[[Parts], None], least: int
) -> None:
    deaths = 0
    for write in range(1, 30):
        folder = tmp_path / str(write)
        prepare(folder, action)
        code = run_child(action, folder, write)
        assert code in (0, -signal.SIGKILL)
        parts = open_parts(folder, first_id=900)
        check(parts)
        assert parts.ids(OTHER_NS) == {"bob"} == parts.found("entropy", OTHER_NS)
        parts.close()
        if code == 0:
            break
        deaths += 1
    assert code == 0
    assert deaths >= least
