"""An answer's text as Markdown in which the proven numbers are links and nothing else is.

Everything is escaped first; what Markdown may stay is written anew around the escaped words.
"""

import re

from app.presenters import escape_markdown
from core.domain.answer import Answer

MARK = re.compile(r"\[(\d{1,3})\]")
LAST_MARK = re.compile(r"\s*\[(\d{1,3})\]$")
FENCE = re.compile(r"^\s*(?:```|~~~)[`~]*\s*(?P<rest>.*)$")
OUR_FENCE = "~" * 12  # longer than any fence that is kept inside
CODE = re.compile(r"(`[^`]+`)")
BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
ITEM = re.compile(r"^(?P<indent> {0,6})(?P<sign>[-*+]|\d{1,3}[.)])\s+(?P<words>.*)$")
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(?P<words>.*?)\s*#*$")


def _link(number: int, answer: Answer) -> str:
    return f"[{number}](#cite-{answer.id}-{number})"


def _escaped(words: str) -> str:
    """Return words escaped; spaces at their ends stay, one each."""
    before = " " if words[:1].isspace() else ""
    after = " " if words[-1:].isspace() and words.strip() else ""
    return f"{before}{escape_markdown(words.strip())}{after}"


def quoted_answer(answer: Answer) -> str:
    """Return quotes, each with the number behind it. A number inside a quote is its own text."""
    numbers = {c.number for c in answer.citations}
    paragraphs = []
    for paragraph in answer.text.split("\n\n"):
        mark = LAST_MARK.search(paragraph)
        if mark is None or int(mark.group(1)) not in numbers:
            paragraphs.append(escape_markdown(" ".join(paragraph.split())))
            continue
        words = " ".join(paragraph[: mark.start()].split())
        paragraphs.append(f"{escape_markdown(words)} {_link(int(mark.group(1)), answer)}")
    return "\n\n".join(paragraphs)


def written_answer(answer: Answer) -> str:
    """Return what a model wrote."""
    lines: list[str] = []
    code: list[str] | None = None
    for line in answer.text.split("\n"):
        fence = FENCE.match(line)
        if fence is None and code is not None:
            code.append(line)
        elif fence is None:
            lines.append(_line(line, answer))
        elif code is None:
            code = []
        else:
            lines += _block(code)
            code = None
            lines.append(_line(fence["rest"], answer))
    if code is not None:
        lines += _block(code)
    return "\n".join(lines).strip("\n")


def _block(code: list[str]) -> list[str]:
    """Return lines of code in a fence that nothing inside can end."""
    kept = [line.replace(OUR_FENCE, OUR_FENCE[1:]) for line in code]
    return ["", OUR_FENCE, *kept, OUR_FENCE, ""]


def _line(line: str, answer: Answer) -> str:
    heading = HEADING.match(line)
    if heading is not None:
        return f"**{_marked(heading['words'].replace('*', ''), answer)}**"
    item = ITEM.match(line)
    if item is not None:
        return f"{item['indent']}{item['sign']} {_inline(item['words'], answer)}"
    return _inline(line.strip(), answer)


def _inline(words: str, answer: Answer) -> str:
    parts = []
    for index, part in enumerate(CODE.split(words)):
        parts.append(part if index % 2 else _emphasised(part, answer))
    return "".join(parts)


def _emphasised(words: str, answer: Answer) -> str:
    parts = []
    for index, part in enumerate(BOLD.split(words)):
        marked = _marked(part, answer)
        parts.append(f"**{marked}**" if index % 2 else marked)
    return "".join(parts)


def _marked(words: str, answer: Answer) -> str:
    """Return words with the proven numbers as links."""
    numbers = {c.number for c in answer.citations}
    parts = []
    for index, part in enumerate(MARK.split(words)):
        if index % 2 and int(part) in numbers:
            parts.append(_link(int(part), answer))
        elif index % 2:
            parts.append(rf"\[{part}\]")
        else:
            parts.append(_escaped(part))
    return "".join(parts)
