import itertools

import numpy as np
import pytest

from core.domain.document import Block, BlockKind, Page
from core.errors import ConfigurationError
from core.rag.chunking import PASSAGE_TOKENS, Chunker, chunk_id_for, document_id_for, windows
from core.text.letters import letters
from core.text.tokens import count_tokens

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


def chunk(pages, size=1000, overlap=200):
    chunker = Chunker(DOCUMENT, chunk_size=size, chunk_overlap=overlap)
    return [*chunker.add(pages), *chunker.finish()]


def sentences(count, words=12, start=0):
    return " ".join(
        f"Sentence {i} has " + " ".join(f"w{i}x{k}" for k in range(words)) + "."
        for i in range(start, start + count)
    )


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
