"""Hostile files: each is indexed or refused, in time, within its memory, and nothing is left of it.

    python -m tests.evals.hostile [--data DIR] [--json FILE] [--only WORD]

DIR has what `python -m tests.data.make_hostile` wrote; without it the files are made first. They
are loaded one after another by one learner, within the limits of the settings. What is indexed is
asked a question, and its first page is drawn. After each file a good one is loaded. Then a good
file is loaded under hostile names, and a second learner loads while the first one keeps all slots
busy. A refusal must have a code with words in both languages; anything else is a crash.
"""

import os
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

import tests.evals.environment  # noqa: F401

# isort: split
from app.i18n import TEXTS
from core.assistant import PDFLearningAssistant
from core.domain.job import JobKind
from core.domain.study import LoadProgress
from core.errors import AssistantError
from core.jobs.queue import SLOTS
from core.services import Services
from core.settings import Settings, load_settings
from core.wiring import build_services
from tests.data.make_hostile import NAMES, make
from tests.evals.child_memory import ChildMemory
from tests.evals.report import Figure, arguments, finish

GOOD_FILE = Path(__file__).parents[1] / "data" / "two_columns_en.pdf"
OTHER_GOOD_FILE = Path(__file__).parents[1] / "data" / "labels.pdf"
WITNESS = Path("/tmp/hostile-was-run")
SLOW = ("nested_forms.pdf", "crossing_lines.pdf", "self_form.pdf")
"""Two of them keep the learner's slots busy; the third one waits."""
MARGIN_SECONDS = 15.0
"""To start processes, to store and to remove, above the limit of the reading itself."""
GOOD_SECONDS = 15.0
CRASH = "crash"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one file.

    `result` is `indexed`, the code of a refusal, or `crash`; `page` and `answer` say the same of
    the first page's image and of a question. Times in seconds; `silence` is the longest one without
    progress, of which `allowed` is the bound. `peak` in MiB. `left` names what is still there of a
    refused file.
    """

    name: str
    result: str
    seconds: float
    silence: float
    allowed: float
    peak: int
    page: str = ""
    page_seconds: float = 0.0
    answer: str = ""
    answer_seconds: float = 0.0
    good_seconds: float = 0.0
    clear: bool = True
    left: tuple[str, ...] = ()
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fairness:
    """Seconds after which things began and ended while one learner's files kept all slots busy."""

    slot_free: float
    other_done: float
    third_began: float


def has_words(error: AssistantError | None) -> bool:
    """Tell whether an error has a sentence and a remedy here and in both languages."""
    if error is None or not error.message or not error.remedy or "Traceback" in error.sentence:
        return False
    return all(
        all(TEXTS.get(key, ("", "")))
        for key in (f"error.{error.code}", f"error.{error.code}.remedy")
    )


class Desk:
    """One learner with the services of a data folder; temporary files go to a folder beside it."""

    def __init__(self, settings: Settings, temporary: Path) -> None:
        self.settings = settings
        self.temporary = temporary
        self.services: Services = build_services(settings)
        self.hostile = PDFLearningAssistant("hostile", services=self.services)
        self.good = PDFLearningAssistant("good", services=self.services)
        self.memory = ChildMemory()

    def close(self) -> None:
        """Release everything."""
        self.memory.close()
        self.services.close()

    def left(self) -> tuple[str, ...]:
        """Return what of the hostile learner is kept without belonging to a document."""
        namespace = self.hostile.namespace
        known = {d.id for d in self.hostile.documents()}
        files = self.services.files.folder(namespace) / "files"
        kept = [p.name for p in files.glob("*") if p.stem not in known]
        jobs = [f"job {job.kind}" for job in self.hostile.jobs() if not job.quiet]
        temporary = [f"temporary {p.name}" for p in self.temporary.iterdir()]
        return (*kept, *jobs, *temporary)

    def load_good(self) -> float:
        """Load a good file as another learner, delete it, and return the seconds of the load."""
        began = time.perf_counter()
        loaded = self.good.load_document(str(GOOD_FILE))
        seconds = time.perf_counter() - began
        if not loaded.success or loaded.duplicate:
            return float("inf")
        self.good.delete_document(loaded.document_id)
        return seconds


def allowed_seconds(settings: Settings, pictures: int) -> float:
    """Return how long a load may take: the reading, and each page that is recognised."""
    page = 3 * settings.ocr_page_seconds
    return settings.reader_wall_seconds + MARGIN_SECONDS + pictures * page


