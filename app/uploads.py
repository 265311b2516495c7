"""Files that the browser has sent: where they may lie, and how they go.

Gradio keeps an upload under the hash of its content, where anyone with the address could fetch it
and where two learners with the same file would share one path. The page therefore sends every
file under a long random name, and the file is deleted as soon as it has been read.
"""

import contextlib
import re
import shutil
from pathlib import Path

from core.domain.formats import ACCEPTED, FORMATS, FormatKind, format_named
from core.errors import InvalidInputError, NotFoundError

SENT_NAME = re.compile(r"[0-9a-f]{32}\.upload")
"""One suffix for every kind of file: what a file is shows in its content and its own name, which
comes apart from it."""
OFFERED_KINDS = tuple(kind for kind in FormatKind if kind is not FormatKind.AUDIO)
"""What the drop zone names, in this order; speech cannot be read yet."""
OFFERED_SUFFIXES = tuple(
    suffix for suffix in ACCEPTED if FORMATS[format_named(f"x.{suffix}") or ""] in OFFERED_KINDS
)
"""What the file dialog offers."""
NAME_LENGTH = 255  # characters of a file name that are kept


def claim(path: str, folder: Path) -> Path:
    """Return the path of a file the page says it has sent.

    A browser can say anything: only a file with a random name of ours, one folder below `folder`
    (Gradio's upload folder), is accepted. Raises `InvalidInputError`, and `NotFoundError` when
    the file is not there.
    """
    root = folder.resolve()
    sent = Path(path).resolve()
    if sent.parent.parent != root or not SENT_NAME.fullmatch(sent.name):
        raise InvalidInputError()
    if not sent.is_file():
        raise NotFoundError()
    return sent


def discard(path: Path) -> None:
    """Delete a sent file, and the folder that Gradio made for it if nothing else is in it."""
    path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # another upload of the same content may be there
        path.parent.rmdir()


def clear(folder: Path) -> None:
    """Delete what a crash left of files that were sent. Raises OSError."""
    if folder.is_dir():
        shutil.rmtree(folder)


def display_name(name: str) -> str:
    """Return the file name without folders, as the learner knows it."""
    return re.split(r"[/\\]", name)[-1].strip()[:NAME_LENGTH] or "document"
