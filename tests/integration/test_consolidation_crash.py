"""`kill -9` between any two writes of a consolidation leaves the one state or the other."""

import signal
import subprocess
import sys
from pathlib import Path

from tests.integration.consolidation_child import consolidation_of
from tests.upkeep import EPISODIC, NS, SEMANTIC, Parts, made, open_parts

ROOT = Path(__file__).parents[2]
MOST_WRITES = 20
BEFORE = {"a": EPISODIC, "b": EPISODIC, "same": EPISODIC, "twin": SEMANTIC}
AFTER = {"a": SEMANTIC, "b": SEMANTIC, "twin": SEMANTIC}


def prepare(folder: Path) -> None:
    parts = open_parts(folder)
    important = {"kind": EPISODIC, "importance": 0.9, "event": "memory"}
    parts.add(
        made("a", "entropy grows", **important),
        made("b", "entropy 减少", **important),
        made("same", "entropy is a word", **important),
        made("twin", "Entropy is a word.", event="memory", days=9),
    )
    parts.close()


def run_child(folder: Path, write: int) -> int:
    command = [sys.executable, "-m", "tests.integration.consolidation_child", folder, write]
    done = subprocess.run([*map(str, command)], cwd=ROOT, timeout=60, check=False)
    return done.returncode


def check(parts: Parts) -> bool:
    """Whether it was done; whole in either case."""
    consolidation_of(parts).repair(namespace=NS)
    kinds = {m.id: m.kind for m in parts.store.list(namespace=NS)}
    assert kinds in (BEFORE, AFTER)
    done = kinds == AFTER
    assert parts.store.get("twin", namespace=NS).sightings == (2 if done else 1)
    vector = parts.embedder.embed_query("entropy")
    for memory_id, kind in kinds.items():
        assert memory_id in parts.durable[kind].similar(vector, namespace=NS, limit=9)
    changes = parts.undo.list(namespace=NS)
    assert len(changes) == done
    if done:
        parts.undo.undo(changes[0].id, namespace=NS)
        assert {m.id: m.kind for m in parts.store.list(namespace=NS)} == BEFORE
        assert parts.found("entropy") == BEFORE.keys()
    return done


def test_a_killed_consolidation_is_done_or_not(tmp_path: Path) -> None:
    states = set()
    for write in range(1, MOST_WRITES):
        folder = tmp_path / str(write)
        prepare(folder)
        ended = run_child(folder, write)
        parts = open_parts(folder, first_id=900)
        states.add(check(parts))
        parts.close()
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
    assert ended == 0
    assert states == {True, False}
