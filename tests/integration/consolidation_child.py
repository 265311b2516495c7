"""A process that dies in the middle of a consolidation.

    python -m tests.integration.consolidation_child FOLDER WRITE

It dies by SIGKILL before the write with the number WRITE (from 1) of all stores together, and ends
by itself when it needs fewer.
"""

import sys
from pathlib import Path

from core.memory.consolidation import Consolidation
from core.memory.replacing import Replacing
from tests.upkeep import EPISODIC, NS, SEMANTIC, Fuse, Parts, open_parts


def consolidation_of(parts: Parts) -> Consolidation:
    """As the application wires it."""
    return Consolidation(
        store=parts.store,
        vectors=parts.vectors,
        durable=parts.durable,
        working=parts.working,
        undo=parts.undo,
        changes=parts.changes,
        replacing=Replacing(store=parts.store, working=parts.working, undo=parts.undo),
        clock=parts.clock,
        working_ttl_minutes=60,
    )


if __name__ == "__main__":
    folder, write = sys.argv[1:]
    opened = open_parts(Path(folder), fuse=Fuse(int(write)), first_id=500)
    consolidation = consolidation_of(opened)
    plan = consolidation.preview(from_type=EPISODIC, to_type=SEMANTIC, namespace=NS)
    consolidation.apply(plan, namespace=NS)
    opened.close()
