"""The little Markdown of `tests/data/reading/`: its pieces, as Typst and as truth.

Known: `#` to `###`, paragraphs, `-` and `1.` lists, pipe tables under a `Table:` caption, fenced
code, and footnotes (`[^key]` at the end of a sentence, `[^key]: text` at the end of the file).
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.evals.sentences import split_sentences

NOTE = re.compile(r"\[\^(\w+)\]")
NOTE_TEXT = re.compile(r"^\[\^(\w+)\]: (.*)$", re.MULTILINE)
LONG_CELL = 24  # characters from which a column takes the room that is left
CAPTIONS = {"en": "Table", "zh": "表"}


@dataclass(slots=True)
class Piece:
    """One piece of a source; of the fields, its `kind` says which count."""

    kind: str  # heading, paragraph, item, number, table, code
    text: str = ""
    level: int = 0
    rows: list[list[str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    lang: str = ""


@dataclass(slots=True)
class Source:
    """The pieces of some files, in order, and their footnotes by key."""

    pieces: list[Piece]
    notes: dict[str, str]


def read_source(paths: list[Path]) -> Source:
    """Read Markdown files one after the other."""
    pieces: list[Piece] = []
    notes: dict[str, str] = {}
    for path in paths:
        text = path.read_text(encoding="utf-8")
        notes |= dict(NOTE_TEXT.findall(text))
        pieces += _pieces(NOTE_TEXT.sub("", text))
    return Source(pieces, notes)


def _pieces(text: str) -> Iterator[Piece]:
    parts = re.split(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    for i in range(0, len(parts), 3):
        caption = ""
        for block in re.split(r"\n{2,}", parts[i].strip()):
            if block.startswith("Table: "):
                caption = block.removeprefix("Table: ")
            else:
                yield from _block(block, caption)
        if i + 2 < len(parts):
            yield Piece("code", lines=parts[i + 2].rstrip("\n").split("\n"), lang=parts[i + 1])


def _block(block: str, caption: str) -> Iterator[Piece]:
    if heading := re.match(r"(#+) (.*)", block):
        yield Piece("heading", heading[2], level=len(heading[1]))
    elif block.startswith("|"):
        lines = [line.strip("| ").split(" | ") for line in block.splitlines()]
        yield Piece("table", caption, rows=[lines[0], *lines[2:]])
    elif re.match(r"- |\d+\. ", block):
        for line in block.splitlines():
            kind = "item" if line.startswith("-") else "number"
            yield Piece(kind, re.sub(r"^(- |\d+\. )", "", line))
    elif block:
        yield Piece("paragraph", " ".join(block.splitlines()))


def _string(text: str) -> str:
    return f"#{json.dumps(text, ensure_ascii=False)};"


def _inline(text: str, notes: dict[str, str]) -> str:
    parts = NOTE.split(text)
    out = [_string(parts[0])]
    for key, rest in zip(parts[1::2], parts[2::2], strict=True):
        out += [f"#footnote[{_string(notes[key])}]", _string(rest) if rest else ""]
    return "".join(out)


def _table(piece: Piece, style: str, *, floats: bool) -> str:
    head = piece.rows[0]
    wide = [max(len(row[i]) for row in piece.rows) >= LONG_CELL for i in range(len(head))]
    columns = ", ".join("1fr" if is_wide else "auto" for is_wide in wide)
    if all(wide):
        columns = ", ".join(["1fr"] * len(head))
    cells = [f"[{_string(cell)}]" for row in piece.rows for cell in row]
    body = f"table.header({', '.join(cells[: len(head)])}), {', '.join(cells[len(head) :])}"
    if style == "booktabs":
        lines = "table.hline(y: 0), table.hline(y: 1), "
        body = f"{lines}{body}, table.hline(y: {len(piece.rows)})"
    stroke = "0.5pt" if style == "grid" else "none"
    made = f"table(columns: ({columns},), stroke: {stroke}, align: left, {body})"
    place = ', placement: top, scope: "parent"' if floats else ""
    return f"#figure({made}, caption: [{_string(piece.text)}]{place})"


def to_typst(source: Source, style: str, *, floats: bool) -> str:
    """Return the pieces as Typst markup; tables have the `style` grid, booktabs or plain."""
    out: list[str] = []
    for piece in source.pieces:
        text = _inline(piece.text, source.notes)
        if piece.kind == "heading":
            out.append("=" * piece.level + " " + text)
        elif piece.kind == "item":
            out.append("- " + text)
        elif piece.kind == "number":
            out.append("+ " + text)
        elif piece.kind == "table":
            out.append(_table(piece, style, floats=floats))
        elif piece.kind == "code":
            code = json.dumps("\n".join(piece.lines), ensure_ascii=False)
            out.append(f'#raw(block: true, lang: "{piece.lang}", {code})')
        else:
            out.append(text)
    joined = "\n\n".join(out)
    return re.sub(r"\n\n(?=[-+] )", "\n", joined)


def truth(source: Source, language: str) -> dict[str, object]:
    """Return what a reader should find, in reading order."""
    headings = [{"level": p.level, "text": p.text} for p in source.pieces if p.kind == "heading"]
    prose = [p for p in source.pieces if p.kind in ("paragraph", "item", "number")]
    tables = [p for p in source.pieces if p.kind == "table"]
    captions = [f"{CAPTIONS[language]} {i}: {p.text}" for i, p in enumerate(tables, start=1)]
    return {
        "language": language,
        "headings": headings,
        "paragraphs": [split_sentences(NOTE.sub("", p.text)) for p in prose],
        "tables": [
            {"caption": caption, "rows": p.rows}
            for caption, p in zip(captions, tables, strict=True)
        ],
        "code": [p.lines for p in source.pieces if p.kind == "code"],
        "footnotes": [source.notes[key] for p in source.pieces for key in NOTE.findall(p.text)],
    }
