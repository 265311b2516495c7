import itertools
import pickle
from dataclasses import replace

import numpy as np
import pytest

from core.domain.document import Block, BlockKind, Page
from core.errors import ConfigurationError
from core.rag.chunking import (
    PASSAGE_TOKENS,
    TABLE_FACTOR,
    Chunker,
    chunk_id_for,
    document_id_for,
    windows,
)
from core.rag.stretches import STRETCH_TOKENS
from core.text.letters import letters
from core.text.tokens import count_tokens
from tests.fakes import WordEmbedder

DOCUMENT = document_id_for("pdf_u", "0" * 64)


def page(number, *blocks):
    """Make a page from (kind, text) or (kind, text, level)."""
    text = ""
    made = []
    for kind, content, *level in blocks:
        start = len(text) + (2 if text else 0)
        text = f"{text}\n\n{content}" if text else content
        made.append(Block(kind=kind, start=start, end=len(text), level=level[0] if level else 0))
    return Page(number=number, label=None, text=text, width=1, height=1, blocks=tuple(made))


def chunk(pages, size=1000, overlap=200, embed=None):
    chunker = Chunker(DOCUMENT, chunk_size=size, chunk_overlap=overlap, embed=embed)
    return [*chunker.add(pages), *chunker.finish()]


def sentences(count, words=12, start=0):
    return " ".join(
        f"Sentence {i} has " + " ".join(f"w{i}x{k}" for k in range(words)) + "."
        for i in range(start, start + count)
    )


CAPTION = BlockKind.CAPTION
P, H, T, C = BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.TABLE, BlockKind.CODE


def test_chunk_text_is_the_slices_of_its_pages():
    pages = [page(1, (H, "One", 1), (P, sentences(30))), page(2, (P, sentences(30, start=30)))]
    texts = {p.number: p.text for p in pages}
    for passage in chunk(pages):
        ranges = passage.chunk.ranges
        assert passage.chunk.text == "\n".join(texts[r.page][r.start : r.end] for r in ranges)


def test_nothing_of_the_text_is_lost():
    pages = [page(1, (H, "One", 1), (P, sentences(40)), (T, "a 1\nb 2\nc 3"))]
    kept = "".join(letters(p.chunk.text) for p in chunk(pages, overlap=0))
    assert kept == letters(pages[0].text)


@pytest.mark.parametrize("size", [60, 100, 1000])
def test_chunks_keep_to_their_size(size):
    made = chunk([page(1, (P, sentences(60)))], size=size, overlap=20)
    assert all(p.chunk.tokens <= min(size, PASSAGE_TOKENS) for p in made)
    assert all(p.chunk.tokens == sum(count_tokens(s.text) for s in p.sentences) for p in made)


def test_overlap_is_whole_sentences_and_ends():
    made = chunk([page(1, (P, sentences(40, words=3)))], size=100, overlap=30)
    for before, after in itertools.pairwise(made):
        shared = [s for s in after.sentences if s in before.sentences]
        assert shared
        assert sum(count_tokens(s.text) for s in shared) <= 20
        assert after.sentences[-1] not in before.sentences


def test_long_paragraphs_after_short_ones_come_to_an_end():
    text = (sentences(1, 60), sentences(1, 15, 1), sentences(1, 90, 2))
    assert len(chunk([page(1, *[(P, t) for t in text])], size=100, overlap=50)) == 2


def test_a_sentence_longer_than_a_chunk_is_cut_not_lost():
    endless = "汉" * 950
    made = chunk([page(1, (P, endless))], size=300, overlap=50)
    assert all(p.chunk.tokens <= 300 for p in made)
    assert "".join(p.chunk.text for p in made) == endless


def test_headings_open_a_passage_and_make_its_path():
    made = chunk(
        [page(1, (H, "A", 1), (P, "Text a."), (H, "B", 2), (P, "Text b."), (H, "C", 1), (P, "c."))]
    )
    assert [p.chunk.heading_path for p in made] == [("A",), ("A", "B"), ("C",)]
    assert [p.chunk.text for p in made] == ["A\n\nText a.", "B\n\nText b.", "C\n\nc."]


