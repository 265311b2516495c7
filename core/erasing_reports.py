"""Saved reports that repeat what is erased: they go as a whole."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.errors import StoreError
from core.memory.erasure import Needles, samples_of, samples_of_all, search_folder


def remove_repeating(folder: Path, texts: Iterable[str]) -> None:
    """Delete the reports in a folder that repeat one of the texts.

    Of a long text samples are looked for; one that is too short for that must be a whole value of
    the report. Raises `StoreError`.
    """
    told = list(dict.fromkeys(texts))
    _, found = search_folder(folder, Needles(samples_of_all(told)))
    short = {text for text in told if text and not samples_of(text)}
    for path in _reports(folder):
        name = path.relative_to(folder).as_posix()
        if name in found or (short and not short.isdisjoint(_strings(_read(path)))):
            path.unlink(missing_ok=True)


def remove_citing(folder: Path, document_id: str) -> None:
    """Delete the reports in a folder with an answer that cites a document. Raises `StoreError`."""
    for path in _reports(folder):
        if _cites(_read(path), document_id):
            path.unlink(missing_ok=True)


def _reports(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _read(path: Path) -> object:
    """Return a report's JSON value, None for what is none or went meanwhile."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    except OSError as exc:
        raise StoreError(
            f"A saved report cannot be read: {exc.strerror}.",
            remedy="The operator can check the rights of DATA_DIR; then erase again.",
        ) from exc


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _cites(value: object, document_id: str) -> bool:
    """Tell whether anything in it has the document among its `citations`."""
    if isinstance(value, list):
        return any(_cites(inner, document_id) for inner in value)
    if not isinstance(value, dict):
        return False
    cited = value.get("citations")
    if isinstance(cited, list) and any(
        isinstance(one, dict) and one.get("document_id") == document_id for one in cited
    ):
        return True
    return any(_cites(inner, document_id) for inner in value.values())
