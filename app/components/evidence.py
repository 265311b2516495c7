"""HTML of the evidence: the page with the quote highlighted on it, and the quote as text."""

import base64
from dataclasses import dataclass

from app.components.converted import converted_page_html
from app.components.elements import button, element, empty, text
from app.components.icons import icon
from app.i18n import Words
from app.outline import OutlineLine
from app.presenters import escape, page_label, shorten
from core.domain.answer import Answer, Citation
from core.domain.document import Page, TextSource

ALT_LENGTH = 300  # characters of a quote in an image's alternative text


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """A page to look at. `image` is a PNG; without one the page's `text` is shown instead.

    `mark` is where the highlight begins, from 0 at the top to 1 at the bottom of the page. A part
    of a converted document comes as `page` with the `marks` of the quote in its text (see
    `core.text.locate`) and the `heading_path` to show instead of a page number. `unread` says that
    its text has not been read yet.
    """

    number: int
    label: str | None
    image: bytes | None
    text: str = ""
    mark: float | None = None
    page: Page | None = None
    marks: tuple[tuple[int, int], ...] = ()
    heading_path: tuple[str, ...] = ()
    unread: bool = False

    @property
    def converted(self) -> Page | None:
        """The part of a converted document that is shown, if it is one."""
        page = self.page
        return page if page is not None and page.source is TextSource.CONVERTED else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The open pages of one document, and the citation they belong to, if any.

    `question_id` names the stored answer of the citation; `on_quote` says that the pages shown
    are those of the quote. `current` is the index of the line of the `outline` that is shown.
    """

    document_id: str
    document: str
    pages: int
    views: tuple[PageView, ...]
    citation: Citation | None = None
    question_id: str = ""
    on_quote: bool = False
    outline: tuple[OutlineLine, ...] = ()
    current: int | None = None


def _turn(evidence: Evidence, words: Words, *, way: str, page: int) -> str:
    cite = evidence.citation
    return button(
        icon(way),
        act="open_page",
        class_="turn",
        id=f"page-{way}",
        data_page=page,
        data_document=evidence.document_id,
        data_question=evidence.question_id if cite else None,
        data_number=cite.number if cite else None,
        aria_label=words(f"evidence.{way}"),
        title=words(f"evidence.{way}"),
        disabled=not 1 <= page <= evidence.pages,
    )


def _place(evidence: Evidence, words: Words) -> str:
    """Return the numbers of the pages, or of the parts."""
    first, last = evidence.views[0], evidence.views[-1]
    if first.converted:
        numbers = f"{first.number}–{last.number}" if last is not first else str(first.number)
        return words("evidence.part", part=numbers)
    place = page_label(first.number, first.label, words)
    if last.number != first.number:
        place = f"{place} – {page_label(last.number, last.label, words)}"
    return place


def _head(evidence: Evidence, words: Words) -> str:
    first, last = evidence.views[0], evidence.views[-1]
    place = _place(evidence, words)
    of_all = words("evidence.of_parts" if first.converted else "evidence.of", pages=evidence.pages)
    path = " › ".join(first.heading_path)
    close = element(
        "button",
        icon("close"),
        type="button",
        class_="turn close-evidence",
        data_close="evidence",
        aria_label=words("app.close"),
    )
    return element(
        "header",
        element(
            "div",
            text("h2", evidence.document, title=evidence.document),
            element(
                "p", text("span", place, id="evidence-page"), " ", escape(of_all), class_="meta"
            ),
            text("p", path, class_="meta heading-path", title=path) if path else "",
        ),
        element(
            "nav",
            _turn(evidence, words, way="previous", page=first.number - 1),
            _turn(evidence, words, way="next", page=last.number + 1),
            close,
        ),
        class_="evidence-head",
    )


def _page(view: PageView, evidence: Evidence, words: Words) -> str:
    if view.converted:
        return converted_page_html(view.converted, view.marks)
    if view.image is None:
        missing = words("evidence.not_read" if view.unread else "evidence.no_text")
        shown = view.text if view.text.strip() else missing
        return text("div", shown, class_="page-text", data_page_shown=view.number)
    cite = evidence.citation
    values: dict[str, object] = {"page": view.number, "document": evidence.document}
    if cite and evidence.on_quote:
        alt = words("evidence.alt_quote", quote=shorten(cite.quote, ALT_LENGTH), **values)
    else:
        alt = words("evidence.alt_page", **values)
    return element(
        "img",
        class_="page-image",
        data_page_shown=view.number,
        data_mark=None if view.mark is None else f"{view.mark:.3f}",
        alt=alt,
        src=f"data:image/png;base64,{base64.b64encode(view.image).decode()}",
    )


def _quote(evidence: Evidence, words: Words) -> str:
    cite = evidence.citation
    if cite is None:
        return ""
    state = cite.state.value
    recognised = ""
    if cite.source is TextSource.OCR:
        recognised = text(
            "span",
            words("evidence.recognised"),
            class_="recognised",
            title=words("evidence.recognised_help"),
        )
    back = button(
        escape(words("evidence.back")),
        act="open_citation",
        class_="link",
        data_question=evidence.question_id,
        data_number=cite.number,
    )
    copy = element(
        "button",
        icon("copy"),
        text("span", words("evidence.copy"), aria_live="polite"),
        type="button",
        class_="copy",
        data_copy="evidence-quote",
        data_copied=words("evidence.copied"),
    )
    caption = element(
        "figcaption",
        text("span", cite.number, class_="number"),
        element(
            "span",
            icon(state),
            escape(words(f"evidence.{state}_short")),
            id="evidence-state",
            class_=f"state state-{state}",
            title=words(f"evidence.{state}"),
        ),
        recognised,
        text("span", words("evidence.score", score=f"{cite.score:.2f}"), class_="meta"),
        "" if evidence.on_quote else back,
        copy,
    )
    quote = text("blockquote", cite.quote, id="evidence-quote")
    return element("figure", quote, caption, class_="quote")


def _outline_line(evidence: Evidence, index: int, words: Words) -> str:
    line, cite = evidence.outline[index], evidence.citation
    page = str(line.entry.page)
    if line.label not in (None, "", page):
        page = words("evidence.contents_page", label=line.label, page=page)
    here = index == evidence.current
    return element(
        "li",
        button(
            text("span", line.entry.title, class_="outline-title")
            + text("span", page, class_="outline-page"),
            act="open_page",
            data_document=evidence.document_id,
            data_page=line.entry.page,
            data_entry=index,
            data_question=evidence.question_id if cite else None,
            data_number=cite.number if cite else None,
            aria_current="true" if here else None,
        ),
        class_=f"level-{line.entry.level}",
    )


def _outline(evidence: Evidence, words: Words) -> str:
    """Return the table of contents; it is open for reading and closed beside a quote."""
    if not evidence.outline:
        return ""
    here = evidence.current
    told = here is None or evidence.views[0].heading_path  # stands in the head already
    title = "" if told or here is None else evidence.outline[here].entry.title
    return element(
        "details",
        element(
            "summary",
            icon("contents"),
            text("span", words("evidence.contents")),
            text("span", title, class_="outline-here"),
        ),
        element("ol", *(_outline_line(evidence, i, words) for i in range(len(evidence.outline)))),
        class_="outline",
        id="outline",
        open=evidence.citation is None,
        data_key=f"outline-{'quote' if evidence.citation else 'read'}",
    )


def _told(evidence: Evidence, words: Words) -> str:
    """Return what must be said about the pages: not read yet, or without highlights."""
    if any(view.unread and view.image for view in evidence.views):
        told = words("evidence.not_read")
    elif any(not (view.image or view.converted or view.unread) for view in evidence.views):
        told = words("evidence.no_boxes")
    else:
        return ""
    return element("p", icon("warning"), escape(told), class_="warning")


def evidence_html(evidence: Evidence, words: Words) -> str:
    """Return the evidence panel."""
    cite = evidence.citation
    place = [evidence.document_id, evidence.views[0].number, cite.number if cite else ""]
    return element(
        "section",
        _head(evidence, words),
        _quote(evidence, words),
        _outline(evidence, words),
        _told(evidence, words),
        element(
            "div",
            *(_page(v, evidence, words) for v in evidence.views),
            class_="pages",
            tabindex="0",  # it scrolls, also by keyboard
            role="region",
            aria_label=words("evidence.pages"),
            data_place=" ".join(map(str, [*place, evidence.question_id])),
        ),
        class_="evidence",
        aria_label=words("evidence.title"),
    )


def _nothing_open(answer: Answer | None) -> str:
    if answer is not None and answer.memories:
        return "ask.empty_remembered"
    nearest = answer.refusal.nearest if answer and answer.refusal else ()
    return "ask.empty_refused" if nearest else "ask.empty"


def evidence_empty(words: Words, *, documents: bool, answer: Answer | None = None) -> str:
    """Return the panel before anything is open. `answer` has no citation that could be."""
    told = text("p", words(_nothing_open(answer) if documents else "ask.empty_no_documents"))
    return element(
        "section",
        empty(icon("read"), told),
        class_="evidence evidence-empty",
        aria_label=words("evidence.title"),
    )
