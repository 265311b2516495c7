"""Everything remembered: seen, found, corrected, deleted, undone, tidied, taken along."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, expect

from app.i18n import TEXTS
from tests.e2e.learner import Learner, field
from tests.e2e.remembering import KITES, choose, open_memory, part, row, rows, search, told, write
from tests.e2e.running import RunningApp

QUESTION = "Who set the type in the winter of 1993?"
PHONE = {"width": 360, "height": 740}


# --- what is there --------------------------------------------------------------------------------


def test_everything_is_there_with_its_source_and_reason(learner: Learner) -> None:
    open_memory(learner)
    expect(learner.page.locator("#memory-list")).to_contain_text(TEXTS["memory.empty_title"][0])
    learner.tab("documents")
    learner.load("labels.pdf")
    learner.ask(QUESTION)
    write(learner, KITES, "paper")
    open_memory(learner)
    note = row(learner, KITES)
    expect(note).to_contain_text("you noted")
    expect(note).to_contain_text(TEXTS["memory.why_note"][0])
    expect(learner.page.locator(".memory-day h2").first).to_have_text("Today")
    choose(learner, "type", "episodic")
    expect(row(learner, KITES)).to_have_count(0)
    expect(row(learner, "labels.pdf")).to_contain_text("you loaded")
    row(learner, QUESTION).get_by_role("button", name="the question and its answer").click()
    expect(learner.page.locator("#tab-ask")).to_be_visible()
    expect(learner.page.locator("#evidence-quote")).to_contain_text("Lindqvist")
    open_memory(learner)
    choose(learner, "type", "all")
    choose(learner, "what", "read")
    passage = row(learner, "Lindqvist").first
    expect(passage).to_contain_text(TEXTS["memory.why_passage"][0])
    passage.get_by_role("button", name=re.compile("labels.pdf")).click()
    expect(learner.page.locator("[data-page-shown='2']").first).to_be_visible()


def test_a_note_leads_to_the_notes(learner: Learner) -> None:
    write(learner, KITES, "paper")
    open_memory(learner)
    row(learner, KITES).get_by_role("link", name="your notes").click()
    expect(learner.page.locator(".note.looked-for")).to_contain_text(KITES)


def test_the_list_is_searched_filtered_and_shown_whole_again(learner: Learner) -> None:
    write(learner, KITES, "paper")
    write(learner, "Bread is made of flour.", "baking")
    open_memory(learner)
    expect(rows(learner)).to_have_count(2)
    search(learner, "flour")
    expect(rows(learner)).to_have_count(1)
    expect(row(learner, "Bread")).to_be_visible()
    search(learner, "zeppelins")
    expect(learner.page.locator("#memory-list")).to_contain_text("zeppelins")
    expect(rows(learner)).to_have_count(0)
    field(learner.page, "memory-query").fill("")
    expect(rows(learner)).to_have_count(2)
    choose(learner, "time", "before")
    expect(learner.page.locator("#memory-list")).to_have_text(TEXTS["memory.none_fit"][0])
    learner.page.get_by_role("button", name="Show all").click()
    expect(rows(learner)).to_have_count(2)
    expect(learner.page.locator("#memory-filter-time")).to_have_value("")
    choose(learner, "time", "today")
    expect(rows(learner)).to_have_count(2)


# --- what can be done with it ---------------------------------------------------------------------


def test_a_memory_is_edited_in_place_and_that_is_undone(learner: Learner) -> None:
    write(learner, KITES, "paper")
    write(learner, "Bread is made of flour.", "baking")
    open_memory(learner)
    kites = row(learner, "Kites")
    kites.locator(".edit summary").click()
    kites.locator("textarea").fill("Kites are made of silk.")
    # What is not saved yet outlives what is done elsewhere.
    row(learner, "Bread").get_by_role("button", name=re.compile("^Pin")).click()
    told(learner, "memory.done_pinned")
    expect(kites.locator("textarea")).to_have_value("Kites are made of silk.")
    kites.get_by_role("button", name="Save").click()
    toast = told(learner, "memory.done_edited")
    expect(row(learner, "Kites are made of silk.")).to_be_visible()
    expect(row(learner, "silk").locator("textarea")).to_be_hidden()
    learner.tab("notes")
    expect(learner.page.locator("#notes")).to_contain_text("silk")
    open_memory(learner)
    toast.get_by_role("button", name=re.compile("^Undo")).click()
    expect(row(learner, KITES)).to_be_visible()
    kites.locator(".edit summary").click()
    expect(kites.locator("textarea")).to_have_value(KITES)
    kites.locator("textarea").fill("Something else")
    kites.get_by_role("button", name="Cancel").click()
    expect(row(learner, KITES)).to_be_visible()
    kites.locator(".edit summary").click()
    expect(kites.locator("textarea")).to_have_value(KITES)


def test_what_is_being_written_stays_with_its_memory(learner: Learner) -> None:
    for what in ("Ships", "Kites", "Bread"):
        write(learner, f"{what} are made by hand.")
    open_memory(learner)
    kites = row(learner, "Kites")
    kites.locator(".edit summary").click()
    kites.locator("textarea").fill("Kites are made of silk.")
    row(learner, "Bread").locator("summary[aria-label^=Delete]").click()
    row(learner, "Bread").locator("[data-act=memory_delete]").click()
    expect(rows(learner)).to_have_count(2)
    expect(learner.page.locator("details.edit[open]")).to_have_count(1)
    expect(kites.locator("textarea")).to_have_value("Kites are made of silk.")
    expect(row(learner, "Ships").locator("textarea")).to_have_value("Ships are made by hand.")


def test_an_empty_text_is_refused(learner: Learner) -> None:
    write(learner, KITES)
    open_memory(learner)
    kites = rows(learner)
    kites.locator(".edit summary").click()
    kites.locator("textarea").fill("  ")
    kites.get_by_role("button", name="Save").click()
    expect(learner.page.locator("#memory-notice")).to_contain_text(TEXTS["error.invalid_input"][0])
    expect(row(learner, KITES)).to_be_visible()


def test_a_memory_is_pinned_and_unpinned(learner: Learner) -> None:
    write(learner, KITES)
    write(learner, "Bread is made of flour.")
    open_memory(learner)
    row(learner, KITES).get_by_role("button", name=re.compile("^Pin")).click()
    expect(row(learner, KITES).locator(".pinned")).to_be_visible()
    choose(learner, "state", "pinned")
    expect(rows(learner)).to_have_count(1)
    learner.open()  # it is kept, not only drawn
    open_memory(learner)
    row(learner, KITES).get_by_role("button", name=re.compile("^Unpin")).click()
    expect(row(learner, KITES).locator(".pinned")).to_have_count(0)


def test_a_memory_is_deleted_and_brought_back_at_once_or_later(learner: Learner) -> None:
    write(learner, KITES)
    open_memory(learner)
    for later in (False, True):
        rows(learner).get_by_role("button", name=re.compile("^Delete")).or_(
            rows(learner).locator("summary[aria-label^=Delete]")
        ).first.click()
        rows(learner).locator("[data-act=memory_delete]").click()
        toast = told(learner, "memory.done_deleted")
        expect(rows(learner)).to_have_count(0)
        if later:
            learner.open()
            open_memory(learner)
            part(learner, "changes")
            change = learner.page.locator(".change")
            expect(change).to_contain_text(KITES)
            change.get_by_role("button", name=re.compile("^Undo")).click()
            expect(change).to_have_count(0)
            part(learner, "list")
        else:
            toast.get_by_role("button", name=re.compile("^Undo")).click()
        expect(row(learner, KITES)).to_be_visible()


def test_what_is_marked_stays_visible_and_can_be_used_again(learner: Learner) -> None:
    write(learner, KITES)
    open_memory(learner)
    kites = row(learner, KITES)
    kites.locator("summary[aria-label^='Not right']").click()
    kites.get_by_role("button", name="It is outdated").click()
    told(learner, "memory.done_outdated")
    expect(kites).to_contain_text(TEXTS["memory.is_outdated"][0])
    assert learner.recall("kites").locator(".memory").count() == 0
    open_memory(learner)
    search(learner, "kites paper")  # what is not used can still be looked for
    expect(kites).to_be_visible()
    choose(learner, "state", "current")
    expect(kites).to_have_count(0)
    choose(learner, "state", "outdated")
    kites.get_by_role("button", name=re.compile("^Use it again")).click()
    told(learner, "memory.done_current")
    choose(learner, "state", "")
    expect(kites).not_to_contain_text(TEXTS["memory.is_outdated"][0])


def test_everything_is_taken_along_as_a_file(learner: Learner) -> None:
    write(learner, "风筝是用纸做的。", "纸")
    open_memory(learner)
    part(learner, "changes")
    with learner.page.expect_download() as download:
        learner.page.locator("[data-act=memory_export]").click()
    assert re.fullmatch(r"memories_\w+\.json", download.value.suggested_filename)
    saved = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert [memory["content"] for memory in saved["memories"]] == ["风筝是用纸做的。"]


# --- under an answer ------------------------------------------------------------------------------


def used_box(learner: Learner) -> Locator:
    """Open what the last answer used."""
    learner.page.locator("a[href^='#used-']").last.click()
    box = learner.page.locator(".used-box").last
    expect(box.locator(".used")).to_be_visible()
    return box


def test_an_answer_shows_what_it_used_and_does_not_use_it_again(learner: Learner) -> None:
    write(learner, KITES, "paper")
    question = "What did I note about kites?"
    answer = learner.ask(question)
    expect(answer.locator("a[href^='#used-']")).to_have_text("used 1 memory")
    box = used_box(learner)
    expect(box).to_contain_text(KITES)
    box.get_by_role("button", name="don't use").click()
    expect(box).to_contain_text(TEXTS["memory.is_unwanted"][0])
    again = learner.ask(question)
    expect(again.locator("a[href^='#used-']")).to_have_count(0)
    expect(again).not_to_contain_text(KITES)
    expect(box).to_contain_text(TEXTS["memory.is_unwanted"][0])  # it stays open above
    learner.page.locator("#language-zh").click()
    expect(box).to_contain_text(TEXTS["memory.is_unwanted"][1])
    box.get_by_role("button", name=TEXTS["memory.again"][1]).click()
    expect(box.locator(".marks")).to_be_visible()
    expect(learner.ask(question)).to_contain_text(KITES)


# --- who sees it, and how -------------------------------------------------------------------------


def test_two_browsers_remember_apart(app: RunningApp, open_page: Callable[..., Learner]) -> None:
    ada, bob = open_page(app), open_page(app)
    write(ada, "Ada's kites are secret.")
    open_memory(bob)
    expect(bob.page.locator("#memory-list")).to_contain_text(TEXTS["memory.empty_title"][0])
    write(bob, KITES)
    open_memory(bob)
    expect(rows(bob)).to_have_count(1)
    search(bob, "secret")
    expect(row(bob, "secret")).to_have_count(0)
    open_memory(ada)
    expect(row(ada, "secret")).to_be_visible()


def test_the_tab_in_chinese_on_a_narrow_screen(
    app: RunningApp, open_page: Callable[..., Learner]
) -> None:
    learner = open_page(app, locale="zh-CN", viewport=PHONE)
    write(learner, "风筝是用纸做的。", "纸")
    open_memory(learner)
    note = row(learner, "风筝")
    expect(note).to_contain_text(TEXTS["memory.why_note"][1])
    expect(learner.page.locator(".memory-day h2").first).to_have_text("今天")
    search(learner, "风筝")
    expect(rows(learner)).to_have_count(1)
    note.locator("summary[aria-label^='删除']").click()
    learner.page.locator("[data-act=memory_delete]").click()
    expect(learner.page.locator(".toast")).to_contain_text("已删除")
    learner.page.locator(".toast .undo").click()
    expect(note).to_be_visible()
    for name in ("tidy", "changes"):
        part(learner, name)
        expect(learner.page.locator(f"#memory-part-{name} h2").first).to_have_text(
            re.compile("遗忘|最近的改动")
        )
    assert learner.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
