"""Scans for tests: pages of our own PDFs, drawn, turned a little, with noise; no text layer."""

from pathlib import Path

import numpy as np
import pypdfium2
from PIL import Image

DPI = 200


def page_image(pdf: Path, page: int, *, dpi: int = DPI) -> Image.Image:
    """Return a page in grey."""
    with pypdfium2.PdfDocument(pdf) as document:
        return document[page - 1].render(scale=dpi / 72, grayscale=True).to_pil().convert("L")


def scanned(image: Image.Image, *, degrees: float, noise: float = 8.0) -> Image.Image:
    """Return the image as a scanner gives it: grey paper, noise, turned to the left."""
    turned = image.rotate(degrees, resample=Image.Resampling.BICUBIC, fillcolor=255)
    random = np.random.default_rng(7)
    pixels = np.asarray(turned, dtype=np.float32) * 0.9 + 12
    pixels += random.normal(0, noise, pixels.shape)
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def scanned_page(pdf: Path, page: int, *, degrees: float) -> Image.Image:
    """Return a page of a PDF as a scan."""
    return scanned(page_image(pdf, page), degrees=degrees)


def save_scan(images: list[Image.Image], path: Path) -> Path:
    """Write a PDF that has the images as its pages and no text."""
    images[0].save(path, save_all=True, append_images=images[1:], resolution=DPI)
    return path


def text_of(pdf: Path, page: int) -> str:
    """Return the text layer of a page, as PDFium gives it."""
    with pypdfium2.PdfDocument(pdf) as document:
        return document[page - 1].get_textpage().get_text_range()
