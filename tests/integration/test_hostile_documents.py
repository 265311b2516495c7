"""Bombs, tricks and broken files of other formats than PDF, in real worker processes."""

import pytest

from core.errors import (
    DamagedDocumentError,
    DocumentTooComplexError,
    DocumentTooLargeError,
    EmptyDocumentError,
    EncryptedDocumentError,
)
from core.readers.limits import Limits
from tests.converting import read
from tests.data import make_office as office


def entity_bomb(part: str) -> bytes:
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    xml = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">{laughs}]><x>&l9;</x>'
    return office.with_entries(office.docx(), {part: xml.encode()})


def lying_archive() -> bytes:
    """An archive whose list says that a part is small, while it unpacks to 400 MB."""
    content = bytearray(
        office.with_entries(office.docx(), {"word/document.xml": b"<a>" + b" " * 400_000_000})
    )
    size = (400_000_003).to_bytes(4, "little")
    while (at := content.find(size)) >= 0:
        content[at : at + 4] = (1000).to_bytes(4, "little")
    return bytes(content)


REFUSED = {
    "zip_bomb": (
        lambda: office.with_entries(office.docx(), {"word/document.xml": b" " * 400_000_000}),
        (DocumentTooLargeError, DocumentTooComplexError),
    ),
    "ratio": (
        lambda: office.with_entries(office.docx(), {"word/document.xml": b" " * 100_000_000}),
        DocumentTooComplexError,
    ),
    "lying": (lying_archive, (DamagedDocumentError, DocumentTooLargeError)),
    "many": (
        lambda: office.with_entries(office.docx(), {f"word/{i}.xml": b"" for i in range(5_001)}),
        DocumentTooComplexError,
    ),
    "entities": (lambda: entity_bomb("word/document.xml"), DocumentTooComplexError),
    "entities_styles": (lambda: entity_bomb("word/styles.xml"), DocumentTooComplexError),
    "utf16_entities": (
        lambda: office.with_entries(
            office.docx(),
            {"word/styles.xml": '<?xml version="1.0"?><!DOCTYPE a><a/>'.encode("utf-16")},
        ),
        DocumentTooComplexError,
    ),
    "broken_xml": (
        lambda: office.with_entries(office.docx(), {"word/document.xml": b"<a><b></a>"}),
        DamagedDocumentError,
    ),
    "no_body": (
        lambda: office.with_entries(office.docx(), {"word/document.xml": None}),
        DamagedDocumentError,
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_hostile_office_files_are_refused_with_their_reason(tmp_path, name):
    make, error = REFUSED[name]
    with pytest.raises(error) as caught:
        read(tmp_path, make(), "a.docx")
    assert caught.value.remedy


def test_archives_and_odd_names_inside_do_no_harm(tmp_path):
    inner = office.zipped({"bomb.xml": b" " * 5_000_000})
    content = office.with_entries(
        office.docx(),
        {
            "word/embeddings/inner.zip": inner,
            "../../outside.xml": b"<a/>",
            "/etc/outside.xml": b"<a/>",
            "C:/outside.xml": b"<a/>",
            "word\\..\\..\\outside.xml": b"<a/>",
        },
    )
    _, (page,) = read(tmp_path, content, "a.docx")
    assert "this is underlined" in page.text
    assert [p.name for p in tmp_path.rglob("*")] == ["file"]


def test_books_with_entities_or_protection_are_refused(tmp_path):
    bomb = office.epub(chapters=("x",))
    laugh = b'<!DOCTYPE html [<!ENTITY a "aaaa">]><html><body>&a;</body></html>'
    with pytest.raises(DocumentTooComplexError):
        read(tmp_path, office.with_entries(bomb, {"OPS/c0.xhtml": laugh}), "a.epub")
    locked = (
        b'<encryption><m Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/></encryption>'
    )
    with pytest.raises(EncryptedDocumentError):
        read(tmp_path, office.with_entries(bomb, {"META-INF/encryption.xml": locked}), "a.epub")


def test_office_files_with_a_password_say_so(tmp_path):
    with pytest.raises(EncryptedDocumentError):
        read(tmp_path, office.encrypted_ole(), "a.xlsx")


def test_a_document_without_words_is_empty(tmp_path):
    with pytest.raises(EmptyDocumentError):
        read(tmp_path, b"<html><body><script>x</script></body></html>", "a.html")


def test_too_many_parts_and_too_much_text(tmp_path):
    few = Limits(memory_mb=1536, cpu_seconds=30, wall_seconds=60, max_pages=3, max_file_mb=50)
    with pytest.raises(DocumentTooLargeError):
        read(tmp_path, b"word " * 10_000, "a.txt", limits=few)
    with pytest.raises(DocumentTooLargeError):
        read(tmp_path, b"word " * 5_000_000, "a.txt")


def test_nesting_without_end_ends(tmp_path):
    deep = b"<div>" * 3_000 + b"deep" + b"</div>" * 3_000
    _, (page,) = read(tmp_path, deep, "a.html")
    assert page.text == "deep"
    body = b"<w:p>" * 3_000 + b"deep" + b"</w:p>" * 3_000
    head = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    part = head + b"<w:body>" + body + b"</w:body></w:document>"
    content = office.with_entries(office.docx(), {"word/document.xml": part})
    with pytest.raises((DocumentTooComplexError, DamagedDocumentError)):
        read(tmp_path, content, "a.docx")
