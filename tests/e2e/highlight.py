"""Which letters of a page image are highlighted, read without the product's own code."""

import io
import unicodedata
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
from PIL import Image

YELLOW_SHARE = 0.25  # of a character's box, to count as highlighted; the rest is ink


def letters(text: str) -> str:
    """Letters and digits only, as compatible and casefolded forms."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text).casefold()))


def yellow(png: bytes) -> np.ndarray:
    """Return which pixels (row, column) of an image are highlight."""
    image = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
    red, green, blue = (image[:, :, channel] for channel in range(3))
    return (red > 200) & (green > 170) & (blue < 160)


def highlighted_letters(png: bytes, pdf: Path, number: int) -> str:
    """Return the letters of page `number` whose boxes are yellow in the image, in page order."""
    pixels = yellow(png)
    document = pdfium.PdfDocument(pdf)
    try:
        page = document[number - 1]
        width, height = page.get_size()
        across, down = pixels.shape[1] / width, pixels.shape[0] / height
        text = page.get_textpage()
        found = []
        for index in range(text.count_chars()):
            left, bottom, right, top = text.get_charbox(index)
            box = pixels[
                int((height - top) * down) : int((height - bottom) * down) + 1,
                int(left * across) : int(right * across) + 1,
            ]
            if box.size and box.mean() > YELLOW_SHARE:
                found.append(text.get_text_range(index, 1))
        return letters("".join(found))
    finally:
        document.close()