def test_a_hash_in_code_is_no_heading():
    made = chunk([page(1, (H, "A", 1), (C, "# a comment\nx = 1"))])
    assert [p.chunk.heading_path for p in made] == [("A",)]


def test_a_sentence_over_a_page_break_knows_both_pages():
    pages = [page(1, (P, "It began here and went")), page(2, (P, "on over there. Next one."))]
    made = chunk(pages)
    first = made[0].sentences[0]
    assert first.text == "It began here and went on over there."
    assert [r.page for r in first.ranges] == [1, 2]
    assert made[0].sentences[1].text == "Next one."
    assert made[0].chunk.pages == (1, 2)


def test_a_closed_sentence_is_not_joined_over_a_page_break():
    pages = [page(1, (P, "It ended.")), page(2, (P, "New page begins."))]
    assert [s.text for p in chunk(pages) for s in p.sentences] == ["It ended.", "New page begins."]


def test_pages_in_batches_give_the_same_passages():
    pages = [page(n, (P, sentences(9, start=9 * n) + " and so it goes")) for n in range(1, 8)]
    chunker = Chunker(DOCUMENT, chunk_size=1000, chunk_overlap=200)
    one_by_one = [p for one in pages for p in chunker.add([one])] + list(chunker.finish())
    assert one_by_one == chunk(pages)


def test_short_neighbours_share_a_window_and_all_text_is_in_one():
    rows = "\n".join(f"Row {i} {i * 7}" for i in range(30))
    made = chunk([page(1, (P, "A sentence of its own, long enough to stand alone."), (T, rows))])
    found = [w for p in made for w in windows(p.sentences)]
    assert len(found) < 15
    joined = "".join(letters(w.text) for w in found)
    assert letters(rows) in joined
    assert all(count_tokens(w.text) <= 32 for w in found[1:])


def test_ids_depend_on_owner_and_content():
    assert document_id_for("pdf_a", "1") != document_id_for("pdf_b", "1")
    assert document_id_for("pdf_a", "1") != document_id_for("pdf_a", "2")
    assert chunk_id_for(DOCUMENT, 1) != chunk_id_for(DOCUMENT, 2)


def test_overlap_must_be_smaller_than_size():
    with pytest.raises(ConfigurationError, match="CHUNK_OVERLAP"):
        Chunker(DOCUMENT, chunk_size=100, chunk_overlap=100)


def test_random_pages_are_covered():
    random = np.random.default_rng(7)
    for _ in range(20):
        pages = []
        for number in range(1, int(random.integers(2, 6))):
            blocks = []
            for k in range(int(random.integers(1, 6))):
                kind = [P, H, T, BlockKind.LIST, C][int(random.integers(0, 5))]
                level = int(random.integers(1, 7)) if kind is H else 0
                text = sentences(int(random.integers(1, 8)), int(random.integers(1, 40)), k * 10)
                blocks.append((kind, text, level))
            pages.append(page(number, *blocks))
        made = chunk(pages, size=int(random.integers(50, 300)), overlap=0)
        kept = "".join(letters(p.chunk.text) for p in made)
        assert kept == "".join(letters(p.text) for p in pages)


HEADER = "Segment  2023  2022  2021"


def rows(count, start=0):
    return "\n".join(
        f"Segment number {i} of the company  {i},401  {i},302  {i},203"
        for i in range(start, start + count)
    )


def tables_of(passages):
    return [p for p in passages if any(s.kind is T for s in p.sentences)]


def test_a_table_that_fits_stays_whole_with_its_caption():
    text = (P, sentences(5, words=10))
    made = chunk(
        [page(1, text, (CAPTION, "Table 1. Sales by segment"), (T, f"{HEADER}\n{rows(11)}"))]
    )
    (table,) = tables_of(made)
    assert table.chunk.text.startswith("Table 1. Sales by segment")
    assert table.chunk.text.endswith(rows(11))
    assert PASSAGE_TOKENS < table.chunk.tokens <= PASSAGE_TOKENS * TABLE_FACTOR
    assert table.chunk.context == ""


