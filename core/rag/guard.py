"""The number guard: what of a generated answer its quotes do not prove.

A figure counts as proven when a quote of its sentence has it, in whatever spelling
(`core.rag.figures`); besides the quote, the headings above it, the years in the document's name and
the number of its page count, because the citation shows them. Decisions:

- A number that only the question has is marked too. A model that says it again states it as a fact,
  and so a wrong premise would pass ("Why did sales fall by 12 %?"). Years that the document's name
  has, the common case, pass.
- A rounded value passes only when the text says that it is one (about, around, 约, 左右) and it is
  within 5 %; "more than" and 超过 pass within 5 % below the quote's value.
- "Two reasons" passes: small numbers that count what the answer itself lists or argues.
- In a table a cell has neither unit nor scale: a bare 5,200 proves 5,200 million, $5.2 billion and
  5,200 %.
- A sentence without a citation is marked as a whole; its figures are not marked again.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.domain.answer import Citation, Doubt, DoubtKind, RememberedSource
from core.rag.figures import Figure, FigureKind, figures_in, plain
from core.text.dates import date_parts
from core.text.sentences import sentence_spans
from core.text.terms import terms
from core.text.tokens import is_cjk

ROUNDED_WITHIN = 0.05
"""Share by which a value that is said to be rounded may differ."""
_SAME = 1e-6
_CELL_SCALES = (1e3, 1e4, 1e6, 1e8, 1e9)
_LEAST_TERMS = 3
"""A sentence of fewer index terms says nothing that needs proof, unless it has a figure."""
_HEADING_COLUMNS = 60

_MARK = re.compile(r"[\[【]\s*(\d{1,3}(?:\s*[,，、;；]\s*\d{1,3})*)\s*[\]】]")
_LIST_NUMBER = re.compile(r"(?m)^[ \t]*(?:[-*•·]\s*)?[(（]?\d{1,2}(?:[.、)）](?!\d)|\s*[)）])")
_INLINE_NUMBER = re.compile(r"[(（]\d{1,2}[)）]|[①-⑳]")
_CODE_FENCE = re.compile(r"```.*?(?:```|\Z)", re.S)
_ABOUT_BEFORE = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|circa|ca\.|some|close to|"
    r"in the region of)|[~≈])\s*(?:US|USD|RMB|a )?\s*[$€£¥￥]?\s*$"
    r"|(?:约|大约|大概|将近|接近|差不多|近|几乎)(?:为|是|有|占|在)?\s*(?:美元|人民币)?[$¥￥]?\s*$",
    re.I,
)
_ABOUT_BEHIND = re.compile(r"\s*[\u4e00-\u9fff%]{0,4}?(?:左右|上下)|\s*(?:\w+ )?or so\b")
_MORE_BEFORE = re.compile(
    r"(?:\b(?:over|more than|above|at least)|超过|多于|逾|至少)\s*[$€£¥￥]?\s*$",
    re.I,
)
_MORE_BEHIND = re.compile(r"\s*(?:多|余)")
_PAGE_BEFORE = re.compile(r"\b(?:pages?|pp?\.)\s*$", re.I)
_PAGE_BEHIND = re.compile(r"\s*页")
_STEP_BEFORE = re.compile(r"(?:\b(?:step|point|item|reason|option)|步骤|要点|原因)\s*$", re.I)
_COUNTED = re.compile(
    r"\s*(?:个|种|点|条|项|大|方面|类)?\s*(?:[a-z-]+ ){0,2}?"
    r"(?:reasons?|ways?|(?:main|key|central) points?|aspects?|things?|factors?|arguments?|"
    r"considerations?|conclusions?|of (?:them|these|those|which)\b|个?(?:主要|关键|重要)?(?:的)?"
    r"(?:原因|方面|要点|因素|理由|结论|角度)|点[:：，])",
    re.I,
)
_SEPARATORS = re.compile(r"、|[,，;；]\s*(?:and |or |以及|和)?|\s+and\s+|\s+or\s+|以及|和|及")
_LIST_LINE = re.compile(r"(?m)^[ \t]*(?:[-*•·]|[(（]?\d{1,2}[.、)）])\s*\S")
_YEAR_IN_NAME = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_NO_CLAIM = re.compile(
    r"^\W*(?:sure|certainly|of course|great question|good question|thank|you'?re welcome|i hope|"
    r"hope this|let me know|feel free|here (?:is|are)|in (?:summary|short|conclusion)[,:]?\W*$|"
    r"(?:the|your|these) (?:documents?|passages?|text|sources?) (?:do|does) not|"
    r"(?:this|that) is not (?:stated|mentioned|said)|"
    r"当然|好的|谢谢|感谢|希望|不客气|以下是|下面是|如有|如果(?:你|您)(?:还|有)|"
    r"(?:这些|所给的?|提供的|你的|您的)?(?:文档|段落|材料|资料|原文|文中)(?:中|里)?(?:并?没有|未|并未))",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence of the answer: its characters without what surrounds it, and its marks."""

    start: int
    end: int
    numbers: tuple[int, ...]


