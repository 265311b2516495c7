"""How long the graph store takes on a large graph: 50,000 entities, 200,000 relations.

    python -m tests.evals.graph_speed [--entities N] [--relations N] [--cpu] [--json FILE]
        [--url DATABASE_URL | --neo4j URI --username NAME --password WORD --database NAME]

Without an address the graph lies in a SQLite file. The relations are drawn at random, one sentence
each, 100 sentences a document; every hundredth entity is drawn fifty times as often. Each figure
is over different entities. `--cpu` gives this process's processor time instead of the clock's, for
SQLite on a busy machine. On a server give a database of its own: what the eval writes there it
removes again.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import tests.evals.environment  # noqa: F401

# isort: split
from core.domain.graph import (
    Entity,
    EntityKind,
    Evidence,
    Fact,
    RelationKind,
    SourceKind,
    entity_id,
)
from core.memory_adapters import make_graph_store
from core.ports.graph_store import GraphStore
from core.settings import load_settings
from core.stores.database import open_database
from tests.evals.report import Figure, finish, percentile

OWNER = "pdf_graph_speed"
SENTENCES_A_SOURCE = 100
FACTS_A_WRITE = 1000
T = TypeVar("T")
Clock = Callable[[], float]
AT = datetime(2026, 1, 1, tzinfo=UTC)


def name_of(number: int) -> str:
    return f"Entity number {number}"


def entity(number: int) -> Entity:
    name = name_of(number)
    return Entity(id=entity_id(name), name=name, kind=EntityKind.CONCEPT, language="en")


def fact(number: int, subject: int, object_: int) -> Fact:
    evidence = Evidence(
        source_kind=SourceKind.DOCUMENT,
        source_id=f"document {number // SENTENCES_A_SOURCE}",
        sentence=f"Sentence {number}: {name_of(subject)} makes use of {name_of(object_)}.",
        confidence=0.7,
        at=AT,
        page=number % SENTENCES_A_SOURCE + 1,
    )
    kinds = list(RelationKind)
    return Fact(
        subject=entity(subject),
        kind=kinds[number % len(kinds)],
        object=entity(object_),
        evidence=evidence,
        label="makes use of",
    )


def facts_of(entities: int, relations: int, chance: random.Random) -> Iterator[Fact]:
    """Yield facts; the first ones name every entity once."""
    often = range(0, entities, 100)
    for number in range(relations):
        subject = number % entities if number < entities else chance.randrange(entities)
        other = chance.choice(often) if chance.random() < 1 / 3 else chance.randrange(entities)
        if other == subject:
            other = (other + 1) % entities
        yield fact(number, subject, other)


def load(
    store: GraphStore,
    entities: int,
    relations: int,
    chance: random.Random,
    clock: Clock = time.perf_counter,
) -> list[float]:
    """Write the graph; return the seconds of each write of FACTS_A_WRITE facts."""
    seconds = []
    waiting: list[Fact] = []
    for made in facts_of(entities, relations, chance):
        waiting.append(made)
        if len(waiting) == FACTS_A_WRITE:
            seconds += timed(
                [waiting], lambda facts: store.write([], facts, namespace=OWNER), clock
            )
            waiting = []
    if waiting:
        store.write([], waiting, namespace=OWNER)
    return seconds


def timed(arguments: Sequence[T], work: Callable[[T], object], clock: Clock) -> list[float]:
    """Return how many seconds `work` takes with each argument."""
    taken = []
    for argument in arguments:
        start = clock()
        work(argument)
        taken.append(clock() - start)
    return taken


def works(store: GraphStore) -> dict[str, Callable[[tuple[int, int]], object]]:
    """What is measured, by name; each takes the numbers of two entities."""

    def near(pair: tuple[int, int], hops: int) -> object:
        return store.neighbourhood([entity(pair[0]).id], namespace=OWNER, hops=hops)

    def add(pair: tuple[int, int]) -> object:
        return store.write([], [fact(10**9 + pair[0], *pair)], namespace=OWNER)

    return {
        "find two names": lambda p: store.find([name_of(n) for n in p], namespace=OWNER),
        "relations of one": lambda p: store.relations(namespace=OWNER, of=[entity(p[0]).id]),
        "evidence of one": lambda p: store.evidence([entity(p[0]).id], namespace=OWNER),
        "1 hop, at most 200": lambda p: near(p, 1),
        "2 hops, at most 200": lambda p: near(p, 2),
        "shortest path": lambda p: store.shortest_path(*(entity(n).id for n in p), namespace=OWNER),
        "write one fact": add,
    }


def measure(
    store: GraphStore, entities: int, relations: int, times: int, clock: Clock
) -> list[Figure]:
    """Load the graph, and return the figures; what was written is removed."""
    chance = random.Random(7)
    loading = load(store, entities, relations, chance, clock)
    figures = [
        Figure(name="load", value=sum(loading), count=relations, unit="s"),
        *spread(f"write {FACTS_A_WRITE} facts", loading),
    ]
    for name, work in works(store).items():
        pairs = [tuple(chance.sample(range(entities), 2)) for _ in range(times)]
        figures += spread(name, timed(pairs, work, clock))
    few = range(max(3, times // 20))
    rare: dict[str, Callable[[int], object]] = {
        "best 100 entities": lambda _: store.entities(namespace=OWNER, limit=100),
        "best 100 relations": lambda _: store.relations(namespace=OWNER, limit=100),
        "remove a document": lambda n: store.remove_source(
            SourceKind.DOCUMENT, f"document {n}", namespace=OWNER
        ),
    }
    for name, rarely in rare.items():
        figures += spread(name, timed(few, rarely, clock))
    figures += spread(
        "remove everything", timed([0], lambda _: store.clear(namespace=OWNER), clock)
    )
    return figures


def spread(name: str, seconds: Sequence[float]) -> list[Figure]:
    """Return the median and the 95th percentile in milliseconds."""
    return [
        Figure(
            name=f"{name}, p{percent}",
            value=None if (found := percentile(seconds, percent)) is None else 1000 * found,
            count=len(seconds),
            unit="ms",
        )
        for percent in (50, 95)
    ]


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--entities", type=int, default=50_000)
    parser.add_argument("--relations", type=int, default=200_000)
    parser.add_argument("--times", type=int, default=300, help="of each kind of question")
    parser.add_argument("--cpu", action="store_true", help="processor time, not the clock's")
    parser.add_argument("--url", default=None, help="as DATABASE_URL")
    parser.add_argument("--neo4j", default=None, help="as NEO4J_URI")
    parser.add_argument("--username", default="neo4j")
    parser.add_argument("--password", default=None)
    parser.add_argument("--database", default="neo4j")
    parser.add_argument("--json", type=Path, default=None, help="also write the figures here")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="eval-graph-") as folder:
        settings = load_settings(
            env_file=None,
            neo4j_uri=args.neo4j,
            neo4j_username=args.username,
            neo4j_password=args.password,
            neo4j_database=args.database,
        )
        database = open_database(args.url, Path(folder))
        store = make_graph_store(settings, database)
        try:
            clock = time.process_time if args.cpu else time.perf_counter
            figures = measure(store, args.entities, args.relations, args.times, clock)
        finally:
            store.close()
            database.close()
    title = f"Graph of {args.entities} entities and {args.relations} relations"
    return finish({title: figures}, json_file=args.json, details={})


if __name__ == "__main__":
    raise SystemExit(main())
