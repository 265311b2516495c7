"""Answers and passages as the knowledge tool tells them."""

from collections.abc import Mapping, Sequence

from core.domain.answer import Citation, CitationState, Passage
from core.domain.document import Document, ReaderName, TextSource
from core.rag.asking import Finished
from core.tools.texts import shortened
from core.tools.texts_rag import say

_PREVIEW = 200
_SHORTEST = 20
"""A quote is never cut below so many characters."""


def answer_told(
    finished: Finished, language: str, *, limit: int, cite: bool, max_chars: int
) -> str:
    """Return an answer with its sources: name, page and quote of each number in its text.

    `limit` bounds what is listed, but every number of the text has its source; `max_chars` bounds
    all quotes together.
    """
    draft = finished.draft
    lines = [draft.text]
    if draft.detail:
        lines.append(f"({draft.detail})")
    citations = [
        c for n, c in enumerate(draft.citations) if n < limit or f"[{c.number}]" in draft.text
    ]
    if cite and citations:
        lines += ["", say("sources", language)]
        each = max(_SHORTEST, max_chars // len(citations))
        lines += [_source(citation, each, language) for citation in citations]
    if draft.removed:
        lines.append(say("removed", language, n=draft.removed))
    return "\n".join(lines)


def _source(citation: Citation, most: int, language: str) -> str:
    converted = citation.source is TextSource.CONVERTED
    place = _place(citation.page, citation.page_label, language, converted=converted)
    key = "source" if citation.state is CitationState.EXACT else "source_partly"
    return say(
        key,
        language,
        n=citation.number,
        name=citation.document,
        place=place,
        quote=shortened(citation.quote, most),
    )


def passages_told(
    passages: Sequence[Passage],
    documents: Mapping[str, Document],
    language: str,
    *,
    cite: bool,
    max_chars: int,
) -> str:
    """Return passages as a numbered list, best first, with name, page and score where `cite`.

    `max_chars` bounds the text of all together, 200 characters that of each.
    """
    lines = [say("found" if len(passages) > 1 else "found_one", language, n=len(passages))]
    left = max_chars
    for number, passage in enumerate(passages, start=1):
        text = shortened(passage.text, min(_PREVIEW, max(left, 0)))
        left -= len(text)
        document = documents.get(passage.document_id)
        if not cite:
            lines.append(f"{number}. {text}")
            continue
        converted = document is not None and document.reader is ReaderName.MARKITDOWN
        place = _place(passage.page, passage.page_label, language, converted=converted)
        if passage.heading_path:
            place += f" ({' > '.join(passage.heading_path)})"
        head = say(
            "passage", language, n=number, name=passage.document, place=place, score=passage.score
        )
        lines += [head, f"   {text}"]
    return "\n".join(lines)


def _place(page: int, label: str | None, language: str, *, converted: bool) -> str:
    place = say("part" if converted else "page", language, n=page)
    return place if converted or label in (None, str(page)) else f"{place} (p. {label})"
