"""The conversation: messages in Markdown, with citations as links that the page's script opens.

Links: `#cite-<question>-<number>` in the text, `#source-<state>-<question>-<number>` below it,
`#recall-<thing>` and `#memory-<thing>` for what is remembered (see `remembered`),
`#page-<document>-<page>` for the nearest pages of a refusal, and what can be done with an answer:
`#note-<question>`, `#found-<question>`, `#used-<question>` and `#other-<route>-<question>`.
"""

from collections.abc import Iterator, Sequence

from app.components.elements import button, element, empty, text
from app.components.icons import icon
from app.components.memories import group_of, kept_text
from app.components.prose import quoted_answer, written_answer
from app.components.remembered import memory_sources
from app.components.used_memories import used_link
from app.i18n import TEXTS, Words
from app.presenters import (
    escape,
    escape_markdown,
    named_in_parts,
    page_label,
    place_label,
    shorten,
    time_element,
)
from core.domain.answer import (
    Answer,
    AnswerMode,
    Citation,
    DoubtKind,
    NearestPage,
    Passage,
    RefusalReason,
    Route,
    StillReading,
)
from core.domain.document import TextSource
from core.domain.study import AskedQuestion, AssistantStatus

Message = dict[str, str]

NEAREST_PAGES = 3
TOLD_BY_ANSWER = (
    RefusalReason.NO_DOCUMENTS,
    RefusalReason.STILL_READING,
    RefusalReason.NOTHING_REMEMBERED,
)
NAME_LENGTH = 48  # characters of a document's name in a source link


def answer_text(answer: Answer, words: Words) -> str:
    """Return the answer's text as Markdown.

    A quoted answer is shown letter by letter; a model's keeps lists, emphasis and code, rebuilt
    here from its words, so that it can carry no link, image or HTML.
    """
    if answer.mode is AnswerMode.EXTRACTIVE:
        return quoted_answer(answer, words)
    return written_answer(answer, words)


def _source_link(citation: Citation, answer: Answer, words: Words) -> str:
    parts = [
        str(citation.number),
        shorten(citation.document, NAME_LENGTH),
        place_label(citation, words),
        *([words("evidence.recognised")] if citation.source is TextSource.OCR else []),
    ]
    text = escape_markdown(" · ".join(parts))
    return f"[{text}](#source-{citation.state}-{answer.id}-{citation.number})"


def nearest_label(near: Passage | NearestPage, words: Words) -> str:
    """Return the name and the page, or part, of what comes nearest to a question."""
    if named_in_parts(near.document):
        place = words("evidence.part", part=near.page)
    else:
        place = page_label(near.page, near.page_label, words)
    return f"{shorten(near.document, NAME_LENGTH)} · {place}"


def _nearest(answer: Answer, words: Words) -> str:
    found: Sequence[Passage | NearestPage] = answer.passages
    if answer.refusal is not None and answer.refusal.nearest:
        found = answer.refusal.nearest
    seen: dict[tuple[str, int], str] = {}
    for near in found:
        text = escape_markdown(nearest_label(near, words))
        place = (near.document_id, near.page)
        seen.setdefault(place, f"[{text}](#page-{place[0]}-{place[1]})")
    links = list(seen.values())[:NEAREST_PAGES]
    return f"{escape_markdown(words('ask.nearest'))} {' '.join(links)}" if links else ""


def _reason(answer: Answer, words: Words) -> str:
    """Return why there is no answer, unless a notice or the answer itself says the same."""
    if answer.refusal is None or answer.notice == answer.refusal.reason:
        return ""
    if answer.refusal.reason in TOLD_BY_ANSWER and answer.text.strip():
        return ""
    return words(f"refused.{answer.refusal.reason}")


def _notice(answer: Answer, words: Words) -> str:
    if answer.notice is None:
        return ""
    key = f"notice.{answer.notice}"
    if key in TEXTS and key != "notice.other":
        return words(key)
    return words("notice.other", detail=answer.detail or answer.notice)


