"""Reading real PDFs in real worker processes."""

import re
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pypdfium2
import pytest
from pypdf import PdfReader, PdfWriter

from core.domain.document import ReaderName, TextRange, TextSource
from core.errors import (
    DamagedDocumentError,
    DocumentError,
    DocumentTooComplexError,
    DocumentTooLargeError,
    EmptyDocumentError,
    EncryptedDocumentError,
    NotFoundError,
    UnsupportedFormatError,
)
from core.ports.reader import LetterRange
from core.rag.citations import place_of
from core.readers.inspector import LimitedInspector
from core.readers.limited import LimitedReader
from core.readers.limits import Limits
from core.text.letters import letters
from core.text.sentences import split_pages
from tests.data.hostile import flate_bomb, form_loop, many_pages

DATA = Path(__file__).parents[1] / "data"
LIMITS = Limits(memory_mb=1024, cpu_seconds=10, wall_seconds=20, max_pages=500, max_file_mb=50)


def read(path, limits=LIMITS):
    pages = []
    summary = LimitedReader(limits).read(path, lambda new, total: pages.extend(new))
    return summary, pages


@pytest.fixture
def inspector():
    made = LimitedInspector(LIMITS, workers=1)
    yield made
    made.close()


READABLE = [
    "two_columns_en",
    "chinese",
    "table",
    "labels",
    "ligatures",
    "cross_page",
    "rotated_cropped",
]


@pytest.mark.parametrize("name", READABLE)
def test_every_stretch_of_text_stands_where_it_says(name):
    _, pages = read(DATA / f"{name}.pdf")
    document = pypdfium2.PdfDocument(DATA / f"{name}.pdf")
    assert pages
    for page in pages:
        key = letters(document[page.number - 1].get_textpage().get_text_range())
        for segment in page.segments:
            own = letters(page.text[segment.start : segment.end])
            assert key[segment.letter : segment.letter + len(own)] == own
        assert all(b.start < b.end <= len(page.text) for b in page.blocks)


@pytest.mark.parametrize("name", READABLE)
def test_boxes_hold_exactly_the_letters_of_each_sentence(name, inspector):
    path = DATA / f"{name}.pdf"
    _, pages = read(path)
    by_number = {p.number: p for p in pages}
    single = [s for s in split_pages(pages) if len(s.ranges) == 1]
    places = [place_of(by_number[s.page], s.ranges[0]) for s in single]
    assert all(places)
    found = inspector.boxes(path, [[p] for p in places])
    document = pypdfium2.PdfDocument(path)
    for sentence, boxes in zip(single, found, strict=True):
        page = document[sentence.page - 1]
        assert boxes
        assert letters_inside(page, boxes) == letters(sentence.text)


def letters_inside(page, boxes):
    """Read the letters whose centre lies in the boxes, by displayed coordinates."""
    textpage = page.get_textpage()
    raw = textpage.get_text_range()
    rotation = page.get_rotation()
    left, bottom, right, top = page.get_cropbox()
    inside = []
    for i in range(textpage.count_chars()):
        x0, y0, x1, y1 = textpage.get_charbox(i)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        shown = {
            0: (x - left, top - y),
            90: (y - bottom, x - left),
            180: (right - x, y - bottom),
            270: (top - y, right - x),
        }[rotation]
        if any(b.x0 <= shown[0] <= b.x1 and b.y0 <= shown[1] <= b.y1 for b in boxes):
            inside.append(raw[i])
    return letters("".join(inside))


def test_running_headers_and_footers_are_no_text():
    _, pages = read(DATA / "cross_page.pdf")
    text = "\n".join(p.text for p in pages)
    assert "Cartographic Office" not in text
    assert "printed for members" not in text
    assert "Leonor Vance" in text


def test_hyphenated_words_are_whole():
    _, pages = read(DATA / "ligatures.pdf")
    text = "\n".join(p.text for p in pages)
    assert "ﬁ" not in text
    assert "-\n" not in text


def test_chinese_has_no_spaces_from_line_breaks():
    _, pages = read(DATA / "chinese.pdf")
    assert not re.search(r"[\u4e00-\u9fff] [\u4e00-\u9fff]", "".join(p.text for p in pages))


def test_printed_labels_are_kept_apart_from_page_numbers():
    _, pages = read(DATA / "labels.pdf")
    assert [p.number for p in pages] == [1, 2, 3, 4]
    assert [p.label for p in pages][:2] == ["i", "ii"]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("encrypted", EncryptedDocumentError),
        ("truncated", DamagedDocumentError),
        ("empty", EmptyDocumentError),
        ("not_a_pdf", UnsupportedFormatError),
        ("html_as", UnsupportedFormatError),
        ("no_pages", EmptyDocumentError),
    ],
)
def test_each_kind_of_refusal_has_its_own_error_and_remedy(name, error):
    with pytest.raises(error) as caught:
        read(DATA / f"{name}.pdf")
    assert caught.value.message
    assert caught.value.remedy
    assert "Traceback" not in caught.value.sentence


def test_a_missing_file_is_a_sentence(tmp_path):
    with pytest.raises(DocumentError, match=r"gone\.pdf"):
        read(tmp_path / "gone.pdf")


