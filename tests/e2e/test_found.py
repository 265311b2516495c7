"""Where an answer was looked for, how it was found, what nothing proves in it; and the gaps."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from app.i18n import TEXTS
from tests.e2e.learner import Learner
from tests.e2e.running import RunningApp
from tests.servers.openai_server import OpenAIServer, Request

QUESTION = "Who set the type in the winter of 1993?"
UNANSWERED = "What is the melting point of tungsten?"
PHONE = {"width": 360, "height": 740}


def open_box(learner: Learner) -> Locator:
    """Open how the last answer was found."""
    learner.page.locator("a[href^='#found-']").last.click()
    box = learner.page.locator(".found-box").last
    expect(box.locator(".found")).to_be_visible()
    return box


def export(learner: Learner, box: Locator) -> tuple[str, dict[str, object]]:
    """Save it as a file; return the file's name and what is in it."""
    with learner.page.expect_download() as download:
        box.locator("[data-act=export_answer]").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    return download.value.suggested_filename, json.loads(text)


# --- where it was looked for ----------------------------------------------------------------------


def test_an_answer_says_where_it_comes_from_and_is_asked_the_other_way(learner: Learner) -> None:
    learner.load("labels.pdf")
    answer = learner.ask(QUESTION)
    expect(answer.locator(".route")).to_have_text("from your documents")
    other = answer.get_by_role("link", name="ask my learning history instead")
    other.focus()
    learner.page.keyboard.press("Enter")
    answers = learner.page.locator("#conversation .message.bot")
    expect(answers).to_have_count(2)
    learner.wait_idle()
    expect(answers.last.locator(".route")).to_contain_text("your learning history")
    expect(learner.page.locator("#conversation .message.user").last).to_have_text(QUESTION)
    answers.last.get_by_role("link", name="ask my documents instead").click()
    expect(answers).to_have_count(3)
    learner.wait_idle()
    expect(answers.last.locator(".route")).to_have_text("from your documents")
    expect(learner.page.locator("#evidence-quote")).to_contain_text("Lindqvist")


