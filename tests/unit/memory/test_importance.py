"""Importance and kind of a memory when nobody said."""

import pytest

from core.domain.memory import MemoryKind
from core.memory.importance import auto_classify, automatic_importance


def test_importance_comes_from_what_is_known() -> None:
    assert automatic_importance() == 0.5
    assert automatic_importance(by_hand=True) == 0.8
    assert automatic_importance(sightings=2) == 0.6
    assert automatic_importance(sightings=50) == 0.8
    assert automatic_importance(by_hand=True, sightings=9) == 1.0
    assert automatic_importance(priority="low") == 0.3
    assert automatic_importance(priority="high") == 0.8
    assert automatic_importance(priority="unknown") == 0.5
    assert automatic_importance(pinned=True, priority="low") == 1.0


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("Yesterday I went to the lecture.", MemoryKind.EPISODIC),
        ("I finished chapter 3 two days ago.", MemoryKind.EPISODIC),
        ("Overfitting is defined as memorising noise.", MemoryKind.SEMANTIC),
        ("Entropy is a measure of disorder.", MemoryKind.SEMANTIC),
        ("Yesterday's definition: entropy is a measure of disorder.", MemoryKind.SEMANTIC),
        ("buy milk", MemoryKind.WORKING),
        ("昨天我去了讲座。", MemoryKind.EPISODIC),
        ("我读完了第三章。", MemoryKind.EPISODIC),
        ("过拟合是指模型记住噪声。", MemoryKind.SEMANTIC),
        ("熵的定义：衡量混乱程度。", MemoryKind.SEMANTIC),
        ("待办：买牛奶", MemoryKind.WORKING),
    ],
)
def test_the_kind_comes_from_words_of_time_and_of_knowledge(content, kind) -> None:
    assert auto_classify(content) is kind