def attempt(desk: Desk, what: str, document_id: str) -> tuple[str, float]:
    """Draw a page or ask; return `done`, the code of a refusal, or `crash`, and the seconds."""
    began = time.perf_counter()
    try:
        if what == "page":
            desk.hostile.page_image(document_id, 1)
        else:
            desk.hostile.ask("What is the only page about?", documents=[document_id])
        result = "done"
    except AssistantError as error:
        result = error.code if has_words(error) else CRASH
    except Exception:
        traceback.print_exc()
        result = CRASH
    return result, round(time.perf_counter() - began, 2)


class Watch:
    """Notes pages to recognise, and the longest time without progress."""

    def __init__(self) -> None:
        self.pictures = 0
        self.silence = 0.0
        self.last = time.perf_counter()

    def __call__(self, progress: LoadProgress) -> None:
        """Take a sign of life."""
        if progress.stage == "ocr":
            self.pictures = progress.pages
        now = time.perf_counter()
        self.silence, self.last = max(self.silence, now - self.last), now


def ended(began: float, watch: Watch) -> tuple[float, float]:
    """Return the seconds of a load, and its longest silence, the last one included."""
    now = time.perf_counter()
    return now - began, max(watch.silence, now - watch.last)


def load(desk: Desk, file: Path) -> Outcome:
    """Load one file, use what is there of it, and delete it again."""
    began, watch = time.perf_counter(), Watch()
    message, page, answer, clear = "", ("", 0.0), ("", 0.0), True
    desk.memory.begin()
    try:
        loaded = desk.hostile.load_document(str(file), on_progress=watch)
        seconds, silence = ended(began, watch)
        result, message = "indexed", loaded.message
        if loaded.error is not None:
            result, clear = loaded.error.code, has_words(loaded.error)
        else:
            page = attempt(desk, "page", loaded.document_id)
            answer = attempt(desk, "answer", loaded.document_id)
            desk.hostile.delete_document(loaded.document_id)
    except Exception as exc:
        seconds, silence = ended(began, watch)
        result, message = CRASH, "".join(traceback.format_exception(exc))[-2000:]
    return Outcome(
        name=file.name,
        result=result,
        seconds=round(seconds, 2),
        silence=round(silence, 2),
        allowed=allowed_seconds(desk.settings, watch.pictures),
        peak=desk.memory.end(),
        page=page[0],
        page_seconds=page[1],
        answer=answer[0],
        answer_seconds=answer[1],
        good_seconds=round(desk.load_good(), 2),
        clear=clear,
        left=desk.left(),
        message=message,
    )


def shown(outcome: Outcome) -> str:
    """Return one line for an outcome."""
    uses = (
        f"page {outcome.page} {outcome.page_seconds:.1f} s, answer {outcome.answer_seconds:.1f} s"
    )
    return (
        f"{outcome.name:26} {outcome.result:20} {outcome.seconds:6.1f} s {outcome.peak:5} MiB"
        f"  {uses if outcome.page else ''} {' '.join(outcome.left)}".rstrip()
    )


def names_kept_inside(desk: Desk) -> int:
    """Load a good file under each hostile name; return how many of them went wrong."""
    wrong = 0
    for name in NAMES:
        try:
            loaded = desk.hostile.load_document(str(GOOD_FILE), name=name)
        except Exception:
            traceback.print_exc()
            wrong += 1
            continue
        if loaded.success:
            desk.hostile.delete_document(loaded.document_id)
        fits = "/" not in loaded.document and "\0" not in loaded.document and desk.left() == ()
        if not fits or (loaded.error is not None and not has_words(loaded.error)):
            print(f"name {name[:60]!r}: {loaded.document[:60]!r} {loaded.message} {desk.left()}")
            wrong += 1
    return wrong


def fairness(desk: Desk, files: list[Path]) -> Fairness:
    """Let one learner load more slow files than it has slots, and another a good one."""
    began = time.perf_counter()
    submitted = [desk.hostile.submit_document(file).document_id for file in files]
    other = desk.good.submit_document(OTHER_GOOD_FILE).document_id
    seen: dict[str, float] = {}
    while not {"slot_free", "other_done", "third_began"} <= seen.keys():
        states = {job.document_id: job for job in desk.hostile.jobs()}
        first = [states.get(document_id) for document_id in submitted[:-1]]
        third = states.get(submitted[-1])
        now = time.perf_counter() - began
        if any(job is None or not job.active for job in first):
            seen.setdefault("slot_free", now)
        if all(job.quiet or job.document_id != other for job in desk.good.jobs()):
            seen.setdefault("other_done", now)
        if third is None or third.state != "waiting":
            seen.setdefault("third_began", now)
        time.sleep(0.05)
    for job in desk.hostile.jobs():
        desk.services.engine.give_up(job.document_id, namespace=desk.hostile.namespace)
    return Fairness(**{name: round(seconds, 2) for name, seconds in seen.items()})