def test_what_is_remembered_opens_the_thing_itself(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.ask(QUESTION)
    answer = learner.ask("What did I ask today?")
    expect(answer.locator(".route")).to_have_text("from your learning history")
    asked = answer.locator("a[href^='#memory-asked-']").first
    expect(asked).to_contain_text("you asked")
    expect(asked).to_contain_text(QUESTION)
    asked.click()
    expect(learner.page.locator("#evidence-quote")).to_contain_text("Lindqvist")
    learner.write_note("Kites are made of paper.", "paper")
    answer = learner.ask("What did I note about kites?")
    answer.locator("a[href^='#memory-noted-']").first.click()
    expect(learner.page.locator(".note.looked-for")).to_contain_text("Kites are made of paper.")
    answer = learner.ask("Which documents did I load?")
    answer.locator("a[href^='#memory-loaded-']").first.click()
    expect(learner.page.locator("#evidence-page")).to_contain_text("PDF 1")


def test_a_follow_up_shows_the_question_it_was_completed_to(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.ask(QUESTION)
    answer = learner.ask("And in 1995?")
    expect(answer.locator(".completed")).to_have_text(
        "asked as: Who set the type in the winter of 1995?"
    )
    # What stands for itself is asked as it is.
    expect(learner.ask("Who bought the remaining paper?").locator(".completed")).to_have_count(0)


def test_a_question_asked_comes_into_view_and_empty_evidence_says_why(learner: Learner) -> None:
    learner.load("labels.pdf")
    for _ in range(3):
        learner.ask(QUESTION)
    learner.page.locator("#conversation .panel-wrap").evaluate("list => { list.scrollTop = 0 }")
    answer = learner.ask(UNANSWERED)
    expect(answer).to_be_in_viewport()
    empty = learner.page.locator(".evidence-empty")
    expect(empty).to_contain_text("The nearest pages open here")
    learner.ask("What did I ask today?")
    expect(empty).to_contain_text("from your learning history")
    assert learner.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


# --- the glass box --------------------------------------------------------------------------------


def test_the_glass_box_opens_shows_candidates_and_is_saved(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.ask(QUESTION)
    link = learner.page.locator("a[href^='#found-']")
    expect(link).to_have_attribute("aria-expanded", "false")
    box = open_box(learner)
    expect(link).to_have_attribute("aria-expanded", "true")
    expect(box).to_be_in_viewport()
    expect(box.locator(".found-queries")).to_contain_text(QUESTION)
    rows = box.locator(".found-candidates tbody tr")
    expect(rows.first.locator(".score .meter").first).to_be_visible()
    expect(box.locator(".found-candidates .cited .number").first).to_have_text("1")
    expect(box.locator(".found-sentences li.cited").first).to_contain_text("Lindqvist")
    place = rows.nth(1).locator(".place")
    page = place.get_attribute("data-page")
    place.click()
    expect(learner.page.locator(f"[data-page-shown='{page}']")).to_be_visible()
    name, saved = export(learner, box)
    assert re.fullmatch(r"answer_[\w-]+\.json", name)
    assert "type" not in name
    assert saved["question"] == QUESTION
    assert saved["citations"][0]["page"] == 2  # type: ignore[index]
    assert saved["trace"]["candidates"]  # type: ignore[index, call-overload]
    assert "passages" not in saved
    link.click()
    expect(learner.page.locator(".found-box")).to_have_count(0)


def test_an_open_glass_box_stays_while_the_conversation_goes_on(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.ask(QUESTION)
    box = open_box(learner)
    learner.ask("Who bought the remaining paper?")
    expect(learner.page.locator(".found-box")).to_have_count(1)
    learner.page.locator("#language-zh").click()
    expect(box).to_contain_text(TEXTS["found.candidates"][1])
    expect(learner.page.locator("a[href^='#found-']").first).to_contain_text(
        TEXTS["found.title"][1]
    )
    # After a reload everything is closed again, and comes from what is stored.
    learner.open()
    learner.tab("ask")
    expect(learner.page.locator(".found-box")).to_have_count(0)
    expect(open_box(learner)).to_contain_text(TEXTS["found.queries"][1])


def test_an_answer_from_the_learning_history_says_how_it_was_found(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.ask("Which documents did I load?")
    box = open_box(learner)
    expect(box).to_contain_text("1 entry of your learning history")
    expect(box).to_contain_text("your documents were not searched")
    _, saved = export(learner, box)
    assert saved["route"] == "memory"
    assert saved["memories"]


def test_two_browsers_save_only_their_own(
    app: RunningApp, open_page: Callable[..., Learner]
) -> None:
    first, second = open_page(app), open_page(app)
    first.load("labels.pdf")
    second.load("chinese.pdf")
    first.ask(QUESTION)
    second.ask("石桥是谁设计的？")
    _, mine = export(first, open_box(first))
    _, other = export(second, open_box(second))
    assert "Lindqvist" in json.dumps(mine, ensure_ascii=False)
    assert "Lindqvist" not in json.dumps(other, ensure_ascii=False)
    assert "沈文澜" in json.dumps(other, ensure_ascii=False)
    # A link to another learner's answer opens nothing, and saves nothing a second time.
    second.page.evaluate(
        """id => {
        const link = document.querySelector("a[href^='#found-']");
        const button = document.querySelector('[data-act=export_answer]');
        button.dataset.question = id;
        button.click();
      }""",
        mine["id"],
    )
    expect(second.page.locator("#ask-notice .notice")).to_be_visible()
    expect(second.page.locator("#answer-text textarea")).to_have_value("")


def test_the_glass_box_fits_a_narrow_screen(
    app: RunningApp, open_page: Callable[..., Learner]
) -> None:
    learner = open_page(app, viewport=PHONE, has_touch=True, is_mobile=True)
    learner.load("labels.pdf")
    learner.ask(QUESTION)
    box = open_box(learner)
    expect(box.locator(".found-candidates .score .meter").first).to_be_visible()
    assert learner.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    tables = box.locator(".table")
    wider = tables.evaluate_all("all => all.filter(n => n.scrollWidth > n.clientWidth).length")
    assert wider == 0
    box.locator(".place").first.tap()
    expect(learner.page.locator(".page-image")).to_be_in_viewport()


# --- search depth, copying ------------------------------------------------------------------------


def test_the_search_depth_is_remembered(learner: Learner) -> None:
    learner.tab("ask")
    quick, thorough = learner.page.locator("#depth-quick"), learner.page.locator("#depth-thorough")
    expect(thorough).to_have_attribute("aria-pressed", "true")
    learner.page.locator(".depth-about").click()
    expect(learner.page.locator(".depth .popover")).to_contain_text("no language model here")
    quick.click()
    expect(quick).to_have_attribute("aria-pressed", "true")
    expect(thorough).to_have_attribute("aria-pressed", "false")
    learner.page.locator("#language-zh").click()
    expect(quick).to_have_text("快速")
    expect(quick).to_have_attribute("aria-pressed", "true")
    learner.open()
    learner.tab("ask")
    expect(quick).to_have_attribute("aria-pressed", "true")


def test_a_quote_is_copied(learner: Learner) -> None:
    learner.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    learner.load("labels.pdf")
    learner.ask(QUESTION)
    button = learner.page.locator(".copy")
    button.click()
    expect(button).to_have_text("Copied")
    assert learner.page.evaluate("navigator.clipboard.readText()") == learner.quote
    expect(button).to_have_text("Copy quote")


# --- refusals and gaps ----------------------------------------------------------------------------


def test_a_refusal_keeps_its_nearest_pages_over_a_reload(learner: Learner) -> None:
    learner.load("labels.pdf")
    answer = learner.ask(UNANSWERED)
    expect(answer.locator(".route")).to_have_text("looked in your documents")
    pages = learner.page.locator("#conversation a[href^='#page-']")
    before = pages.all_inner_texts()
    assert before
    told = answer.locator("em").inner_text()
    assert told in {texts[0] for key, texts in TEXTS.items() if key.startswith("refused.")}
    learner.open()
    learner.tab("ask")
    expect(pages).to_have_text(before)
    expect(learner.page.locator("#conversation .message.bot em")).to_have_text(told)
    pages.first.click()
    expect(learner.page.locator(".page-image")).to_be_visible()


def test_the_gaps_are_listed_asked_again_and_dismissed(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.tab("progress")
    expect(learner.page.locator("#gaps-empty")).to_be_visible()
    learner.ask(UNANSWERED)
    learner.tab("progress")
    gap = learner.page.locator(".gap")
    expect(gap).to_have_count(1)
    expect(gap).to_contain_text(UNANSWERED)
    expect(gap).to_contain_text("asked once")
    gap.locator("[data-act=read_document]").first.click()
    expect(learner.page.locator(".page-image")).to_be_visible()
    learner.tab("progress")
    gap.get_by_role("button", name="Ask again").click()
    expect(learner.page.locator("#tab-ask")).to_be_visible()
    expect(learner.page.locator("#conversation .message.user")).to_have_count(2)
    learner.wait_idle()
    learner.tab("progress")
    expect(gap).to_have_count(1)
    expect(gap).to_contain_text("asked 2 times")
    gap.locator("[data-act=dismiss_gap]").click()
    expect(learner.page.locator("#gaps-empty")).to_be_visible()
    learner.open()
    learner.tab("progress")
    expect(learner.page.locator("#gaps-empty")).to_be_visible()


# --- with a model ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture(scope="module")
def app_with_model(
    model: OpenAIServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningApp]:
    with RunningApp(
        tmp_path_factory.mktemp("found"),
        LLM_MODEL_ID="scripted-1",
        LLM_API_KEY="key",
        LLM_BASE_URL=model.base_url,
        LLM_MAX_RETRIES="0",
        LLM_TIMEOUT="10",
    ) as app:
        yield app
        assert app.outside_attempts() == ""


def doubtful(request: Request) -> str:
    """Reply with a figure that the quote does not have, and a sentence without a citation."""
    prompt = request.text()
    before = prompt[: prompt.index("Noor Lindqvist")]
    number = max(n for n in range(1, 20) if f"[{n}]" in before)
    return (
        f"The type was set by **Noor Lindqvist** in the winter of 1993 for 4321 pounds. [{number}] "
        "Setting type by hand is slow work."
    )


def test_what_nothing_proves_is_marked(
    app_with_model: RunningApp, open_page: Callable[..., Learner], model: OpenAIServer
) -> None:
    learner = open_page(app_with_model)
    learner.load("labels.pdf")
    learner.tab("ask")
    learner.page.locator("#depth-quick").click()  # no other words asked of the model
    expect(learner.page.locator("#depth-quick")).to_have_attribute("aria-pressed", "true")
    model.script(doubtful)
    answer = learner.ask(QUESTION)
    for _ in range(2):  # also from the store
        number = answer.locator("p .doubt-number").first
        expect(number).to_contain_text("4321")
        expect(number).to_have_attribute("title", TEXTS["doubt.number"][0])
        expect(answer.locator(".doubt-ungrounded").first).to_contain_text("slow work")
        expect(answer.locator(".doubt-legend")).to_contain_text(TEXTS["doubt.ungrounded"][0])
        expect(answer.locator("strong")).to_have_text("Noor Lindqvist")
        wavy = number.evaluate("n => getComputedStyle(n).textDecorationStyle")
        assert wavy == "wavy"
        learner.open()
        learner.tab("ask")
    box = open_box(learner)
    expect(box.locator(".found-calls .purpose")).to_have_text([TEXTS["found.purpose_answer"][0]])


def expanding(request: Request) -> str:
    """Reply as a model that can also say a question in other words and imagine its answer."""
    asked = request.text("system")
    if "search queries" in asked:
        return "Which person was the typesetter?\nWho arranged the letters in early 1993?"
    if "Write a passage" in asked:
        return "The letters were arranged by hand by a typesetter, in the winter of 1993."
    return doubtful(request)


def test_other_words_of_the_model_are_shown_with_their_cost(
    app_with_model: RunningApp, open_page: Callable[..., Learner], model: OpenAIServer
) -> None:
    learner = open_page(app_with_model)
    learner.load("labels.pdf")
    model.script(expanding)
    learner.ask(QUESTION)
    expect(learner.sources.first).to_be_visible()
    box = open_box(learner)
    kinds = [TEXTS[f"found.query_{kind}"][0] for kind in ("question", "mqe", "mqe", "hyde")]
    expect(box.locator(".query-kind")).to_have_text(kinds)
    expect(box.locator(".found-queries")).to_contain_text("typesetter")
    expect(box.locator(".found-calls tbody tr")).to_have_count(3)
    expect(box.locator(".found-calls")).to_contain_text("~")  # the server counts no tokens
    assert box.locator(".found-candidates tr.cited").count() >= 1
