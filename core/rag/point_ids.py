"""What the points of a document in the vector index stand for, and their ids."""

import uuid

PASSAGE_KIND = "passage"
"""One point a chunk, for `core.rag.refining.passage_text`; it has a refined vector alone."""


def window_id(chunk_id: str, number: int) -> str:
    """Return the id of the window with this number, from 0, in its chunk."""
    return str(uuid.uuid5(uuid.UUID(chunk_id), str(number)))


def passage_id(chunk_id: str) -> str:
    """Return the id of the point that stands for a whole chunk."""
    return str(uuid.uuid5(uuid.UUID(chunk_id), PASSAGE_KIND))
