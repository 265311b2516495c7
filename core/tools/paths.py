"""Files that a caller names."""

from pathlib import Path


def existing_file(name: str, *, beside: Path | None = None) -> Path | None:
    """Return the file of this path, `~` understood; None where none is, or none can be looked at.

    A name without a folder is looked for in the folder `beside` as well.
    """
    paths = [Path(name)]
    if beside is not None and Path(name).name == name:
        paths.append(beside / name)
    for path in paths:
        try:
            found = path.expanduser()
            if found.is_file():
                return found
        except (OSError, RuntimeError, ValueError):  # too long, no such user, no name
            continue
    return None
