"""The format of a file comes from its content; the name only chooses among what fits."""

import contextlib
import io
import random
import zipfile
from pathlib import Path

import pytest

from core.domain.formats import ACCEPTED, ALIASES, FORMATS, FormatKind, format_named
from core.errors import (
    DamagedDocumentError,
    DocumentError,
    DocumentTooComplexError,
    EmptyDocumentError,
    EncryptedDocumentError,
    UnsupportedFormatError,
)
from core.readers.encodings import decode, encoding_of
from core.readers.formats import detect
from tests.data.make_office import docx, encrypted_ole, epub, pptx, xls_like_ole, xlsx

PDFS = Path(__file__).parents[1] / "data"


def kept(folder: Path, content: bytes) -> Path:
    path = folder / "file"
    path.write_bytes(content)
    return path


def archive(*names: str, **content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as target:
        for name in names:
            target.writestr(name, content.get(name.replace("/", "_").replace(".", "_"), b"x"))
    return out.getvalue()


PNG = b"\x89PNG\r\n\x1a\n" + bytes(30)
CHINESE = "第一章 绪论\n机器学习是人工智能的一个分支。"


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        ((PDFS / "chinese.pdf").read_bytes(), "论文.pdf", "pdf"),
        ((PDFS / "chinese.pdf").read_bytes(), "论文.docx", "pdf"),
        ((PDFS / "chinese.pdf").read_bytes(), "论文", "pdf"),
        (b"junk\n" + (PDFS / "chinese.pdf").read_bytes(), "a.pdf", "pdf"),
        (docx(), "a.docx", "docx"),
        (docx(), "a.pdf", "docx"),
        (docx(), "a.txt", "docx"),
        (pptx(), "a.pptx", "pptx"),
        (pptx(), "a.xlsx", "pptx"),
        (xlsx(), "a.xlsx", "xlsx"),
        (epub(), "a.epub", "epub"),
        (epub(), "a.zip", "epub"),
        (xls_like_ole(), "a.xls", "xls"),
        (PNG, "a.png", "png"),
        (PNG, "a.pdf", "png"),
        (b"\xff\xd8\xff\xe0" + bytes(40), "a", "jpg"),
        (b"GIF89a" + bytes(40), "a.gif", "gif"),
        (b"RIFF\x10\0\0\0WEBPVP8 " + bytes(40), "a.webp", "webp"),
        (b"II*\x00" + bytes(40), "a.tif", "tiff"),
        (b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0" + bytes(40), "a.bmp", "bmp"),
        (b"RIFF\x10\0\0\0WAVEfmt " + bytes(40), "a.wav", "wav"),
        (b"ID3\x04" + bytes(40), "a.mp3", "mp3"),
        (b"\xff\xfb\x90\x00" + bytes(40), "a.mp3", "mp3"),
        (b"fLaC" + bytes(40), "a.flac", "flac"),
        (b"OggS" + bytes(40), "a.ogg", "ogg"),
        (CHINESE.encode("gb18030"), "笔记.txt", "txt"),
        (CHINESE.encode("gb18030"), "笔记", "txt"),
        (CHINESE.encode("utf-16"), "笔记.md", "md"),
        (b"BMW makes cars.", "a.txt", "txt"),
        (b"a,b\n1,2\n", "A.CSV", "csv"),
        (b"{}", "a.json", "json"),
        (b"{}", "a.ipynb", "ipynb"),
        (b"x = 1\n", "a.py", "py"),
        (b"x: 1\n", "a.yml", "yaml"),
        (b"all:\n\techo\n", "Makefile", "txt"),
        (b"<!-- a --><!doctype html><p>x", "page", "html"),
        (b"<?xml version='1.0'?><html><body>x", "page.htm", "html"),
        (b"<html><table><tr><td>1", "export.xls", "html"),
        (b"<html>", "source.txt", "txt"),
    ],
)
def test_the_content_decides(tmp_path: Path, content: bytes, name: str, expected: str) -> None:
    assert detect(kept(tmp_path, content), name) == expected


