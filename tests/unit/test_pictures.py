import io

import pypdfium2
import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, NumberObject

from core.domain.document import TextSource
from core.readers.pictures import NOTHING, Painted, coverage, garbled, painted, source_of

TEXT = "A page with quite enough text to be read."


def scan(turn=0):
    """One page of 200 by 100 points that is a picture, displayed under a rotation."""
    buffer = io.BytesIO()
    Image.new("L", (400, 200), 200).save(buffer, format="PDF", resolution=144)
    writer = PdfWriter(clone_from=PdfReader(buffer))
    writer.pages[0][NameObject("/Rotate")] = NumberObject(turn)
    out = io.BytesIO()
    writer.write(out)
    return pypdfium2.PdfDocument(out.getvalue())


@pytest.mark.parametrize(("turn", "size"), [(0, (200, 100)), (90, (100, 200)), (270, (100, 200))])
def test_a_scan_covers_its_page_whatever_way_it_is_turned(turn, size):
    document = scan(turn)
    found = painted(document[0])
    assert document[0].get_size() == size
    assert [tuple(map(round, box)) for box in found.images] == [(0, 0, *size)]
    assert coverage(found.images, *size) == pytest.approx(1, abs=0.01)
    document.close()


def picture(cover):
    return Painted(((0.0, 0.0, 100.0, 100.0 * cover),))


@pytest.mark.parametrize(
    ("raw", "on_page", "source"),
    [
        ("", NOTHING, TextSource.LAYER),
        ("", picture(0.9), TextSource.NONE),
        ("", picture(0.05), TextSource.NONE),
        ("p. 17", picture(0.9), TextSource.NONE),
        ("Part II", picture(0.1), TextSource.LAYER),
        (TEXT, picture(0.9), TextSource.LAYER),
        ("", Painted(paths=400), TextSource.NONE),
        ("Map", Painted(paths=400), TextSource.LAYER),
        ("\ufffd" * 30 + "some words", NOTHING, TextSource.NONE),
    ],
)
def test_where_the_text_of_a_page_is(raw, on_page, source):
    assert source_of(raw, on_page, 100, 100) is source


@pytest.mark.parametrize("char", ["\ufffd", "\ue123", "\x01", "\ufffe", "\U000f0001"])
def test_characters_that_nobody_can_read_make_a_page_garbled(char):
    assert garbled(char * 40 + " Page 7")
    assert not garbled(char * 3 + " " + TEXT)


def test_other_scripts_and_symbols_are_not_garbled():
    assert not garbled("第一章 向量检索与问答系统的设计。" * 3)
    assert not garbled("∑ ∫ √ ≈ → ⇒ ● ■ ∑ ∫ √ ≈ → ⇒")
