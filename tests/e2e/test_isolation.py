"""Two browsers are two learners, also for one who calls the endpoints directly."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.e2e.learner import Learner
from tests.e2e.running import ROOT, RunningApp

SECRET_TEXT = "Lindqvist"
QUESTION = "Who set the type in the winter of 1993?"


class Direct:
    """Calls the application's private endpoints as a stranger with a script would."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=60)
        config = self.http.get("/config").json()
        self.events = {d["api_name"]: d for d in config["dependencies"] if d["backend_fn"]}

    def call(self, name: str, token: object, *values: Any, event: object = None) -> str:
        """Return all that the server sends back for an event, as text."""
        function = self.events[name]
        missing = len(function["inputs"]) - 2 - len(values)
        body = {
            "data": [token, None, *values, *[None] * missing],
            "event_data": event,
            "fn_index": function["id"],
            "session_hash": "stranger",
        }
        joined = self.http.post("/gradio_api/queue/join", json=body)
        said = joined.text
        with self.http.stream(
            "GET", "/gradio_api/queue/data", params={"session_hash": "stranger"}
        ) as lines:
            for line in lines.iter_lines():
                said += line
                if '"close_stream"' in line or '"process_completed"' in line:
                    break
        run = self.http.post(f"/gradio_api/run/{name}", json=body)
        return said + run.text


@pytest.fixture
def app(shared_app: RunningApp) -> Iterator[RunningApp]:
    """The application. Gradio logs what it refuses itself; our own code must not break."""
    before = len(shared_app.log)
    yield shared_app
    assert shared_app.outside_attempts() == ""
    assert str(ROOT / "app") not in shared_app.log[before:]
    assert "Unexpected failure" not in shared_app.log[before:]


@pytest.fixture
def direct(app: RunningApp) -> Iterator[Direct]:
    caller = Direct(app.url)
    yield caller
    caller.http.close()


@pytest.fixture
def owner(app: RunningApp, open_page: Callable[..., Learner]) -> Learner:
    """A learner with a document, an answer and a note."""
    owner = open_page(app)
    owner.load("labels.pdf")
    owner.ask(QUESTION)
    owner.write_note("The apprentice is called Lindqvist in my notes.", "apprentice")
    return owner


def ids(owner: Learner) -> dict[str, str]:
    """The ids that the owner's page shows."""
    document = owner.page.locator("[data-document-row]").first.get_attribute("data-document-row")
    note = owner.page.locator("[data-note-row]").first.get_attribute("data-note-row")
    owner.tab("ask")
    link = owner.numbers.first.get_attribute("href") or ""
    question = re.fullmatch(r"#cite-(.+)-\d+", link)
    assert document
    assert note
    assert question
    return {"document": document, "note": note, "question": question[1]}


def test_two_browsers_see_nothing_of_each_other(
    app: RunningApp, open_page: Callable[..., Learner], owner: Learner
) -> None:
    other = open_page(app)
    assert other.code != owner.code
    expect(other.page.locator(".document")).to_have_count(0)
    other.tab("notes")
    expect(other.page.locator(".note")).to_have_count(0)
    expect(other.recall("apprentice")).to_contain_text("Nothing remembered")
    other.load("chinese.pdf")
    answer = other.ask(QUESTION)
    expect(answer).not_to_contain_text(SECRET_TEXT)
    other.tab("progress")
    expect(other.total("questions")).to_have_text("1")
    expect(other.total("notes")).to_have_text("0")
    assert SECRET_TEXT not in json.dumps(other.download_report(), ensure_ascii=False)
    assert SECRET_TEXT in json.dumps(owner.download_report(), ensure_ascii=False)
    # And the owner lost nothing by it.
    owner.open()
    expect(owner.page.locator(".document")).to_have_count(1)


CALLS = {
    "documents_refresh": {},
    "documents_delete": {"document": "document"},
    "showing_cite": {"question": "question", "number": "1"},
    "showing_turn_page": {"document": "document", "page": "2"},
    "showing_show_answer": {"question": "question"},
    "showing_read_document": {"document": "document"},
    "ask_about_document": {"document": "document"},
    "asking_save_note": {"question": "question"},
    "asking_begin_other_way": {"question": "question", "route": "documents"},
    "finding_explain": {"question": "question"},
    "finding_export": {"question": "question"},
    "notes_listing": {},
    "notes_delete": {"note": "note"},
    "recall_search": {},
    "progress_refresh": {},
    "remembered_draw": {},
    "remembered_edit": {"memory": "note", "content": "Mine now."},
    "remembered_pin": {"memory": "note", "pinned": "yes"},
    "remembered_mark": {"memory": "note", "state": "wrong"},
    "remembered_delete": {"memory": "note"},
    "remembered_erase": {"memory": "note"},
    "remembered_show_used": {"question": "question"},
    "tidying_draw_changes": {},
    "tidying_export": {},
    "graphing_draw": {},
    "graphing_around": {"entity": "apprentice"},
    "progress_make_report": {},
    "open": {},
}