@pytest.mark.parametrize(
    ("content", "name", "error"),
    [
        (b"", "a.pdf", EmptyDocumentError),
        (b" \r\n\0", "a.txt", EmptyDocumentError),
        (b"A text that somebody renamed.", "a.pdf", UnsupportedFormatError),
        (b"A text that somebody renamed.", "a.docx", UnsupportedFormatError),
        (b"A text that somebody renamed.", "a.png", UnsupportedFormatError),
        (b"<html>Not found", "paper.pdf", UnsupportedFormatError),
        (b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 4, "a.txt", UnsupportedFormatError),
        (b"{\\rtf1 hello}", "a.rtf", UnsupportedFormatError),
        (b"{\\rtf1 hello}", "a.txt", UnsupportedFormatError),
        (b"\0\0\0\x20ftypM4A " + bytes(40), "a.m4a", UnsupportedFormatError),
        (b"%!PS-Adobe-3.0", "a.ps", UnsupportedFormatError),
        (archive("readme.txt"), "a.zip", UnsupportedFormatError),
        (archive("readme.txt"), "a.docx", UnsupportedFormatError),
        (archive("word/document.xml"), "a.docx", UnsupportedFormatError),
        (archive("[Content_Types].xml", "xl/workbook.bin"), "a.xlsb", UnsupportedFormatError),
        (docx()[:300], "a.docx", DamagedDocumentError),
        (encrypted_ole(), "a.docx", EncryptedDocumentError),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "a.doc", DamagedDocumentError),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.xls", DamagedDocumentError),
    ],
)
def test_what_cannot_be_read_is_refused(
    tmp_path: Path, content: bytes, name: str, error: type[DocumentError]
) -> None:
    with pytest.raises(error) as caught:
        detect(kept(tmp_path, content), name)
    assert caught.value.remedy


def test_the_refusal_lists_what_can_be_loaded() -> None:
    for kind in ("PDF", "docx", "pptx", "xlsx", "EPUB", "HTML", "Markdown", "CSV", "JSON"):
        assert kind in UnsupportedFormatError().remedy


def test_a_file_that_is_two_things_is_what_it_begins_as(tmp_path: Path) -> None:
    pdf = (PDFS / "chinese.pdf").read_bytes()
    assert detect(kept(tmp_path, pdf + docx()), "a.docx") == "pdf"
    with pytest.raises(UnsupportedFormatError):
        detect(kept(tmp_path, docx() + pdf), "a.pdf")
    both = archive("[Content_Types].xml", "word/document.xml", "xl/workbook.xml")
    assert detect(kept(tmp_path, both), "a.xlsx") == "xlsx"
    assert detect(kept(tmp_path, both), "a.bin") == "docx"


def test_an_archive_with_a_huge_list_of_names_is_not_read(tmp_path: Path) -> None:
    many = archive(*(f"{'n' * 200}{i}" for i in range(18_000)))
    with pytest.raises(DocumentTooComplexError):
        detect(kept(tmp_path, many), "a.docx")


@pytest.mark.parametrize("seed", range(4))
def test_a_broken_file_is_a_format_or_a_document_error(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    for whole in (docx(), epub(), encrypted_ole(), xls_like_ole(), CHINESE.encode("gb18030")):
        for _ in range(15):
            content = bytearray(whole)
            for _ in range(rng.choice((1, 5, 30))):
                content[rng.randrange(len(content))] = rng.randrange(256)
            del content[rng.randrange(len(content)) : rng.choice((0, len(content)))]
            with contextlib.suppress(DocumentError):
                assert detect(kept(tmp_path, bytes(content)), "a.docx") in FORMATS


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "utf-8"),
        (CHINESE, "utf-8-sig"),
        (CHINESE, "utf-16"),
        (CHINESE + " with enough Latin text", "utf-16-le"),
        (CHINESE, "gb18030"),
        (CHINESE, "gbk"),
        ("你好，世界", "gb18030"),
        ("The word 记忆 means memory.\nAnother line in English here.", "gb18030"),
        ("第一章 緒論\n機器學習是人工智慧的一個分支。", "big5"),
        ("機器學習是人工智慧的一個分支。它讓電腦從資料中學習規律。", "gb18030"),
        ("Voilà un café très agréable à côté de la forêt", "latin-1"),
        ("Größe und Übung – schöne Straße", "cp1252"),
        ("plain ASCII", "ascii"),
    ],
)
def test_the_encoding_of_a_text_is_found(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)).lstrip("\ufeff") == text


def test_a_character_cut_by_the_sample_does_not_matter() -> None:
    for encoding in ("utf-8", "gb18030"):
        data = ("字" * 200_000).encode(encoding)
        assert decode(data) == "字" * 200_000


def test_bytes_that_are_no_text_have_no_encoding() -> None:
    assert encoding_of(bytes(range(256))) is None
    assert encoding_of(b"\x00\x01\x02\x03" * 50) is None


def test_suffixes_mean_formats() -> None:
    assert set(ALIASES.values()) <= set(FORMATS)
    assert not set(ALIASES) & set(FORMATS)
    assert len(ACCEPTED) == len(set(ACCEPTED))
    assert set(FORMATS.values()) == set(FormatKind)
    assert format_named("a.b/论文.JPEG") == "jpg"
    assert format_named("noSuffix") is None
    assert format_named("a.exe") is None
