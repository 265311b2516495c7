"""A learner's private folder: uploaded files and reports. No name of it comes from a user."""

import hashlib
import shutil
from pathlib import Path

from core.errors import NotFoundError, StoreError

_BLOCK = 1024 * 1024


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file as hex. Raises OSError."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


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
        try:
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            partial = target.with_suffix(".part")
            shutil.copyfile(source, partial)
            partial.replace(target)
        except OSError as exc:
            raise StoreError(
                f"The file could not be kept: {exc.strerror}.",
                remedy="The operator can check the space and the rights of DATA_DIR.",
            ) from exc
        return target

    def remove(self, document_id: str, *, namespace: str) -> None:
        """Delete all that is stored of a document; nothing there is no error."""
        folder = self.folder(namespace) / "files"
        for path in folder.glob(f"{document_id}.*"):
            path.unlink(missing_ok=True)
