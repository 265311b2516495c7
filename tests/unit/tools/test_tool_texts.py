"""Every sentence of the tools is there twice, with the same places to fill; so is every error."""

import re
from types import ModuleType

import pytest

from core import errors
from core.tools import texts, texts_agent, texts_memory, texts_rag
from core.tools.texts_failures import FAILURES_ZH

MODULES = [texts, texts_agent, texts_memory, texts_rag]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_both_languages_fill_the_same_places(module: ModuleType) -> None:
    for key, (english, chinese) in module._TEXTS.items():
        places = [sorted(re.findall(r"(?<!\{)\{(\w+)", text)) for text in (english, chinese)]
        assert places[0] == places[1], key
        if re.search("[a-z]{4}", re.sub(r"\{[^}]*\}", "", english)):
            assert re.search("[\u4e00-\u9fff]", chinese), key
        assert not re.search("[\u4e00-\u9fff]", english), key


def kinds_of_errors() -> list[type[errors.AssistantError]]:
    """Return those of the core; the interface has its own, and words for them."""
    found = [errors.AssistantError]
    for kind in found:
        found += kind.__subclasses__()
    return [kind for kind in found if kind.__module__.startswith("core.")]


def test_every_error_is_told_with_its_remedy_in_both_languages() -> None:
    for kind in kinds_of_errors():
        english = texts.failure(kind(), "en")
        assert kind.default_message in english
        assert kind.default_remedy in english
        chinese = texts.failure(kind(), "zh")
        assert chinese.startswith(f"❌ {FAILURES_ZH[kind.code][0]}")
        assert FAILURES_ZH[kind.code][1] in chinese
        assert not re.search("[a-z]{3} [a-z]{3}", chinese), "nothing is left in English"


def test_what_an_error_says_of_its_case_is_not_lost_in_chinese() -> None:
    told = texts.failure(errors.StoreError("Disk full.", remedy="Make room."), "zh")
    assert told == "❌ 数据库没有响应。（Disk full.）请重试，并检查磁盘和数据库设置。（Make room.）"
    quoted = texts.failure(errors.InvalidInputError("“12” is too short."), "zh")
    assert quoted == "❌ 参数无法使用。（“12” is too short.）请改正后重试。"
    said = errors.InvalidInputError("没有内容。", remedy="请写点什么。")
    assert texts.failure(said, "zh") == "❌ 没有内容。请写点什么。"


def test_a_text_is_shortened_on_one_line() -> None:
    assert texts.shortened("a\n b", 80) == "a b"
    assert texts.shortened("x" * 81, 80) == "x" * 80 + "..."
