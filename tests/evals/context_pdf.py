"""A PDF of articles: titles as headings, contexts as paragraphs. Needs `typst`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import typst

FONTS = {"en": "Libertinus Serif", "zh": "Noto Serif CJK SC"}
"""The first comes with typst; the second is in Debian's package `fonts-noto-cjk`."""

_TEMPLATE = """
#let data = json(bytes(sys.inputs.data))
#set document(title: data.title, date: none)
#set page(paper: "a4", margin: 22mm, numbering: "1")
#set text(font: data.font, size: 10pt, lang: data.lang)
#set par(justify: true)
#for article in data.articles [
  #heading(level: 1, article.title)
  #for text in article.contexts [#par(text)]
]
"""


def write_articles(
    articles: Mapping[str, Sequence[str]], path: Path, *, title: str, lang: str
) -> None:
    """Write the contexts of each article, by title, as a PDF of A4 pages."""
    data = {
        "title": title,
        "lang": lang,
        "font": FONTS[lang],
        "articles": [{"title": name, "contexts": list(own)} for name, own in articles.items()],
    }
    pdf = typst.compile(
        _TEMPLATE.encode(), format="pdf", sys_inputs={"data": json.dumps(data, ensure_ascii=False)}
    )
    if not isinstance(pdf, bytes):
        raise TypeError(f"typst gave {type(pdf).__name__}")
    path.write_bytes(pdf)
