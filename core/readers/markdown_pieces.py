"""Markdown, as MarkItDown or a person wrote it, to pieces of plain text."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.domain.document import BlockKind
from core.readers.markdown_pages import Piece, row_text
from core.text.clean import clean
from core.text.tokens import is_cjk

_SLIDE = re.compile(r"<!-- Slide number: \d+ -->")
_UNDERLINE = re.compile(r"(?<!\\)</?u>")
_INLINE_PICTURE = re.compile(r"!\[([^\]]*)\]\(data:[^)\s]*\)")
_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)\n", re.S)
_DISPLAY_FORMULA = re.compile(r"\$\$.+\$\$", re.S)
_NO_CAPTION = re.compile(
    r"(picture|image|graphic|content placeholder|google shape;.*|图片|圖片|图像|内容占位符)"
    r"[\s;\d]*|\S+\.(png|jpe?g|gif|bmp|tiff?|emf|wmf|svg)",
    re.I,
)
_BULLET = "• "


class Dialect(StrEnum):
    """How much of a text is Markdown.

    `WRITTEN` by a person: everything. `ESCAPED` from HTML: everything, with `<u>` for underlines.
    `RAW` from slides and PDFs: headings, tables, pictures and lists; the rest is the document's own
    text, not escaped. `SLIDES`: the same, and each line is a paragraph.
    """

    WRITTEN = "written"
    ESCAPED = "escaped"
    RAW = "raw"
    SLIDES = "slides"


_NOT_RAW = ("code", "fence", "blockquote", "lheading", "reference", "hr")
_NOT_RAW_INLINE = ("emphasis", "strikethrough", "backticks", "link", "autolink", "entity")


def _parser(dialect: Dialect) -> MarkdownIt:
    # No HTML: tags in a text are text.
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    if dialect is Dialect.ESCAPED:
        parser.disable(["code"])
    elif dialect is not Dialect.WRITTEN:
        parser.disable([*_NOT_RAW, *_NOT_RAW_INLINE])
    return parser


def _join(left: str, right: str) -> str:
    """Join two lines of a paragraph: no space between two CJK characters."""
    gap = "" if is_cjk(left[-1:] or " ") and is_cjk(right[:1] or " ") else " "
    return f"{left}{gap}{right}"


def _inline(token: Token | None, *, line_break: str = "\n") -> str:
    """Return the text of an inline token; `line_break` stands for a forced one."""
    lines = [""]
    joins = False
    for child in (token.children or ()) if token else ():
        if child.type in ("softbreak", "hardbreak"):
            if child.type == "hardbreak" and line_break == "\n":
                lines.append("")
            else:
                joins = True
            continue
        text = child.content
        if child.type == "image":
            text = "" if _NO_CAPTION.fullmatch(text.strip()) else text
        elif child.type not in ("text", "code_inline", "text_special"):
            continue
        lines[-1] = _join(lines[-1].rstrip(), text.lstrip()) if joins else lines[-1] + text
        joins = False
    return "\n".join(stripped for line in lines if (stripped := clean(line).strip()))


def _table(tokens: Sequence[Token]) -> Iterator[Piece]:
    """Yield a table. HTML tables without header cells come with an empty first row."""
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_inline(token, line_break=" ").replace("\n", " "))
    yield from table_piece(rows)


def table_piece(rows: Sequence[Sequence[str]]) -> Iterator[Piece]:
    """Yield the table of the rows; the first one with every cell filled is its header.

    Empty rows fall away. One column is no table but a list of paragraphs.
    """
    filled = [row for row in rows if any(row)]
    width = max((len(row) for row in filled), default=0)
    if width == 1:
        for row in filled:
            yield Piece(kind=BlockKind.PARAGRAPH, lines=(row[0],))
    elif filled:
        has_header = len(filled) > 1 and len(filled[0]) == width and all(filled[0])
        yield Piece(
            kind=BlockKind.TABLE,
            lines=tuple(row_text(row) for row in filled),
            level=1 if has_header else 0,
        )


def code_lines(text: str) -> tuple[str, ...]:
    """Return the lines of code as they stand, without control characters and trailing spaces."""
    kept = "".join(c for c in text.expandtabs(4) if c >= " " or c == "\n")
    return tuple(line.rstrip() for line in kept.strip("\n").split("\n"))


class _Lists:
    """The markers of the lists that are open."""

    def __init__(self) -> None:
        self._counters: list[int | None] = []
        self.marker = ""

    def see(self, token: Token) -> None:
        if token.type == "bullet_list_open":
            self._counters.append(None)
        elif token.type == "ordered_list_open":
            self._counters.append(int(token.attrs.get("start", 1)))
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._counters.pop()
        elif token.type == "list_item_open":
            number = self._counters[-1]
            self.marker = _BULLET if number is None else f"{number}. "
            if number is not None:
                self._counters[-1] = number + 1

    @property
    def open(self) -> bool:
        return bool(self._counters)

    def take(self) -> str:
        marker, self.marker = self.marker, ""
        return marker


def _paragraph(token: Token, lists: _Lists, dialect: Dialect) -> Iterator[Piece]:
    if lists.open:
        if text := _inline(token):
            yield Piece(kind=BlockKind.LIST, lines=(lists.take() + text,))
        return
    for part in _lines_of(token) if dialect is Dialect.SLIDES else (token,):
        if text := _inline(part):
            formula = _DISPLAY_FORMULA.fullmatch(text)
            kind = BlockKind.FORMULA if formula else BlockKind.PARAGRAPH
            yield Piece(kind=kind, lines=(text,))


def _lines_of(token: Token) -> Iterator[Token]:
    line: list[Token] = []
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            yield Token("inline", "", 0, children=line)
            line = []
        else:
            line.append(child)
    yield Token("inline", "", 0, children=line)


def _pieces(markdown: str, dialect: Dialect) -> Iterator[Piece]:
    tokens = _parser(dialect).parse(markdown)
    lists = _Lists()
    i = 0
    while i < len(tokens):
        token = tokens[i]
        lists.see(token)
        if token.type == "heading_open":
            if text := _inline(tokens[i + 1], line_break=" ").replace("\n", " "):
                yield Piece(kind=BlockKind.HEADING, lines=(text,), level=int(token.tag[1]))
            i += 2
        elif token.type == "table_open":
            end = next(j for j in range(i, len(tokens)) if tokens[j].type == "table_close")
            yield from _table(tokens[i:end])
            i = end
        elif token.type in ("fence", "code_block") and token.content.strip():
            yield Piece(kind=BlockKind.CODE, lines=code_lines(token.content))
        elif token.type == "inline":
            yield from _paragraph(token, lists, dialect)
        i += 1


def pieces_of(markdown: str, dialect: Dialect) -> Iterator[Piece]:
    """Yield the pieces of a Markdown text in order."""
    markdown = markdown.replace("\r\n", "\n").replace("\r", "\n")
    if dialect is Dialect.SLIDES:
        for slide in _SLIDE.split(markdown)[1:]:
            yield Piece(breaks=True)
            yield from _pieces(slide, dialect)
        return
    if dialect is Dialect.ESCAPED:
        markdown = _INLINE_PICTURE.sub(r"\1", _UNDERLINE.sub("", markdown))
    elif dialect is Dialect.WRITTEN and (front := _FRONT_MATTER.match(markdown)):
        yield Piece(kind=BlockKind.CODE, lines=code_lines(front.group(1)))
        markdown = markdown[front.end() :]
    yield from _pieces(markdown, dialect)
