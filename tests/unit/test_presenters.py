"""Text and conversation: what is shown, and that hostile text stays text."""

import pytest

from app.components import conversation
from app.i18n import Words
from app.presenters import (
    duration,
    escape_markdown,
    notice_html,
    number_ranges,
    page_label,
    shorten,
    time_element,
)
from core.domain.answer import AnswerMode, CitationState, StillReading
from core.domain.document import TextSource
from core.domain.study import AskedQuestion
from tests.samples import (
    EN,
    HOSTILE,
    WHEN,
    ZH,
    Tags,
    active,
    answer,
    assert_tame,
    citation,
    passage,
)

# --- small pieces ---------------------------------------------------------------------------------


def test_printed_and_physical_page_numbers() -> None:
    assert page_label(14, "xii", EN) == "p. xii (PDF 14)"
    assert page_label(14, "xii", ZH) == "第 xii 页（PDF 第 14 页）"
    for same in (None, "", "14"):
        assert page_label(14, same, EN) == "p. 14"


def test_page_ranges() -> None:
    assert number_ranges([7, 3, 5, 6, 3]) == "3, 5–7"
    assert number_ranges([]) == ""


@pytest.mark.parametrize(
    ("seconds", "english"), [(0, "0 s"), (59.9, "59 s"), (60, "1 min"), (7260, "2 h 1 min")]
)
def test_durations(seconds: float, english: str) -> None:
    assert duration(seconds, EN) == english


def test_shortening_keeps_the_length_and_one_line() -> None:
    assert shorten("a b\n c", 10) == "a b c"
    assert shorten("abcdefghij", 5) == "abcd…"


def test_times_carry_their_moment_for_the_browser() -> None:
    assert time_element(WHEN) == (
        '<time datetime="2026-03-02T09:30:00+00:00">2026-03-02 09:30 UTC</time>'
    )


def test_markdown_signs_are_shown_not_read() -> None:
    shown = escape_markdown("![x](http://evil/) <b> *a* `c` $$d$$ | &lt;")
    for sign in ("[", "(", "<", "*", "`", "$", "&"):
        assert sign not in active(shown)
    assert escape_markdown("平安。Plain words") == "平安。Plain words"


def test_an_empty_notice_is_nothing() -> None:
    assert notice_html("") == ""
    assert_tame(notice_html(HOSTILE))


# --- conversation ---------------------------------------------------------------------------------


def test_numbers_become_links_only_when_they_are_proven() -> None:
    text = conversation.answer_text(
        answer(text="Yes. [1] No. [2] a[3]", mode=AnswerMode.GENERATED), EN
    )
    assert "[1](#cite-q-1-2-1)" in text
    assert text.count("](#") == 1
    assert r"\[2\]" in text


def test_sources_carry_state_and_both_page_numbers() -> None:
    shown = conversation.answer_markdown(
        answer(citations=(citation(), citation(number=2, state=CitationState.PARTIAL))), EN
    )
    assert r"[1 · paper\.pdf · p\. xii \(PDF 14\)](#source-exact-q-1-2-1)" in shown
    assert "(#source-partial-q-1-2-2)" in shown
    assert "(#note-q-1-2)" in shown


def test_quoted_text_is_shown_letter_by_letter() -> None:
    shown = conversation.answer_text(
        answer(text="![a](http://evil/x.png) <b>*x*</b> [1]\n\n# h"), EN
    )
    assert active(shown).count("[") == 1
    assert "<" not in active(shown)
    assert "\n\n\\# h" in shown


def test_a_models_markdown_stays_but_can_load_nothing() -> None:
    text = (
        "**Bold** [1]\n\n- ![x](http://evil/a.png)\n- [c](javascript:alert(1)) <img src=x>\n`a[0]`"
    )
    shown = conversation.answer_text(answer(text=text, mode=AnswerMode.GENERATED), EN)
    assert "**Bold** [1](#cite-q-1-2-1)" in shown
    assert "`a[0]`" in shown
    assert active(shown).replace("`a[0]`", "").count("[") == 1
    assert "<" not in active(shown)
    assert "!" not in active(shown)


@pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])
def test_a_refusal_offers_the_nearest_pages_once_each(words: Words) -> None:
    refused = answer(
        text="Your documents do not answer this question.", mode=AnswerMode.REFUSED, citations=(),
        passages=(passage(31), passage(31), passage(44), passage(2), passage(3)),
    )  # fmt: skip
    shown = conversation.answer_markdown(refused, words)
    assert shown.count("(#page-d1-31)") == 1
    assert shown.count("](#page-") == 3
    assert "#note-" not in shown


