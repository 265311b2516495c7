"""What a model or a document says, as Markdown: read back with a real Markdown parser."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from markdown_it import MarkdownIt

from app.components.prose import quoted_answer, written_answer
from app.components.remembered import memory_sources
from app.i18n import Words
from app.presenters import escape, escape_markdown
from core.domain.answer import Answer, AnswerMode, Citation, CitationState, RememberedSource


def answer(text, mode=AnswerMode.GENERATED, numbers=(1, 2)):
    citations = tuple(
        Citation(
            number=n, document="d.pdf", document_id="d", page=1, pages=(1,), page_label=None,
            quote="q", state=CitationState.EXACT, score=0.5,
        )
        for n in numbers
    )  # fmt: skip
    return Answer(id="q", question="?", text=text, mode=mode, language="en", citations=citations)


def written(answer):
    return written_answer(answer, Words("en"))


def quoted(answer):
    return quoted_answer(answer, Words("en"))


def tokens(markdown):
    found = []
    for token in MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(markdown):
        found += [token, *(token.children or ())]
    return found


def links(markdown):
    return [t.attrs["href"] for t in tokens(markdown) if t.type == "link_open"]


ACTIVE = {"image", "html_inline", "html_block"}
HOSTILE = [
    r"\[click me\](http://evil.test/a) [1]",
    r"[1] \<img src=//evil.test/x.png\>",
    "text ```\n\n![pic](http://evil.test/p.png) [lnk](http://evil.test/q)\n\n```",
    "```mermaid\ngraph TD; A-->B\n```",
    "`a` ![x](y) `b [c](d)` [1]",
    "**bold [l](http://evil.test)** <script>x</script>",
    "# ![x](http://evil.test) [1]",
    "- <img src=x> [a](b)\n1. [c](d)",
    "~~~\n~~~~~~~~~~~~~~~~\n![x](y)\n~~~\n![x](y)",
    "[r]: http://evil.test\n\n[r] www.evil.test http://evil.test",
    "a ``` b [1]\n<b>",
    "> quote ![x](y)\n\n| a | b |\n|---|---|\n| ![x](y) | [a](b) |",
    "&lt;img src=x&gt; &#91;a&#93;(b)",
    "*a* _b_ ~~c~~ [[1]](x) [1](http://evil.test)",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("mode", [AnswerMode.GENERATED, AnswerMode.EXTRACTIVE])
def test_nothing_active_comes_through(text, mode):
    render = written if mode is AnswerMode.GENERATED else quoted
    shown = render(answer(text, mode))
    assert not ACTIVE & {t.type for t in tokens(shown)}
    assert all(href.startswith("#cite-q-") for href in links(shown))
    assert not any(t.type == "fence" and t.info for t in tokens(shown))


def test_lists_emphasis_and_code_of_a_model_stay():
    shown = written(answer("## Why\n\n- **First** [1]\n- `x = [2]`\n\n1. one [2]"))
    kinds = {t.type for t in tokens(shown)}
    assert {"bullet_list_open", "ordered_list_open", "strong_open", "code_inline"} <= kinds
    assert links(shown) == ["#cite-q-1", "#cite-q-2"]


@pytest.mark.parametrize("text", ["Code:\n```py\nx = 1\n``` [1]", "```\nnever closed\n[1]"])
def test_what_stands_behind_the_answer_is_never_code(text):
    shown = written(answer(text)) + "\n\n[source](#source-1)"
    assert "#source-1" in links(shown)


def test_a_number_in_a_quote_is_the_documents_own():
    text = "As shown in [1] and [7], it rose. [2]\n\nSee [2] [1]"
    shown = quoted(answer(text, AnswerMode.EXTRACTIVE))
    assert links(shown) == ["#cite-q-2", "#cite-q-1"]
    assert r"\[1\] and" in shown


def test_unproven_numbers_are_no_links():
    assert links(written(answer("Yes. [1] No. [3]", numbers=(1,)))) == ["#cite-q-1"]
    assert links(quoted(answer("Yes. [3]", AnswerMode.EXTRACTIVE))) == []


def test_what_is_remembered_keeps_its_list_below_the_quotes():
    source = RememberedSource(
        number=3, memory_id="m", kind="semantic", event="note", text="Kites.",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip
    text = "Quoted [3] - it rose. [1]\n\nYou have noted:\n- Kites ![x](y) [3]\n- more [9]"
    shown = quoted(replace(answer(text, AnswerMode.EXTRACTIVE), memories=(source,)))
    kinds = [t.type for t in tokens(shown)]
    assert kinds.count("list_item_open") == 2
    assert links(shown) == ["#cite-q-1", "#recall-noted-m"]
    assert not ACTIVE & set(kinds)


def test_lone_surrogates_can_be_sent():
    assert escape("a\udfffb").encode() == b"a?b"
    assert escape_markdown("a\udfffb").encode() == b"a?b"


HOSTILE_ID = ") <script>alert(3)</script> [x](http://evil.test"


@pytest.mark.parametrize("event", ["qa_interaction", "question", "document_loaded", "note"])
@pytest.mark.parametrize("bad", [HOSTILE_ID, "a b", "a_b", "é", "x" * 65, "a\n"])
def test_an_id_that_is_none_of_ours_makes_no_link(event, bad):
    source = RememberedSource(
        number=1, memory_id=bad, kind="semantic", event=event, text="Zebras",
        created_at=datetime(2026, 3, 2, tzinfo=UTC), document_id=bad, question_id=bad,
    )  # fmt: skip
    told = replace(answer("- Zebras [1]", AnswerMode.REMEMBERED, ()), memories=(source,))
    for shown in (written(told), quoted(told), memory_sources(told, Words("en"))):
        assert links(shown) == []
        assert "script" not in shown
