"""Renders the sample documents from their Typst sources: `pip install typst`, then run this file.

Needs the font Noto Serif CJK SC. No dates are written, so the same sources give the same bytes.
"""

from pathlib import Path

import typst

HERE = Path(__file__).parent

if __name__ == "__main__":
    for source in ("how-language-models-read", "大模型如何读书"):
        typst.compile(HERE / f"{source}.typ", output=HERE / f"{source}.pdf", format="pdf")
