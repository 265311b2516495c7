"""Text, documents and conversation: what is shown, and that hostile text stays text."""

from dataclasses import replace

import pytest

from app.components import conversation, documents
from app.errors import Failure
from app.i18n import LANGUAGES, Words
from app.loading import LoadRow
from app.presenters import (
    duration,
    escape_markdown,
    notice_html,
    number_ranges,
    page_label,
    shorten,
    time_element,
)
from core.domain.answer import AnswerMode, CitationState
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
    document,
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


# --- documents ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_document_row_has_its_facts_and_warnings(language: str) -> None:
    words = Words(language)  # type: ignore[arg-type]
    row = documents.documents_list(
        [document(warnings=("no_boxes", "pages_without_text", "new_code"), textless_pages=(3, 4))],
        words,
    )
    text = Tags(row).text
    assert "A paper" in text
    assert "paper.pdf" in text
    assert words("warning.no_boxes") in text
    assert "3–4" in text
    assert "new_code" in text
    assert words("documents.count_one", pages=12) in text


def test_hostile_names_stay_text_in_documents() -> None:
    html = documents.documents_list([document(name=HOSTILE, title=HOSTILE, id=HOSTILE)], EN)
    assert_tame(html)
    assert HOSTILE in Tags(html).text
    rows = [
        LoadRow(id="1", name=HOSTILE, stage="reading", done=2, pages=9),
        LoadRow(id="2", name=HOSTILE, stage="refused", failure=Failure(code="encrypted")),
        LoadRow(id="3", name=HOSTILE, stage="refused", failure=Failure(code="x", message=HOSTILE)),
        LoadRow(id="4", name=HOSTILE, stage="known", duplicate=True),
    ]
    assert_tame(documents.tray(rows, EN))
    assert_tame(documents.drop_zone([(HOSTILE, HOSTILE)], EN, max_mb=1, max_pages=2, local=True))


def test_a_load_says_how_far_it_is_and_a_refusal_what_to_do() -> None:
    row = LoadRow(id="1", name="a.pdf", stage="reading", done=2, pages=9)
    running = documents.tray([row], EN)
    assert "reading page 2 of 9" in running
    assert 'max="9" value="2"' in running
    assert 'data-act="stop_load"' in running
    refused = documents.tray([replace(row, stage="refused", failure=Failure(code="encrypted"))], ZH)
    assert "密码保护" in refused
    assert "不带密码的副本" in refused
    assert 'data-act="dismiss_load"' in refused
    assert documents.tray([], EN) == ""


def test_where_files_stay_is_said_truly() -> None:
    local = documents.drop_zone([], EN, max_mb=5, max_pages=7, local=True)
    served = documents.drop_zone([], EN, max_mb=5, max_pages=7, local=False)
    assert "stay on this computer" in local
    assert "this computer" not in served
    assert f'data-max-bytes="{5 * 1024 * 1024}"' in served


# --- conversation ---------------------------------------------------------------------------------


def test_numbers_become_links_only_when_they_are_proven() -> None:
    text = conversation.answer_text(answer(text="Yes. [1] No. [2] a[3]", mode=AnswerMode.GENERATED))
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
    shown = conversation.answer_text(answer(text="![a](http://evil/x.png) <b>*x*</b> [1]\n\n# h"))
    assert active(shown).count("[") == 1
    assert "<" not in active(shown)
    assert "\n\n\\# h" in shown


def test_a_models_markdown_stays_but_can_load_nothing() -> None:
    text = (
        "**Bold** [1]\n\n- ![x](http://evil/a.png)\n- [c](javascript:alert(1)) <img src=x>\n`a[0]`"
    )
    shown = conversation.answer_text(answer(text=text, mode=AnswerMode.GENERATED))
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