def test_too_many_pages_and_too_many_bytes_are_refused(tmp_path):
    tight = Limits(memory_mb=1024, cpu_seconds=10, wall_seconds=20, max_pages=1, max_file_mb=50)
    with pytest.raises(DocumentTooLargeError, match="limit is 1"):
        read(DATA / "two_columns_en.pdf", tight)
    big = tmp_path / "big.pdf"
    big.write_bytes(b"%PDF-1.7\n" + b"0" * (1024 * 1024 + 1))
    small = Limits(memory_mb=1024, cpu_seconds=10, wall_seconds=20, max_pages=10, max_file_mb=1)
    with pytest.raises(DocumentTooLargeError, match="limit is 1 MB"):
        read(big, small)


@pytest.mark.parametrize("make", [flate_bomb, form_loop, many_pages])
def test_hostile_files_end_within_the_limits(make, tmp_path):
    hard = Limits(memory_mb=512, cpu_seconds=4, wall_seconds=10, max_pages=500, max_file_mb=50)
    before = set(psutil.Process().children(recursive=True))  # servers of other tests
    began = time.monotonic()
    try:
        _, pages = read(make(tmp_path / "hostile.pdf"), hard)
    except (DocumentTooComplexError, DocumentTooLargeError, DamagedDocumentError):
        pages = []
    assert len(pages) <= 1  # a reader that sees through the trick may read the one page
    assert time.monotonic() - began < 2 * (hard.wall_seconds + 5)
    left = set(psutil.Process().children(recursive=True)) - before
    assert not [p for p in left if p.is_running()]


def test_what_pdfium_refuses_pypdf_may_read(tmp_path):
    # The trailer's root leads nowhere: PDFium gives up, pypdf looks for the catalog itself.
    path = tmp_path / "lost_root.pdf"
    PdfWriter(clone_from=PdfReader(DATA / "labels.pdf")).write(path)
    path.write_bytes(re.sub(rb"/Root \d+ 0 R", b"/Root 9999 0 R", path.read_bytes()))
    with pytest.raises(pypdfium2.PdfiumError):
        pypdfium2.PdfDocument(path)
    summary, pages = read(path)
    assert summary.reader is ReaderName.PYPDF
    assert len(pages) == 4
    assert all(p.text and p.blocks and not p.segments for p in pages)


def test_letters_that_do_not_stand_there_have_no_boxes(inspector):
    path = DATA / "two_columns_en.pdf"
    _, pages = read(path)
    place = place_of(pages[0], TextRange(page=1, start=0, end=10))
    assert place is not None
    wrong = LetterRange(place.page, place.start + 1, place.letters)
    assert inspector.boxes(path, [[wrong], [place]])[0] is None
    assert inspector.boxes(path, [[wrong], [place]])[1]


def test_a_killed_worker_is_replaced(inspector):
    path = DATA / "two_columns_en.pdf"
    _, pages = read(path)
    place = place_of(pages[0], TextRange(page=1, start=0, end=10))
    first = inspector.boxes(path, [[place]])
    for child in psutil.Process().children():
        child.kill()
        child.wait()
    assert inspector.boxes(path, [[place]]) == first


def test_page_images_are_pictures_with_highlights(inspector):
    import io

    from PIL import Image

    path = DATA / "two_columns_en.pdf"
    _, pages = read(path)
    place = place_of(pages[0], TextRange(page=1, start=0, end=20))
    boxes = inspector.boxes(path, [[place]])[0]
    plain = Image.open(io.BytesIO(inspector.image(path, 1, width=800)))
    marked = Image.open(io.BytesIO(inspector.image(path, 1, width=800, boxes=boxes)))
    assert plain.size == marked.size
    assert plain.width == pytest.approx(800, abs=1)
    scale = marked.width / pages[0].width
    x = int((boxes[0].x0 + 0.2) * scale)
    y = int((boxes[0].y1 + 0.5) * scale)
    assert plain.getpixel((x, y)) == (255, 255, 255)
    assert marked.getpixel((x, y)) != (255, 255, 255)
    with pytest.raises(NotFoundError):
        inspector.image(path, 99, width=800)


def test_the_worker_module_runs_alone():
    done = subprocess.run(
        [sys.executable, "-m", "core.readers.worker", "1024"],
        input=b"",
        capture_output=True,
        timeout=60,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout == b"R\x00\x00\x00\x00"


def test_a_page_that_is_a_picture_waits_for_recognition():
    summary, pages = read(DATA / "scanned.pdf")
    assert summary.page_count == len(pages) == 1
    assert (pages[0].source, pages[0].text) == (TextSource.NONE, "")


def test_pages_come_in_small_frames_and_bookmarks_at_the_end(tmp_path):
    writer = PdfWriter()
    for _ in range(21):
        writer.append(DATA / "table.pdf", import_outline=False)
    writer.add_outline_item(
        title="Accounts",
        page_number=2,
        parent=writer.add_outline_item(title="Report", page_number=0),
    )
    writer.write(tmp_path / "long.pdf")
    sizes, numbers = [], []

    def take(pages, total):
        sizes.append(len(pages))
        numbers.extend(page.number for page in pages)
        assert total == 42

    summary = LimitedReader(LIMITS).read(tmp_path / "long.pdf", take)
    assert numbers == list(range(1, 43))
    assert max(sizes) <= 16
    assert [(e.level, e.title, e.page) for e in summary.outline] == [
        (1, "Report", 1),
        (2, "Accounts", 3),
    ]
