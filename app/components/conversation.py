"""The conversation: messages in Markdown, with citations as links that the page's script opens.

Links: `#cite-<question>-<number>` in the text, `#source-<state>-<question>-<number>` below it,
`#page-<document>-<page>` for the nearest pages of a refusal and `#note-<question>`.
"""

import re
from collections.abc import Iterator, Sequence

from app.components.elements import button, element, empty, text
from app.components.icons import icon
from app.i18n import TEXTS, Words
from app.presenters import escape, escape_markdown, page_label, shorten
from core.domain.answer import Answer, AnswerMode, Citation
from core.domain.study import AskedQuestion

Message = dict[str, str]

MARK = re.compile(r"\[(\d{1,3})\]")
CODE = re.compile(r"(?s)(?<!\\)(```.*?```|`[^`\n]+`)")
# What could begin a link, an image or HTML, also without brackets (https:, www., a@b).
ACTIVE_SIGNS = re.compile(r"(?i)([\[\]<>!&:@]|(?<=www)\.)")
NEAREST_PAGES = 3
NAME_LENGTH = 48  # characters of a document's name in a source link


def _link_marks(text: str, answer: Answer, *, plain: bool) -> str:
    """Return `text` as Markdown in which each proven number is a link and nothing else is."""
    numbers = {c.number for c in answer.citations}
    parts: list[str] = []
    for index, part in enumerate(MARK.split(text)):
        if index % 2 and int(part) in numbers:
            parts.append(f"[{int(part)}](#cite-{answer.id}-{int(part)})")
        elif index % 2:
            parts.append(rf"\[{part}\]")
        elif plain:
            lines = part.split("\n")
            edges = [line[: len(line) - len(line.lstrip())] and " " for line in lines]
            body = [escape_markdown(line.strip()) for line in lines]
            tails = [" " if line.strip() and line[-1:].isspace() else "" for line in lines]
            parts.append("\n".join(map("".join, zip(edges, body, tails, strict=True))))
        else:
            parts.append(ACTIVE_SIGNS.sub(r"\\\1", part))
    return "".join(parts)


def answer_text(answer: Answer) -> str:
    """Return the answer's text as Markdown.

    A quoted answer is shown letter by letter; a model's keeps its own Markdown (lists, emphasis,
    code), but can carry no link, image or HTML.
    """
    if answer.mode is not AnswerMode.GENERATED:
        return _link_marks(answer.text, answer, plain=True)
    parts = CODE.split(answer.text)
    return "".join(
        part if index % 2 else _link_marks(part, answer, plain=False)
        for index, part in enumerate(parts)
    )


def _source_link(citation: Citation, answer: Answer, words: Words) -> str:
    name = shorten(citation.document, NAME_LENGTH)
    page = page_label(citation.page, citation.page_label, words)
    text = escape_markdown(f"{citation.number} · {name} · {page}")
    return f"[{text}](#source-{citation.state}-{answer.id}-{citation.number})"


def _nearest(answer: Answer, words: Words) -> str:
    seen: dict[tuple[str, int], str] = {}
    for passage in answer.passages:
        page = page_label(passage.page, passage.page_label, words)
        text = escape_markdown(f"{shorten(passage.document, NAME_LENGTH)} · {page}")
        place = (passage.document_id, passage.page)
        seen.setdefault(place, f"[{text}](#page-{place[0]}-{place[1]})")
    links = list(seen.values())[:NEAREST_PAGES]
    return f"{escape_markdown(words('ask.nearest'))} {' '.join(links)}" if links else ""


def _notice(answer: Answer, words: Words) -> str:
    if answer.notice is None:
        return ""
    key = f"notice.{answer.notice}"
    if key in TEXTS and key != "notice.other":
        return words(key)
    return words("notice.other", detail=answer.detail or answer.notice)


def answer_markdown(answer: Answer, words: Words) -> str:
    """Return one answer as a message: text, sources, what must be told, and what can be done."""
    notice = _notice(answer, words)
    removed = words.count("ask.removed", answer.removed) if answer.removed else ""
    if answer.mode is AnswerMode.REFUSED:
        paragraphs = [
            f"**{escape_markdown(answer.text)}**" if answer.text.strip() else "",
            f"*{escape_markdown(notice)}*" if notice else "",
            _nearest(answer, words),
        ]
        return "\n\n".join(filter(None, paragraphs))
    sources = " ".join(_source_link(c, answer, words) for c in answer.citations)
    told = " ".join(escape_markdown(text) for text in (notice, removed) if text)
    if not answer.text.strip():
        return f"*{told}*"
    action = f"[{escape_markdown(words('ask.save_note'))}](#note-{answer.id})"
    paragraphs = [answer_text(answer), sources, f"*{told}*" if told else "", action]
    return "\n\n".join(filter(None, paragraphs))


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


def note_text(answer: Answer, words: Words) -> str:
    """Return an answer as the text of a note, with its sources."""
    lines = [words("ask.note_question", question=answer.question), "", answer.text]
    for c in answer.citations:
        page = page_label(c.page, c.page_label, words)
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
    return "\n".join(lines)


def suggestions(questions: Sequence[str], words: Words) -> str:
    """Return questions that can be asked with one click."""
    if not questions:
        return ""
    chips = [button(escape(q), act="example", class_="chip", data_text=q) for q in questions]
    lead = text("span", words("ask.examples"), class_="meta")
    return element("p", lead, *chips, class_="suggestions")


def welcome(words: Words, *, documents: bool) -> str:
    """Return what stands in an empty conversation."""
    title = text("h2", words("ask.welcome"))
    if documents:
        return empty(icon("ask"), title, text("p", words("ask.welcome_text")))
    label = escape(words("ask.go_documents"))
    go = button(label, act="go", class_="primary", data_tab="documents")
    return empty(icon("ask"), title, text("p", words("ask.empty_no_documents")), go)
