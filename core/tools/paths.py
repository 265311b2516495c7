"""Files that a caller names."""

from pathlib import Path

from core.errors import DocumentError
from core.memory.checks import lies_in
from core.tools.texts import say, wrong


def existing_file(
    name: str, *, private: Path, language: str, beside: Path | None = None
) -> Path | None:
    """Return the file of this path, `~` understood; None where none is, or none can be looked at.

    A name without a folder is looked for in the folder `beside` as well. What lies in `private`,
    also by a link, is nobody's to name: there are the files of all learners. Raises
    `DocumentError`, in `language`, for that, whether it exists or not.
    """
    paths = [Path(name)]
    if beside is not None and Path(name).name == name:
        paths.append(beside / name)
    for path in paths:
        try:
            found = path.expanduser()
            is_private = lies_in(found, private)
            is_there = found.is_file()
        except (OSError, RuntimeError, ValueError):  # too long, no such user, no name
            continue
        if is_private:
            raise wrong(DocumentError, say, "private_file", language, path=name)
        if is_there:
            return found
    return None
