"""A browser, the running application, and a learner in front of it."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, Playwright, sync_playwright

from tests.e2e.learner import Learner
from tests.e2e.running import ROOT, RunningApp

BROWSER_ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
RESULTS = ROOT / "test-results"
failed = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.e2e)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.when == "call":
        item.stash[failed] = report.failed
    return report


def chromium(playwright: Playwright) -> str | None:
    """The browser to start: CHROMIUM_PATH, then the system's, then Playwright's own."""
    candidates = (
        os.environ.get("CHROMIUM_PATH"),
        shutil.which("chromium"),
        playwright.chromium.executable_path,
    )
    return next((path for path in candidates if path and Path(path).exists()), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = chromium(playwright)
        if path is None:
            reason = "no Chromium: set CHROMIUM_PATH or run `playwright install chromium`"
            if os.environ.get("REQUIRE_SERVICES") == "1":
                pytest.fail(reason)
            pytest.skip(reason)
        browser = playwright.chromium.launch(executable_path=path, args=BROWSER_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def shared_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """One application for all tests: every browser context is another learner."""
    with RunningApp(tmp_path_factory.mktemp("app")) as app:
        yield app


@pytest.fixture
def app(shared_app: RunningApp) -> Iterator[RunningApp]:
    """The application; after the test, nothing may have tried to reach another host."""
    before = len(shared_app.log)
    yield shared_app
    assert shared_app.outside_attempts() == ""
    assert "Traceback" not in shared_app.log[before:]


@pytest.fixture
def open_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., Learner]]:
    """Open an application in a browser of its own: `open_page(app, locale=…, viewport=…)`."""
    learners: list[Learner] = []
    hosts: set[str] = set()

    def note_host(url: str) -> None:
        if match := re.match(r"[a-z]+://([^/:?]+)", url):
            hosts.add(match[1])

    def opener(app: RunningApp, **options: Any) -> Learner:
        options = {"locale": "en-US", "viewport": {"width": 1440, "height": 900}, **options}
        context = browser.new_context(**options)
        context.on("request", lambda r: note_host(r.url))
        page = context.new_page()
        learner = Learner(page, app.url)
        learners.append(learner)
        learner.open()
        return learner

    yield opener
    if request.node.stash.get(failed, False):
        for number, learner in enumerate(learners):
            picture(learner.page, f"{request.node.name}-{number}")
    errors = [error for learner in learners for error in learner.errors]
    for learner in learners:
        learner.page.context.close()
    assert hosts <= {"127.0.0.1"}
    assert errors == []


def picture(page: Page, name: str) -> None:
    """Keep a screenshot of a failed test."""
    RESULTS.mkdir(exist_ok=True)
    safe = re.sub(r"[^\w.-]+", "_", name)
    try:
        page.screenshot(path=RESULTS / f"{safe}.png", full_page=True)
    except Error as error:  # the page may be what failed
        (RESULTS / f"{safe}.txt").write_text(str(error), encoding="utf-8")


@pytest.fixture
def learner(app: RunningApp, open_page: Callable[..., Learner]) -> Learner:
    """A new learner in an English browser on a wide screen."""
    return open_page(app)
