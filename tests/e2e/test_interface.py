"""Language, theme, narrow screens, keyboard: the page as a whole."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from app.i18n import TEXTS
from tests.e2e.learner import Learner, field
from tests.e2e.running import RunningApp

HAN = re.compile("[一-鿿]")
TABS = ("documents", "ask", "notes", "recall", "progress", "memory")
PHONE = {"width": 360, "height": 740}
# Visible in both languages: names of things.
NAMES = {"EN", "中文", "How language models read", "《大模型如何读书》"}
TARGET = 44  # CSS pixels, the least height of what a finger must hit


def visible_words(page: Page) -> list[str]:
    """All text a reader sees, with placeholders and labels."""
    return page.evaluate(
        """() => {
        const shown = (n) => n.checkVisibility({ visibilityProperty: true });
        const found = [];
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
          const node = walk.currentNode;
          if (['STYLE', 'SCRIPT'].includes(node.parentElement.tagName)) continue;
          if (shown(node.parentElement)) found.push(node.textContent.trim());
        }
        for (const node of document.querySelectorAll('[placeholder], [title]'))
          if (shown(node)) found.push(node.placeholder || '', node.title || '');
        return found.filter(Boolean);
      }"""
    )


def learn(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.choose("encrypted.pdf")
    expect(learner.page.locator(".file.failed")).to_be_visible()
    learner.ask("Who set the type in the winter of 1993?")
    learner.write_note("Kites.", "paper")
    learner.recall("type")


@pytest.mark.parametrize(("locale", "own"), [("zh-CN", "zh"), ("en-GB", "en"), ("fr-FR", "en")])
def test_the_language_follows_the_browser(
    app: RunningApp, open_page: Callable[..., Learner], locale: str, own: str
) -> None:
    learner = open_page(app, locale=locale)
    names = [TEXTS[f"tab.{tab}"][own == "zh"] for tab in TABS]
    expect(learner.page.get_by_role("tab")).to_have_text(names)
    expect(learner.page.locator("h1")).to_have_text(TEXTS["app.title"][own == "zh"])
    expect(learner.page).to_have_title(TEXTS["app.title"][own == "zh"])
    expect(learner.page.locator("html")).to_have_attribute("lang", "zh-CN" if own == "zh" else "en")


def test_a_switch_changes_every_visible_word(learner: Learner) -> None:
    learn(learner)
    english = {texts[0] for texts in TEXTS.values() if " " in texts[0] and "{" not in texts[0]}
    learner.page.locator("#language-zh").click()
    for tab in TABS:
        expect(learner.page.locator(f"#tab-{tab}-button")).to_have_text(TEXTS[f"tab.{tab}"][1])
        learner.tab(tab)
        expect(learner.page.locator(".pending")).to_have_count(0)
        left = [w for w in visible_words(learner.page) if w in english and w not in NAMES]
        assert left == [], tab
    # It stays over a reload, and goes back.
    learner.open()
    expect(learner.page.get_by_role("tab").first).to_have_text("文档")
    learner.page.locator("#language-en").click()
    expect(learner.page.get_by_role("tab").first).to_have_text("Documents")
    for tab in TABS:
        learner.tab(tab)
        left = [w for w in visible_words(learner.page) if HAN.search(w) and w not in NAMES]
        assert left == [], tab


def test_the_open_page_and_the_filter_survive_a_switch(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.ask("Who set the type in the winter of 1993?")
    learner.page.locator("#page-next").click()
    expect(learner.page.locator("#evidence-page")).to_have_text("p. 1 (PDF 3)")
    learner.page.locator("#language-zh").click()
    expect(learner.page.locator("#evidence-page")).to_have_text("第 1 页（PDF 第 3 页）")
    expect(learner.page.locator("#conversation .message.user")).to_have_count(1)


def test_the_theme_is_kept(learner: Learner) -> None:
    def background() -> str:
        return learner.page.evaluate("getComputedStyle(document.body).backgroundColor")

    light = background()
    learner.page.locator("#theme-toggle").click()
    expect(learner.page.locator("body")).to_have_class(re.compile("dark"))
    dark = background()
    assert dark != light
    learner.open()
    expect(learner.page.locator("body")).to_have_class(re.compile("dark"))
    assert background() == dark


def test_a_narrow_screen_works(app: RunningApp, open_page: Callable[..., Learner]) -> None:
    learner = open_page(app, viewport=PHONE, has_touch=True, is_mobile=True)
    page = learner.page
    learner.load("labels.pdf")
    learner.ask("Who set the type in the winter of 1993?")
    expect(page.locator("#evidence-column")).to_be_hidden()
    for target in (learner.sources.first, page.locator("#send"), page.locator("#theme-toggle")):
        box = target.bounding_box()
        assert box is not None
        assert box["height"] >= TARGET
    learner.numbers.first.tap()
    expect(page.locator(".page-image")).to_be_in_viewport()
    expect(page.locator("#evidence-quote")).to_be_in_viewport()
    close = page.get_by_role("button", name="Close")
    close.tap()
    expect(page.locator("#evidence-column")).to_be_hidden()
    for tab in TABS:
        learner.tab(tab)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= PHONE["width"], tab


def test_the_status_chip_says_what_works_and_where_things_are(
    learner: Learner, app: RunningApp
) -> None:
    chip = learner.page.locator("#status-chip")
    expect(chip.locator("summary")).to_have_text("offline · built-in answers")
    chip.locator("summary").click()
    expect(chip).to_contain_text(str(app.data))
    expect(chip).to_contain_text("qdrant-edge")
    learner.page.locator("h1").click()
    expect(chip.locator(".popover")).to_be_hidden()


def test_notes_are_found_and_deleted(learner: Learner) -> None:
    learner.write_note("Oak is pegged.", "wood")
    learner.write_note("<b>Iron</b> rusts & ${flakes}.", "metal")
    notes = learner.page.locator(".note")
    expect(notes).to_have_count(2)
    expect(notes.first).to_contain_text("<b>Iron</b> rusts & ${flakes}.")
    field(learner.page, "note-search").fill("wood")
    expect(notes).to_have_count(1)
    notes.locator("summary").click()
    learner.page.get_by_role("button", name="Delete for good").click()
    expect(learner.page.locator("#notes-notice")).to_have_text("The note is deleted.")
    field(learner.page, "note-search").fill("")
    expect(notes).to_have_count(1)
    expect(notes).to_contain_text("Iron")
    learner.page.locator("#note-save").click()
    expect(learner.page.locator("#notes-notice")).to_contain_text("nothing to work with")


def test_a_recalled_question_opens_its_proof(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.ask("Who set the type in the winter of 1993?")
    learner.recall("who set the type").get_by_role("button", name="Show the answer").first.click()
    expect(learner.page.locator("#tab-ask")).to_be_visible()
    expect(learner.page.locator("#evidence-quote")).to_contain_text("Lindqvist")


def test_the_page_can_be_used_with_the_keyboard(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.page.locator("#tab-documents-button").focus()
    learner.page.keyboard.press("ArrowRight")
    expect(learner.page.locator("#tab-ask-button")).to_be_focused()
    learner.page.keyboard.press("Enter")
    expect(learner.page.locator("#tab-ask")).to_be_visible()
    learner.page.locator("#question textarea").focus()
    learner.page.keyboard.type("Who set the type in the winter of 1993?")
    learner.page.keyboard.press("Enter")
    expect(learner.sources.first).to_be_visible()
    learner.wait_idle()
    learner.numbers.last.focus()
    learner.page.keyboard.press("Enter")
    expect(learner.page.locator(".quote .number")).to_have_text(learner.numbers.last.inner_text())
