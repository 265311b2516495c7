"""Reading documents of other formats in real worker processes."""

import http.server
import io
import json
import re
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.document import BlockKind, ReaderName, TextSource
from core.errors import (
    UnknownBackendError,
    UnsupportedFormatError,
)
from core.readers.limited import LimitedReader
from tests.converting import LIMITS, blocks, read
from tests.data import make_office as office

DATA = Path(__file__).parents[1] / "data"


def test_a_word_file(tmp_path):
    summary, pages = read(tmp_path, office.docx(), "notes.docx")
    assert summary.reader is ReaderName.MARKITDOWN
    assert summary.title == "Memory of machines"
    (page,) = pages
    assert page.source is TextSource.CONVERTED
    assert (page.label, page.width, page.height, page.segments) == (None, 0, 0, ())
    assert blocks(page) == [
        ("heading", "学习笔记"),
        ("paragraph", "机器学习是人工智能的一个分支。 a_b*c <b>bold</b> &lt; 1 # 2"),
        ("paragraph", "# no heading"),
        ("paragraph", "1. no list"),
        ("heading", "Table"),
        ("table", "Kind  Size | unit\nworking\n情景  large"),
        ("list", "• one"),
        ("list", "• two"),
        ("list", "1. first"),
        ("list", "2. second"),
        ("paragraph", "this is underlined"),
    ]
    assert [b.level for b in page.blocks if b.kind is not BlockKind.LIST][:6] == [1, 0, 0, 0, 2, 1]


def test_a_long_word_file_is_cut_before_headings(tmp_path):
    content = office.long_docx(sections=12, sentences=6)
    _, pages = read(tmp_path, content, "long.docx")
    assert len(pages) > 3
    assert all(len(page.text) <= 4000 for page in pages)
    assert all(len(page.text) >= 1500 for page in pages[:-1])
    starts = [blocks(page)[0][0] for page in pages]
    assert starts.count("heading") >= len(pages) - 1
    assert all(blocks(page)[-1][0] != "heading" for page in pages)
    text = "\n".join(page.text for page in pages)
    assert all(f"Sentence {i} of section {n} says" in text for n in range(1, 13) for i in range(6))


def test_a_workbook_has_a_part_for_each_sheet(tmp_path):
    _, pages = read(tmp_path, office.xlsx(), "marks.xlsx")
    assert [blocks(page) for page in pages] == [
        [
            ("heading", "成绩"),
            ("paragraph", "2024 年成绩单"),
            (
                "table",
                "姓名  分数  日期  比例\n张三  95  2024-01-02  12.5%\n"
                "李四    2024-01-03 04:05:00  1.5",
            ),
        ],
        [("heading", "Second"), ("table", "key  value\na  3")],
    ]
    assert pages[0].blocks[2].level == 1


def test_a_long_table_goes_on_with_its_rows(tmp_path):
    _, pages = read(tmp_path, office.long_xlsx(1500), "squares.xlsx")
    tables = [page.blocks[-1] for page in pages]
    assert len(pages) > 3
    assert all(block.kind is BlockKind.TABLE for block in tables)
    assert [block.level for block in tables] == [1] + [0] * (len(pages) - 1)
    rows = [
        row for p, b in zip(pages, tables, strict=True) for row in p.text[b.start :].split("\n")
    ]
    assert rows == ["number  square", *(f"{n}  {n * n}" for n in range(1500))]


def test_each_slide_is_a_part_of_its_own(tmp_path):
    _, pages = read(tmp_path, office.pptx(), "talk.pptx")
    assert [blocks(page) for page in pages] == [
        [
            ("heading", "Slide 标题"),
            ("paragraph", "point __one__"),
            ("paragraph", "<script>two</script>"),
            ("paragraph", "5 * 3 * 2"),
            ("heading", "Notes:"),
            ("paragraph", "Say hello"),
        ],
        [],
        [("heading", "Third"), ("table", "h_1  h2\nv|1  v2")],
    ]


