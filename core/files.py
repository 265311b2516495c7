"""A learner's private folder: uploaded files and reports. No name of it comes from a user."""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import NotFoundError, StoreError

_BLOCK = 1024 * 1024
_SEEN_NAME = re.compile(r"[0-9a-f]{32}\.[a-z0-9]{1,8}")
"""Part of the content's hash, and the format."""


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file as hex. Raises OSError."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def seen_name(path: Path, format: str) -> str:
    """Return the name under which what was perceived is kept: its content's. Raises OSError."""
    return f"{sha256_of(path)[:32]}.{format}"


class LearnerFiles:
    """Files below `DATA_DIR/learners/<hash of the namespace>`. Makes folders when needed."""

    def __init__(self, data_dir: Path) -> None:
        self._root = data_dir / "learners"

    def folder(self, namespace: str) -> Path:
        """Return the learner's folder (it may not exist yet)."""
        return self._root / hashlib.sha256(namespace.encode()).hexdigest()[:40]

    def reports(self, namespace: str) -> Path:
        """Return the folder of the learner's reports (it may not exist yet)."""
        return self.folder(namespace) / "reports"

    def document(self, document_id: str, *, format: str, namespace: str) -> Path:
        """Return the path of a stored file. `document_id` and `format` are the application's."""
        return self.folder(namespace) / "files" / f"{document_id}.{format}"

    def existing(self, document_id: str, *, format: str, namespace: str) -> Path:
        """Return the path of a stored file. Raises `NotFoundError` when the file is gone."""
        path = self.document(document_id, format=format, namespace=namespace)
        if not path.is_file():
            raise NotFoundError(
                "The file of this document is gone.", remedy="Delete it and load it again."
            )
        return path

    def keep(self, source: Path, document_id: str, *, format: str, namespace: str) -> Path:
        """Copy a file into the learner's folder. Raises `StoreError` (disk full, no rights)."""
        target = self.document(document_id, format=format, namespace=namespace)
        _copy(source, target)
        return target

    def remove(self, document_id: str, *, namespace: str) -> None:
        """Delete all that is stored of a document; nothing there is no error."""
        folder = self.folder(namespace) / "files"
        for path in folder.glob(f"{document_id}.*"):
            path.unlink(missing_ok=True)

    # What was perceived: pictures and recordings that memories refer to by name.

    def keep_seen(self, source: Path, name: str, *, namespace: str) -> None:
        """Copy what was perceived into the learner's folder as `seen_name` has it.

        Raises `StoreError` (disk full, no rights).
        """
        _copy(source, self._seen_folder(namespace) / name)

    def seen(self, name: str, *, namespace: str) -> Path:
        """Return the path of what was perceived. Raises `NotFoundError` when it is not there."""
        path = self._seen_folder(namespace) / name
        if _SEEN_NAME.fullmatch(name) is None or not path.is_file():
            raise NotFoundError("This picture or recording is not there (any more).")
        return path

    def all_seen(self, *, namespace: str) -> list[str]:
        """Return the names of all that was perceived, in order."""
        return sorted(path.name for path in self._seen_folder(namespace).glob("*"))

    def remove_seen(self, names: Iterable[str], *, namespace: str) -> None:
        """Delete files of what was perceived; those that are not there are no error."""
        present = set(self.all_seen(namespace=namespace))
        for name in present.intersection(names):
            (self._seen_folder(namespace) / name).unlink(missing_ok=True)

    @contextmanager
    def passing(self, content: bytes, *, suffix: str, namespace: str) -> Iterator[Path]:
        """Give a content as a file of the learner's folder, deleted at the end.

        What a crash leaves has a name that nothing refers to. Raises `StoreError`.
        """
        folder = self._seen_folder(namespace)
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(suffix=f".{suffix}", dir=folder)
        except OSError as exc:
            raise _not_kept(exc) from exc
        path = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            yield path
        finally:
            path.unlink(missing_ok=True)

    def _seen_folder(self, namespace: str) -> Path:
        return self.folder(namespace) / "seen"


def _copy(source: Path, target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        partial = target.with_suffix(".part")
        shutil.copyfile(source, partial)
        partial.replace(target)
    except OSError as exc:
        raise _not_kept(exc) from exc


def _not_kept(exc: OSError) -> StoreError:
    return StoreError(
        f"The file could not be kept: {exc.strerror}.",
        remedy="The operator can check the space and the rights of DATA_DIR.",
    )
