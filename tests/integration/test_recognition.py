"""Text recognition for real: scans made of our own pages, in the limited process."""

import difflib
import math
import threading
import time

import psutil
import pypdfium2
import pytest
from PIL import Image, ImageDraw, ImageFont

from core.domain.answer import Box, CitationState
from core.domain.document import BlockKind, ReaderName, TextRange, TextSource
from core.errors import (
    DamagedDocumentError,
    DocumentError,
    DocumentTooComplexError,
    DocumentTooLargeError,
    EncryptedDocumentError,
    NotFoundError,
)
from core.ports.reader import LetterRange
from core.rag.citations import Claim, Prover
from core.readers.inspector import LimitedInspector
from core.readers.limits import Limits
from core.readers.recogniser import LimitedRecogniser
from core.text.letters import letters
from tests.conftest import DATA
from tests.samples import document
from tests.scans import page_image, save_scan, scanned, scanned_page, text_of

LIMITS = Limits(memory_mb=2048, cpu_seconds=60, wall_seconds=180, max_pages=500, max_file_mb=50)
ENGLISH = DATA / "two_columns_en.pdf", 2, 0.6
CHINESE = DATA / "chinese.pdf", 1, -0.6


@pytest.fixture(scope="module")
def recogniser():
    made = LimitedRecogniser(LIMITS)
    yield made
    made.close()


@pytest.fixture(scope="module")
def inspector():
    made = LimitedInspector(LIMITS, workers=1)
    yield made
    made.close()


@pytest.fixture(scope="module")
def scan(tmp_path_factory):
    """A PDF of three pictures: a page in two columns, an empty page, a Chinese page."""
    blank = scanned(Image.new("L", (1100, 1500), 255), degrees=0)
    images = [scanned_page(*ENGLISH[:2], degrees=ENGLISH[2]), blank]
    images.append(scanned_page(*CHINESE[:2], degrees=CHINESE[2]))
    return save_scan(images, tmp_path_factory.mktemp("scan") / "scan.pdf")


@pytest.fixture(scope="module")
def pages(recogniser, scan):
    return {number: recogniser.recognise(scan, number) for number in (1, 2, 3)}


def likeness(text, pdf, page):
    return difflib.SequenceMatcher(
        None, letters(text), letters(text_of(pdf, page)), autojunk=False
    ).ratio()


def test_english_in_two_columns_is_read_in_order(pages):
    assert pages[1].source is TextSource.OCR
    assert likeness(pages[1].text, *ENGLISH[:2]) >= 0.98
    headings = [b for b in pages[1].blocks if b.kind is BlockKind.HEADING]
    titles = [pages[1].text[b.start : b.end] for b in headings]
    assert titles == ["Stones and dressing", "Decline and repair"]


def test_chinese_is_read(pages):
    assert likeness(pages[3].text, *CHINESE[:2]) >= 0.98
    assert "青石渡位于沅溪的转弯处，因河岸露出一整块青石而得名。" in pages[3].text


def test_hyphens_at_the_ends_of_lines_are_gone(pages):
    assert "four hundred kilograms and had to be lifted by a crane" in pages[1].text


def test_a_blank_page_has_no_text(pages):
    assert (pages[2].text, pages[2].source, pages[2].lines) == ("", TextSource.NONE, ())


def test_blocks_and_lines_lie_in_the_text(pages):
    for page in (pages[1], pages[3]):
        assert "".join(page.text[b.start : b.end] for b in page.blocks) == page.text.replace(
            "\n\n", ""
        )
        covered = "".join(page.text[line.start : line.end] for line in page.lines)
        assert letters(covered) == letters(page.text)
        assert all(0 <= n.x0 < n.x1 <= page.width for n in page.lines)
        assert all(0 <= n.y0 < n.y1 <= page.height for n in page.lines)


def turned(box, degrees, page):
    """Return the box of a scanned page that covers a box of the page that was scanned."""
    angle, x, y = math.radians(degrees), page.width / 2, page.height / 2
    corners = [(a - x, b - y) for a in (box.x0, box.x1) for b in (box.y0, box.y1)]
    xs = [x + a * math.cos(angle) + b * math.sin(angle) for a, b in corners]
    ys = [y - a * math.sin(angle) + b * math.cos(angle) for a, b in corners]
    return min(xs), min(ys), max(xs), max(ys)


