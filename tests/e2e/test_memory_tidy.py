"""Tidying up what is remembered, what is old, the connections, and erasing for good."""

import re
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.components.memory_list import PAGE
from app.i18n import TEXTS
from core.domain.memory import Memory, MemoryKind
from core.settings import load_settings
from core.wiring import build_services
from tests.e2e.learner import Learner
from tests.e2e.remembering import KITES, UNDO, choose, open_memory, part, row, rows, told, write
from tests.e2e.running import RunningApp

# --- tidying up -----------------------------------------------------------------------------------


def test_forgetting_is_previewed_chosen_from_and_undone(learner: Learner) -> None:
    for what in ("Kites", "Bread", "Ships"):
        write(learner, f"{what} are made by hand.")
    open_memory(learner)
    row(learner, "Bread").get_by_role("button", name=re.compile("^Pin")).click()
    told(learner, "memory.done_pinned")
    part(learner, "tidy")
    page = learner.page
    page.locator("#forget-strategy").select_option("importance_based")
    page.locator("#forget-threshold").fill("0.9")
    page.locator("[data-act=forget_preview]").click()
    items = page.locator(".forgotten")
    expect(items).to_have_count(2)  # a pinned one is never forgotten
    expect(items.first.locator(".reason")).to_have_text("Its importance of 0.80 is below 0.90.")
    items.filter(has_text="Ships").locator("input").uncheck()
    page.locator("[data-act=forget_now]").click()
    toast = told(learner, "memory.done_forgotten_one")
    expect(items).to_have_count(0)
    part(learner, "list")
    expect(rows(learner)).to_have_count(2)
    expect(row(learner, "Kites")).to_have_count(0)
    toast.get_by_role("button", name=UNDO).click()
    expect(rows(learner)).to_have_count(3)


def test_a_rule_that_makes_no_sense_is_refused(learner: Learner) -> None:
    write(learner, KITES)
    open_memory(learner)
    part(learner, "tidy")
    learner.page.locator("#forget-threshold").fill("7")
    learner.page.locator("[data-act=forget_preview]").click()
    expect(learner.page.locator("#memory-notice")).to_contain_text(TEXTS["error.invalid_input"][0])
    expect(learner.page.locator(".forgotten")).to_have_count(0)


def test_two_notes_that_say_nearly_the_same_are_merged_and_that_is_undone(
    learner: Learner,
) -> None:
    write(learner, "The lighthouse was painted white in the spring of that year.")
    write(learner, "The lighthouse was painted white in spring of that year.")
    open_memory(learner)
    part(learner, "tidy")
    pair = learner.page.locator(".alike")
    expect(pair).to_have_count(1)
    pair.get_by_role("button", name=re.compile("^Merge")).click()
    toast = told(learner, "memory.done_merged")
    expect(pair).to_have_count(0)
    part(learner, "list")
    expect(rows(learner)).to_have_count(1)
    expect(rows(learner)).to_contain_text("Came up 2 times")
    toast.get_by_role("button", name=UNDO).click()
    expect(rows(learner)).to_have_count(2)


# --- what is old ----------------------------------------------------------------------------------

OLD = "The lighthouse was painted in spring."
IMPORTANT = "The library of the town closes at eight."


def remembered_earlier(folder: Path) -> None:
    """Give the only learner of a data folder a past: old, important, and many memories."""
    services = build_services(load_settings(env_file=None, data_dir=folder))
    try:
        services.ensure_ready()
        with sqlite3.connect(folder / "records.sqlite3") as database:
            (namespace,) = database.execute("SELECT DISTINCT namespace FROM memories").fetchone()
        now = datetime.now(UTC)
        plain = Memory(
            id=str(uuid.uuid4()), kind=MemoryKind.EPISODIC, content=OLD, importance=0.4,
            created_at=now - timedelta(days=400), session_id="earlier", event="memory",
        )  # fmt: skip
        important = replace(
            plain,
            id=str(uuid.uuid4()),
            content=IMPORTANT,
            importance=0.85,
            created_at=now - timedelta(days=40),
        )
        many = [
            replace(important, id=str(uuid.uuid4()), content=f"Walk {n}", importance=0.5)
            for n in range(PAGE)
        ]
        for memory in (plain, important, *many):
            services.memory.type_of(memory.kind).add(memory, namespace=namespace)
    finally:
        services.close()


@pytest.fixture
def experienced(tmp_path: Path, open_page: Callable[..., Learner]) -> Iterator[Learner]:
    """A learner with a past, in an application of their own."""
    with RunningApp(tmp_path) as app:
        learner = open_page(app)
        write(learner, KITES)
        storage = learner.page.context.storage_state()
        assert app.stop() == 0
    remembered_earlier(app.data)
    origin = {"origins": [{**storage["origins"][0]}], "cookies": []}
    with RunningApp(tmp_path) as app:
        origin["origins"][0]["origin"] = app.url  # the port is another one
        learner = open_page(app, storage_state=origin)
        open_memory(learner)
        yield learner
        assert "Traceback" not in app.log


def test_a_long_list_is_shown_in_pages_by_time(experienced: Learner) -> None:
    learner = experienced
    expect(rows(learner)).to_have_count(PAGE)
    expect(learner.page.locator(".memory-day h2").first).to_have_text("Today")
    expect(learner.page.locator(".memory-day h2 time.month")).to_have_count(1)
    learner.page.locator("[data-act=memory_more]").click()
    expect(rows(learner)).to_have_count(PAGE + 3)
    expect(learner.page.locator("[data-act=memory_more]")).to_have_count(0)
    choose(learner, "time", "month")
    expect(rows(learner)).to_have_count(1)
    choose(learner, "time", "before")
    choose(learner, "type", "semantic")
    expect(learner.page.locator("#memory-list")).to_have_text(TEXTS["memory.none_fit"][0])