def _still_reading(reading: StillReading, words: Words) -> str:
    name = shorten(reading.document, NAME_LENGTH)
    if not reading.read:
        return words("ask.not_read", document=name)
    unit = "parts" if named_in_parts(reading.document) else "pages"
    counts = {"read": reading.read, unit: max(reading.pages, reading.read)}
    return words(f"ask.still_reading_{unit}", document=name, **counts)


def _tombstone(answer: Answer, words: Words) -> str:
    """Return when sources were removed; the page's script shows the reader's own time."""
    before, _, after = words("ask.source_removed", date="|").partition("|")
    return " ".join(
        f"{escape_markdown(before)}{time_element(at)}{escape_markdown(after)}"
        for at in answer.sources_removed_at
    )


def _told(answer: Answer, words: Words) -> str:
    """Return what must be told about an answer, as Markdown in small print."""
    sentences = [
        _reason(answer, words),
        _notice(answer, words),
        words.count("ask.removed", answer.removed) if answer.removed else "",
        *(_still_reading(reading, words) for reading in answer.still_reading),
    ]
    told = [escape_markdown(sentence) for sentence in sentences if sentence]
    told.append(_tombstone(answer, words))
    small = " ".join(filter(None, told))
    return f"*{small}*" if small else ""


def _legend(answer: Answer, words: Words) -> str:
    """Return what the marks in an answer mean, when there are any."""
    kinds = {doubt.kind for doubt in answer.doubts}
    keys = [_doubt_key(kind, words) for kind in DoubtKind if kind in kinds]
    return element("span", *keys, class_="doubt-legend") if keys else ""


def _doubt_key(kind: DoubtKind, words: Words) -> str:
    sample = text("span", words(f"doubt.{kind}_key"), class_=f"doubt-{kind}")
    said = escape_markdown(words("doubt.means", sample="{}", meaning=words(f"doubt.{kind}")))
    return element("span", said.replace(r"\{\}", sample))


def _route(answer: Answer, words: Words) -> str:
    """Return where the answer was looked for, and the ways to ask elsewhere."""
    looked = "looked" if answer.mode is AnswerMode.REFUSED else "from"
    said = escape_markdown(words(f"ask.{looked}_{answer.route}"))
    others = [
        f"[{escape_markdown(words(f'ask.other_{other}'))}](#other-{other}-{answer.id})"
        for other in (Route.MEMORY, Route.DOCUMENTS)
        if other is not answer.route
    ]
    return " ".join([element("span", said, class_="route"), *others])


def _footer(answer: Answer, words: Words) -> str:
    """Return where an answer comes from, and what can be done with it."""
    note = f"[{escape_markdown(words('ask.save_note'))}](#note-{answer.id})"
    found = f"[{escape_markdown(words('found.title'))}](#found-{answer.id})"
    actions = [_route(answer, words), note, found]
    if answer.mode is AnswerMode.REFUSED:
        actions.remove(note)
    return " ".join(actions)


def _completed(answer: Answer, words: Words) -> str:
    if not answer.completed or answer.completed == answer.question:
        return ""
    said = escape_markdown(words("ask.completed", question=answer.completed))
    return element("span", said, class_="completed")


def answer_markdown(answer: Answer, words: Words) -> str:
    """Return one answer as a message: text, sources, what must be told, and what can be done."""
    told, footer = _told(answer, words), _footer(answer, words)
    if answer.mode is AnswerMode.REFUSED:
        said = f"**{escape_markdown(answer.text)}**" if answer.text.strip() else ""
        parts = [_completed(answer, words), said, told, _nearest(answer, words), footer]
        return "\n\n".join(filter(None, parts))
    if not answer.text.strip():
        return told
    sources = [_source_link(c, answer, words) for c in answer.citations]
    parts = [
        _completed(answer, words),
        answer_text(answer, words),
        " ".join(filter(None, [*sources, memory_sources(answer, words), used_link(answer, words)])),
        _legend(answer, words),
        told,
        footer,
    ]
    return "\n\n".join(filter(None, parts))


