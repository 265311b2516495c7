import io

import pypdfium2
import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from core.readers.pdfium import page_raw_text
from core.readers.raised import with_raised
from core.readers.spelling import respelt
from core.text.letters import letters
from core.text.sentences import sentence_spans

SMALL, NORMAL = "/F1 7 Tf 5 Ts", "/F1 12 Tf 0 Ts"
LOW = "/F1 7 Tf -2 Ts"


def page_text(*pieces):
    """The text of a page made of (font and rise, text) pieces on one line."""
    shown = " ".join(f"{setting} ({text}) Tj" for setting, text in pieces)
    stream = DecodedStreamObject()
    stream.set_data(f"BT 20 50 Td {shown} ET".encode())
    writer = PdfWriter()
    page = writer.add_blank_page(500, 100)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    page[NameObject("/Resources")] = DictionaryObject(
        {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
    )
    page[NameObject("/Contents")] = writer._add_object(stream)
    buffer = io.BytesIO()
    writer.write(buffer)
    textpage = pypdfium2.PdfDocument(buffer.getvalue())[0].get_textpage()
    raw = page_raw_text(textpage)
    made = with_raised(raw, textpage)
    assert len(made) == len(raw)
    assert letters(made) == letters(raw)
    return made


def test_marks_of_footnotes_become_superscripts():
    text = page_text((NORMAL, "They stopped."), (SMALL, "12"), (NORMAL, " This is new."))
    assert text == "They stopped.¹² This is new."
    assert [text[a:b] for a, b in sentence_spans(text)] == ["They stopped.¹²", "This is new."]


def test_the_mark_before_a_footnote_becomes_one_too():
    assert page_text((SMALL, "3"), (NORMAL, "Fields were left out.")) == "³Fields were left out."


@pytest.mark.parametrize(
    "pieces",
    [
        [(NORMAL, "Version4 of the text, 12.5 and 3rd.")],
        [(NORMAL, "CO"), (LOW, "2"), (NORMAL, " in the air")],
        [(NORMAL, "in the year "), (NORMAL, "2004")],
    ],
)
def test_other_numbers_stay(pieces):
    wanted = "".join(text for _, text in pieces)
    assert page_text(*pieces).replace("\r\n", "") == wanted


def test_a_block_has_the_marks_of_its_page():
    assert respelt('He said "no".1 Then 11 left.', "He said “no”.¹ Then 11 left.") == (
        "He said “no”.¹ Then 11 left."
    )