def sentence_citations(text: str) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return (start, end, citation numbers) of each sentence of an answer, in order.

    `end` is half-open and lies before the marks that stand behind the sentence. A mark belongs to
    the sentence in which, or after which, it stands.
    """
    return [(s.start, s.end, s.numbers) for s in _said(text)]


def doubts(
    text: str,
    citations: Sequence[Citation],
    *,
    memories: Sequence[RememberedSource] = (),
) -> tuple[Doubt, ...]:
    """Return what of a generated answer with `[1]` marks nothing proves, ascending, disjoint.

    `memories` prove what is cited by their numbers, beside `citations`.
    """
    sources = _sources(citations, memories)
    blank = _without_marks(text)
    out: list[Doubt] = []
    for said in _said(text):
        proofs = [sources[n] for n in said.numbers if n in sources]
        if proofs:
            out += _numbers(text, blank, said, proofs)
        elif _needs_proof(text, blank, said):
            out.append(Doubt(kind=DoubtKind.UNGROUNDED, start=said.start, end=said.end))
    return tuple(out)


@dataclass(frozen=True, slots=True)
class _Proof:
    """What a source says in figures, and the pages it is on."""

    figures: tuple[Figure, ...]
    pages: frozenset[float] = frozenset()


def _sources(
    citations: Sequence[Citation], memories: Sequence[RememberedSource]
) -> Mapping[int, _Proof]:
    out = {m.number: _Proof(tuple(figures_in(m.text))) for m in memories}
    for c in citations:
        years = " ; ".join(_YEAR_IN_NAME.findall(c.document))
        # A separator that no figure crosses.
        figures = figures_in(" ; ".join((c.quote, *c.heading_path, years)))
        label = c.page_label or ""
        pages = {float(p) for p in c.pages} | ({float(label)} if label.isdecimal() else set())
        out[c.number] = _Proof(tuple(figures), frozenset(pages))
    return out


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: " " * len(match.group()), text)


def _without_marks(text: str) -> str:
    """Return the text, as long as it is, with spaces for marks, list numbers and code."""
    text = _blanked(_CODE_FENCE, text)
    text = _blanked(_MARK, text)
    return _blanked(_INLINE_NUMBER, _blanked(_LIST_NUMBER, text))


def _said(text: str) -> list[_Said]:
    spans = _joined(text, sentence_spans(_blanked(_MARK, text)))
    marks = [
        (mark.start(), tuple(int(n) for n in re.findall(r"\d+", mark.group())))
        for mark in _MARK.finditer(text)
    ]
    out = []
    for i, (start, end) in enumerate(spans):
        since = 0 if i == 0 else start
        until = spans[i + 1][0] if i + 1 < len(spans) else len(text)
        own = [numbers for at, numbers in marks if since <= at < until]
        numbers = tuple(dict.fromkeys(n for group in own for n in group))
        out.append(_Said(start, end, numbers))
    return out


def _joined(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join what only a semicolon parts: one citation stands behind the whole sentence."""
    out: list[tuple[int, int]] = []
    for start, end in spans:
        if out and text[out[-1][1] - 1] == "；" and "\n" not in text[out[-1][1] : start]:
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return out


def _needs_proof(text: str, blank: str, said: _Said) -> bool:
    """Tell whether a sentence without a citation says something that should have one."""
    sentence = blank[said.start : said.end].strip().strip("*_")
    if not sentence or sentence.startswith(("#", "|-", "|:")) or _NO_CLAIM.match(sentence):
        return False
    if sentence.endswith((":", "：", "?", "？")) or _is_heading(text, blank, said):
        return False
    said_terms = [t for t in terms(sentence) if len(t) > 1 or not is_cjk(t)]
    return len(said_terms) >= _LEAST_TERMS or any(
        not f.weak for f in figures_in(sentence) if said_terms
    )


def _is_heading(text: str, blank: str, said: _Said) -> bool:
    """Tell whether a sentence is a short line of its own without a stop, with more below."""
    line_start = text.rfind("\n", 0, said.start) + 1
    line_end = text.find("\n", said.end)
    if line_end < 0 or not blank[line_end:].strip():
        return False
    line = blank[line_start:line_end].strip()
    if text[line_start : said.start].strip(" \t#*_") or len(line) > _HEADING_COLUMNS:
        return False
    return (
        not re.search(r"[.。!！;；,，]\**$", line) and blank[said.end : line_end].strip("*_ ") == ""
    )