@pytest.mark.parametrize("level", [0, 1])
def test_later_parts_of_a_large_table_have_caption_and_header(level):
    pages = [page(1, (H, "Notes", 1), (P, "(in millions)"), (T, f"{HEADER}\n{rows(40)}", level))]
    first, *later = chunk(pages)
    assert first.chunk.text.startswith(f"Notes\n\n(in millions)\n\n{HEADER}\n")
    assert first.chunk.context == ""
    assert len(later) >= 3
    for passage in later:
        part = passage.chunk
        assert part.context == f"(in millions)\n\n{HEADER}"
        assert part.context == "\n".join(
            pages[0].text[r.start : r.end] for r in part.context_ranges
        )
        assert part.heading_path == ("Notes",)
        assert count_tokens(part.text) + count_tokens(part.context) == part.tokens
        assert part.tokens <= PASSAGE_TOKENS
    lines = [line for p in (first, *later) for line in p.chunk.text.split("\n")]
    assert [line for line in lines if line.startswith("Segment number")] == rows(40).split("\n")


def test_a_table_goes_on_over_pages_with_the_context_of_its_first_part():
    pages = [page(1, (CAPTION, "Table 2"), (T, f"{HEADER}\n{rows(30)}"))]
    pages += [page(n, (T, rows(30, start=30 * n))) for n in range(2, 5)]
    later = [p.chunk for p in chunk(pages) if p.chunk.pages[0] > 1]
    assert len(later) > 6
    assert {c.context for c in later} == {f"Table 2\n\n{HEADER}"}
    assert {r.page for c in later for r in c.context_ranges} == {1}


def test_another_table_does_not_take_the_context_of_the_one_before():
    names = "\n".join(f"Name {i} of a person  {i}" for i in range(30))
    pages = [page(1, (T, f"{HEADER}\n{rows(30)}")), page(2, (T, names))]
    assert {p.chunk.context for p in chunk(pages) if p.chunk.pages == (2,)} == {""}


def test_running_text_between_tables_ends_their_context():
    pages = [page(1, (T, f"{HEADER}\n{rows(30)}"), (P, sentences(3)), (T, rows(30, start=30)))]
    made = chunk(pages)
    at = next(i for i, p in enumerate(made) if any(s.kind is P for s in p.sentences))
    assert made[at - 1].chunk.context == HEADER
    assert {p.chunk.context for p in made[at:]} == {""}


def test_windows_of_rows_are_read_after_their_context():
    made = chunk([page(1, (T, f"{HEADER}\n{rows(30)}"))])
    last = made[-1]
    found = windows(last.sentences, last.chunk.context)
    assert all(w.text.startswith("Segment 2023 2022 2021\n") for w in found)
    assert letters("".join(w.text for w in found)).endswith(letters(rows(1, start=29)))


def test_symbols_that_stand_alone_are_not_embedded():
    (passage,) = chunk([page(1, (T, "Net sales . . . . . . . .  $  1,200  $  (300)  —"))])
    assert [w.text for w in windows(passage.sentences)] == ["Net sales 1,200 (300)"]


def test_random_tables_are_covered():
    random = np.random.default_rng(5)
    for _ in range(30):
        blocks = []
        for _ in range(int(random.integers(1, 6))):
            count, words = int(random.integers(1, 40)), int(random.integers(1, 30))
            table = "\n".join(
                f"row {i}  " + "  ".join(f"{i}{k}" for k in range(words)) for i in range(count)
            )
            blocks += [(P, sentences(1, int(random.integers(1, 20))))] * int(random.integers(0, 2))
            blocks.append((T, table))
        pages = [page(1, *blocks), page(2, *blocks)]
        size = int(random.integers(30, 200))
        made = chunk(pages, size=size, overlap=0)
        kept = "".join(letters(p.chunk.text) for p in made)
        assert kept == "".join(letters(p.text) for p in pages)
        assert all(p.chunk.tokens <= size for p in made)


