"""The whole way of a learner: load, ask, see the proof, note, recall, progress, report."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.highlight import highlighted_letters, letters, yellow
from tests.e2e.learner import DATA, Learner
from tests.e2e.running import RunningApp

MILL = "two_columns_en.pdf"
PLATFORM = "Who laid the timber platform of the mill, and when?"


def test_the_whole_way(learner: Learner) -> None:
    learner.load(MILL)
    row = learner.document("The Tide Mill at Sallow Creek")
    expect(row).to_contain_text("3 pages · English")

    answer = learner.ask(PLATFORM)
    expect(answer).to_contain_text("laid in 1764")
    # The first citation opened by itself.
    assert letters(learner.quote) in letters(answer.inner_text())
    images = learner.page_images()
    assert highlighted_letters(images[1], DATA / MILL, 1) == letters(learner.quote)
    expect(learner.page.locator("#evidence-state")).to_have_text("exact")

    learner.write_note("Salt water eats iron; oak is pegged.", "the mill")
    found = learner.recall("iron and oak")
    expect(found.locator("[data-group=noted]")).to_contain_text("oak is pegged")
    expect(learner.recall("timber platform").locator("[data-group=asked]")).to_contain_text(
        PLATFORM
    )

    learner.tab("progress")
    for name, count in (("documents", 1), ("pages", 3), ("questions", 1), ("notes", 1)):
        expect(learner.total(name)).to_have_text(str(count))
    expect(learner.page.locator("#chart-activity figcaption")).to_contain_text("3 actions")
    expect(learner.page.locator("#report")).to_contain_text(PLATFORM)
    report = learner.download_report()
    assert {"session_info", "learning_metrics", "memory_summary", "rag_status"} <= set(report)
    assert report["learning_metrics"]["questions_asked"] == 1  # type: ignore[index]
    assert report["questions"][0]["question"] == PLATFORM  # type: ignore[index]
    assert report["questions"][0]["citations"][0]["page"] == 1  # type: ignore[index]
    assert report["notes"][0]["concept"] == "the mill"  # type: ignore[index]


@pytest.mark.parametrize(
    ("file", "question", "words", "page"),
    [
        (MILL, "On how many piles does the platform rest?", "fortytwo", 1),
        ("chinese.pdf", "石桥是谁设计的？", "沈文澜", 1),
        ("chinese.pdf", "图书室一共丢了几本书？", "四本", 2),
        ("table.pdf", "Why do sales on the islands rise in the third quarter?", "visitors", 2),
        ("labels.pdf", "Who set the type in the winter of 1993?", "noorlindqvist", 2),
        ("ligatures.pdf", None, None, None),
    ],
)
def test_the_highlight_is_over_the_quoted_words(
    learner: Learner, file: str, question: str | None, words: str | None, page: int | None
) -> None:
    learner.load(file)
    if question is None:
        question = learner.page.locator(".document h3").inner_text()
    learner.ask(question)
    if words is not None:
        assert words in letters(learner.quote)
        assert learner.page_shown == page
    for number in range(learner.sources.count()):
        source = learner.sources.nth(number)
        opened = source.inner_text().split(" · ")[0].strip()
        source.click()
        expect(learner.page.locator(".quote .number")).to_have_text(opened)
        images = learner.page_images()
        read = "".join(
            highlighted_letters(png, DATA / file, n) for n, png in sorted(images.items())
        )
        assert read == letters(learner.quote)


def test_a_quote_over_two_pages_shows_both(learner: Learner) -> None:
    learner.load("cross_page.pdf")
    learner.ask("What did Leonor Vance write in her field book about the height of the hill?")
    images = learner.page_images()
    assert sorted(images) == [1, 2]
    read = [highlighted_letters(images[n], DATA / "cross_page.pdf", n) for n in (1, 2)]
    assert all(read)
    assert "".join(read) == letters(learner.quote)


def test_pages_turn_and_lead_back_to_the_quote(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.ask("Who set the type in the winter of 1993?")
    place = learner.page.locator("#evidence-page")
    expect(place).to_have_text("p. ii (PDF 2)")
    learner.page.locator("#page-next").click()
    expect(place).to_have_text("p. 1 (PDF 3)")
    assert not yellow(learner.page_images()[3]).any()
    learner.page.locator("#page-next").click()
    expect(place).to_have_text("p. 2 (PDF 4)")
    expect(learner.page.locator("#page-next")).to_be_disabled()
    learner.page.get_by_role("button", name="Back to the quote").click()
    expect(place).to_have_text("p. ii (PDF 2)")
    assert yellow(learner.page_images()[2]).any()
    learner.page.locator("#page-previous").click()
    expect(place).to_have_text("p. i (PDF 1)")
    expect(learner.page.locator("#page-previous")).to_be_disabled()


def test_the_last_of_many_clicks_wins(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.ask("Who set the type in the winter of 1993?")
    place = learner.page.locator("#evidence-page")
    learner.numbers.first.click()
    expect(place).to_have_text("p. ii (PDF 2)")
    learner.page.evaluate(
        """() => {
        document.getElementById('page-next').click();
        document.getElementById('page-previous').click();
      }"""
    )
    expect(place).to_have_text("p. i (PDF 1)")


def test_a_reload_loses_nothing(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.ask("Who set the type in the winter of 1993?")
    quote, code = learner.quote, learner.code
    learner.open()
    assert learner.code == code
    expect(learner.document("A Short Book with a Preface")).to_be_visible()
    learner.tab("ask")
    expect(learner.page.locator("#conversation .message.user")).to_have_text(
        "Who set the type in the winter of 1993?"
    )
    expect(learner.sources.first).to_be_visible()
    assert learner.quote == quote
    learner.numbers.last.click()
    expect(learner.page.locator(".quote .number")).to_have_text(learner.numbers.last.inner_text())


def test_everything_is_true_after_a_restart(
    tmp_path: Path, open_page: Callable[..., Learner]
) -> None:
    with RunningApp(tmp_path) as app:
        learner = open_page(app)
        learner.load("labels.pdf")
        learner.ask("Who set the type in the winter of 1993?")
        learner.write_note("Kites are made of the last paper.")
        storage = learner.page.context.storage_state()
        code = learner.code
        assert app.stop() == 0
    origin = {"origins": [{**storage["origins"][0]}], "cookies": []}
    with RunningApp(tmp_path) as app:
        origin["origins"][0]["origin"] = app.url  # the port is another one
        again = open_page(app, storage_state=origin)
        assert again.code == code
        again.tab("progress")
        for name, count in (("documents", 1), ("questions", 1), ("notes", 1), ("sessions", 1)):
            expect(again.total(name)).to_have_text(str(count))
        expect(again.page.locator("#session")).to_contain_text("0 asked")
        again.tab("ask")
        expect(again.sources.first).to_be_visible()
        assert app.outside_attempts() == ""


def test_an_answer_becomes_a_note_with_its_sources(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.ask("Who set the type in the winter of 1993?")
    learner.page.locator("#conversation a[href^='#note-']").click()
    expect(learner.page.locator("#ask-notice")).to_have_text("Saved to your notes.")
    learner.tab("notes")
    note = learner.page.locator(".note")
    expect(note).to_contain_text("Noor Lindqvist")
    expect(note).to_contain_text("labels.pdf, p. ii (PDF 2)")


def test_a_refusal_says_so_and_offers_the_nearest_pages(learner: Learner) -> None:
    learner.load("labels.pdf")
    answer = learner.ask("zxqv wkjh?")
    expect(answer).to_contain_text("Your documents do not answer this")
    expect(learner.sources).to_have_count(0)
    nearest = answer.locator("a[href^='#page-']")
    if nearest.count():
        nearest.first.click()
        expect(learner.page.locator(".page-image")).to_be_visible()


def test_asking_without_documents_leads_to_them(learner: Learner) -> None:
    answer = learner.ask("Anything?")
    expect(answer).to_contain_text("no document")
    learner.open()
    learner.tab("ask")
    expect(answer).to_contain_text("no document")


def test_a_question_can_be_narrowed_to_a_document(learner: Learner) -> None:
    learner.load(MILL, "labels.pdf")
    learner.document("A Short Book").get_by_role("button", name="Ask about").click()
    expect(learner.page.locator("#filter .token")).to_have_text("A Short Book with a Preface")
    learner.ask("Who laid the timber platform?")
    for source in learner.sources.all():
        assert "labels.pdf" in source.inner_text()


def test_example_questions_fit_the_document_and_can_be_clicked(learner: Learner) -> None:
    learner.load("chinese.pdf")
    learner.tab("ask")
    chip = learner.page.locator("#examples .chip").first
    question = chip.inner_text()
    assert any("一" <= c <= "鿿" for c in question)
    chip.click()
    expect(learner.page.locator("#conversation .message.user")).to_have_text(question)
    learner.wait_idle()
    expect(learner.sources.first).to_be_visible()