def _numbers(text: str, blank: str, said: _Said, proofs: Sequence[_Proof]) -> Iterator[Doubt]:
    shown = plain(blank)
    proven = [f for proof in proofs for f in proof.figures]
    pages = frozenset(page for proof in proofs for page in proof.pages)
    for figure in figures_in(blank[said.start : said.end]):
        start, end = said.start + figure.start, said.start + figure.end
        if figure.weak or any(_proves(p, figure) for p in proven):
            continue
        if _is_date_in_parts(figure, proven) or _is_rounded(shown, start, end, figure, proven):
            continue
        if _is_page(shown, start, end) and pages.intersection(figure.values):
            continue
        if figure.word and _counts_own(shown, said, start, end, figure):
            continue
        yield Doubt(kind=DoubtKind.NUMBER, start=start, end=end)


def _is_page(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 10) : start]
    return bool(_PAGE_BEFORE.search(before) or _PAGE_BEHIND.match(text, end))


def _same(a: float, b: float) -> bool:
    return abs(a - b) <= _SAME * max(abs(a), abs(b), 1e-12)


def _proves(proof: Figure, said: Figure) -> bool:
    """Tell whether a figure of a quote says what a figure of the answer does."""
    if FigureKind.CODE in (proof.kind, said.kind):
        return proof.code == said.code
    if FigureKind.DATE in (proof.kind, said.kind):
        return any(_dates_agree(proof, p, said, s) for p in proof.values for s in said.values)
    for p in proof.values:
        for s in said.values:
            if proof.kind is said.kind and _same(p, s):
                return True
            if said.kind is FigureKind.PERCENT and proof.kind is FigureKind.NUMBER:
                if (proof.bare and _same(p, s)) or (p < 1 and _same(100 * p, s)):
                    return True
            elif said.kind is not proof.kind and _same(p, 100 * s) and s < 1:
                return True
            if said.scaled and proof.bare and any(_same(p * k, s) for k in _CELL_SCALES):
                return True
    return False


def _dates_agree(proof: Figure, p: float, said: Figure, s: float) -> bool:
    """Tell whether every part of a date that is said stands in the proof's date or is its year."""
    if said.kind is not FigureKind.DATE:
        return said.kind is FigureKind.NUMBER and s == date_parts(p)[0] != 0
    year, month, day = date_parts(s)
    if proof.kind is not FigureKind.DATE:
        return not month and not day and proof.kind is FigureKind.NUMBER and p == year
    own = date_parts(p)
    return all(not part or part == o for part, o in zip((year, month, day), own, strict=True))


def _is_date_in_parts(said: Figure, proven: Sequence[Figure]) -> bool:
    """Tell whether the year of a date is proven in one place and its day in another."""
    if said.kind is not FigureKind.DATE:
        return False
    for value in said.values:
        year, month, day = date_parts(value)
        if not (year and month):
            continue
        parts = (float(year * 10000), float(month * 100 + day))
        figures = [Figure(kind=said.kind, values=(part,), start=0, end=0) for part in parts]
        yearless = [
            p for p in proven if p.kind is FigureKind.DATE and not date_parts(p.values[0])[0]
        ]
        if any(_proves(p, figures[0]) for p in proven) and any(
            _proves(p, figures[1]) for p in yearless
        ):
            return True
    return False


def _is_rounded(text: str, start: int, end: int, said: Figure, proven: Sequence[Figure]) -> bool:
    """Tell whether a value is said to be rounded, and a quote's is near enough."""
    before, behind = text[max(0, start - 40) : start], text[end : end + 12]
    about = bool(_ABOUT_BEFORE.search(before) or _ABOUT_BEHIND.match(behind))
    more = bool(_MORE_BEFORE.search(before) or _MORE_BEHIND.match(behind))
    if not (about or more) or said.kind in (FigureKind.DATE, FigureKind.CODE):
        return False
    for proof in proven:
        if proof.kind is not said.kind and not (proof.bare and proof.kind is FigureKind.NUMBER):
            continue
        scales = (1.0, *_CELL_SCALES) if said.scaled and proof.bare else (1.0,)
        for p in (value * k for value in proof.values for k in scales):
            for s in said.values:
                near = abs(p - s) <= ROUNDED_WITHIN * abs(p)
                if near and (about or p >= s):
                    return True
    return False


def _counts_own(text: str, said: _Said, start: int, end: int, figure: Figure) -> bool:
    """Tell whether a small number counts what the answer argues or lists itself."""
    if _STEP_BEFORE.search(text[max(0, start - 20) : start]) or _COUNTED.match(
        text[end : end + 40]
    ):
        return True
    count = int(figure.values[0])
    if count < 2:
        return False
    rest = text[end : said.end]
    colon = re.search(r"[:：]", rest)
    if colon and rest[colon.end() :].strip():
        items = [p for p in _SEPARATORS.split(rest[colon.end() :]) if p.strip(" .。")]
        return len(items) == count
    if colon:
        return len(_LIST_LINE.findall(text[said.end :])) == count
    return False
