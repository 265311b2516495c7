"""Recognising the text in a picture of a page. Runs in worker processes only.

PP-OCRv6 (PaddleOCR) through rapidocr: its models lie in the package; nothing is downloaded. One
thread and one line at a time need the least time and memory: a batch is padded to its longest line.
"""

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from core.domain.document import Page
from core.readers import images
from core.readers.failure import Failure
from core.readers.ocr_columns import Corners, Scrap, part_of, size_of
from core.readers.ocr_ink import NUMBER_GAP, stretches
from core.readers.ocr_layout import Frame, page_of, tidy

_DPI = 200
_POINTS_PER_INCH = 72
_MAX_SIDE = 3500
"""Longest side in pixels of what is recognised: an A3 page at 200 dpi has 3,307."""
_MIN_SIDE = 8
"""A picture that is narrower, in pixels, has no text."""
_DETECTION_SIDES = (960, 1600)
"""Longest side in pixels of the picture in which lines are looked for, and again if they are low:
an A4 page is read well at the first, a wide screenshot or a newspaper page at the second."""
_LAST_SIDE = 640
"""Where nothing was found, a lone word on a white page is seen at this one."""
_LOW = 14.0
"""Pixels: where half of the boxes are lower, some lines are missed."""
_MIN_SCORE = 0.5
"""A line of less confidence is dropped."""
_SURE = 0.8
"""With at least this confidence a page was held the right way up."""
_TALL = 1.5
"""A line that is at least so many times higher than wide runs up or down (as rapidocr has it)."""
_MIN_LINES = 3
"""Fewer lines do not tell which way up a page is."""
_NUMBER = re.compile(r"[\d.,()%+\-–]{6,}$")
"""What may be two numbers: the recogniser often leaves out the space between them."""
_NICE = 10
_PASSWORD = "password"


def _is_tall(corners: Corners) -> bool:
    width, height = size_of(corners)
    return height >= _TALL * width


@dataclass(frozen=True, slots=True)
class _Found:
    """Lines of a held page with their confidence."""

    lines: list[tuple[Scrap, float]]

    @property
    def score(self) -> float:
        """Mean confidence of a letter."""
        total = sum(len(s.text) for s, _ in self.lines)
        return sum(len(s.text) * score for s, score in self.lines) / total if total else 0.0

    @property
    def runs_sideways(self) -> bool:
        """Whether most lines run up or down."""
        tall = sum(_is_tall(scrap.corners) for scrap, _ in self.lines)
        return tall > len(self.lines) / 2


class Recogniser:
    """Has the models; they are loaded at first use."""

    def __init__(self) -> None:
        self._engine: Any = None

    def page(self, path: str, number: int) -> Page:
        """Return the recognised page. Raises `Failure`."""
        pixels, (width, height), label = _picture(path, number)
        if min(pixels.shape[:2]) < _MIN_SIDE:
            return page_of([], Frame(width, height), number=number, label=label)
        turns, found = self._upright(pixels, width / pixels.shape[1])
        scraps = [scrap for scrap, score in found.lines if score >= _MIN_SCORE]
        return page_of(scraps, Frame(width, height, turns), number=number, label=label)

    def _upright(self, pixels: Any, scale: float) -> tuple[int, _Found]:
        """Recognise the picture as it is, and turned where that reads badly.

        Return the quarter turns to the left, and what reads best.
        """
        best = self._look(pixels, scale)
        if len(best.lines) < _MIN_LINES:
            return 0, best
        turns = 0
        others = (1, 3) if best.runs_sideways else () if best.score >= _SURE else (2,)
        for other in others:
            found = self._look(np.ascontiguousarray(np.rot90(pixels, other)), scale)
            if found.score > best.score or (best.runs_sideways and not found.runs_sideways):
                turns, best = other, found
            if best.score >= _SURE and turns:
                break
        return turns, best

    def _look(self, pixels: Any, scale: float) -> _Found:
        """Find the lines of a grey picture, and read each stretch of them."""
        picture = np.repeat(pixels[:, :, np.newaxis], 3, axis=2)
        out: list[tuple[Scrap, float]] = []
        for box in self._boxes(picture):
            corners = _corners(box, scale)
            line = _cut_out(picture, box)
            for first, end, text, score in self._read(line, turned=_is_tall(corners)):
                shares = first / line.shape[1], end / line.shape[1]
                out.append((Scrap(text, part_of(corners, *shares)), score))
        return _Found([(scrap, score) for scrap, score in out if scrap.text])

    def _boxes(self, picture: Any) -> Any:
        """Return the corners of the lines, in pixels."""
        boxes = np.empty((0, 4, 2))
        for side in _DETECTION_SIDES:
            found = self._detected(picture, side)
            if len(found):
                boxes = found
                scale = min(1.0, side / max(picture.shape[:2]))
                if median(size_of(box)[1] for box in found * scale) >= _LOW:
                    break
            if side >= max(picture.shape[:2]):
                break
        return boxes if len(boxes) else self._detected(picture, _LAST_SIDE)

    def _detected(self, picture: Any, side: int) -> Any:
        """Return the corners of the lines found when the longer side has so many pixels."""
        import cv2

        height, width = picture.shape[:2]
        scale = min(1.0, side / max(height, width))
        size = max(1, round(width * scale)), max(1, round(height * scale))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        found = self._loaded()(small, use_det=True, use_cls=False, use_rec=False).boxes
        if found is None:
            return np.empty((0, 4, 2))
        return np.asarray(found) * (width / size[0], height / size[1])

    def _read(self, line: Any, *, turned: bool) -> Iterator[tuple[int, int, str, float]]:
        """Yield the stretches of a cut-out line: first and end pixel, text, confidence.

        Where a line that runs up or down begins is not known: it is one stretch.
        """
        if turned:
            yield 0, line.shape[1], *self._text(line)
            return
        for first, end in stretches(line[:, :, 0]):
            text, score = self._text(line[:, first:end])
            parts = stretches(line[:, first:end, 0], NUMBER_GAP) if _NUMBER.match(text) else []
            if len(parts) < 2:
                yield first, end, text, score
            for low, high in parts if len(parts) > 1 else ():
                part = line[:, first + low : first + high]
                yield first + low, first + high, *self._text(part)

    def _text(self, line: Any) -> tuple[str, float]:
        read = self._loaded()(line, use_det=False, use_cls=False, use_rec=True)
        return tidy(read.txts[0]), float(read.scores[0])

    def _loaded(self) -> Any:
        if self._engine is None:
            self._engine = _load()
        return self._engine


