"""Where a quote stands in a text, by its letters (see `core.text.letters`)."""

from core.text.letters import letters, letters_with_offsets

_LEAST_LETTERS = 4
"""So many letters of a quote must stand at the edge of a text to count as its beginning or end."""
_EDGE = 2_000
"""No quote has more letters on one of two pages."""


def quote_marks(text: str, quote: str) -> tuple[tuple[int, int], ...]:
    """Return where `quote` stands in the text of a page, as (start, end); `()` if it does not.

    Of a quote that runs over a page break, the text of one of the pages has the end or the
    beginning: then that part is marked, at the very edge of the text.
    """
    wanted = letters(quote)
    key, offsets = letters_with_offsets(text)
    if not wanted or not key:
        return ()
    found = key.find(wanted)
    if found >= 0:
        return (_span(text, offsets, found, found + len(wanted)),)
    for size in range(min(len(wanted) - 1, len(key), _EDGE), _LEAST_LETTERS - 1, -1):
        if key.endswith(wanted[:size]):
            return (_span(text, offsets, len(key) - size, len(key)),)
        if key.startswith(wanted[-size:]):
            return (_span(text, offsets, 0, size),)
    return ()


def _span(text: str, offsets: list[int], first: int, last: int) -> tuple[int, int]:
    """Return the characters of some letters, with the punctuation that closes them."""
    end = offsets[last - 1] + 1
    while end < len(text) and not text[end].isspace() and not text[end].isalnum():
        end += 1
    return offsets[first], end