def figures(outcomes: list[Outcome], wrong_names: int, fair: Fairness | None) -> list[Figure]:
    """Return the figures with their bounds."""
    count = len(outcomes)
    refused = [o for o in outcomes if o.result not in ("indexed", CRASH)]
    crashes = sum(CRASH in (o.result, o.page, o.answer) for o in outcomes)
    over = max((o.silence - o.allowed for o in outcomes), default=0.0)
    uses = max((max(o.page_seconds, o.answer_seconds) for o in outcomes), default=0.0)
    found = [
        Figure(name="crashes", value=crashes, count=count, ceiling=0),
        Figure(name="hangs", value=sum(o.silence > o.allowed for o in outcomes), ceiling=0),
        Figure(name="longest silence, beyond the bound", value=over, ceiling=0, unit="s"),
        Figure(name="slowest page or answer", value=uses, unit="s"),
        Figure(name="refused", value=len(refused), count=count),
        Figure(
            name="refused without clear words", value=sum(not o.clear for o in refused), ceiling=0
        ),
        Figure(name="something left", value=sum(bool(o.left) for o in outcomes), ceiling=0),
        Figure(
            name="good file afterwards, slowest",
            value=max((o.good_seconds for o in outcomes), default=None),
            ceiling=GOOD_SECONDS,
            unit="s",
        ),
        Figure(name="names that went wrong", value=wrong_names, count=len(NAMES), ceiling=0),
        Figure(name="programs or scripts run", value=float(WITNESS.exists()), ceiling=0),
    ]
    if fair is not None:
        lead = fair.third_began - fair.other_done
        found += [
            Figure(
                name="other learner, beside slow files", value=fair.other_done, ceiling=10, unit="s"
            ),
            Figure(name="  before the third hostile file", value=lead, floor=-0.5, unit="s"),
        ]
    return found


def run(
    files: list[Path], slow: list[Path], settings: Settings, temporary: Path
) -> tuple[list[Outcome], list[Figure]]:
    """Load the files, then the names, then the `slow` ones at once; return outcomes and figures."""
    WITNESS.unlink(missing_ok=True)
    desk = Desk(settings, temporary)
    try:
        desk.load_good()
        outcomes = []
        for file in files:
            outcomes.append(load(desk, file))
            print(shown(outcomes[-1]), flush=True)
        wrong = names_kept_inside(desk)
        enough = len(slow) >= SLOTS[JobKind.LOAD]  # one learner has all slots but one
        found = figures(outcomes, wrong, fairness(desk, slow) if enough else None)
        limit = max(settings.reader_memory_mb, settings.ocr_memory_mb)
        peak = max((o.peak for o in outcomes), default=None)
        found.append(
            Figure(name="highest memory of a child", value=peak, ceiling=limit, unit="MiB")
        )
        found.append(
            Figure(name="growth of this process", value=desk.memory.own_growth, unit="MiB")
        )
        return outcomes, found
    finally:
        desk.close()


def main() -> int:
    """Print the outcomes and figures; return 1 when a bound is missed."""
    parser = arguments(__doc__)
    parser.add_argument("--only", default="", help="only files with this in their names")
    next(a for a in parser._actions if a.dest == "data").required = False
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="eval-hostile-") as folder:
        base = Path(folder)
        data = args.data or base / "files"
        files = [f for f in make(data) if args.only in f.name]
        temporary = base / "temporary"
        temporary.mkdir()
        tempfile.tempdir = os.environ["TMPDIR"] = str(temporary)
        settings = load_settings(env_file=None, data_dir=base / "data", refine_enabled=False)
        slow = [file for name in SLOW for file in files if file.name == name]
        outcomes, found = run(files, slow, settings, temporary)
    print(
        "\nresults: "
        + ", ".join(f"{k} {n}" for k, n in Counter(o.result for o in outcomes).items())
    )
    details = {"files": [asdict(outcome) for outcome in outcomes]}
    return finish({"Hostile files": found}, json_file=args.json, details=details)


if __name__ == "__main__":
    raise SystemExit(main())
