"""HTML of the evidence: the page with the quote highlighted on it, and the quote as text."""

import base64
from dataclasses import dataclass

from app.components.icons import icon
from app.i18n import Words
from app.presenters import escape, page_label, shorten
from core.domain.answer import Citation, CitationState

ALT_LENGTH = 300  # characters of a quote in an image's alternative text


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """A page to look at. `image` is a PNG; without one the page's `text` is shown instead.

    `mark` is where the highlight begins, from 0 at the top to 1 at the bottom of the page.
    """

    number: int
    label: str | None
    image: bytes | None
    text: str = ""
    mark: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The open pages of one document, and the citation they belong to, if any.

    `question_id` names the stored answer of the citation; `on_quote` says that the pages shown
    are those of the quote.
    """

    document_id: str
    document: str
    pages: int
    views: tuple[PageView, ...]
    citation: Citation | None = None
    question_id: str = ""
    on_quote: bool = False


def _turn(evidence: Evidence, words: Words, *, act: str, page: int) -> str:
    cite = evidence.citation
    link = (
        f' data-question="{escape(evidence.question_id)}" data-number="{cite.number}"'
        if cite
        else ""
    )
    off = "" if 1 <= page <= evidence.pages else " disabled"
    label = escape(words(f"evidence.{act}"))
    return (
        f'<button type="button" class="turn" id="page-{act}" data-act="open_page" data-page="{page}"'
        f' data-document="{escape(evidence.document_id)}"{link} aria-label="{label}"'
        f' title="{label}"{off}>{icon(act)}</button>'
    )


def _head(evidence: Evidence, words: Words) -> str:
    first, last = evidence.views[0], evidence.views[-1]
    place = page_label(first.number, first.label, words)
    if last.number != first.number:
        place = f"{place} – {page_label(last.number, last.label, words)}"
    return f"""<header class="evidence-head"><div><h2 title="{escape(evidence.document)}">{escape(evidence.document)}</h2>
<p class="meta"><span id="evidence-page">{escape(place)}</span> {escape(words("evidence.of", pages=evidence.pages))}</p></div>
<nav>{_turn(evidence, words, act="previous", page=first.number - 1)}{_turn(evidence, words, act="next", page=last.number + 1)}
<button type="button" class="turn close-evidence" data-close="evidence" aria-label="{words("app.close")}">{icon("close")}</button></nav></header>"""


def _page(view: PageView, evidence: Evidence, words: Words) -> str:
    if view.image is None:
        text = escape(view.text) if view.text.strip() else escape(words("evidence.no_text"))
        return f'<div class="page-text" data-page-shown="{view.number}">{text}</div>'
    cite = evidence.citation
    values = {"page": view.number, "document": evidence.document}
    if cite and evidence.on_quote:
        quote = shorten(cite.quote, ALT_LENGTH)
        alt = words("evidence.alt_quote", quote=quote, **values)
    else:
        alt = words("evidence.alt_page", **values)
    data = base64.b64encode(view.image).decode()
    mark = "" if view.mark is None else f' data-mark="{view.mark:.3f}"'
    return (
        f'<img class="page-image" data-page-shown="{view.number}"{mark} alt="{escape(alt)}"'
        f' src="data:image/png;base64,{data}">'
    )


def _quote(evidence: Evidence, words: Words) -> str:
    cite = evidence.citation
    if cite is None:
        return ""
    state = "exact" if cite.state is CitationState.EXACT else "partial"
    back = ""
    if not evidence.on_quote:
        back = (
            f'<button type="button" class="link" data-act="open_citation" data-number="{cite.number}"'
            f' data-question="{escape(evidence.question_id)}">{words("evidence.back")}</button>'
        )
    return f"""<figure class="quote"><blockquote id="evidence-quote">{escape(cite.quote)}</blockquote>
<figcaption><span class="number">{cite.number}</span>
<span class="state state-{state}" id="evidence-state" title="{escape(words(f"evidence.{state}"))}">{icon(state)}{escape(words(f"evidence.{state}_short"))}</span>
<span class="meta">{escape(words("evidence.score", score=f"{cite.score:.2f}"))}</span>{back}</figcaption></figure>"""


def evidence_html(evidence: Evidence, words: Words) -> str:
    """Return the evidence panel."""
    no_boxes = ""
    if any(view.image is None for view in evidence.views):
        no_boxes = f'<p class="warning">{icon("warning")}{escape(words("evidence.no_boxes"))}</p>'
    pages = "".join(_page(view, evidence, words) for view in evidence.views)
    return (
        f'<section class="evidence" aria-label="{words("evidence.title")}">'
        f"{_head(evidence, words)}{_quote(evidence, words)}{no_boxes}"
        f'<div class="pages">{pages}</div></section>'
    )


def evidence_empty(words: Words, *, documents: bool) -> str:
    """Return the panel before anything is open."""
    key = "ask.empty" if documents else "ask.empty_no_documents"
    return (
        f'<section class="evidence evidence-empty" aria-label="{words("evidence.title")}">'
        f'<div class="empty">{icon("read")}<p>{words(key)}</p></div></section>'
    )