def test_what_is_important_moves_on_and_what_is_old_is_put_away(experienced: Learner) -> None:
    learner, page = experienced, experienced.page
    part(learner, "tidy")
    moved = page.locator(".moved")
    expect(moved).to_have_count(1)
    expect(moved).to_contain_text(IMPORTANT)
    expect(moved).to_contain_text("because it is important")
    expect(moved.locator(".side").first).to_contain_text("Episodic")
    expect(moved.locator(".side").last).to_contain_text("Semantic")
    page.locator("[data-act=consolidate]").click()
    toast = told(learner, "memory.done_consolidated_one")
    expect(moved).to_have_count(0)
    part(learner, "list")
    choose(learner, "type", "semantic")
    expect(row(learner, IMPORTANT)).to_contain_text("It was in episodic memory before.")
    toast.get_by_role("button", name=UNDO).click()
    expect(row(learner, IMPORTANT)).to_have_count(0)
    part(learner, "tidy")
    expect(moved).to_have_count(1)
    page.locator("[data-act=archive_now]").click()
    told(learner, "memory.done_archived_one")
    part(learner, "list")
    choose(learner, "type", "archived")
    expect(row(learner, OLD)).to_be_visible()
    row(learner, OLD).get_by_role("button", name="Bring back from the archive").click()
    told(learner, "memory.done_woken")
    expect(row(learner, OLD)).to_have_count(0)
    page.locator("#memory-part-tidy-button").click()
    expect(page.locator("#tidy-archive")).to_be_visible()


# --- connections ----------------------------------------------------------------------------------


def open_graph(learner: Learner, *names: str) -> None:
    """Open the connections; they are read in the background, so look until these are there."""
    open_memory(learner)
    part(learner, "graph")
    for name in names:
        node = learner.page.locator(f".graph .node[data-entity='{name}']")
        for _ in range(30):
            learner.page.wait_for_timeout(500)
            if node.count():
                break
            part(learner, "tidy")
            part(learner, "graph")
        expect(node).to_be_visible()


def test_connections_are_drawn_followed_and_proven(learner: Learner) -> None:
    write(learner, "A transformer has an encoder and a decoder.")
    write(learner, "An encoder is a neural network.")
    open_graph(learner, "encoder")
    page = learner.page
    page.locator(".graph .node[data-entity='encoder']").click()
    expect(page.locator(".graph .centre[data-entity='encoder']")).to_be_visible()
    expect(page.locator(".graph-list .statements")).to_contain_text(
        "An encoder is a neural network."
    )
    names = [node.get_attribute("data-entity") for node in page.locator(".graph .node").all()]
    whole = next(name for name in names if name and name.lower() == "transformer")
    page.locator("#connect-one").fill(whole)
    page.locator("#connect-other").fill("neural network")
    page.locator("[data-act=graph_connect]").click()
    way = page.locator("#connection")
    expect(way).to_contain_text("are connected in 2 steps")
    expect(way.locator("li").last).to_contain_text("a neural network.")
    page.locator("#connect-other").fill("zeppelin")
    page.locator("[data-act=graph_connect]").click()
    expect(way).to_contain_text("“zeppelin” is not known")
    page.locator("#graph-entity").fill("zeppelin")
    page.locator("#graph [data-act=graph_around]").first.click()
    expect(page.locator("#memory-notice")).to_contain_text("Nothing is known about “zeppelin”")
    expect(page.locator("#graph-quality")).to_contain_text("read from")
    page.locator("#language-zh").click()
    expect(page.locator("#graph-quality")).to_contain_text("个事物")


# --- for good -------------------------------------------------------------------------------------


def test_a_memory_deleted_for_good_is_gone_with_a_proof(experienced: Learner) -> None:
    learner, page = experienced, experienced.page
    note = row(learner, KITES)
    note.locator("summary[aria-label^=Delete]").click()
    note.get_by_role("button", name="Delete for good").click()
    proof = page.locator(".proof")
    expect(proof).to_have_attribute("data-complete", "yes")
    expect(proof).to_contain_text(TEXTS["proof.done"][0])
    expect(proof).to_contain_text("found nowhere")
    expect(proof.locator("tbody tr").first.locator("td").last).to_have_text("0")
    expect(note).to_have_count(0)
    page.locator(".toast [data-act=memory_dismiss]").click()
    expect(proof).to_have_count(0)
    part(learner, "changes")
    expect(page.locator(".change")).to_have_count(0)


def test_everything_is_erased_once_the_word_was_typed(experienced: Learner) -> None:
    learner, page = experienced, experienced.page
    part(learner, "changes")
    page.locator(".erase summary").click()
    erase = page.locator("[data-act=erase_everything]")
    erase.click()
    expect(page.locator(".toast")).to_contain_text(TEXTS["data.erase_not_typed"][0])
    page.locator("#erase-typed").fill("Erase")
    erase.click()
    proof = page.locator(".proof")
    expect(proof).to_have_attribute("data-complete", "yes")
    proof.get_by_role("link", name="Begin anew").click()
    learner.page.locator("#learner-code").wait_for()
    open_memory(learner)
    expect(page.locator("#memory-list")).to_contain_text(TEXTS["memory.empty_title"][0])
    learner.tab("notes")
    expect(page.locator(".note")).to_have_count(0)
