"""How long remembering and recalling take: one learner with many memories, and many learners.

    python -m tests.evals.memories [--json FILE] [--memories 10000] [--learners 500] [--each 1000]
        [--times 200]

The memories are made up, half English, half Chinese, and written in bulk through the product's
stores with vectors in random directions (exact search costs the same for any). Then memories are
added and recalled in turn through the memory engine with the built-in embedder, in a fresh data
folder: first for one learner with `--memories`, then for learners drawn from `--learners` with
`--each` in one store. There is no model and no second embedder.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from uuid import UUID

import tests.evals.environment  # noqa: F401

# isort: split
from core import adapters
from core.domain.memory import Memory, MemoryKind
from core.memory.durable import SemanticMemory
from core.memory_parts import MemoryParts, memory_parts
from core.settings import load_settings
from tests.evals.crowd import RandomEmbedder, folder_bytes
from tests.evals.report import Figure, finish, percentile
from tests.fakes import MONDAY, Clock

MOST_ADD, MOST_SEARCH = 10.0, 60.0  # milliseconds: the median of adding, p95 of recalling
_AT_ONCE = 500
_SYLLABLES = [first + then for first in "bcdfghklmnprstvw" for then in "aeiou"]
_FIRST_CHARACTER, _CHARACTERS = 0x4E00, 1500
_WORDS = 4000
_LIMIT = 5


@dataclass(slots=True)
class Timed:
    """Milliseconds, one entry a call; `cpu` are those of the processor, of all threads."""

    add: list[float] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)
    add_cpu: list[float] = field(default_factory=list)
    recall_cpu: list[float] = field(default_factory=list)
    written: float = 0.0
    size: int = 0


class Texts:
    """Sentences of made-up words; few are frequent, most are rare."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        chance = random.Random(0)
        self._words = ["".join(chance.choices(_SYLLABLES, k=3)) for _ in range(_WORDS)]

    def next(self) -> str:
        """Return a sentence of some ten words, or some twenty characters."""
        number = self._chance.randint(6, 14)
        if self._chance.random() < 0.5:
            return " ".join(self._rank(self._words) for _ in range(number)).capitalize() + "."
        characters = [chr(_FIRST_CHARACTER + n) for n in range(_CHARACTERS)]
        return "".join(self._rank(characters) for _ in range(2 * number)) + "。"

    def question(self) -> str:
        """Return some words of such a sentence."""
        text = self.next().rstrip(".。")
        return " ".join(text.split()[:4]) if " " in text else text[:8]

    def _rank(self, items: Sequence[str]) -> str:
        """Draw one: the first are drawn most."""
        return items[int(len(items) ** self._chance.random()) - 1]


def write(parts: MemoryParts, name: str, dimension: int, number: int, seed: int) -> None:
    """Write a learner with so many memories."""
    texts = Texts(seed)
    bulk = SemanticMemory(
        store=parts.records, vectors=parts.vectors, embedder=RandomEmbedder(name, dimension)
    )
    memories = [
        Memory(
            id=str(UUID(int=seed * 1_000_000 + n)),
            kind=MemoryKind.SEMANTIC,
            content=texts.next(),
            importance=0.5,
            created_at=MONDAY - timedelta(minutes=number - n),
            session_id=f"s{n // 20}",
            event="note",
        )
        for n in range(number)
    ]
    for start in range(0, number, _AT_ONCE):
        bulk.add_all(memories[start : start + _AT_ONCE], namespace=learner(seed))


def learner(number: int) -> str:
    """Return the namespace of a learner."""
    return f"pdf_many_{number}"


def measure(parts: MemoryParts, clock: Clock, learners: Sequence[int], timed: Timed) -> None:
    """Add and recall once for each of these learners."""
    texts = Texts(-1)
    for number in learners:
        clock.forward(seconds=20)
        wall, cpu = milliseconds(partial(_add, parts, texts.next(), learner(number)))
        timed.add.append(wall)
        timed.add_cpu.append(cpu)
        wall, cpu = milliseconds(partial(_recall, parts, texts.question(), learner(number)))
        timed.recall.append(wall)
        timed.recall_cpu.append(cpu)


def _add(parts: MemoryParts, text: str, namespace: str) -> None:
    parts.engine.add(
        text,
        MemoryKind.SEMANTIC,
        namespace=namespace,
        session_id="now",
        event="note",
        importance=0.5,
    )


def _recall(parts: MemoryParts, text: str, namespace: str) -> None:
    parts.engine.recall(text, namespace=namespace, limit=_LIMIT)


def milliseconds(call: Callable[[], None]) -> tuple[float, float]:
    """Return how long a call takes, by the clock and of the processor."""
    began, cpu = time.perf_counter(), time.process_time()
    call()
    return 1000 * (time.perf_counter() - began), 1000 * (time.process_time() - cpu)


def run(learners: int, each: int, times: int) -> Timed:
    """Write the learners in a fresh data folder, then measure."""
    timed = Timed()
    with tempfile.TemporaryDirectory() as name:
        folder, clock = Path(name), Clock()
        settings = load_settings(env_file=None, data_dir=folder, refine_enabled=False)
        embedder = adapters.make_embedder(settings)
        database = adapters.load(adapters.DATABASE)(None, folder)
        parts = memory_parts(settings, database, embedder, clock=clock)
        parts.vectors.ensure_ready()
        parts.graph_store.ensure_ready()
        try:
            began = time.perf_counter()
            for number in range(learners):
                write(parts, embedder.name, embedder.dimension, each, number)
            timed.written = time.perf_counter() - began
            measure(parts, clock, [0, 0, 0], Timed())  # what is loaded once
            drawn = random.Random(1).choices(range(learners), k=times)
            measure(parts, clock, drawn, timed)
            timed.size = folder_bytes(folder)
        finally:
            parts.stop()
            parts.close()
    return timed


def figures(timed: Timed, memories: int) -> list[Figure]:
    """Return the figures of one store."""
    out = [Figure(name="memories", value=float(memories), unit=" ")]
    for name, values in (
        ("add", timed.add),
        ("recall", timed.recall),
        ("add, processor", timed.add_cpu),
        ("recall, processor", timed.recall_cpu),
    ):
        for percent in (50, 95):
            ceiling = {("add", 50): MOST_ADD, ("recall", 95): MOST_SEARCH}.get((name, percent))
            out.append(
                Figure(
                    name=f"{name}, p{percent}",
                    value=percentile(values, percent),
                    count=len(values),
                    ceiling=ceiling,
                    unit="ms",
                )
            )
    out.append(Figure(name="writing in bulk", value=timed.written, unit="s"))
    out.append(Figure(name="data folder", value=timed.size / 1e6, unit="MB"))
    return out


def main(argv: Sequence[str] | None = None) -> int:
    """Run the eval; return 1 when a bound is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, default=None, help="also write the figures here")
    parser.add_argument("--memories", type=int, default=10_000, help="of the one learner")
    parser.add_argument("--learners", type=int, default=500)
    parser.add_argument("--each", type=int, default=1000, help="memories of each of them")
    parser.add_argument("--times", type=int, default=200, help="calls that are measured")
    options = parser.parse_args(argv)
    sections = {}
    for learners, each in ((1, options.memories), (options.learners, options.each)):
        title = f"{learners} learner(s) with {each} memories each"
        sections[title] = figures(run(learners, each, options.times), learners * each)
    began = datetime.now().astimezone().isoformat(timespec="seconds")
    return finish(sections, json_file=options.json, details={"at": began})


if __name__ == "__main__":
    raise SystemExit(main())
