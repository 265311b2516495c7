"""The evals' own sentence splitter: an independent judge of "at most one sentence"."""

import re

_ABBREVIATIONS = frozenset(
    """
    c v n mr mrs ms dr prof st sr jr gen col lt sgt capt rev hon pres gov sen rep vs etc inc ltd co
    corp no vol fig eq p pp ed eds e.g i.e cf al approx dept est jan feb mar apr jun jul aug sep
    sept oct nov dec u.s u.k u.n ph.d a.m p.m b.c a.d
    """.split()  # noqa: SIM905
)
_CLOSING = r"[\"'”’)\]」』）》]*"
_LATIN_END = rf"[.!?…]+{_CLOSING}(?:\[\d+\])*(?=\s+[\"'“‘(\[]*[A-Z0-9])"
_CJK_END = rf"(?:[。！？]+|[!?]+(?=[\u4e00-\u9fff”’」』）])){_CLOSING}"
_END = re.compile(f"{_LATIN_END}|{_CJK_END}")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of English or Chinese text.

    A full stop after an abbreviation or an initial ends no sentence, nor does one before a small
    letter. Pieces without a letter or digit are dropped.
    """
    text = " ".join(text.split())
    sentences: list[str] = []
    start = 0
    for match in _END.finditer(text):
        if match.group()[0] == "." and _is_abbreviation(text[start : match.start()]):
            continue
        sentences.append(text[start : match.end()].strip())
        start = match.end()
    sentences.append(text[start:].strip())
    return [s for s in sentences if re.search(r"\w", s)]


def _is_abbreviation(before: str) -> bool:
    word = re.search(r"[\w.]+$", before)
    if word is None:
        return False
    last = word.group()
    return last.lower() in _ABBREVIATIONS or re.fullmatch(r"[A-Z]", last) is not None
