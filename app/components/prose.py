"""An answer's text as Markdown in which our own links and marks are the only active things.

Everything is escaped first; what Markdown may stay is written anew around the escaped words. The
pieces keep their place in the answer's text, so that what is doubtful there can be marked.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from app.components.elements import element, text
from app.components.remembered import thing_of
from app.i18n import Words
from app.presenters import escape_markdown
from core.domain.answer import Answer, DoubtKind

MARK = re.compile(r"\[(\d{1,3})\]")
LAST_MARK = re.compile(r"\s*\[(\d{1,3})\]$")
FENCE = re.compile(r"^\s*(?:```|~~~)[`~]*\s*(?P<rest>.*)$")
OUR_FENCE = "~" * 12  # longer than any fence that is kept inside
CODE = re.compile(r"(`[^`]+`)")
BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
ITEM = re.compile(r"^(?P<indent> {0,6})(?P<sign>[-*+]|\d{1,3}[.)])\s+(?P<words>.*)$")
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(?P<words>.*?)\s*#*$")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of the answer's text; `at` is where it begins there."""

    text: str
    at: int

    @property
    def end(self) -> int:
        return self.at + len(self.text)

    def part(self, start: int, end: int | None = None) -> "_Piece":
        return _Piece(self.text[start:end], self.at + start)

    def split(self, pattern: re.Pattern[str]) -> Iterator[tuple[bool, "_Piece"]]:
        """Yield what lies between the matches, and of each match (True) its first group."""
        last = 0
        for match in pattern.finditer(self.text):
            yield False, self.part(last, match.start())
            yield True, self.part(*match.span(1))
            last = match.end()
        yield False, self.part(last)


def _escaped(words: str) -> str:
    """Return words escaped; spaces at their ends stay, one each."""
    before = " " if words[:1].isspace() else ""
    after = " " if words[-1:].isspace() and words.strip() else ""
    return f"{before}{escape_markdown(words.strip())}{after}"


class _Numbers:
    """The links of an answer's numbers: to its citations, and to what is remembered."""

    def __init__(self, answer: Answer) -> None:
        self._links = {m.number: f"#recall-{thing_of(m)}" for m in answer.memories if thing_of(m)}
        self._links |= {c.number: f"#cite-{answer.id}-{c.number}" for c in answer.citations}

    def __contains__(self, number: int) -> bool:
        return number in self._links

    def link(self, number: int) -> str:
        return f"[{number}]({self._links[number]})"


def quoted_answer(answer: Answer, words: Words) -> str:
    """Return quotes, each with the number behind it. A number inside a quote is its own text.

    What is remembered may come after them; it keeps its lists.
    """
    numbers = _Numbers(answer)
    quoted = {c.number for c in answer.citations}
    paragraphs = []
    for paragraph in answer.text.split("\n\n"):
        mark = LAST_MARK.search(paragraph)
        last = int(mark.group(1)) if mark else 0
        if last not in quoted and any(int(n) in numbers for n in MARK.findall(paragraph)):
            remembered = replace(answer, text=paragraph, doubts=())
            paragraphs.append(written_answer(remembered, words))
            continue
        if mark is None or last not in numbers:
            paragraphs.append(escape_markdown(" ".join(paragraph.split())))
            continue
        quote = " ".join(paragraph[: mark.start()].split())
        paragraphs.append(f"{escape_markdown(quote)} {numbers.link(last)}")
    return "\n\n".join(paragraphs)


def written_answer(answer: Answer, words: Words) -> str:
    """Return what a model wrote, with its doubts marked."""
    return _Writer(answer, words).written()


def _block(code: list[str]) -> list[str]:
    """Return lines of code in a fence that nothing inside can end."""
    kept = [line.replace(OUR_FENCE, OUR_FENCE[1:]) for line in code]
    return ["", OUR_FENCE, *kept, OUR_FENCE, ""]


class _Writer:
    def __init__(self, answer: Answer, words: Words) -> None:
        self._answer = answer
        self._words = words
        self._numbers = _Numbers(answer)

    def written(self) -> str:
        lines: list[str] = []
        code: list[str] | None = None
        at = 0
        for line in self._answer.text.split("\n"):
            piece = _Piece(line, at)
            at = piece.end + 1
            fence = FENCE.match(line)
            if fence is None and code is not None:
                code.append(line)
            elif fence is None:
                lines.append(self._line(piece))
            elif code is None:
                code = []
            else:
                lines += _block(code)
                code = None
                lines.append(self._line(piece.part(*fence.span("rest"))))
        if code is not None:
            lines += _block(code)
        return "\n".join(lines).strip("\n")

    def _line(self, line: _Piece) -> str:
        heading = HEADING.match(line.text)
        if heading is not None:
            return self._bold(self._marked(line.part(*heading.span("words")), stars=False))
        item = ITEM.match(line.text)
        if item is not None:
            said = self._inline(line.part(*item.span("words")))
            return f"{item['indent']}{item['sign']} {said}"
        indent = len(line.text) - len(line.text.lstrip())
        return self._inline(line.part(indent, len(line.text.rstrip())))

    def _inline(self, piece: _Piece) -> str:
        return "".join(
            self._said(part, code=True) if is_code else self._emphasised(part)
            for is_code, part in piece.split(CODE)
        )

    def _emphasised(self, piece: _Piece) -> str:
        return "".join(
            self._bold(self._marked(part)) if is_bold else self._marked(part)
            for is_bold, part in piece.split(BOLD)
        )

    def _bold(self, said: str) -> str:
        """Return strong words; beside a tag, Markdown's own sign may not be read as one."""
        tagged = said.startswith("<") or said.endswith(">")
        return element("strong", said) if tagged else f"**{said}**"

    def _marked(self, piece: _Piece, *, stars: bool = True) -> str:
        """Return words with the proven numbers as links."""
        parts = []
        for is_number, part in piece.split(MARK):
            if is_number and int(part.text) in self._numbers:
                parts.append(self._numbers.link(int(part.text)))
            elif is_number:
                parts.append(rf"\[{part.text}\]")
            else:
                parts.append(self._said(part, stars=stars))
        return "".join(parts)

    @cached_property
    def _edges(self) -> list[int]:
        return sorted({edge for d in self._answer.doubts for edge in (d.start, d.end)})

    def _said(self, piece: _Piece, *, code: bool = False, stars: bool = True) -> str:
        """Return words escaped, or code as it is, with what is doubtful of them marked.

        A mark never begins or ends inside a piece of code: there its tag would be read as code.
        """
        inside = [] if code else [e for e in self._edges if piece.at < e < piece.end]
        cuts = [piece.at, *inside, piece.end]
        said = []
        for start, end in pairwise(cuts):
            shown = piece.text[start - piece.at : end - piece.at]
            shown = shown if stars else shown.replace("*", "")
            said.append(self._doubted(shown if code else _escaped(shown), start, end))
        return "".join(said)

    def _doubted(self, said: str, start: int, end: int) -> str:
        if not said.strip():
            return said
        for kind in (DoubtKind.NUMBER, DoubtKind.UNGROUNDED):
            found = [
                d for d in self._answer.doubts if d.kind is kind and d.start < end and start < d.end
            ]
            if not found:
                continue
            begins = start <= found[0].start < end
            label = text("span", f"({self._words(f'doubt.{kind}_label')}) ", class_="unseen")
            said = element(
                "span",
                label if begins else "",
                said,
                class_=f"doubt-{kind}",
                title=self._words(f"doubt.{kind}"),
            )
        return said
