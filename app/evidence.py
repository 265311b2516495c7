"""Opening the page that proves a citation, or any other page of a learner's document."""

from collections.abc import Sequence

from app.components.evidence import Evidence, PageView
from core.assistant import PDFLearningAssistant
from core.domain.answer import Answer, Box, Citation
from core.domain.document import Document, ReaderName
from core.errors import NotFoundError

IMAGE_WIDTH = 1100  # pixels: twice the width of the panel on a common screen


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


def _view(
    assistant: PDFLearningAssistant, document: Document, number: int, boxes: Sequence[Box]
) -> PageView:
    page = assistant.page(document.id, number)
    if document.reader is ReaderName.PYPDF:
        return PageView(number=number, label=page.label, image=None, text=page.text)
    marked = [box for box in boxes if box.page == number]
    image = assistant.page_image(document.id, number, width=IMAGE_WIDTH, boxes=marked)
    top = min(box.y0 for box in marked) / page.height if marked else None
    return PageView(number=number, label=page.label, image=image, mark=top)


def open_citation(
    assistant: PDFLearningAssistant, question_id: str, number: int, *, page: int | None = None
) -> Evidence:
    """Return the pages of a citation's quote, or `page` of its document with the quote beside it.

    Raises `NotFoundError` when the answer or the document is not this learner's or is gone.
    """
    citation = find_citation(assistant.question(question_id).answer, number)
    document = find_document(assistant, citation.document_id)
    pages = citation.pages if page is None or page in citation.pages else (page,)
    return Evidence(
        document_id=document.id,
        document=document.title,
        pages=document.pages,
        views=tuple(_view(assistant, document, p, citation.boxes) for p in pages),
        citation=citation,
        question_id=question_id,
        on_quote=pages == citation.pages,
    )


def open_page(assistant: PDFLearningAssistant, document_id: str, page: int) -> Evidence:
    """Return one page of a document. Raises `NotFoundError`."""
    document = find_document(assistant, document_id)
    if not 1 <= page <= document.pages:
        raise NotFoundError()
    return Evidence(
        document_id=document.id,
        document=document.title,
        pages=document.pages,
        views=(_view(assistant, document, page, ()),),
    )