@pytest.mark.parametrize(
    "code",
    [
        "model",
        "model_unavailable",
        "model_response",
        "nothing_proven",
        "not_provable",
        "source_removed",
    ],
)
def test_notices_are_told_in_words(code: str) -> None:
    for words in (EN, ZH):
        shown = conversation.answer_markdown(answer(notice=code, detail="raw"), words)
        assert "raw" not in shown
        assert escape_markdown(words(f"notice.{code}")) in shown


def test_an_unknown_notice_shows_its_detail_and_removed_citations_are_counted() -> None:
    shown = conversation.answer_markdown(answer(notice="later", detail="<i>New</i>", removed=2), EN)
    assert "New" in shown
    assert "<i>" not in shown
    assert "2 citations could not be proven" in shown


def test_the_answer_of_a_deleted_document_says_so_and_offers_nothing() -> None:
    gone = answer(text="", citations=(), notice="source_removed")
    shown = conversation.answer_markdown(gone, EN)
    assert "deleted" in shown
    assert "#note-" not in shown


def test_the_tombstone_says_when_each_source_was_removed() -> None:
    gone = answer(text="", citations=(), notice="source_removed", sources_removed_at=(WHEN, WHEN))
    for words, before in ((EN, "Source removed on "), (ZH, "来源移除于 ")):
        shown = conversation.answer_markdown(gone, words)
        assert shown.count(f"{before}{time_element(WHEN)}") == 2
    assert "removed on" not in conversation.answer_markdown(answer(), EN)


@pytest.mark.parametrize("mode", [AnswerMode.EXTRACTIVE, AnswerMode.REFUSED])
def test_an_answer_says_how_much_had_been_read(mode: AnswerMode) -> None:
    readings = (
        StillReading(document_id="a", document="a.pdf", read=12, pages=80),
        StillReading(document_id="b", document="b.docx", read=1, pages=3),
        StillReading(document_id="c", document=HOSTILE, read=0, pages=0),
    )
    early = answer(mode=mode, still_reading=readings)
    shown = conversation.answer_markdown(early, EN)
    assert escape_markdown("Only 12 of 80 pages of “a.pdf” had been read.") in shown
    assert escape_markdown("Only 1 of 3 parts of “b.docx” had been read.") in shown
    assert "had not been read yet" in shown
    assert set(Tags(active(shown)).tags) <= {"span"}
    assert "共 80 页，当时只读了 12 页" in conversation.answer_markdown(early, ZH)


def test_sources_name_recognised_text_and_headings() -> None:
    cited = (
        citation(source=TextSource.OCR),
        citation(source=TextSource.CONVERTED, heading_path=("Learning", "Memory <b>"), page=2),
        citation(source=TextSource.CONVERTED, page=3),
    )
    shown = conversation.answer_markdown(answer(citations=cited), EN)
    assert escape_markdown("p. xii (PDF 14) · recognised text") in shown
    assert escape_markdown("paper.pdf · Memory <b>](")[:-4] in shown
    assert "part 3" in shown
    assert shown.count("recognised text") == 1
    assert "[1] paper.pdf, Memory <b>" in conversation.note_text(answer(citations=cited), EN)


def test_the_nearest_pages_of_a_converted_document_are_parts() -> None:
    refused = answer(
        text="No.", mode=AnswerMode.REFUSED, citations=(), passages=(passage(2, "notes.docx"),)
    )
    assert "part 2" in conversation.answer_markdown(refused, EN)


def test_the_conversation_runs_from_old_to_new() -> None:
    asked = [
        AskedQuestion(id=str(n), session_id="s", asked_at=WHEN, answer=answer(question=f"Q{n}"))
        for n in (2, 1)
    ]
    messages = conversation.conversation(asked, EN)
    assert [m["role"] for m in messages] == ["user", "assistant"] * 2
    assert messages[0]["content"] == "Q1"


def test_what_is_typed_and_streamed_is_plain() -> None:
    assert "<b>" not in conversation.question_message("<b>x</b>")["content"]
    assert "](" not in conversation.streamed_message("[a](b) so far", EN)["content"]
    assert conversation.streamed_message(" ", EN)["content"] == escape_markdown(EN("ask.searching"))


def test_a_note_from_an_answer_carries_its_sources() -> None:
    text = conversation.note_text(answer(), EN)
    assert text.startswith("Question: Why oak?")
    assert "[1] paper.pdf, p. xii (PDF 14): “Water eats iron.”" in text


def test_suggestions_and_welcome() -> None:
    assert conversation.suggestions([], EN) == ""
    assert_tame(conversation.suggestions([HOSTILE], EN))
    assert 'data-tab="documents"' in conversation.welcome(EN, documents=False)
    assert "data-tab" not in conversation.welcome(EN, documents=True)