def test_the_endpoints_answer_their_owner(direct: Direct, owner: Learner) -> None:
    """Without this, the tests below could pass because nothing is ever answered."""
    with owner.page.expect_request("**/queue/join*") as sent:
        owner.tab("recall")
    token = sent.value.post_data_json["data"][0]
    known = ids(owner)
    assert SECRET_TEXT in direct.call("notes_listing", token, "apprentice")
    event = {"question": known["question"], "number": "1"}
    shown = direct.call("showing_cite", token, event=event)
    assert SECRET_TEXT in shown
    assert "data:image/png" in shown
    for name in ("finding_explain", "finding_export"):
        assert SECRET_TEXT in direct.call(name, token, event=event), name
    assert SECRET_TEXT in direct.call("progress_make_report", token)


@pytest.mark.parametrize("token", [None, "default_user", "A" * 43])
def test_no_endpoint_tells_a_stranger_anything(
    direct: Direct, owner: Learner, token: object
) -> None:
    known = ids(owner)
    assert set(CALLS) <= set(direct.events)
    for name in CALLS:
        event = {field: known.get(value, value) for field, value in CALLS[name].items()}
        typed = ["apprentice"] if name in ("notes_listing", "recall_search") else []
        said = direct.call(name, token, *typed, event=event)
        assert SECRET_TEXT not in said, name
        assert "data:image" not in said, name
        assert "A Short Book" not in said, name
    owner.open()
    expect(owner.page.locator(".document")).to_have_count(1)
    owner.tab("notes")
    expect(owner.page.locator(".note")).to_have_count(1)


def test_asking_with_anothers_documents_answers_nothing(direct: Direct, owner: Learner) -> None:
    known = ids(owner)
    said = direct.call("asking_answer", "B" * 43, QUESTION, [known["document"]], [])
    assert SECRET_TEXT not in said


def test_the_public_code_and_the_user_id_open_nothing(
    direct: Direct, owner: Learner, app: RunningApp
) -> None:
    report = owner.download_report()
    user = report["session_info"]["user_id"]  # type: ignore[index]
    for token in (user, f"pdf_{user}", owner.code, f"{user}{user}"):
        assert SECRET_TEXT not in direct.call("notes_listing", token, "")


def test_files_of_the_data_folder_have_no_address(
    direct: Direct, owner: Learner, app: RunningApp
) -> None:
    owner.download_report()
    files = [path for path in app.data.rglob("*") if path.is_file()]
    assert any(path.suffix == ".json" for path in files)
    assert any(path.suffix == ".pdf" for path in files)
    sent = [p for p in (app.data / "uploads").rglob("*") if p.is_file()]
    assert sent == []
    for path in files:
        reply = direct.http.get(f"/gradio_api/file={path}")
        assert reply.status_code in (403, 404), path
        inside = path.relative_to(app.folder)
        reply = direct.http.get(f"/gradio_api/file={inside}")
        assert reply.status_code in (403, 404), path


def test_a_stranger_cannot_load_files_of_the_server(
    direct: Direct, owner: Learner, app: RunningApp
) -> None:
    pdf = next(path for path in app.data.rglob("*.pdf"))
    for path in (str(pdf), "/etc/passwd", str(Path(app.data, "uploads", ".."))):
        said = direct.call("documents_load_sent", "C" * 43, event={"path": path, "name": "a.pdf"})
        assert 'class="file' not in said
    assert pdf.exists()


def test_a_malformed_event_is_a_sentence_not_a_traceback(direct: Direct) -> None:
    for event in ({}, {"question": 1, "number": []}, {"question": "x", "number": "-1"}, None):
        said = direct.call("showing_cite", "D" * 43, event=event)
        assert "Traceback" not in said


def test_a_forged_conversation_makes_the_server_touch_nothing(
    direct: Direct, app: RunningApp
) -> None:
    # Gradio makes components of a chat's value, with any file on the disk as their value.
    secret = str(app.data / "secret.key")
    forged = {"type": "component", "component": "file", "value": {"path": secret}}
    message = {"role": "assistant", "content": [forged | {"constructor_args": {}, "props": {}}]}
    components = direct.http.get("/config").json()["components"]
    chats = {c["id"] for c in components if c["type"] == "chatbot"}
    assert chats
    for name, function in direct.events.items():
        assert not chats & set(function["inputs"]), name
        if name.startswith(("ask_", "asking_")):
            direct.call(name, None, *[[message]] * (len(function["inputs"]) - 2))
    left = [p for p in (app.data / "uploads").rglob("*") if p.is_file()]
    assert [p for p in left if "secret" in p.name] == []
