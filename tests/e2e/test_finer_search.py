"""The finer index in the browser: told while it is made, used and shown when it is there."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from app.i18n import TEXTS
from tests.e2e.learner import LONG, Learner
from tests.e2e.running import ROOT, RunningApp

SAMPLE = ROOT / "sample_docs" / "大模型如何读书.pdf"  # 41 passages: fewer than 40 are not told
TOLD = "preparing the finer search"


@pytest.fixture(scope="module")
def refining_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    with RunningApp(tmp_path_factory.mktemp("refining"), REFINE_ENABLED="true") as app:
        yield app
        assert app.outside_attempts() == ""


def test_a_finer_index_is_told_while_it_is_made_and_used_when_it_is_there(
    refining_app: RunningApp, open_page: Callable[..., Learner]
) -> None:
    learner = open_page(refining_app)
    learner.load(SAMPLE)
    row = learner.document("大模型如何读书")
    expect(row).to_contain_text(TOLD)
    # It is no work that is waited for: the document can be asked, and nothing is to be stopped.
    expect(row.locator("progress")).to_have_count(0)
    expect(row.get_by_role("button", name="Ask")).to_be_enabled()
    expect(row).not_to_contain_text(TOLD, timeout=LONG)
    learner.ask("为什么必须把位置加进词元？")
    expect(learner.page.locator("#evidence-quote")).to_contain_text("位置")
    learner.page.locator("a[href^='#found-']").click()
    box = learner.page.locator(".found-box")
    expect(box.locator(".found-tiers")).to_contain_text(TEXTS["found.tier_refined"][0])
    expect(box.locator(".found-tiers")).to_contain_text(
        TEXTS["found.covers_one"][0].format(documents=1)
    )
    expect(box.locator(".score-refined_passage .meter").first).to_be_visible()
    expect(box).not_to_contain_text(TEXTS["found.note_refined_partly"][0])
