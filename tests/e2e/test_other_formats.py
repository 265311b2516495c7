"""Documents of other formats in the browser: loaded, asked, proven in their own text."""

import re

from playwright.sync_api import expect

from tests.data import make_office as office
from tests.e2e.learner import Learner


def sent(name: str, content: bytes) -> dict[str, object]:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def test_a_word_file_is_loaded_and_its_quote_is_marked(learner: Learner) -> None:
    learner.load(sent("笔记.docx", office.docx()))
    learner.ask("什么是机器学习？")
    learner.page.locator("#conversation a[href^='#cite-']").first.click()
    part = learner.page.locator(".page-part")
    expect(part.locator("mark.proof").first).to_have_text("机器学习是人工智能的一个分支。")
    expect(part.locator("h3")).to_have_text("学习笔记")
    expect(part.locator("th")).to_have_text(["Kind", "Size | unit"])
    expect(part.locator("b")).to_have_count(0)
    expect(learner.page.locator("#evidence-page")).to_have_text(re.compile("part 1|第 1 部分"))
    expect(part.locator("mark.proof").first).to_be_in_viewport()
    assert learner.errors == []


def test_a_quote_far_down_a_long_text_is_scrolled_to(learner: Learner) -> None:
    filler = "\n\n".join(f"第{i}段只是用来占位置的一些文字，没有别的意思。" for i in range(120))
    text = f"{filler}\n\n海豚每年冬天游向南方的温暖海湾。\n"
    learner.load(sent("海豚.txt", text.encode("gb18030")))
    learner.ask("海豚冬天游向哪里？")
    learner.page.locator("#conversation a[href^='#cite-']").first.click()
    mark = learner.page.locator(".page-part mark.proof").first
    expect(mark).to_have_text("海豚每年冬天游向南方的温暖海湾。")
    expect(mark).to_be_in_viewport()


def test_a_file_that_nothing_can_read_says_what_can_be(learner: Learner) -> None:
    learner.choose(sent("program.exe", b"MZ\x90\x00" + bytes(range(256)) * 4))
    row = learner.page.locator(".tray-refused, [data-code='unsupported_format']").first
    expect(row).to_contain_text("program.exe")
    expect(row).to_contain_text(re.compile("docx"))
    expect(learner.page.locator(".document")).to_have_count(0)


def test_the_chooser_offers_every_format(learner: Learner) -> None:
    accepted = learner.page.locator("#file-input").get_attribute("accept") or ""
    assert {".pdf", ".docx", ".pptx", ".xlsx", ".epub", ".html", ".md", ".py", ".png"} <= set(
        accepted.split(",")
    )