def test_an_ebook(tmp_path):
    chapters = (
        "<h1>第一章</h1><p>你好，世界。</p>",
        "<h1>Two</h1><p>More <i>text</i> &amp; so.</p>",
    )
    summary, pages = read(tmp_path, office.epub(chapters=chapters), "book.epub")
    assert summary.title == "小书 A book"
    found = [block for page in pages for block in blocks(page)]
    assert found[-4:] == [
        ("heading", "第一章"),
        ("paragraph", "你好，世界。"),
        ("heading", "Two"),
        ("paragraph", "More text & so."),
    ]


class Watched(http.server.BaseHTTPRequestHandler):
    seen: list[str]

    def do_GET(self) -> None:
        self.server.seen.append(self.path)
        self.send_response(404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[http.server.HTTPServer]:
    made = http.server.HTTPServer(("127.0.0.1", 0), Watched)
    made.seen = []
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def test_a_page_of_the_web_fetches_nothing_and_runs_nothing(tmp_path, server):
    address = f"http://127.0.0.1:{server.server_port}"
    html = f"""<html><head><meta charset="gb2312"><title>网页</title>
        <link rel="stylesheet" href="{address}/a.css"><script src="{address}/a.js"></script>
        <style>p {{ color: red }}</style><base href="{address}/"></head><body>
        <h1>标题</h1><p>世界 &lt;script&gt;alert(1)&lt;/script&gt; &amp;lt; a_b
        <img src="{address}/a.png" alt="a picture"><a href="javascript:alert(1)">link</a>
        <iframe src="{address}/f"></iframe><object data="{address}/o"></object></p>
        <script>document.write("written")</script>
        <table><tr><td>k</td><td>v|w</td></tr><tr><td></td><td>2</td></tr></table>
        <pre>x  = 1
  y</pre></body></html>"""
    summary, (page,) = read(tmp_path, html.encode("gb18030"), "page.html")
    assert summary.title == "网页"
    assert blocks(page) == [
        ("heading", "标题"),
        ("paragraph", "世界 <script>alert(1)</script> &lt; a_b a picturelink"),
        ("table", "k  v|w\n  2"),
        ("code", "x  = 1\n  y"),
    ]
    assert server.seen == []


def test_pictures_outside_an_office_file_are_not_fetched(tmp_path, server):
    address = f"http://127.0.0.1:{server.server_port}/p.png"
    with zipfile.ZipFile(io.BytesIO(office.docx())) as archive:
        rels = archive.read("word/_rels/document.xml.rels").decode()
        body = archive.read("word/document.xml")
    assert b"r:embed=" in body
    target = 'Target="media/image1.png"'
    assert target in rels
    for outside in (address, "file:///etc/passwd"):
        linked = rels.replace(target, f'Target="{outside}" TargetMode="External"')
        content = office.with_entries(
            office.docx(),
            {
                "word/_rels/document.xml.rels": linked.encode(),
                "word/document.xml": body.replace(b"r:embed=", b"r:link="),
            },
        )
        _, (page,) = read(tmp_path, content, "a.docx")
        assert "this is underlined" in page.text
        assert "root:" not in page.text
    assert server.seen == []


def test_pictures_that_are_gone_leave_the_text(tmp_path):
    for make, rels, last in (
        (office.docx, "word/_rels/document.xml.rels", "this is underlined"),
        (office.pptx, "ppt/slides/_rels/slide3.xml.rels", "Third"),
    ):
        with zipfile.ZipFile(io.BytesIO(make())) as archive:
            found = archive.read(rels)
            name = re.search(rb"media/image1\.png", found).group().decode()
        for target in (b"NULL", b"../media/gone.png"):
            broken = re.sub(rb'Target="[^"]*media/image1\.png"', b'Target="%s"' % target, found)
            assert broken != found
            gone = {rels: broken, f"{rels.partition('/')[0]}/{name}": None}
            _, pages = read(tmp_path, office.with_entries(make(), gone), "a.docx")
            assert last in pages[-1].text
            assert "data:" not in pages[-1].text


PLAIN = [
    (
        "第一章 绪论\n\n　　本章介绍记忆。\n　　第二段。\n".encode("gb18030"),
        "小说.txt",
        [("heading", "第一章 绪论"), ("paragraph", "本章介绍记忆。"), ("paragraph", "第二段。")],
    ),
    (
        b"A line that is broken by hand at about sixty columns, as in\n"
        b"letters of old, goes on in the next line until it is done\nhere.\n\n* not a list\n# 2\n",
        "letter.txt",
        [
            (
                "paragraph",
                "A line that is broken by hand at about sixty columns, as in letters of old, goes "
                "on in the next line until it is done here.",
            ),
            ("paragraph", "* not a list"),
            ("paragraph", "# 2"),
        ],
    ),
    (
        '\ufeffname;note\n"a; b";1\n;"two\nlines"\n'.encode(),
        "a.csv",
        [("table", "name  note\na; b  1\n  two lines")],
    ),
    (b"a\tb\n1,5\t2\n", "a.tsv", [("table", "a  b\n1,5  2")]),
    (
        json.dumps({"键": ["你好", 1]}).encode(),
        "a.json",
        [("code", '{\n  "键": [\n    "你好",\n    1\n  ]\n}')],
    ),
    (b'{"a": 1}\n{"a": 2}\n', "a.json", [("code", '{"a": 1}\n{"a": 2}')]),
    (
        b"def f(x):\n\treturn x # *no* _layout_\n\n\n",
        "a.py",
        [("code", "def f(x):\n    return x # *no* _layout_")],
    ),
    (
        "---\ntitle: x\n---\n# 标题\n\n*a* `b_c` <b>d</b>\n".encode(),
        "a.md",
        [("code", "title: x"), ("heading", "标题"), ("paragraph", "a b_c <b>d</b>")],
    ),
    (
        json.dumps(
            {
                "cells": [
                    {"cell_type": "markdown", "source": ["# Note\n", "text"]},
                    {"cell_type": "code", "source": ["x = 1"]},
                ],
                "metadata": {},
                "nbformat": 4,
                "nbformat_minor": 5,
            }
        ).encode(),
        "a.ipynb",
        [("heading", "Note"), ("paragraph", "text"), ("code", "x = 1")],
    ),
]


@pytest.mark.parametrize(("content", "name", "expected"), PLAIN, ids=[p[1] for p in PLAIN])
def test_text_is_read_as_it_stands(tmp_path, content, name, expected):
    summary, (page,) = read(tmp_path, content, name)
    assert summary.reader is ReaderName.MARKITDOWN
    assert blocks(page) == expected


def test_long_lines_and_paragraphs_are_cut_without_loss(tmp_path):
    sentence = "这是一个很长的段落里的一句话，没有换行。"
    _, pages = read(tmp_path, (sentence * 600).encode(), "long.txt")
    assert "".join(page.text for page in pages) == sentence * 600
    assert all(page.text.endswith("。") and len(page.text) <= 4000 for page in pages)
    code = "x=" + "1+" * 10_000 + "1"
    _, pages = read(tmp_path, code.encode(), "min.js")
    assert "".join(page.text for page in pages).replace("\n", "") == code


def test_a_picture_is_a_page_that_waits_for_recognition(tmp_path):
    summary, (page,) = read(tmp_path, office.png(600, 300), "scan.png")
    assert summary.reader is ReaderName.OCR
    assert (page.text, page.source) == ("", TextSource.NONE)
    assert (page.width, page.height) == (600, 300)


def test_a_pdf_read_by_each_reader(tmp_path):
    content = (DATA / "two_columns_en.pdf").read_bytes()
    texts = {}
    for name in ("liteparse", "pypdf", "markitdown"):
        summary, pages = read(tmp_path, content, "a.pdf", pdf_reader=name)
        assert summary.reader.value == name
        texts[name] = "".join(p.text for p in pages)
        assert bool(pages[0].segments) == (name == "liteparse")
        assert (pages[0].source is TextSource.CONVERTED) == (name == "markitdown")
    words = set(texts["liteparse"].split())
    assert len(words & set(texts["markitdown"].split())) > 0.8 * len(words)
    with pytest.raises(UnknownBackendError):
        LimitedReader(LIMITS, pdf_reader="word")


def test_what_is_said_about_the_format_must_be_true(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(office.docx())
    with pytest.raises(UnsupportedFormatError):
        LimitedReader(LIMITS).read(path, lambda *_: None, format="pptx")
    with pytest.raises(UnsupportedFormatError):
        LimitedReader(LIMITS).read(path, lambda *_: None, format="nonsense")
