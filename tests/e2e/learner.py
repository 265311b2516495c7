"""What a learner does in the browser, and what they then see."""

import base64
import json
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

DATA = Path(__file__).parents[1] / "data"
WAIT = 30_000  # milliseconds; a loaded machine with two cores
LONG = 180_000  # milliseconds, for work on hundreds of pages
expect.set_options(timeout=WAIT)


class Learner:
    """One learner in one browser."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.errors: list[str] = []
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: self._note_error(str(error)))
        page.on("console", self._note_console)

    def _note_console(self, message) -> None:  # type: ignore[no-untyped-def]
        if message.type == "error":
            self._note_error(f"{message.text} {message.location}")

    def _note_error(self, text: str) -> None:
        # Gradio's page ends its own requests with this when it is left or reloaded.
        if "AbortError" not in text:
            self.errors.append(text)

    def open(self) -> None:
        """Open (or reload) the page and wait until it is this learner's."""
        before = len(self.errors)
        self.page.goto(self.url, wait_until="commit")
        # A page that is left complains that what it was asking for was cut off: we cut it.
        cut = "Connection errored out"
        self.errors[before:] = [error for error in self.errors[before:] if cut not in error]
        self.page.locator("#learner-code").wait_for()
        self.page.locator(".drop-zone").wait_for(state="attached")

    def tab(self, name: str) -> None:
        """Open a tab by its name in the code: documents, ask, notes, recall, progress."""
        self.page.locator(f"#tab-{name}-button").click()
        expect(self.page.locator(f"#tab-{name}")).to_be_visible()

    @property
    def code(self) -> str:
        return self.page.locator("#learner-code summary").inner_text()

    # documents

    def choose(self, *files: str | Path | dict[str, object]) -> None:
        """Choose files of tests/data, paths, or Playwright's name, type and bytes."""
        self.page.locator("#file-input").set_input_files(
            [DATA / f if isinstance(f, str) else f for f in files]  # type: ignore[arg-type]
        )

    def load(self, *files: str | Path | dict[str, object]) -> None:
        """Load files and wait until each is among the documents."""
        rows = self.page.locator(".document")
        before = rows.count()
        self.choose(*files)
        expect(rows).to_have_count(before + len(files))
        self.wait_loaded()

    def wait_loaded(self) -> None:
        """Wait until nothing is being read any more."""
        expect(self.page.locator("#documents progress")).to_have_count(0, timeout=LONG)

    def submit(self, name: str, source: Path) -> None:
        """Choose a file under a name of its own."""
        kind = "application/octet-stream"
        self.choose({"name": name, "mimeType": kind, "buffer": source.read_bytes()})

    def document(self, title: str) -> Locator:
        return self.page.locator(".document").filter(has_text=title)

    def file(self, name: str) -> Locator:
        """The row of a file that is no document: coming, refused or known."""
        return self.page.locator(".file").filter(has_text=name)

    def read(self, title: str) -> None:
        """Open a document for reading."""
        self.document(title).get_by_role("button", name="Read").click()
        expect(self.page.locator("#evidence-page")).to_be_visible()

    # asking

    def type_question(self, text: str) -> None:
        self.tab("ask")
        self.page.locator("#question textarea").fill(text)
        self.page.keyboard.press("Enter")

    def ask(self, text: str) -> Locator:
        """Ask, wait for the proven answer, and return its message."""
        answers = self.page.locator("#conversation .message.bot")
        before = answers.count()
        self.type_question(text)
        expect(answers).to_have_count(before + 1)
        self.wait_idle()
        return answers.last

    def wait_idle(self) -> None:
        expect(self.page.locator("#send")).to_be_visible()

    @property
    def sources(self) -> Locator:
        return self.page.locator("#conversation a[href^='#source-']")

    @property
    def numbers(self) -> Locator:
        return self.page.locator("#conversation a[href^='#cite-']")

    @property
    def quote(self) -> str:
        return self.page.locator("#evidence-quote").inner_text()

    @property
    def page_shown(self) -> int:
        return int(self.page.locator("[data-page-shown]").first.get_attribute("data-page-shown"))  # type: ignore[arg-type]

    def page_images(self) -> dict[int, bytes]:
        """The page images in the evidence, as PNG by page number."""
        found = {}
        for image in self.page.locator(".page-image").all():
            source = image.get_attribute("src") or ""
            number = int(image.get_attribute("data-page-shown") or 0)
            found[number] = base64.b64decode(source.removeprefix("data:image/png;base64,"))
        return found

    # notes, memory, progress

    def write_note(self, content: str, concept: str = "") -> None:
        self.tab("notes")
        field(self.page, "note-concept").fill(concept)
        field(self.page, "note-content").fill(content)
        self.page.locator("#note-save").click()
        expect(self.page.locator("#notes-notice")).to_contain_text(re.compile("Saved|已保存"))

    def recall(self, query: str) -> Locator:
        self.tab("recall")
        field(self.page, "recall-query").fill(query)
        self.page.locator("#recall-search").click()
        return self.page.locator("#recall-results")

    def total(self, name: str) -> Locator:
        return self.page.locator(f"#total-{name}")

    def download_report(self) -> dict[str, object]:
        self.tab("progress")
        with self.page.expect_download() as download:
            self.page.locator("#report-download").click()
        assert re.fullmatch(r"learning_report_\w+\.json", download.value.suggested_filename)
        return json.loads(Path(download.value.path()).read_text(encoding="utf-8"))


def field(page: Page, name: str) -> Locator:
    """The text field of a component."""
    return page.locator(f"#{name} textarea, #{name} input").first
