"""The folder of an embedded index: a head file that names the shard in use.

    meta.json          which shard is in use, for which embedder, and how much of it is deleted
    shard-<hex>/       the shard; any other folder of that form is what an interrupted run left

The head is replaced atomically, so a crash at any moment leaves one whole, named shard.
"""

import json
import os
import shutil
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path

from core.errors import StoreError

_HEAD = "meta.json"
_SHARD = "shard-"


@dataclass(frozen=True, slots=True)
class IndexHead:
    """`deleted` counts the points deleted from `shard` whose vectors still lie in its files."""

    shard: str
    embedder: str
    dimension: int
    deleted: int = 0


def new_shard_name() -> str:
    """Return a folder name no other shard has."""
    return f"{_SHARD}{uuid.uuid4().hex}"


def read_head(folder: Path) -> IndexHead | None:
    """Return the head, or `None` when there is no index yet. Raises `StoreError`."""
    path = folder / _HEAD
    try:
        return IndexHead(**json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as exc:
        raise StoreError(
            f"The head of the search index, {path}, cannot be read: {exc}.",
            remedy=f"Restore it from a backup, or remove {folder} and load the documents again.",
        ) from exc


def write_head(folder: Path, head: IndexHead) -> None:
    """Replace the head in one step. Raises `StoreError`."""
    path, draft = folder / _HEAD, folder / f"{_HEAD}.new"
    try:
        with draft.open("w", encoding="utf-8") as file:
            json.dump(asdict(head), file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as exc:
        raise StoreError(f"The search index cannot be written: {exc}.") from exc


def remove_other_shards(folder: Path, head: IndexHead) -> None:
    """Remove shards that interrupted runs left. Only the holder of the named shard may call it."""
    for path in folder.glob(f"{_SHARD}*"):
        if path.name != head.shard:
            shutil.rmtree(path, ignore_errors=True)  # tried again at the next start
