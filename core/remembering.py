"""Answers from the learning history, by rules: what was loaded, asked, noted, and when."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from core.domain.answer import Answer, AnswerMode, RememberedSource
from core.domain.document import Document, TextSource
from core.domain.memory import Memory, MemoryKind, MemoryState
from core.domain.study import AskedQuestion
from core.errors import NotFoundError
from core.memory.archive import Archive
from core.memory.asked_for import AskedFor, asked_for, held_against
from core.memory.engine import MemoryEngine
from core.memory.query import DOCUMENT_LOADED, FACT, MEMORY, NOTE, QA_INTERACTION
from core.ports.history_store import HistoryStore
from core.prompts import remembered as say
from core.text.letters import letters

MOST_SOURCES = 10
"""So many are shown; how many more there are is said."""
_MOST_PLACES = 3
_MOST_CHARS = 160
_CONTEXT = 5
_RELATED = 2
_POOL = 1000
_GENERAL = "general"  # the concept of a note that was given none
_KIND = {DOCUMENT_LOADED: "documents", QA_INTERACTION: "questions", NOTE: "notes"}
_DONE = ("documents", "questions", "notes")
_TELLING = ("notes", "questions", "documents")
_DURABLE = (MemoryKind.EPISODIC, MemoryKind.SEMANTIC)
_NOTED = (MemoryKind.SEMANTIC,)
_OWN = (NOTE, FACT, MEMORY)
"""Events of what the learner wrote or said."""
_KEPT_FORM = re.compile(r"(?s)(?:Learning about '(.*)'|Loaded document 《(.*)》)")
_MARK = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """An answer from the learning history; `[n]` in `text` names the source with that number.

    Without anything found, `text` says so and names the time and the subject looked for.
    """

    text: str
    sources: tuple[RememberedSource, ...]
    found: bool


@dataclass(frozen=True, slots=True)
class _Thing:
    """What one line is about. `memory` is the newest of `memories`, all about the same."""

    kind: str
    memory: Memory
    memories: tuple[Memory, ...]


class Rememberer:
    """Answers questions about the learning history. Safe in several threads.

    `documents` gives the documents of a namespace; what `memory` has nothing of is looked for in
    `archive`. Days are those of the time zone given with a
    question, of the clock's without one.
    """

    def __init__(
        self,
        memory: MemoryEngine,
        history: HistoryStore,
        documents: Callable[[str], list[Document]],
        clock: Callable[[], datetime],
        archive: Archive | None = None,
    ) -> None:
        self._memory = memory
        self._archive = archive
        self._history = history
        self._documents = documents
        self._clock = clock

    def answer(
        self, question: str, language: str, *, namespace: str, zone: tzinfo | None = None
    ) -> Remembered:
        """Answer in `language` (`en`, `zh`). No text of a document is repeated, only its name.

        Raises `InvalidInputError` for an overlong question, `ModelError` and `StoreError`.
        """
        now = self._now(zone)
        wanted = asked_for(question, now)
        there = {document.id: document for document in self._documents(namespace)}
        things = _things(self._found(wanted, namespace))
        teller = _Teller(language, now, there, self._history, namespace)
        if wanted.unanswered:
            things = _unanswered(things)
        if wanted.kind is not None:
            things = [thing for thing in things if thing.kind == wanted.kind]
        if wanted.pick is not None and things:
            newest_first = sorted(things, key=lambda t: t.memory.created_at, reverse=True)
            things = newest_first[:1] if wanted.pick == "last" else newest_first[-1:]
        return teller.told(wanted, things)

    def context(
        self, question: str, *, namespace: str, zone: tzinfo | None = None
    ) -> tuple[RememberedSource, ...]:
        """Return memories to put beside the documents, best first, at most five; notes first.

        For a question that holds the learner's notes or past against what documents say.
        """
        wanted = held_against(question, self._now(zone))
        things = _things(self._found(wanted, namespace))
        if wanted.kind is not None:
            things = [thing for thing in things if thing.kind == wanted.kind]
        things = [thing for thing in things if thing.kind != "documents"]
        things.sort(key=lambda thing: thing.kind != "notes")
        there = {document.id for document in self._documents(namespace)}
        return tuple(_source(n, t, there) for n, t in enumerate(things[:_CONTEXT], start=1))

    def related(self, question: str, *, namespace: str) -> tuple[RememberedSource, ...]:
        """Return the learner's own notes that have to do with a question, best first, at most two.

        For a model that answers from documents and shall know what the learner knows.
        """
        if not self._memory.list(namespace=namespace, kinds=_NOTED, events=_OWN, limit=1):
            return ()
        hits = self._memory.recall(question, namespace=namespace, kinds=_NOTED, limit=_POOL)
        own = [hit.memory for hit in hits if hit.memory.event in _OWN][:_RELATED]
        there = {document.id for document in self._documents(namespace)}
        things = [_Thing("notes", memory, (memory,)) for memory in own]
        return tuple(_source(n, thing, there) for n, thing in enumerate(things, start=1))

    def _now(self, zone: tzinfo | None) -> datetime:
        now = self._clock()
        return now if zone is None else now.astimezone(zone)

    def _found(self, wanted: AskedFor, namespace: str) -> list[Memory]:
        """Return memories of what is asked for: best first with a subject, else newest first."""
        since = wanted.window.since if wanted.window else None
        until = wanted.window.until if wanted.window else None
        if not letters(wanted.subject):
            found = self._memory.list(namespace=namespace, kinds=_DURABLE, since=since, until=until)
        else:
            hits = self._memory.recall(
                wanted.subject,
                namespace=namespace,
                limit=_POOL,
                kinds=_DURABLE,
                since=since,
                until=until,
            )
            # what was asked about the learning history says nothing about the subject
            mode = AnswerMode.REMEMBERED.value
            found = [h.memory for h in hits if h.memory.metadata.get("mode") != mode]
        told = [memory for memory in found if memory.event in _KIND]
        return told + self._archived(wanted, told, namespace)

    def _archived(self, wanted: AskedFor, told: Sequence[Memory], namespace: str) -> list[Memory]:
        """Return what the archive has of it too; of a subject only where nothing was found."""
        if self._archive is None or not self._archive.count(namespace=namespace):
            return []
        if not letters(wanted.subject):
            found = self._archive.list(namespace=namespace)
        elif told:
            return []
        else:
            hits = self._archive.second_chance(wanted.subject, namespace=namespace, limit=_POOL)
            found = [hit.memory for hit in hits]
        window = wanted.window
        return [
            memory
            for memory in found
            if memory.event in _KIND
            and memory.state is MemoryState.CURRENT
            and (window is None or window.since <= memory.created_at < window.until)
        ]


class _Teller:
    """Puts what was found into words."""

    def __init__(
        self,
        language: str,
        now: datetime,
        there: dict[str, Document],
        history: HistoryStore,
        namespace: str,
    ) -> None:
        self._language = language
        self._zone = now.tzinfo
        self._there = there
        self._history = history
        self._namespace = namespace
        self._asked: dict[str, AskedQuestion | None] = {}

    def told(self, wanted: AskedFor, things: list[_Thing]) -> Remembered:
        """Return the answer of `things`, which are in the order in which they are told."""
        language = self._language
        when = say.span(wanted.window.since, wanted.window.until, language) if wanted.window else ""
        reading = self._reading() if wanted.kind == "documents" and not when else ""
        if not things:
            kind = "unanswered" if wanted.unanswered else wanted.kind or "days"
            text = say.nothing(kind, language, when=when, subject=_plain(wanted.subject))
            return Remembered(
                text="\n".join(filter(None, (text, reading))), sources=(), found=False
            )
        if wanted.kind is None and not wanted.subject and wanted.pick is None:
            return self._by_day(things, when)
        shown = things[:MOST_SOURCES]
        if wanted.kind is None:
            shown = sorted(shown, key=lambda thing: _TELLING.index(thing.kind))
        subject = _plain(wanted.subject)
        if wanted.kind is None:
            lines = [say.head("about", language, when=when, subject=subject)]
        else:
            what = "unanswered" if wanted.unanswered else wanted.kind
            number = say.counted(len(things), what, language, subject=subject)
            lines = [say.head(wanted.kind, language, when=when, n=number)]
        section = None
        for number_of, thing in enumerate(shown, start=1):
            if wanted.kind is None and thing.kind != section:
                section = thing.kind
                lines.append(say.SECTIONS[language][section])
            lines.append(f"- {self._line(thing, day=_only_day(wanted))} [{number_of}]")
        return self._remembered(lines, shown, len(things), reading)

    def _by_day(self, things: list[_Thing], when: str) -> Remembered:
        """Tell what was done day by day, the newest day first.

        Of many things some of every day are shown; a day's numbers count them all.
        """
        days: dict[date, list[_Thing]] = {}
        for thing in things:
            days.setdefault(self._date(thing.memory.created_at), []).append(thing)
        shown_of = _shares([len(of_day) for of_day in days.values()], MOST_SOURCES)
        lines, shown = [say.head("days", self._language, when=when)], []
        for (day, of_day), share in zip(days.items(), shown_of, strict=True):
            if not share:
                continue
            counts = [(kind, sum(t.kind == kind for t in of_day)) for kind in _DONE]
            lines.append(say.day_head(day, counts, self._language))
            for thing in of_day[:share]:
                shown.append(thing)
                line = say.day_item(thing.kind, self._line(thing, day=day), self._language)
                lines.append(f"- {line} [{len(shown)}]")
        return self._remembered(lines, shown, len(things), "")

    def _remembered(
        self, lines: list[str], shown: Sequence[_Thing], total: int, reading: str
    ) -> Remembered:
        if total > len(shown):
            lines.append(say.more(total - len(shown), self._language))
        if reading:
            lines.append(reading)
        sources = tuple(_source(n, t, self._there) for n, t in enumerate(shown, start=1))
        return Remembered(text="\n".join(lines), sources=sources, found=True)

    def _reading(self) -> str:
        names = [_plain(d.name) for d in self._there.values() if d.unread]
        return say.still_reading(names, self._language) if names else ""

    def _line(self, thing: _Thing, *, day: date | None = None) -> str:
        """Return what is told of a thing; `day` when all around it is of that day."""
        memory, language = thing.memory, self._language
        at = memory.created_at.astimezone(self._zone)
        when = f"{at:%H:%M}" if day is not None else f"{say.day(at, language)} {at:%H:%M}"
        if thing.kind == "documents":
            return self._loaded(thing)
        if thing.kind == "questions":
            outcome, places = self._outcome(memory)
            told = say.answered_from(places, language) if places else ""
            told = told or say.OUTCOMES[language][outcome]
            return say.asked(when, _plain(_words_of(memory)), told, language)
        concept = str(memory.metadata.get("concept") or "")
        concept = "" if concept == _GENERAL else _plain(concept)
        return say.noted(when, concept, _plain(memory.content), language)

    def _loaded(self, thing: _Thing) -> str:
        document = self._there.get(str(thing.memory.metadata.get("document_id")))
        pages = document.pages if document else thing.memory.metadata.get("pages")
        return say.loaded(
            _plain(_words_of(thing.memory)),
            pages if isinstance(pages, int) else 0,
            sorted(self._date(memory.created_at) for memory in thing.memories),
            self._language,
            part=document is not None and document.format != "pdf",
            gone=document is None,
        )

    def _outcome(self, memory: Memory) -> tuple[str, list[str]]:
        """Return a key of `say.OUTCOMES`, and the places the answer came from."""
        asked = self._question(str(memory.metadata.get("question_id")))
        if asked is None:
            mode = str(memory.metadata.get("mode"))
            return (mode if mode in ("refused", "remembered") else "answered"), []
        answer = asked.answer
        if answer.mode is AnswerMode.REFUSED:
            return "refused", []
        if answer.mode is AnswerMode.REMEMBERED:
            return "remembered", []
        places = self._places(answer)
        removed = not places and bool(answer.sources_removed_at)
        return ("removed" if removed else "answered"), places

    def _places(self, answer: Answer) -> list[str]:
        places = [
            say.place(
                _plain(c.document), c.page, self._language, part=c.source is TextSource.CONVERTED
            )
            for c in answer.citations
            if c.document_id in self._there
        ]
        return list(dict.fromkeys(places))[:_MOST_PLACES]

    def _question(self, question_id: str) -> AskedQuestion | None:
        if question_id not in self._asked:
            try:
                asked = self._history.question(question_id, namespace=self._namespace)
            except NotFoundError:  # it may be remembered longer than it is stored
                self._asked[question_id] = None
            else:
                self._asked[question_id] = asked
        return self._asked[question_id]

    def _date(self, moment: datetime) -> date:
        return moment.astimezone(self._zone).date()


def _only_day(wanted: AskedFor) -> date | None:
    """Return the day that is asked for, None when it is not one."""
    window = wanted.window
    if window is None or window.until - window.since != timedelta(days=1):
        return None
    return window.since.date()


def _things(memories: Sequence[Memory]) -> list[_Thing]:
    """Join the loads of one document, in the order of its first in the list."""
    of_key: dict[str, list[Memory]] = {}
    for memory in memories:
        loaded = memory.event == DOCUMENT_LOADED
        key = str(memory.metadata.get("document_id") or memory.id) if loaded else memory.id
        of_key.setdefault(key, []).append(memory)
    return [
        _Thing(_KIND[same[0].event], max(same, key=lambda m: m.created_at), tuple(same))
        for same in of_key.values()
    ]


def _unanswered(things: Sequence[_Thing]) -> list[_Thing]:
    """Return the questions that were refused, whenever they were asked."""
    refused = [t for t in things if t.memory.metadata.get("mode") == AnswerMode.REFUSED.value]
    answered = {letters(_words_of(t.memory)) for t in things if t not in refused}
    return [thing for thing in refused if letters(_words_of(thing.memory)) not in answered]


def _source(number: int, thing: _Thing, there: dict[str, Document] | set[str]) -> RememberedSource:
    memory = thing.memory
    listed = memory.metadata.get("document_ids")
    about = [memory.metadata.get("document_id"), *(listed if isinstance(listed, list) else ())]
    question_id = memory.metadata.get("question_id")  # callers write metadata too
    return RememberedSource(
        number=number,
        memory_id=memory.id,
        kind=memory.kind.value,
        event=memory.event,
        text=_words_of(memory),
        created_at=memory.created_at,
        document_id=next((d for d in about if isinstance(d, str) and d in there), None),
        question_id=question_id if isinstance(question_id, str) else None,
    )


def _words_of(memory: Memory) -> str:
    """Return the question, the file name or the note itself."""
    match = _KEPT_FORM.fullmatch(memory.content) if memory.event != NOTE else None
    return memory.content if match is None else match[1] or match[2] or ""


def _plain(text: str) -> str:
    """Return a text on one line, not too long, without what looks like the number of a source."""
    line = _MARK.sub(r"(\1)", " ".join(text.split()))
    return line if len(line) <= _MOST_CHARS else line[: _MOST_CHARS - 1].rstrip() + "…"


def _shares(counts: Sequence[int], total: int) -> list[int]:
    """Deal `total` out to groups of these sizes, one a round, the first groups first."""
    shares = [0] * len(counts)
    while total > 0 and any(share < count for share, count in zip(shares, counts, strict=True)):
        for i, count in enumerate(counts):
            if total > 0 and shares[i] < count:
                shares[i] += 1
                total -= 1
    return shares
