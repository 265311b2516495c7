"""The key that turns browser tokens into user ids, kept in the data folder."""

import logging
import os
import secrets
from pathlib import Path

from core.errors import StoreError

logger = logging.getLogger(__name__)

_SECRET_BYTES = 32


def kept_secret(path: Path) -> bytes:
    """Return the key in `path`, made at the first call. Raises `StoreError`."""
    try:
        if not path.exists() and (path.parent / "learners").exists():
            logger.warning("%s is gone: a new one is made, and nobody's browser fits it", path)
        path.parent.mkdir(parents=True, exist_ok=True)
        # The first of several processes wins; the others read what it wrote.
        fresh = path.with_suffix(f".{secrets.token_hex(4)}")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_hex(_SECRET_BYTES).encode())
        if not path.exists():
            fresh.rename(path)
        fresh.unlink(missing_ok=True)
        secret = path.read_bytes()
    except OSError as exc:
        raise StoreError(
            f"The folder {path.parent} cannot be written.",
            remedy="Set DATA_DIR to a folder the application may write to.",
        ) from exc
    if len(secret) < _SECRET_BYTES:
        raise StoreError(
            f"{path} is damaged: with another key no browser would find its own data.",
            remedy="Restore the file from a backup; if there is none, delete it.",
        )
    return secret
