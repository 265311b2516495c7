"""A process that dies in the middle of an erasure.

    python -m tests.integration.erasure_child TARGET FOLDER WRITE

It dies by SIGKILL before the write with the number WRITE (from 1) of all stores together.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from core.domain.upkeep import ErasureProof
from core.erasing import Erasing
from tests.erasing import open_world
from tests.upkeep import NS

TARGETS: dict[str, Callable[[Erasing], ErasureProof]] = {
    "person": lambda erasing: erasing.person(namespace=NS),
    "document": lambda erasing: erasing.document("document-ada", namespace=NS),
    "memory": lambda erasing: erasing.memory("note-ada", namespace=NS),
    "everything": lambda erasing: erasing.everything_of_all(),
}

if __name__ == "__main__":
    target, folder, write = sys.argv[1:]
    TARGETS[target](open_world(Path(folder), write_at=int(write)).erasing)
