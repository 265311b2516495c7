"""A process that dies in the middle of forgetting, undoing, archiving or waking.

    python -m tests.integration.upkeep_child ACTION FOLDER WRITE

It dies by SIGKILL before the write with the number WRITE (from 1) of all stores together, and ends
by itself when the action needs fewer.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from tests.upkeep import NS, Fuse, Parts, open_parts


def forget(parts: Parts) -> None:
    parts.forgetting.apply(["a", "b", "e"], namespace=NS)


def undo(parts: Parts) -> None:
    parts.undo.undo(parts.undo.list(namespace=NS)[0].id, namespace=NS)


def archive(parts: Parts) -> None:
    parts.archive.run(namespace=NS)


def wake(parts: Parts) -> None:
    parts.archive.wake(["a", "b", "e"], namespace=NS)


ACTIONS: dict[str, Callable[[Parts], None]] = {
    "forget": forget,
    "undo": undo,
    "archive": archive,
    "wake": wake,
}

if __name__ == "__main__":
    action, folder, write = sys.argv[1:]
    ACTIONS[action](open_parts(Path(folder), fuse=Fuse(int(write)), first_id=500))
