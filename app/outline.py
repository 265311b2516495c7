"""A document's table of contents, with the printed number of each page it leads to."""

from dataclasses import dataclass
from threading import Lock

from core.assistant import PDFLearningAssistant
from core.domain.answer import Citation
from core.domain.document import Document, OutlineEntry
from core.errors import NotFoundError
from core.text.letters import letters


@dataclass(frozen=True, slots=True)
class OutlineLine:
    """One line; `label` is the printed number of its page, None without one."""

    entry: OutlineEntry
    label: str | None


class Outlines:
    """The table of contents of the document a learner reads, kept while pages are turned.

    Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: tuple[Document, tuple[OutlineLine, ...]] | None = None

    def of(self, assistant: PDFLearningAssistant, document: Document) -> tuple[OutlineLine, ...]:
        """Return the lines of a document, in its order; `()` if it has none."""
        with self._lock:
            kept = self._kept
        if kept is not None and kept[0] == document:
            return kept[1]
        labels = {
            page: _label(assistant, document, page)
            for page in {entry.page for entry in document.outline}
        }
        lines = tuple(OutlineLine(entry, labels[entry.page]) for entry in document.outline)
        with self._lock:
            self._kept = (document, lines)
        return lines


def _label(assistant: PDFLearningAssistant, document: Document, page: int) -> str | None:
    try:
        return assistant.page(document.id, page).label
    except NotFoundError:  # not read yet
        return None


def current(lines: tuple[OutlineLine, ...], page: int, chosen: int | None = None) -> int | None:
    """Return the index of the line that `page` belongs to, None before the first.

    `chosen` is the line that was clicked; it counts while its page is shown. Of several lines on
    the page the first one counts, since it is in view.
    """
    if chosen is not None and 0 <= chosen < len(lines) and lines[chosen].entry.page == page:
        return chosen
    on_page = [i for i, line in enumerate(lines) if line.entry.page == page]
    if on_page:
        return on_page[0]
    before = [i for i, line in enumerate(lines) if line.entry.page < page]
    return max(before, key=lambda i: (lines[i].entry.page, i), default=None)


def line_of(lines: tuple[OutlineLine, ...], citation: Citation) -> int | None:
    """Return the index of the line a quote stands under: its own heading if that is a line."""
    heading = letters(citation.heading_path[-1]) if citation.heading_path else ""
    named = [
        i
        for i, line in enumerate(lines)
        if heading and line.entry.page <= citation.page and letters(line.entry.title) == heading
    ]
    return named[-1] if named else current(lines, citation.page)


def headings_above(lines: tuple[OutlineLine, ...], index: int | None) -> tuple[str, ...]:
    """Return the headings a line stands under, outermost first, with its own."""
    if index is None:
        return ()
    path = [lines[index].entry]
    for line in reversed(lines[:index]):
        if line.entry.level < path[0].level:
            path.insert(0, line.entry)
    return tuple(entry.title for entry in path)
