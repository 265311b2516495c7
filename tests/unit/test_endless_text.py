"""Text without ends: what takes time or memory beyond its length would keep everybody waiting."""

import pytest

from core.domain.document import Block, BlockKind, Page
from core.text.sentences import sentence_spans, split_pages


@pytest.mark.parametrize("piece", [".", "?!", "A. ", "1. ", "（中；", ".)", "a."])
def test_endless_stops_are_read_in_linear_time(piece):
    text = piece * (400_000 // len(piece))  # in squared time: hours
    spans = sentence_spans(text)
    assert "".join(text[a:b] for a, b in spans).replace(" ", "") == text.replace(" ", "")


def page(number, text):
    block = Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text))
    return Page(number=number, label=None, text=text, width=1.0, height=1.0, blocks=(block,))


@pytest.mark.parametrize("text", ["a" * 9_000, "word " * 2_000, "。" * 9_000])
def test_a_sentence_without_an_end_is_cut(text):
    text = text.strip()
    sentences = split_pages([page(1, text)])
    assert max(len(s.text) for s in sentences) <= 2_000 or "。" in text
    assert "".join(s.text for s in sentences).replace(" ", "") == text.replace(" ", "")


def test_pages_are_not_joined_without_end():
    sentences = split_pages([page(n, "and so on " * 150 + "and") for n in range(1, 40)])
    assert len(sentences) > 10
    assert max(len(s.text) for s in sentences) < 6_000
