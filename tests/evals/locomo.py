"""Finding in long conversations (LoCoMo) through the product's own memory.

    python -m tests.evals.locomo --data DIR [--json FILE] [--refine] [--only NAME ...]

DIR holds a zip of LoCoMo's conversations. Each turn is added as a memory of its conversation's
learner (`MemoryManager`), at the time of its session, with its speaker; then every question is
searched for, and the turns that hold its evidence are looked for among the hits. Nothing is kept
beside the product's own stores. Questions without usable evidence are left out; adversarial ones,
whose "evidence" is the other speaker's, are told apart.

Measured for the default scorer and for the tutorial's; with `--refine` the memories get their
second vectors first.
"""

import json
import re
import tempfile
import time
import zipfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import tests.evals.environment  # noqa: F401

# isort: split
from core.domain.memory import Scorer
from core.memory_manager import MemoryManager
from core.settings import load_settings
from core.wiring import build_services
from tests.evals.report import Figure, arguments, finish, percentile
from tests.fakes import Clock

CATEGORIES = {4: "single-hop", 1: "multi-hop", 2: "temporal", 3: "open-domain", 5: "adversarial"}
ALL = "all without adversarial"
DEPTH = 100  # hits asked for; MRR is taken over these
FLOOR, REFINED_FLOOR = 0.72, 0.75  # recall@10
PATIENCE = 7200.0  # seconds
EVENT = "turn"
Ids = dict[str, set[str]]
"""Ids of turns by the id of their memory."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody said. `session` is a number, `at` the time of the session."""

    id: str
    session: int
    speaker: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the ids of the turns that answer it."""

    text: str
    category: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation with its questions."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


@dataclass(slots=True)
class Found:
    """Results by category: recall at 5, at 10, and the inverse rank of the first evidence."""

    rows: dict[str, list[tuple[float, float, float]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    seconds: list[float] = field(default_factory=list)

    def mean(self, category: str, column: int) -> float | None:
        """Return the mean of a column, None without questions."""
        rows = self.rows[category]
        return sum(row[column] for row in rows) / len(rows) if rows else None


def read(folder: Path) -> list[Conversation]:
    """Return the conversations of every zip in a folder."""
    found = []
    for archive in sorted(folder.glob("*.zip")):
        with zipfile.ZipFile(archive) as packed:
            names = sorted(name for name in packed.namelist() if name.endswith(".json"))
            found += [_conversation(Path(n).stem, json.loads(packed.read(n))) for n in names]
    if not found:
        raise SystemExit(f"{folder} holds no zip with conversations.")
    return found


def _conversation(name: str, data: dict[str, Any]) -> Conversation:
    sessions = sorted(int(m[1]) for key in data if (m := re.fullmatch(r"session_(\d+)", key)))
    turns = []
    for number in sessions:
        told = data[f"session_{number}_date_time"] + " +0000"
        at = datetime.strptime(told, "%I:%M %p on %d %B, %Y %z")
        for turn in data[f"session_{number}"]:
            seen = f" [photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            text = f"{turn['speaker']}: {turn['text']}{seen}"
            turns.append(Turn(turn["dia_id"], number, turn["speaker"], text, at))
    known = {turn.id for turn in turns}
    questions = []
    for row in data["qa"]:
        # evidence is typed by hand: "D8:6; D9:17", "D:11:26", "D30:05" all occur
        named = re.findall(r"D:?\s*(\d+):(\d+)", " ".join(map(str, row["evidence"])))
        evidence = frozenset(f"D{int(a)}:{int(b)}" for a, b in named) & known
        if evidence:
            questions.append(Question(row["question"], CATEGORIES[row["category"]], evidence))
    return Conversation(name, tuple(turns), tuple(questions))


def remember(memory: MemoryManager, conversation: Conversation, clock: Clock) -> Ids:
    """Add every turn; return the ids of the turns by the id of their memory."""
    turns_of: Ids = defaultdict(set)
    for turn in conversation.turns:
        clock.now = turn.at
        memory_id = memory.add_memory(
            turn.text,
            "episodic",
            0.5,
            {
                "speaker": turn.speaker,
                "session_id": f"{conversation.name}-{turn.session}",
                "event": EVENT,
            },
        )
        turns_of[memory_id].add(turn.id)
    clock.now += timedelta(hours=1)
    return turns_of


def ask(
    memory: MemoryManager,
    conversation: Conversation,
    turns_of: Ids,
    scorer: Scorer,
    found: Found,
) -> None:
    """Search for every question and note where its evidence is."""
    for question in conversation.questions:
        began = time.perf_counter()
        hits = memory.search(question.text, limit=DEPTH, scorer=scorer)
        found.seconds.append(time.perf_counter() - began)
        row = judged([turns_of[hit.memory.id] for hit in hits], question.evidence)
        found.rows[question.category].append(row)
        if question.category != "adversarial":
            found.rows[ALL].append(row)


def judged(hits: Sequence[set[str]], evidence: frozenset[str]) -> tuple[float, float, float]:
    """Return recall at 5 and at 10, and the inverse of the first rank with evidence, 0 without."""
    first = next((n for n, turns in enumerate(hits, 1) if turns & evidence), None)
    at = [len(evidence & set().union(*hits[:k])) / len(evidence) for k in (5, 10)]
    return at[0], at[1], 1 / first if first else 0.0


def run(
    conversations: Sequence[Conversation], folder: Path, *, refined: bool
) -> dict[Scorer, Found]:
    """Write and search all conversations in a fresh data folder."""
    clock = Clock()
    settings = load_settings(env_file=None, data_dir=folder, refine_enabled=refined)
    services = build_services(settings, clock=clock)
    services.ensure_ready()
    parts = services.memory_parts
    if refined and parts.refining is None:
        raise SystemExit("The refining embedder cannot be used here.")
    # conversations of years pass in a minute: what was unused for months would be archived
    parts.housekeeping.stop()
    results = {scorer: Found() for scorer in Scorer}
    written: dict[str, tuple[MemoryManager, Ids, datetime]] = {}
    try:
        for conversation in conversations:
            memory = MemoryManager(user_id=conversation.name, services=services)
            ids = remember(memory, conversation, clock)
            written[conversation.name] = (memory, ids, clock.now)
        if parts.refining is not None and not parts.refining.wait(PATIENCE):
            raise SystemExit(f"refining took more than {PATIENCE:.0f} s")
        for conversation in conversations:
            memory, ids, clock.now = written[conversation.name]
            for scorer, found in results.items():
                ask(memory, conversation, ids, scorer, found)
    finally:
        services.close()
    return results


def figures(found: Found, floor: float | None) -> list[Figure]:
    """Return the figures of one scorer."""
    out = []
    for category in (*CATEGORIES.values(), ALL):
        count = len(found.rows[category])
        for column, name in enumerate(("recall@5", "recall@10", "MRR")):
            bound = floor if category == ALL and name == "recall@10" else None
            value = found.mean(category, column)
            out.append(Figure(name=f"{category}: {name}", value=value, count=count, floor=bound))
    milliseconds = [1000 * seconds for seconds in found.seconds]
    for percent in (50, 95):
        value = percentile(milliseconds, percent)
        out.append(Figure(name=f"a question, p{percent}", value=value, unit="ms"))
    return out


def main(argv: Sequence[str] | None = None) -> int:
    """Run the eval; return 1 when a bound is missed."""
    parser = arguments(__doc__)
    parser.add_argument("--refine", action="store_true", help="with second vectors")
    parser.add_argument("--only", nargs="*", default=(), help="names of conversations")
    options = parser.parse_args(argv)
    conversations = [c for c in read(options.data) if not options.only or c.name in options.only]
    with tempfile.TemporaryDirectory() as folder:
        results = run(conversations, Path(folder), refined=options.refine)
    floor = REFINED_FLOOR if options.refine else FLOOR
    tier = "both tiers" if options.refine else "instant tier"
    sections = {
        f"{scorer.value} scorer, {tier}": figures(
            found, floor if scorer is Scorer.DEFAULT else None
        )
        for scorer, found in results.items()
    }
    return finish(sections, json_file=options.json, details={"refined": options.refine})


if __name__ == "__main__":
    raise SystemExit(main())
