"""Looking for what was erased: in the rows, in the graph, in every file."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.domain.upkeep import ErasureProof
from core.memory.erasure import Needles, search_folder
from core.ports.erasure_store import ErasureStore, StoredText
from core.ports.graph_store import GraphStore

Kept = Callable[[StoredText], bool]
"""Tells whether a text of the same learner is another one, which may say the same by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What was erased: `name` for people to read, everything of `namespace` that is not `kept`.

    `namespace` is None for everything of all. `files` is the learner's own folder.
    """

    name: str
    namespace: str | None
    kept: Kept
    files: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """Where to look. `learners` is the folder that has one folder a learner."""

    records: ErasureStore
    graph: GraphStore | None
    folders: Sequence[Path]
    learners: Path


def prove(
    target: Target,
    needles: Needles,
    where: Searched,
    *,
    at: datetime,
    before: Mapping[str, int],
    after: Mapping[str, int],
) -> ErasureProof:
    """Look for the samples everywhere, and return what was found.

    A sample that also stands in something that stays (another learner's text, another note) says
    nothing, and does not count as searched. Raises `StoreError`.
    """
    said_elsewhere = needles.found_in_texts(_texts_that_stay(target, where.records))
    files_read, in_files = _search_files(where.folders, needles)
    other_learners = [
        path for path in in_files if _is_below(path, where.learners, but_not=target.files)
    ]
    for path in other_learners:
        said_elsewhere |= in_files.pop(path)
    places = {str(path): found for path, found in in_files.items()}
    places |= _search_rows(target, needles, where.records)
    if where.graph is not None and target.namespace is not None:
        texts = _graph_texts(where.graph, target)
        places["graph"] = places.get("graph", set()) | needles.found_in_texts(texts)
    return ErasureProof(
        target=target.name,
        at=at,
        before=dict(before),
        after={place: after.get(place, 0) for place in {**before, **after}},
        searched=len(needles.samples) - len(said_elsewhere),
        files_read=files_read,
        found_in=tuple(sorted(p for p, found in places.items() if found - said_elsewhere)),
    )


def _texts_that_stay(target: Target, records: ErasureStore) -> Iterator[str]:
    if target.namespace is None:
        return
    for stored in records.texts_of_others(namespace=target.namespace):
        yield stored.text
    for stored in records.texts(namespace=target.namespace):
        if target.kept(stored):
            yield stored.text


def _search_rows(target: Target, needles: Needles, records: ErasureStore) -> dict[str, set[int]]:
    namespaces = records.namespaces_of_all() if target.namespace is None else [target.namespace]
    by_place: dict[str, list[str]] = {}
    for namespace in namespaces:
        for stored in records.texts(namespace=namespace):
            if not target.kept(stored):
                by_place.setdefault(stored.place, []).append(stored.text)
    return {place: needles.found_in_texts(texts) for place, texts in by_place.items()}


def _search_files(folders: Iterable[Path], needles: Needles) -> tuple[int, dict[Path, set[int]]]:
    read = 0
    found: dict[Path, set[int]] = {}
    for folder in folders:
        number, of_folder = search_folder(folder, needles)
        read += number
        found |= {folder / path: numbers for path, numbers in of_folder.items()}
    return read, found


def _is_below(path: Path, folder: Path, *, but_not: Path | None) -> bool:
    if but_not is None or path.is_relative_to(but_not):
        return False
    return path.is_relative_to(folder)


def _graph_texts(graph: GraphStore, target: Target) -> Iterator[str]:
    """Yield the sentences of the graph that are not kept."""
    assert target.namespace is not None
    entities = graph.entities(namespace=target.namespace)
    said = graph.evidence([entity.id for entity in entities], namespace=target.namespace)
    for evidence in said.values():
        for one in evidence:
            stored = StoredText(place="graph", item=one.source_id, field="text", text=one.sentence)
            if not target.kept(stored):
                yield one.sentence
