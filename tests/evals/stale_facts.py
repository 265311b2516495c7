"""Newer statements against older ones: what is found first, what is marked, what is left alone.

    python -m tests.evals.stale_facts [--json FILE] [--part PART] [--unmarked]

Needs no data: `stale_facts.jsonl` holds pairs of our own writing, English and Chinese. Of a pair to
be replaced, the newer statement makes the older one out of date; of one to be kept, both hold. Each
pair is a learner's own: the older statement, other notes, the newer one, on different days, through
the memory engine with its stores and the built-in embedder; then the question is asked.

The first part was written before the rules, the second to fourth after them; what failed there was
then learnt from, in kind. The fifth is what somebody who looked for faults found, and
its neighbours: all were seen before the rules that read them. docs/stale-facts.md has the figures
of the first run of each. `--unmarked`: the same without marking anything, for comparison (no
bounds).
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import tests.evals.environment  # noqa: F401

# isort: split
from core import adapters
from core.domain.memory import Memory, MemoryKind, MemoryState
from core.memory.engine import MemoryEngine
from core.memory_parts import memory_parts
from core.settings import load_settings
from tests.evals.report import Figure, finish, share
from tests.fakes import Clock

PAIRS = Path(__file__).with_name("stale_facts.jsonl")
PARTS = ("first", "second", "third", "fourth", "fifth")
LANGUAGES = ("en", "zh")
NEWER_FIRST, MARKED, WRONGLY = 0.95, 0.9, 0.02
BETWEEN = {
    "en": (
        "Photosynthesis turns light, water and carbon dioxide into sugar and oxygen.",
        "Anna lives in Munich and studies law.",
        "The library closes at 8 pm on Saturdays.",
        "I want to visit the science museum.",
        "A binary search needs a sorted list.",
        "My brother's exam is on 2 June.",
        "I finished the chapter on vectors last week.",
        "Milk, eggs, a new pencil.",
    ),
    "zh": (
        "光合作用把光、水和二氧化碳变成糖和氧气。",
        "小红住在杭州，学法律。",
        "图书馆周六晚上八点关门。",
        "我想去看科学博物馆。",
        "二分查找需要有序的列表。",
        "我弟弟的考试在6月2日。",
        "我上周看完了向量那一章。",
        "牛奶、鸡蛋、新铅笔。",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two statements, and whether the newer one makes the older one out of date."""

    part: str
    language: str
    expect: str
    about: str
    older: str
    newer: str
    query: str = ""

    @property
    def is_stale(self) -> bool:
        """Whether the older one is out of date."""
        return self.expect == "replace"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a pair: what was found, best first, and what was marked.

    `others` is how many of the notes between were marked.
    """

    pair: Pair
    marked: bool
    found: tuple[str, ...]
    others: int

    @property
    def newer_first(self) -> bool:
        """Whether the newer statement was found first."""
        return self.found[:1] == (self.pair.newer,)


def read(path: Path = PAIRS) -> list[Pair]:
    """Return the pairs of a JSONL file."""
    return [Pair(**json.loads(line)) for line in path.read_text("utf-8").splitlines() if line]


@contextmanager
def opened(folder: Path, clock: Clock) -> Iterator[MemoryEngine]:
    """Give a memory engine on a fresh folder, wired as in the application."""
    settings = load_settings(env_file=None, data_dir=folder)
    database = adapters.load(adapters.DATABASE)(settings.database_url, settings.data_dir)
    parts = memory_parts(settings, database, adapters.make_embedder(settings), clock=clock)
    parts.ensure_ready()
    yield parts.engine
    parts.stop()
    parts.close()


def tell(
    engine: MemoryEngine, clock: Clock, pair: Pair, namespace: str, *, marking: bool = True
) -> Outcome:
    """Tell a pair to a learner's memory day by day, ask, and return what came out.

    Without `marking`, what was marked counts again before the question is asked.
    """

    def note(content: str) -> Memory:
        clock.forward(days=1)
        return engine.add(
            content,
            MemoryKind.SEMANTIC,
            namespace=namespace,
            session_id="s1",
            event="note",
            importance=0.8,
        )

    start = clock.now
    older = note(pair.older)
    between = [note(content) for content in BETWEEN[pair.language]]
    newer = note(pair.newer)
    marked = engine.list(namespace=namespace, states=[MemoryState.REPLACED])
    if not marking:
        for memory in marked:
            current = replace(memory, state=MemoryState.CURRENT, replaced_by=None)
            engine.update(current, namespace=namespace)
    clock.forward(days=1)
    hits = engine.recall(pair.query, namespace=namespace) if pair.query else []
    clock.now = start + timedelta(minutes=1)
    ids = {m.id for m in marked}
    return Outcome(
        pair,
        older.id in ids,
        tuple(hit.memory.content for hit in hits),
        len(ids & {m.id for m in (*between, newer)}),
    )


def run(pairs: Sequence[Pair], folder: Path, *, marking: bool = True) -> list[Outcome]:
    """Tell every pair to a learner of its own."""
    clock = Clock()
    with opened(folder, clock) as engine:
        return [
            tell(engine, clock, pair, f"pdf_{n}", marking=marking) for n, pair in enumerate(pairs)
        ]


def figures(outcomes: Sequence[Outcome], *, bounds: bool = True) -> list[Figure]:
    """Return the figures of all outcomes and of each language."""
    found = _figures("", outcomes, bounds=bounds)
    for language in LANGUAGES:
        own = [o for o in outcomes if o.pair.language == language]
        found += _figures(f"{language}, ", own, bounds=False)
    return found


def _figures(name: str, outcomes: Sequence[Outcome], *, bounds: bool) -> list[Figure]:
    stale = [o for o in outcomes if o.pair.is_stale]
    kept = [o for o in outcomes if not o.pair.is_stale]
    wrongly = sum(o.marked for o in kept) + sum(o.others for o in outcomes)
    candidates = len(kept) + len(outcomes) * (len(BETWEEN["en"]) + 1)
    return [
        Figure(
            name=f"{name}newer first",
            value=share(sum(o.newer_first for o in stale), len(stale)),
            count=len(stale),
            floor=NEWER_FIRST if bounds else None,
        ),
        Figure(
            name=f"{name}older marked",
            value=share(sum(o.marked for o in stale), len(stale)),
            count=len(stale),
            floor=MARKED if bounds else None,
        ),
        Figure(
            name=f"{name}older found too",
            value=share(sum(o.pair.older in o.found for o in stale), len(stale)),
            count=len(stale),
        ),
        Figure(
            name=f"{name}wrongly marked, of pairs to keep",
            value=share(sum(o.marked for o in kept), len(kept)),
            count=len(kept),
            ceiling=WRONGLY if bounds else None,
        ),
        Figure(
            name=f"{name}wrongly marked, of all that must stay",
            value=share(wrongly, candidates),
            count=candidates,
            ceiling=WRONGLY if bounds else None,
        ),
    ]


def wrong(outcomes: Sequence[Outcome]) -> list[str]:
    """Return what went wrong, a line each."""
    lines = []
    for outcome in outcomes:
        pair = outcome.pair
        problems = [
            *(["not marked"] if pair.is_stale and not outcome.marked else []),
            *(["not first"] if pair.is_stale and not outcome.newer_first else []),
            *(["wrongly marked"] if not pair.is_stale and outcome.marked else []),
            *([f"{outcome.others} others marked"] if outcome.others else []),
        ]
        if problems:
            told = f"{pair.older} / {pair.newer}"
            lines.append(f"{pair.part} {pair.language} {', '.join(problems)}: {told}")
    return lines


def main() -> int:
    """Run the eval; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--part", choices=PARTS, help="this part only")
    parser.add_argument("--unmarked", action="store_true", help="without marking anything")
    options = parser.parse_args()
    pairs = [pair for pair in read() if options.part in (None, pair.part)]
    with tempfile.TemporaryDirectory() as folder:
        outcomes = run(pairs, Path(folder), marking=not options.unmarked)
    sections = {
        f"The {part} part": figures([o for o in outcomes if o.pair.part == part], bounds=False)
        for part in PARTS
        if options.part in (None, part)
    }
    sections["All of them"] = figures(outcomes, bounds=not options.unmarked)
    lines = wrong(outcomes)
    if not options.unmarked:
        print("\n".join(lines))
    return finish(sections, json_file=options.json, details={"wrong": lines})


if __name__ == "__main__":
    sys.exit(main())