def topic(name, count):
    return " ".join(
        f"The {name} number {i} is a {name} like the other {name} of year {i}."
        for i in range(count)
    )


TOPICS = ("river", "engine", "poem", "market", "planet", "kitchen", "castle", "violin")


def headingless(repeats=4):
    names = [f"{name}{i}" for i in range(repeats) for name in TOPICS]
    return names, [page(n, (P, topic(name, 6))) for n, name in enumerate(names, 1)]


def test_long_text_without_headings_is_cut_where_the_topic_changes():
    names, pages = headingless()
    made = chunk(pages, embed=WordEmbedder().embed_documents)
    topics = [{n for n in names if f" {n} " in p.chunk.text} for p in made]
    assert all(len(found) == 1 for found in topics)
    packed = [{n for n in names if f" {n} " in p.chunk.text} for p in chunk(pages)]
    assert any(len(found) > 1 for found in packed)


def test_topics_are_cut_the_same_in_whatever_batches_the_pages_come():
    _, pages = headingless()
    embed = WordEmbedder().embed_documents
    chunker = Chunker(DOCUMENT, chunk_size=1000, chunk_overlap=200, embed=embed)
    one_by_one = [p for one in pages for p in chunker.add([one])] + list(chunker.finish())
    assert one_by_one == chunk(pages, embed=embed)
    kept = "".join(letters(p.chunk.text) for p in one_by_one)
    assert kept == "".join(letters(p.text) for p in pages)


def test_what_was_embedded_for_the_cuts_is_what_the_index_needs_and_given_once():
    _, pages = headingless()
    embedder = WordEmbedder()
    chunker = Chunker(DOCUMENT, chunk_size=1000, chunk_overlap=200, embed=embedder.embed_documents)
    made = [*chunker.add(pages), *chunker.finish()]
    texts = [w.text for p in made for w in windows(p.sentences, p.chunk.context)]
    assert sorted(embedder.seen) == sorted(set(texts))
    vectors = [chunker.take_vector(text) for text in texts]
    assert all(v is not None for v in vectors)
    assert np.allclose(np.stack(vectors), WordEmbedder().embed_documents(texts))
    assert chunker.take_vector(texts[0]) is None


def test_sections_that_are_not_long_are_packed_as_without_vectors():
    pages = [page(n, (H, f"Section {n}", 1), (P, topic("river", 40))) for n in range(1, 9)]
    embedder = WordEmbedder()
    assert chunk(pages, embed=embedder.embed_documents) == chunk(pages)
    assert embedder.seen == []


def test_one_long_section_among_many_short_ones_is_packed_as_without_vectors():
    _, long = headingless()
    short = [page(n, (H, f"Section {n}", 1), (P, topic("river", 20))) for n in range(1, 40)]
    pages = [replace(p, number=n) for n, p in enumerate([*short, *long], 1)]
    embedder = WordEmbedder()
    assert chunk(pages, embed=embedder.embed_documents) == chunk(pages)
    assert embedder.seen == []


def test_a_long_section_keeps_its_heading_in_its_first_passage():
    names, pages = headingless()
    pages = [page(1, (H, "All", 1)), *(replace(p, number=p.number + 1) for p in pages)]
    made = chunk(pages, embed=WordEmbedder().embed_documents)
    assert made[0].chunk.text.startswith("All\n")
    assert names[0] in made[0].chunk.text
    assert names[1] not in made[0].chunk.text
    assert {p.chunk.heading_path for p in made} == {("All",)}


def test_little_is_held_back_and_memory_stays_flat():
    chunker = Chunker(
        DOCUMENT, chunk_size=1000, chunk_overlap=200, embed=WordEmbedder().embed_documents
    )
    taken = given = 0
    for number in range(1, 400):
        one = page(number, (P, topic(f"{TOPICS[number % 8]}{number}", 6)))
        taken += count_tokens(one.text)
        given += sum(p.chunk.tokens for p in chunker.add([one]))
        assert taken - given <= STRETCH_TOKENS + 300
        assert len(pickle.dumps(vars(chunker)["_texts"])) < 40_000
