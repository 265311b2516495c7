"""Opening the page that proves a citation, or any other page of a learner's document."""

import logging
from collections.abc import Sequence

from app.components.evidence import Evidence, PageView
from app.outline import OutlineLine, Outlines, current, headings_above, line_of
from core.assistant import PDFLearningAssistant
from core.domain.answer import Answer, Box, Citation
from core.domain.document import Document, Page, ReaderName, TextSource
from core.domain.memory import MemoryHit, MemoryKind
from core.errors import DocumentError, NotFoundError
from core.text.locate import quote_marks

logger = logging.getLogger(__name__)

FIGURES_DRAWN = 4  # of those recalled at once
FIGURE_WIDTH = 480  # pixels
IMAGE_WIDTH = 1100  # pixels: twice the width of the panel on a common screen
IMAGELESS = (ReaderName.PYPDF, ReaderName.MARKITDOWN)


def find_citation(answer: Answer, number: int) -> Citation:
    """Return the citation with this number. Raises `NotFoundError`."""
    for citation in answer.citations:
        if citation.number == number:
            return citation
    raise NotFoundError()


def find_document(assistant: PDFLearningAssistant, document_id: str) -> Document:
    """Return a document of this learner. Raises `NotFoundError`."""
    for document in assistant.documents():
        if document.id == document_id:
            return document
    raise NotFoundError()


def _page(assistant: PDFLearningAssistant, document: Document, number: int) -> Page | None:
    """Return a page, None for one that has not been read yet."""
    try:
        return assistant.page(document.id, number)
    except NotFoundError:
        if not document.unread or not 1 <= number <= document.pages:
            raise
        return None


def _view(
    assistant: PDFLearningAssistant,
    document: Document,
    number: int,
    lines: tuple[OutlineLine, ...],
    citation: Citation | None = None,
) -> PageView:
    page = _page(assistant, document, number)
    cited = citation if citation is not None and number in citation.pages else None
    if page is not None and page.source is TextSource.CONVERTED:
        own = headings_above(lines, current(lines, number))
        return PageView(
            number=number,
            label=page.label,
            image=None,
            page=page,
            marks=quote_marks(page.text, cited.quote) if cited else (),
            heading_path=(cited.heading_path if cited else ()) or own,
        )
    if document.reader in IMAGELESS:
        if page is None:
            return PageView(number=number, label=None, image=None, unread=True)
        return PageView(number=number, label=page.label, image=None, text=page.text)
    marked = [box for box in (cited.boxes if cited else ()) if box.page == number]
    return PageView(
        number=number,
        label=page.label if page else None,
        image=assistant.page_image(document.id, number, width=IMAGE_WIDTH, boxes=marked),
        mark=_top(marked, page),
        unread=page is None,
    )


def _top(marked: list[Box], page: Page | None) -> float | None:
    """Return where the highlight begins, from 0 at the top to 1 at the bottom of the page."""
    return min(box.y0 for box in marked) / page.height if marked and page else None


def open_citation(
    assistant: PDFLearningAssistant,
    outlines: Outlines,
    question_id: str,
    number: int,
    *,
    page: int | None = None,
    entry: int | None = None,
) -> Evidence:
    """Return the pages of a citation's quote, or `page` of its document with the quote beside it.

    `entry` is the line of the table of contents that led there. Raises `NotFoundError` when the
    answer or the document is not this learner's or is gone.
    """
    citation = find_citation(assistant.question(question_id).answer, number)
    document = find_document(assistant, citation.document_id)
    pages = citation.pages if page is None or page in citation.pages else (page,)
    lines = outlines.of(assistant, document)
    here = pages == citation.pages and entry is None
    return Evidence(
        document_id=document.id,
        document=document.title,
        pages=document.pages,
        views=tuple(_view(assistant, document, p, lines, citation) for p in pages),
        citation=citation,
        question_id=question_id,
        on_quote=pages == citation.pages,
        outline=lines,
        current=line_of(lines, citation) if here else current(lines, pages[0], entry),
    )


def open_page(
    assistant: PDFLearningAssistant,
    outlines: Outlines,
    document_id: str,
    page: int,
    *,
    entry: int | None = None,
) -> Evidence:
    """Return one page of a document; `entry` as above. Raises `NotFoundError`."""
    document = find_document(assistant, document_id)
    if not 1 <= page <= document.pages:
        raise NotFoundError()
    lines = outlines.of(assistant, document)
    return Evidence(
        document_id=document.id,
        document=document.title,
        pages=document.pages,
        views=(_view(assistant, document, page, lines),),
        outline=lines,
        current=current(lines, page, entry),
    )


def figure_images(assistant: PDFLearningAssistant, hits: Sequence[MemoryHit]) -> dict[str, bytes]:
    """Return the first figures among what was recalled as PNG, by memory id."""
    seen = [hit.memory.id for hit in hits if hit.memory.kind is MemoryKind.PERCEPTUAL]
    found = {}
    for memory_id in seen[:FIGURES_DRAWN]:
        try:
            found[memory_id] = assistant.figure_image(memory_id, width=FIGURE_WIDTH)
        except (DocumentError, NotFoundError) as error:
            logger.info("A figure cannot be drawn, its caption stands alone: %s", error)
    return found
