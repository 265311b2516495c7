"""Captions of tables and figures, by how they begin."""

import re

_WORDS = (
    r"(?:Supplementary\s+|Appendix\s+)?(?:Table|Tab\.|Figure|Fig\.|Exhibit|Chart|Graph|Plate|"
    r"Scheme|Listing|Algorithm|Box|Map|Illustration)"
)
_NUMBER = r"(?:[A-Z]{1,2}[.\-–]?)?(?:\d+|[IVX]+\b)(?:[.\-–]\d+)*[a-z]?"
_LATIN = re.compile(rf"^{_WORDS}\s+{_NUMBER}(?:\s*[:.|—–-]\s*\S|\s*[:.]?$|\s+[\[(“\"A-Z0-9])", re.I)
_VERB = re.compile(rf"^{_WORDS}\s+{_NUMBER}\s+[a-z]")
_CJK = re.compile(
    r"^(?:[续附]?[表图圖]|插图|图表|算法|代码|程序清单)\s*(?:[A-Z]?\d+|[一二三四五六七八九十]+)"
    r"(?:[.\-–—]\d+)*\s*(?:[:：.、．\s]|$|(?=[^\s\d]))"
)
_CJK_VERB = re.compile(
    r"^\S{1,4}\s*[A-Z]?[\d.\-–一二三四五六七八九十]+\s*"
    r"(?:[所中里上下的]|是|为|列|显示|给出|说明|展示|表明|反映|可见|可以|和|与|至|到)"
)
MAX_CAPTION = 300
"""Characters; what is longer is running text."""


def is_caption(text: str) -> bool:
    """Tell whether a block of text is the caption of a table, figure or listing."""
    if len(text) > MAX_CAPTION or "\n" in text:
        return False
    if _LATIN.match(text):
        return not _VERB.match(text)
    return bool(_CJK.match(text)) and not _CJK_VERB.match(text)


_FIGURES = re.compile(
    r"^(?:\w+\s+)?(?:Figure|Fig\.|Exhibit|Chart|Graph|Plate|Scheme|Map|Illustration)|^附?[图圖]|^插图",
    re.I,
)


def is_figure_caption(text: str) -> bool:
    """Tell whether a caption is one of a figure, and not of a table or listing."""
    return _FIGURES.match(text) is not None