def message(role: str, content: str) -> Message:
    """Return one message of the conversation."""
    return {"role": role, "content": content}


def question_message(question: str) -> Message:
    """Return the learner's question, shown as it was typed."""
    lines = [escape_markdown(line.strip()) for line in question.strip().splitlines()]
    return message("user", "\n".join(lines))


def _messages(asked: Sequence[AskedQuestion], words: Words) -> Iterator[Message]:
    for item in reversed(asked):
        yield question_message(item.answer.question)
        yield message("assistant", answer_markdown(item.answer, words))


def conversation(asked: Sequence[AskedQuestion], words: Words) -> list[Message]:
    """Return stored questions, given newest first, as messages in the order they were asked."""
    return list(_messages(asked, words))


def streamed_message(text: str, words: Words) -> Message:
    """Return the answer as far as it has come. Streamed text is not proven yet, so it is plain."""
    shown = text.strip() or words("ask.searching")
    lines = [escape_markdown(line.strip()) for line in shown.splitlines()]
    return message("assistant", "\n".join(lines))


def waiting_message(words: Words, route: Route | None = None) -> Message:
    """Return what stands there before an answer begins; `route` is where it is looked for."""
    where = "_memory" if route is Route.MEMORY else ""
    return streamed_message(words(f"ask.searching{where}"), words)


def note_text(answer: Answer, words: Words) -> str:
    """Return an answer as the text of a note, with its sources."""
    lines = [words("ask.note_question", question=answer.question), "", answer.text]
    for c in answer.citations:
        page = place_label(c, words)
        lines += [
            "",
            words(
                "ask.note_source",
                number=c.number,
                document=c.document,
                page=page,
                quote=c.quote,
            ),
        ]
    for m in answer.memories:
        kind = words(f"ask.memory_{group_of(m.event, m.kind)}")
        said = kept_text(m.event, m.text)
        lines += ["", words("ask.note_memory", number=m.number, kind=kind, text=said)]
    return "\n".join(lines)


def suggestions(questions: Sequence[str], words: Words) -> str:
    """Return questions that can be asked with one click."""
    if not questions:
        return ""
    chips = [
        button(escape(q), act="example", class_="chip", data_text=q, title=q) for q in questions
    ]
    lead = text("span", words("ask.examples"), class_="meta")
    return element("p", lead, *chips, class_="suggestions")


def depth_switch(depth: str, status: AssistantStatus, words: Words) -> str:
    """Return the choice between a quick and a thorough search, and what thorough means here."""
    choices = [
        button(
            escape(words(f"ask.depth_{name}")),
            act="depth",
            id=f"depth-{name}",
            data_depth=name,
            title=words(f"ask.depth_{name}_help"),
            aria_pressed="true" if name == depth else "false",
        )
        for name in ("quick", "thorough")
    ]
    with_model = "builtin" if status.answering == "extractive" else "model"
    about = element(
        "details",
        element("summary", icon("info"), class_="depth-about", aria_label=words("ask.depth_about")),
        element(
            "div",
            text("p", words("ask.depth_quick_help")),
            text("p", words("ask.depth_thorough_help")),
            text("p", words(f"ask.depth_{with_model}")),
            class_="popover",
        ),
        class_="chip-details",
    )
    label = words("ask.depth")
    group = element("div", *choices, class_="switch", role="group", aria_label=label)
    return element("div", text("span", label, class_="meta"), group, about, class_="depth")


def welcome(words: Words, *, documents: bool) -> str:
    """Return what stands in an empty conversation."""
    title = text("h2", words("ask.welcome"))
    if documents:
        return empty(icon("ask"), title, text("p", words("ask.welcome_text")))
    label = escape(words("ask.go_documents"))
    go = button(label, act="go", class_="primary", data_tab="documents")
    return empty(icon("ask"), title, text("p", words("ask.empty_no_documents")), go)
