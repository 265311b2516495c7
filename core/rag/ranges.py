"""Stretches of page text that sentences cover."""

from collections.abc import Mapping, Sequence

from core.domain.document import TextRange
from core.text.sentences import Sentence


def merged_ranges(sentences: Sequence[Sentence]) -> tuple[TextRange, ...]:
    """Return the stretches of page text that the sentences cover, neighbours joined."""
    out: list[TextRange] = []
    for sentence in sentences:
        for where in sentence.ranges:
            last = out[-1] if out else None
            if last is not None and last.page == where.page and 0 <= where.start - last.end <= 2:
                out[-1] = TextRange(page=last.page, start=last.start, end=where.end)
            else:
                out.append(where)
    return tuple(out)


def slices(ranges: Sequence[TextRange], texts: Mapping[int, str]) -> str:
    """Return the text of ranges, joined by line breaks; `texts` are page texts by number."""
    return "\n".join(texts[r.page][r.start : r.end] for r in ranges)
