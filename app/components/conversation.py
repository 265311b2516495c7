"""The conversation: messages in Markdown, with citations as links that the page's script opens.

Links: `#cite-<question>-<number>` in the text, `#source-<state>-<question>-<number>` below it,
`#page-<document>-<page>` for the nearest pages of a refusal and `#note-<question>`.
"""

from collections.abc import Iterator, Sequence

from app.components.elements import button, element, empty, text
from app.components.icons import icon
from app.components.prose import quoted_answer, written_answer
from app.i18n import TEXTS, Words
from app.presenters import escape, escape_markdown, page_label, shorten
from core.domain.answer import Answer, AnswerMode, Citation
from core.domain.study import AskedQuestion

Message = dict[str, str]

NEAREST_PAGES = 3
NAME_LENGTH = 48  # characters of a document's name in a source link


def answer_text(answer: Answer) -> str:
    """Return the answer's text as Markdown.

    A quoted answer is shown letter by letter; a model's keeps lists, emphasis and code, rebuilt
    here from its words, so that it can carry no link, image or HTML.
    """
    if answer.mode is AnswerMode.GENERATED:
        return written_answer(answer)
    return quoted_answer(answer)


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
    chips = [
        button(escape(q), act="example", class_="chip", data_text=q, title=q) for q in questions
    ]
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
