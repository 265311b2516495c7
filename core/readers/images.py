"""Opening image files. Runs in worker processes only: a picture may be hostile."""

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageOps

from core.readers.failure import Failure
from core.readers.limits import MAX_PIXELS

LONG_SIDE = 842.0
"""Points of the longer side of an image with more pixels than this; the long side of A4."""

_FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF")
_SIGNATURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*")
_ORIENTATION = 0x0112
_TURNED = (5, 6, 7, 8)
"""EXIF orientations whose width and height change places."""
_BROKEN = (
    OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, AttributeError,
    OverflowError, EOFError, struct.error, zlib.error,
)  # fmt: skip
"""What Pillow lets through when a file is broken."""


def is_image(path: str) -> bool:
    """Tell by its first bytes whether a file is one of the image formats. Raises `Failure`."""
    try:
        with Path(path).open("rb") as file:
            head = file.read(12)
    except OSError as exc:
        raise Failure("damaged", repr(exc)) from exc
    return head.startswith(_SIGNATURES) or (head[:4] == b"RIFF" and head[8:] == b"WEBP")


@contextmanager
def _opened(path: str) -> Iterator[Any]:
    try:
        with Image.open(path, formats=_FORMATS) as image:
            yield image
    except Image.DecompressionBombError as exc:
        raise Failure("too_large", "pixels") from exc
    except _BROKEN as exc:
        raise Failure("damaged", repr(exc)) from exc


def page_count(path: str) -> int:
    """Return the number of pages: frames of a TIFF, 1 of any other image."""
    with _opened(path) as image:
        return image.n_frames if image.format == "TIFF" else 1


def _go_to(image: Any, number: int) -> None:
    if number != 1:
        if image.format != "TIFF":
            raise Failure("not_found")
        try:
            image.seek(number - 1)
        except EOFError as exc:
            raise Failure("not_found") from exc
    if image.width * image.height > MAX_PIXELS:
        raise Failure("too_large", "pixels")


def _displayed(image: Any) -> tuple[float, float]:
    """Return the size in points of the open page as it is shown."""
    width, height = image.size
    if image.getexif().get(_ORIENTATION) in _TURNED:
        width, height = height, width
    scale = min(1.0, LONG_SIDE / max(width, height))
    return width * scale, height * scale


def size(path: str, number: int) -> tuple[float, float]:
    """Return the displayed size of page `number` in points, from its head. Raises `Failure`."""
    with _opened(path) as image:
        _go_to(image, number)
        return _displayed(image)


def _plain(image: Any) -> Any:
    """Return an image of 8 bits a channel, without transparency, on white paper."""
    if image.mode[0] in "IF":
        values = np.asarray(image, dtype=np.float32)
        top = max(float(values.max(initial=0)), 1.0)
        return Image.fromarray(np.clip(values * (255 / top), 0, 255).astype(np.uint8))
    if image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info:
        image = image.convert("RGBA")
        paper = Image.new("RGBA", image.size, (255, 255, 255, 255))
        return Image.alpha_composite(paper, image).convert("RGB")
    return image if image.mode in ("L", "RGB") else image.convert("RGB")


def _shrunk(image: Any, max_side: int) -> Any:
    """Return an image no longer than `max_side`, before much of it is copied."""
    if max(image.size) > max_side:
        if image.mode in ("1", "P"):
            image = image.convert("RGBA" if "transparency" in image.info else "RGB")
        if image.mode[0] not in "IF":
            image.thumbnail((max_side, max_side), reducing_gap=2.0)
    return image


def load(path: str, number: int, *, max_side: int) -> tuple[Any, tuple[float, float]]:
    """Return page `number` as a grey or RGB image, and its displayed size in points.

    The image stands upright (EXIF), its longer side has at most `max_side` pixels. Raises
    `Failure`: `damaged`, `too_large`, `not_found`.
    """
    with _opened(path) as opened:
        _go_to(opened, number)
        shown = _displayed(opened)
        image = ImageOps.exif_transpose(_shrunk(opened, max_side))
        image = _plain(image)
        image.thumbnail((max_side, max_side))
    return image, shown
