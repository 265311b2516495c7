"""Answers of a language model, over real HTTP: streamed, stopped, failed, invented."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.highlight import letters
from tests.e2e.learner import Learner
from tests.e2e.running import RunningApp
from tests.servers.openai_server import OpenAIServer, Reply, Request, Silence, Status, in_pieces

QUESTION = "Who set the type in the winter of 1993?"


@pytest.fixture(scope="module")
def model() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture(scope="module")
def app_with_model(
    model: OpenAIServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningApp]:
    with RunningApp(
        tmp_path_factory.mktemp("model"),
        LLM_MODEL_ID="scripted-1",
        LLM_API_KEY="key",
        LLM_BASE_URL=model.base_url,
        LLM_MAX_RETRIES="0",
        LLM_TIMEOUT="10",
    ) as app:
        yield app
        assert app.outside_attempts() == ""


@pytest.fixture
def learner(app_with_model: RunningApp, open_page: Callable[..., Learner]) -> Iterator[Learner]:
    before = len(app_with_model.log)
    learner = open_page(app_with_model)
    learner.load("labels.pdf")
    yield learner
    assert "Traceback" not in app_with_model.log[before:]


def citing(request: Request) -> str:
    """Reply with the sentence about the type and the number of its passage."""
    prompt = request.text()
    before = prompt[: prompt.index("Noor Lindqvist")]
    number = max(n for n in range(1, 20) if f"[{n}]" in before)
    return f"The type was set by **Noor Lindqvist**. [{number}] It was hard work. [77]"


def test_the_chip_names_the_model(learner: Learner) -> None:
    chip = learner.page.locator("#status-chip")
    expect(chip.locator("summary")).to_have_text("answers by scripted-1")
    chip.locator("summary").click()
    expect(chip).to_contain_text("every citation is checked")


def test_a_models_answer_is_proven_and_invented_numbers_are_removed(
    learner: Learner, model: OpenAIServer
) -> None:
    model.script(citing)
    answer = learner.ask(QUESTION)
    expect(answer.locator("strong")).to_have_text("Noor Lindqvist")
    expect(answer).not_to_contain_text("77")
    expect(answer).to_contain_text("1 citation could not be proven and was removed.")
    assert "noorlindqvist" in letters(learner.quote)


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (Status(500), "could not be reached"),
        (Status(429), "could not be reached"),
        (Reply(["The type was set by "], end="cut"), "quoted from your documents"),
        (Reply(["The type was "], end="garbage"), "quoted from your documents"),
        (in_pieces("The moon is made of cheese. [1]"), "could be proven"),
    ],
    ids=["500", "429", "cut", "garbage", "unproven"],
)
def test_a_failing_model_gives_a_sentence_and_a_proven_answer(
    learner: Learner, model: OpenAIServer, step: Status | Reply, told: str
) -> None:
    model.script(step)
    answer = learner.ask(QUESTION)
    expect(answer).to_contain_text(told)
    expect(answer).not_to_contain_text("moon")
    expect(learner.sources.first).to_be_visible()
    assert "noorlindqvist" in letters(learner.quote)


def test_a_model_that_does_not_know_refuses(learner: Learner, model: OpenAIServer) -> None:
    model.script("NOT_IN_DOCUMENTS")
    answer = learner.ask(QUESTION)
    expect(answer).to_contain_text("Your documents do not answer this")
    answer.locator("a[href^='#page-']").first.click()
    expect(learner.page.locator(".page-image")).to_be_visible()


def test_a_models_answer_can_load_nothing_and_link_nowhere(
    learner: Learner, model: OpenAIServer
) -> None:
    attack = (
        " ![x](https://evil.invalid/a.png) [c](https://evil.invalid) <img src=//evil.invalid/b>"
        " <a href=https://evil.invalid>d</a> www.evil.invalid `![y](https://evil.invalid/c.png)`"
    )
    model.script(lambda request: citing(request) + attack)
    answer = learner.ask(QUESTION)
    assert answer.locator("img").count() == 0
    assert answer.locator("a[href*='evil']").count() == 0


def test_an_answer_is_kept_when_the_page_is_left(learner: Learner, model: OpenAIServer) -> None:
    go_on, sent = threading.Event(), threading.Event()

    class Waiting:
        """A reply that begins, and goes on when the test says so."""

        def __init__(self, text: str) -> None:
            self.text = text

        def __iter__(self) -> Iterator[str]:
            yield "The "
            assert go_on.wait(30)
            yield self.text.removeprefix("The ")
            sent.set()

    model.script(lambda request: Reply(Waiting(citing(request))))  # type: ignore[arg-type]
    learner.type_question(QUESTION)
    expect(learner.page.locator("#conversation .message.bot")).to_contain_text("The")
    learner.page.goto("about:blank")
    learner.errors.clear()  # the page complains that its stream was cut: we cut it
    go_on.set()
    assert sent.wait(30)
    expect_kept(learner)


def expect_kept(learner: Learner) -> None:
    """The answer is there after a reload, as soon as it has been proven and stored."""
    for _ in range(20):
        learner.open()
        learner.tab("ask")
        if learner.sources.count():
            return
    pytest.fail("the answer was lost")


class SlowWords:
    """Pieces that come one by one until the test, or the client, has had enough."""

    def __init__(self) -> None:
        self.enough = threading.Event()

    def __iter__(self) -> Iterator[str]:
        for number in range(10_000):
            if self.enough.wait(0.05):
                return
            yield f"word{number} "


def test_an_answer_streams_and_can_be_stopped(learner: Learner, model: OpenAIServer) -> None:
    words = SlowWords()
    model.client_left.clear()
    model.script(Reply(words))  # type: ignore[arg-type]
    try:
        learner.type_question(QUESTION)
        answer = learner.page.locator("#conversation .message.bot").last
        expect(answer).to_contain_text("word3")
        expect(learner.page.locator("#send")).to_be_hidden()
        learner.page.locator("#stop").click()
        expect(learner.page.locator("#conversation")).to_contain_text("Stopped.")
        expect(learner.page.locator("#send")).to_be_visible()
        # The connection to the model is closed too, so nothing more is paid for.
        assert model.client_left.wait(30)
    finally:
        words.enough.set()
    model.script(citing)
    learner.type_question(QUESTION)
    expect(learner.sources.first).to_be_visible()
    expect(learner.page.locator("#conversation .message.user")).to_have_count(2)
    learner.wait_idle()
    learner.tab("progress")
    expect(learner.total("questions")).to_have_text("1")


def test_a_silent_model_can_be_stopped_at_once(learner: Learner, model: OpenAIServer) -> None:
    model.script(Silence())
    learner.type_question(QUESTION)
    conversation = learner.page.locator("#conversation")
    expect(conversation).to_contain_text("Looking through your documents")
    learner.page.locator("#stop").click()
    expect(conversation).to_contain_text("Stopped before the answer began.", timeout=5_000)
    learner.wait_idle()


def test_an_empty_question_is_a_sentence(learner: Learner) -> None:
    learner.type_question("   ")
    expect(learner.page.locator("#ask-notice")).to_contain_text("nothing to work with")
    learner.wait_idle()
    learner.page.wait_for_timeout(1000)  # nothing that follows may take it away
    expect(learner.page.locator("#ask-notice")).to_contain_text("nothing to work with")


def test_a_taken_port_is_a_sentence(app_with_model: RunningApp, tmp_path: Path) -> None:
    port = app_with_model.url.rsplit(":", 1)[1]
    with (
        pytest.raises(RuntimeError, match="did not start") as failure,
        RunningApp(tmp_path, PORT=port),
    ):
        pass
    assert f"Port {port}" in str(failure.value)
    assert "Traceback" not in str(failure.value)


def test_a_wrong_setting_is_a_sentence(tmp_path: Path) -> None:
    with (
        pytest.raises(RuntimeError, match="did not start") as failure,
        RunningApp(tmp_path, PORT="many"),
    ):
        pass
    assert "PORT" in str(failure.value)
    assert "Traceback" not in str(failure.value)