def overlap(a, b):
    """Return intersection over union."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    both = max(0, width) * max(0, height)
    return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both)


@pytest.mark.parametrize(
    ("number", "made_of", "quote"),
    [
        (1, ENGLISH, "A pair of burrs at Sallow Creek weighs one thousand four hundred kilograms"),
        (1, ENGLISH, "The flour is sold at the door in small brown bags"),
        (3, CHINESE, "这口钟铸于道光十二年，重三百二十斤，如今挂在小学的操场边"),
    ],
)
def test_a_citation_highlights_what_it_quotes(pages, inspector, number, made_of, quote):
    page = pages[number]
    start = page.text.index(quote)
    where = TextRange(page=number, start=start, end=start + len(quote))
    claim = Claim(document(id="d", reader=ReaderName.OCR), (where,), 0.5)
    found = Prover(inspector, lambda d: DATA / "none").prove([claim], {("d", number): page})[0]
    assert (found.quote, found.state, found.source) == (
        quote,
        CitationState.EXACT,
        TextSource.OCR,
    )
    pdf, original, degrees = made_of
    at = letters(text_of(pdf, original)).index(letters(quote))
    (true,) = inspector.boxes(pdf, [[LetterRange(original, at, letters(quote))]])
    assert len(found.boxes) == len(true)
    for ours, theirs in zip(found.boxes, true, strict=True):
        wanted = turned(theirs, degrees, page)
        assert overlap((ours.x0, ours.y0, ours.x1, ours.y1), wanted) > 0.5
        assert abs(ours.x0 - wanted[0]) < 8
        assert abs(ours.x1 - wanted[2]) < 8


def paragraph():
    """A few lines of a scanned page."""
    return page_image(DATA / "two_columns_en.pdf", 2).crop((80, 360, 600, 700))


def test_a_page_of_a_tiff(recogniser, tmp_path):
    path = tmp_path / "fax.tiff"
    blank = Image.new("L", (400, 300), 255)
    blank.save(path, save_all=True, append_images=[paragraph()])
    assert recogniser.page_count(path) == 2
    page = recogniser.recognise(path, 2)
    assert "French burr, a hard freshwater quartz" in page.text
    assert (page.number, page.width, page.height) == (2, 520, 340)
    with pytest.raises(NotFoundError):
        recogniser.recognise(path, 3)


def test_a_photograph_lying_on_its_side_is_displayed_upright_and_read(recogniser, tmp_path):
    """The camera notes how it was held; scanners do not: both ways to be sideways."""
    exif = Image.Exif()
    exif[0x0112] = 6  # turn to the right to display
    path = tmp_path / "photo.jpg"
    paragraph().rotate(90, expand=True).convert("RGB").save(path, exif=exif, quality=90)
    page = recogniser.recognise(path, 1)
    assert (page.width, page.height) == (520, 340)
    assert "French burr, a hard freshwater quartz" in page.text
    assert all(line.x1 - line.x0 > line.y1 - line.y0 for line in page.lines)

    sideways = tmp_path / "sideways.png"
    paragraph().rotate(90, expand=True).save(sideways)
    page = recogniser.recognise(sideways, 1)
    assert (page.width, page.height) == (340, 520)
    assert "French burr, a hard freshwater quartz" in page.text
    first, last = page.lines[0], page.lines[-1]
    assert first.x1 < last.x0
    assert first.y0 > page.height / 2


def test_large_images_are_measured_in_points_of_at_most_842(recogniser, tmp_path):
    path = tmp_path / "wide.png"
    Image.new("L", (3368, 1000), 255).save(path)
    page = recogniser.recognise(path, 1)
    assert (page.width, page.height, page.source) == (842, 250, TextSource.NONE)


def test_small_letters_on_a_wide_screen_are_found(recogniser, tmp_path):
    """Four pages side by side as a screen shows them: 2,328 pixels wide."""
    screen = Image.new("L", (2328, 200), 255)
    for i, page in enumerate((1, 2, 3, 1)):
        part = page_image(DATA / "two_columns_en.pdf", page, dpi=96).crop((0, 150, 582, 330))
        screen.paste(part, (582 * i, 0))
    path = tmp_path / "screen.png"
    screen.save(path)
    text = recogniser.recognise(path, 1).text
    for sentence in ("until the level outside has dropped far enough", "Derbyshire Peak stone"):
        assert sentence in text


def test_a_lone_word_on_a_white_page_is_found(recogniser, tmp_path):
    sheet = Image.new("L", (1700, 2200), 255)
    word = ImageFont.load_default(size=36)
    ImageDraw.Draw(sheet).text((150, 150), "mill", fill=20, font=word)
    sheet.save(tmp_path / "lone.png")
    assert recogniser.recognise(tmp_path / "lone.png", 1).text == "mill"


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "bmp", "gif", "tiff"])
def test_pages_of_image_files_are_drawn_with_highlights(inspector, tmp_path, suffix):
    path = tmp_path / f"picture.{suffix}"
    picture = Image.new("RGB", (1684, 400), (255, 255, 255))
    ImageDraw.Draw(picture).rectangle((0, 0, 200, 400), fill=(200, 0, 0))
    picture.save(path)
    box = Box(page=1, x0=421, y0=50, x1=842, y1=150)
    image = drawn(inspector.image(path, 1, width=842, boxes=[box]), tmp_path)
    assert image.size == (842, 200)
    assert image.getpixel((630, 100)) == (255, 226, 89)
    assert image.getpixel((210, 100)) == (255, 255, 255)
    red = image.getpixel((50, 100))
    assert red[0] > 150
    assert red[1] < 60
    with pytest.raises(NotFoundError):
        inspector.image(path, 2, width=842)


def drawn(png, folder):
    path = folder / "drawn.png"
    path.write_bytes(png)
    return Image.open(path).convert("RGB")


def test_transparent_pictures_lie_on_white_paper(inspector, tmp_path):
    path = tmp_path / "clear.png"
    Image.new("RGBA", (100, 100), (0, 0, 0, 0)).save(path)
    assert drawn(inspector.image(path, 1, width=100), tmp_path).getpixel((50, 50)) == (255,) * 3


def test_a_huge_picture_keeps_within_memory_and_a_larger_one_is_refused(
    recogniser, inspector, tmp_path
):
    path = tmp_path / "huge.png"
    Image.new("RGB", (10_000, 10_000), (255, 255, 255)).save(path, compress_level=1)
    assert recogniser.recognise(path, 1).source is TextSource.NONE
    assert drawn(inspector.image(path, 1, width=500), tmp_path).size == (500, 500)
    larger = tmp_path / "larger.png"
    Image.new("1", (12_000, 12_000), 1).save(larger)
    with pytest.raises(DocumentTooLargeError, match="100 million pixels"):
        recogniser.recognise(larger, 1)


def test_a_page_of_enormous_size_is_drawn_small(recogniser, tmp_path):
    path = tmp_path / "wall.pdf"
    pdf = pypdfium2.PdfDocument.new()
    pdf.new_page(14_400, 14_400)
    pdf.save(path)
    page = recogniser.recognise(path, 1)
    assert (page.width, page.source) == (14_400, TextSource.NONE)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"\x89PNG\r\n\x1a\n rubbish", DamagedDocumentError),
        (b"\xff\xd8\xff\xe0 rubbish", DamagedDocumentError),
        (b"%PDF-1.7 rubbish", DamagedDocumentError),
        (b"nothing known", DamagedDocumentError),
    ],
)
def test_broken_files_are_refused(recogniser, tmp_path, content, error):
    path = tmp_path / "broken"
    path.write_bytes(content)
    with pytest.raises(error):
        recogniser.recognise(path, 1)
    with pytest.raises(error):
        recogniser.page_count(path)


def test_pages_that_are_not_there_and_locked_files(recogniser, scan):
    assert recogniser.page_count(scan) == 3
    with pytest.raises(NotFoundError):
        recogniser.recognise(scan, 4)
    with pytest.raises(EncryptedDocumentError):
        recogniser.recognise(DATA / "encrypted.pdf", 1)


def workers():
    """Return the ids of the reading processes that run."""
    found = set()
    for process in psutil.Process().children():
        try:
            if "core.readers.worker" in process.cmdline():
                found.add(process.pid)
        except psutil.NoSuchProcess:
            continue  # it has just ended
    return found


def wait_until(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_process_killed_in_the_middle_costs_one_page(scan, tmp_path):
    before = workers()
    recogniser = LimitedRecogniser(LIMITS)
    failures = []

    def recognise():
        try:
            recogniser.recognise(scan, 1)
        except DocumentError as exc:
            failures.append(exc)

    page = threading.Thread(target=recognise)
    page.start()
    wait_until(lambda: workers() - before)
    (pid,) = workers() - before
    wait_until(lambda: psutil.Process(pid).cpu_times().user > 0.8)
    psutil.Process(pid).kill()
    page.join()
    assert [type(f) for f in failures] == [DocumentTooComplexError]
    picture = tmp_path / "next.png"
    paragraph().save(picture)
    assert "French burr" in recogniser.recognise(picture, 1).text
    recogniser.close()
    assert workers() == before


def test_too_little_memory_is_told_as_such(tmp_path):
    path = tmp_path / "page.png"
    scanned_page(*ENGLISH[:2], degrees=0).save(path)
    tight = Limits(memory_mb=420, cpu_seconds=60, wall_seconds=180, max_pages=5, max_file_mb=5)
    recogniser = LimitedRecogniser(tight)
    with pytest.raises(DocumentTooComplexError):
        recogniser.recognise(path, 1)
    recogniser.close()


def test_the_process_ends_when_idle_and_starts_again(tmp_path):
    path = tmp_path / "a.png"
    Image.new("L", (50, 50), 255).save(path)
    before = workers()
    recogniser = LimitedRecogniser(LIMITS, idle_seconds=2)
    for _ in range(2):
        assert recogniser.page_count(path) == 1
        assert workers() - before
        wait_until(lambda: workers() == before)
    recogniser.close()