def _corners(box: Any, scale: float) -> Corners:
    a, b, c, d = ((float(x) * scale, float(y) * scale) for x, y in box)
    return a, b, c, d


def _cut_out(picture: Any, box: Any) -> Any:
    """Return the picture of a line, level; one that runs up or down is turned by a quarter."""
    from rapidocr.utils.process_img import get_rotate_crop_image

    return get_rotate_crop_image(picture, np.asarray(box, dtype=np.float32))


def _load() -> Any:
    """Load the models. Raises `Failure` when a package is missing."""
    if sys.platform != "win32":
        # A page takes seconds; questions asked meanwhile come first.
        os.nice(_NICE)
    try:
        import cv2
        import rapidocr

        import_module("onnxruntime")  # rapidocr asks for it at the first page only
    except ImportError as exc:
        raise Failure("missing_dependency", str(exc)) from exc
    cv2.setNumThreads(1)
    models = Path(rapidocr.__file__).parent / "models"
    return rapidocr.RapidOCR(
        params={
            "Global.use_cls": False,
            "Global.log_level": "error",
            "Global.text_score": 0.0,
            "Global.max_side_len": _MAX_SIDE,
            "Det.model_path": str(models / "PP-OCRv6_det_small.onnx"),
            "Det.limit_type": "max",
            "Det.limit_side_len": _MAX_SIDE,
            "Rec.model_path": str(models / "PP-OCRv6_rec_small.onnx"),
            "Rec.rec_batch_num": 1,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _open_pdf(path: str) -> Any:
    import pypdfium2

    try:
        return pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as exc:
        locked = _PASSWORD in str(exc).lower()
        raise Failure("encrypted" if locked else "damaged", str(exc)) from exc


def page_count(path: str) -> int:
    """Return the number of pages of a PDF or an image file. Raises `Failure`."""
    if images.is_image(path):
        return images.page_count(path)
    document = _open_pdf(path)
    count = len(document)
    document.close()
    return count


def _picture(path: str, number: int) -> tuple[Any, tuple[float, float], str | None]:
    """Return a page in grey (height, width), its displayed size in points, and its label."""
    if images.is_image(path):
        image, size = images.load(path, number, max_side=_MAX_SIDE)
        return np.asarray(image.convert("L")), size, None
    return _drawn(path, number)


def _drawn(path: str, number: int) -> tuple[Any, tuple[float, float], str | None]:
    import pypdfium2

    document = _open_pdf(path)
    try:
        if not 1 <= number <= len(document):
            raise Failure("not_found")
        page = document[number - 1]
        width, height = page.get_size()
        if min(width, height) <= 0:
            raise Failure("damaged", f"a page of {width} by {height} points")
        scale = min(_DPI / _POINTS_PER_INCH, _MAX_SIDE / max(width, height))
        pixels = page.render(scale=scale, grayscale=True).to_numpy()
        label = document.get_page_label(number - 1) or None
        return np.array(pixels).reshape(pixels.shape[:2]), (width, height), label
    except pypdfium2.PdfiumError as exc:
        raise Failure("damaged", str(exc)) from exc
    finally:
        document.close()
