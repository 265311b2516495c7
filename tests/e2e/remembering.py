"""What a learner does in the Memory tab, and what they then see."""

import re

from playwright.sync_api import Locator, expect

from app.i18n import TEXTS
from tests.e2e.learner import Learner, field

KITES = "Kites are made of paper."
UNDO = re.compile("^Undo")


def rows(learner: Learner) -> Locator:
    return learner.page.locator(".remembered")


def row(learner: Learner, text: str) -> Locator:
    return rows(learner).filter(has_text=text)


def open_memory(learner: Learner) -> None:
    learner.tab("memory")
    expect(learner.page.locator("#memory-list")).not_to_be_empty()


def write(learner: Learner, content: str, concept: str = "") -> None:
    """Write a note and wait until it is kept."""
    learner.write_note(content, concept)
    expect(learner.page.locator(".note").filter(has_text=content)).to_be_visible()


def part(learner: Learner, name: str) -> None:
    """Open a part of the tab: list, tidy, changes."""
    learner.page.locator(f"#memory-part-{name}-button").click()
    expect(learner.page.locator(f"#memory-part-{name}")).to_be_visible()


def choose(learner: Learner, name: str, value: str) -> None:
    """Narrow the list by a type, or by one of the lists to choose from."""
    if name == "type":
        learner.page.locator(f".type-choice.type-{value}").click()
        chosen = learner.page.locator(f".type-choice.type-{value}")
        expect(chosen).to_have_attribute("aria-pressed", "true")
    else:
        learner.page.locator(f"#memory-filter-{name}").select_option(value)


def search(learner: Learner, query: str) -> None:
    field(learner.page, "memory-query").fill(query)
    learner.page.locator("#memory-search").click()


def told(learner: Learner, key: str) -> Locator:
    """The word about what was just done."""
    toast = learner.page.locator(".toast")
    expect(toast).to_contain_text(TEXTS[key][0])
    return toast
