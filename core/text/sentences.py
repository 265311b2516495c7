"""Sentences in English and Chinese, as ranges of page text.

A sentence never crosses a heading, a list item, a table row or a line of code. It may run over a
column or a page break: then it has several ranges.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.document import Block, BlockKind, Page, TextRange
from core.text.tokens import columns, is_cjk

_TITLES = (
    "mr mrs ms dr prof st sr jr gen col lt sgt capt cmdr rev hon gov sen rep pres fig figs eq no "
    "nos vol vols pp ed eds vs cf al etc approx dept est e.g i.e u.s u.k u.n ph.d b.c a.d jan feb "
    "mar apr aug sept oct nov dec"
)
_ABBREVIATIONS = frozenset(_TITLES.split())
_END = re.compile(
    r"""(?P<cjk>[。！？；]+[”’」』）】》"']*[⁰¹²³⁴-⁹]*)"""
    r"""|(?P<latin>(?<![.!?])[.!?]++["'”’)\]]*+[⁰¹²³⁴-⁹]*+)(?=\s+["'“‘(\[]?[A-Z0-9\u2e80-\U0002ebef])"""
    r"""|(?P<mixed>(?<=[\u2e80-\U0002ebef])[!?]+["'”’)\]]*)"""
    r"""|(?P<line>\n+)"""
)
_ENUMERATOR = re.compile(r"^\(?(\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})$")
_BULLET = re.compile(r"[•▪◦‣·*–—-]\s+")
_LAST_WORD = re.compile(r"[\w.]*$")
_OPEN_ENDS = re.compile(
    r"(,|-|\b(a|an|and|as|at|by|for|from|in|is|of|on|or|that|the|their|to|was|were|which|with))$"
)
_LONGEST = 2_000
"""Characters of a sentence: what has no end is cut, or all that follows would grow with it."""
_LOOK_BACK = 100
"""So many characters before a stop tell whether it ends a sentence."""
_OPEN_WIDTH = 40
"""Columns; see `core.text.tokens.columns`."""
_CLOSED = re.compile(r"[.!?:;。！？：；…][\"'”’)\]」』）》】]*[⁰¹²³⁴-⁹]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence (or table row, heading, list item, code line) with where it stands."""

    text: str
    ranges: tuple[TextRange, ...]
    kind: BlockKind
    level: int = 0

    @property
    def page(self) -> int:
        """The physical page on which it begins."""
        return self.ranges[0].page


def _is_abbreviation(before: str) -> bool:
    match = _LAST_WORD.search(before)
    word = match.group().lower() if match else ""
    return word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha()) or word.endswith(".com")


def _inside_brackets(before: str) -> bool:
    opened = before.count("（") + before.count("(")
    return opened > before.count("）") + before.count(")")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the (start, end) of the sentences of a text, without white space and bullets."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if match.lastgroup == "latin":
            before = text[max(start, match.start() - _LOOK_BACK) : match.start()]
            if match.group().startswith(".") and (
                _is_abbreviation(before) or _ENUMERATOR.match(before.strip())
            ):
                continue
        elif match.group().startswith("；") and _inside_brackets(
            text[max(start, match.start() - _LONGEST) : match.start()]
        ):
            continue
        _append(spans, text, start, match.end())
        start = match.end()
    _append(spans, text, start, len(text))
    return spans


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip())
    if bullet := _BULLET.match(text, start, end):
        start = bullet.end()
    if start < end:
        spans.append((start, end))


def _cut(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the spans, those that are too long in parts, cut at white space where there is any."""
    for start, end in spans:
        while end - start > _LONGEST:
            space = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST)
            cut = start + _LONGEST if space < 0 else space
            yield start, cut
            start = cut if space < 0 else cut + 1
        yield start, end


def closes(text: str) -> bool:
    """Tell whether a text ends as a sentence may: with a stop, a colon or a semicolon."""
    return _CLOSED.search(text) is not None


def _joiner(left: str, right: str) -> str:
    return "" if is_cjk(left[-1:] or " ") and is_cjk(right[:1] or " ") else " "


def _continues(previous: Sentence, width: int, page: Page, block: Block) -> bool:
    """Tell whether a paragraph goes on with the sentence that the previous one left open.

    `width` is that of the previous paragraph: a short one is a title, not an open sentence.
    """
    if previous.kind is not BlockKind.PARAGRAPH or block.kind is not BlockKind.PARAGRAPH:
        return False
    last = previous.ranges[-1]
    if page.number - last.page > 1 or closes(previous.text) or len(previous.text) >= _LONGEST:
        return False
    first = page.text[block.start : block.start + 1]
    inside = first.islower() or (is_cjk(first) and width >= _OPEN_WIDTH)
    return inside or bool(_OPEN_ENDS.search(previous.text))


def _block_sentences(page: Page, block: Block) -> Iterator[Sentence]:
    text = page.text[block.start : block.end]
    spans = [(0, len(text))] if block.kind is BlockKind.HEADING else sentence_spans(text)
    for start, end in _cut(text, spans):
        yield Sentence(
            text=text[start:end].replace("\n", " "),
            ranges=(TextRange(page=page.number, start=block.start + start, end=block.start + end),),
            kind=block.kind,
            level=block.level,
        )


def split_pages(pages: Sequence[Page]) -> list[Sentence]:
    """Return the sentences of consecutive pages in reading order.

    A sentence left open at the end of a paragraph goes on in the next paragraph when that begins
    in lower case or with a CJK character, or when it ends in a word that cannot end one: so it
    does over columns and page breaks.
    """
    out: list[Sentence] = []
    width = 0
    for page in pages:
        blocks = page.blocks or (Block(kind=BlockKind.PARAGRAPH, start=0, end=len(page.text)),)
        for block in blocks:
            for i, sentence in enumerate(_block_sentences(page, block)):
                if i == 0 and out and _continues(out[-1], width, page, block):
                    head = out.pop()
                    sentence = Sentence(
                        text=head.text + _joiner(head.text, sentence.text) + sentence.text,
                        ranges=head.ranges + sentence.ranges,
                        kind=head.kind,
                        level=0,
                    )
                out.append(sentence)
            width = columns(page.text[block.start : block.end])
    return out
