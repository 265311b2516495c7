import io

import pypdfium2
from pypdf import PdfWriter
from pypdf.generic import NameObject

from core.readers.outline import MAX_ENTRIES, outline


def made(change, pages=3):
    writer = PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(100, 100)
    change(writer)
    buffer = io.BytesIO()
    writer.write(buffer)
    document = pypdfium2.PdfDocument(buffer.getvalue())
    found = [(e.level, e.title, e.page) for e in outline(document)]
    document.close()
    return found


def test_a_file_without_bookmarks_has_no_outline():
    assert made(lambda writer: None) == []


def test_levels_pages_and_titles():
    def change(writer):
        first = writer.add_outline_item(title="第一章\u200b  开始", page_number=0)
        writer.add_outline_item(title="Part\tone", page_number=1, parent=first)
        writer.add_outline_item(title="End", page_number=2)

    assert made(change) == [(1, "第一章 开始", 1), (2, "Part one", 2), (1, "End", 3)]


def test_deep_levels_end_at_six():
    def change(writer):
        parent = None
        for i in range(9):
            parent = writer.add_outline_item(title=f"Level {i}", page_number=0, parent=parent)

    assert [level for level, _, _ in made(change)] == [1, 2, 3, 4, 5, 6, 6, 6, 6]


def test_bookmarks_without_title_or_page_are_passed_over():
    def change(writer):
        writer.add_outline_item(title="  ", page_number=0)
        broken = writer.add_outline_item(title="Nowhere", page_number=1)
        del broken.get_object()[NameObject("/A" if "/A" in broken.get_object() else "/Dest")]
        writer.add_outline_item(title="Here", page_number=1)

    assert made(change) == [(1, "Here", 2)]


def test_a_cycle_ends():
    def change(writer):
        first = writer.add_outline_item(title="One", page_number=0)
        second = writer.add_outline_item(title="Two", page_number=1)
        second.get_object()[NameObject("/Next")] = first

    assert made(change) == [(1, "One", 1), (1, "Two", 2)]


def test_an_endless_list_is_cut():
    def change(writer):
        for i in range(MAX_ENTRIES + 20):
            writer.add_outline_item(title=f"Entry {i}", page_number=i % 3)

    assert len(made(change)) == MAX_ENTRIES
