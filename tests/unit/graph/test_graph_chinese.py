"""Facts read from Chinese sentences, and what states none."""

import pytest
from reading import extracted, facts

from core.domain.graph import EntityKind


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("梯度下降是一种迭代的优化算法。", "梯度下降 is_a 优化算法"),
        ("铁、铜和铝都是金属。", "铜 is_a 金属"),
        ("鲸鱼属于哺乳动物。", "鲸鱼 is_a 哺乳动物"),
        ("深度学习是机器学习的一个分支。", "深度学习 part_of 机器学习"),
        ("细胞膜由脂质、蛋白质和糖类组成。", "细胞膜 has 蛋白质"),
        ("机器学习包括监督学习和强化学习。", "机器学习 has 强化学习"),
        ("吸烟会导致肺癌。", "吸烟 causes 肺癌"),
        ("疟疾是由疟原虫引起的。", "疟原虫 causes 疟疾"),
        ("搜索引擎使用倒排索引。", "搜索引擎 uses 倒排索引"),
        ("胰腺分泌胰岛素。", "胰腺 produces 胰岛素"),
        ("屠呦呦发现了青蒿素。", "屠呦呦 created 青蒿素"),
        ("青霉素是弗莱明在1928年发现的。", "弗莱明 created 青霉素"),
        ("《红楼梦》的作者是曹雪芹。", "曹雪芹 created 红楼梦"),
        ("鲁迅出生于绍兴。", "鲁迅 born_in 绍兴"),
        ("杰弗里·辛顿在多伦多大学任教。", "杰弗里·辛顿 works_for 多伦多大学"),
        ("卢浮宫位于巴黎。", "卢浮宫 located_in 巴黎"),
        ("快速排序不同于归并排序。", "快速排序 contrasts 归并排序"),
        ("法国大革命始于1789年。", "法国大革命 happened_in 1789年"),
        ("自然语言处理是指让计算机处理文字的技术。", ""),
        ("Transformer 使用注意力机制。", "Transformer uses 注意力机制"),
    ],
)
def test_a_sentence_states_its_fact(sentence: str, expected: str) -> None:
    found = facts(sentence, "zh")
    assert expected in found if expected else found == []


@pytest.mark.parametrize(
    "sentence",
    [
        "煤是可再生能源吗？",
        "鲸鱼不是鱼。",
        "语言模型没有使用字典。",
        "如果大坝决口，洪水会导致停电。",
        "失眠可能是由压力引起的。",
        "有人声称咖啡会导致脱水。",
        "这种方法使用注意力。",
        "它由四个腔组成。",
        "窗口是一张书桌。",
        "很多学生觉得统计学很难。",
    ],
)
def test_what_is_asked_denied_or_supposed_states_nothing(sentence: str) -> None:
    assert facts(sentence, "zh") == []


def test_a_second_part_has_the_subject_of_the_first() -> None:
    found = extracted("Transformer 使用注意力机制，并取代了循环神经网络。", "zh").facts
    assert [fact.subject.name for fact in found] == ["Transformer"] * 2
    assert found[1].confidence < found[0].confidence


def test_a_pronoun_stands_for_the_subject_before() -> None:
    found = extracted("蝙蝠是一种哺乳动物。它利用回声定位捕食昆虫。", "zh").facts
    assert [(f.subject.name, f.object.name) for f in found] == [
        ("蝙蝠", "哺乳动物"),
        ("蝙蝠", "回声定位"),
    ]
    assert found[1].confidence < 0.65


def test_the_year_may_stand_before_or_within() -> None:
    for text in ("1869年，门捷列夫发表了元素周期表。", "门捷列夫在1869年发表了元素周期表。"):
        assert facts(text, "zh") == [
            "门捷列夫 created 元素周期表",
            "元素周期表 happened_in 1869年",
        ]


def test_names_have_their_kinds() -> None:
    found = extracted("法国化学家路易·巴斯德在巴黎大学任教。", "zh").facts[0]
    assert found.subject.name == "路易·巴斯德"
    assert found.subject.kind is EntityKind.PERSON
    assert found.object.kind is EntityKind.ORGANISATION


def test_sentences_are_the_texts_own() -> None:
    text = "心脏是循环系统的一部分。肾脏 产生 尿液。"
    found = extracted(text, "zh")
    assert len(found.facts) == 2
    assert all(fact.sentence in text for fact in found.facts)


@pytest.mark.parametrize(
    "text", ["", "。。。", "的的的的的的", "是是是是是是是", "《》《》《》", "（（（（（（"]
)
def test_text_without_words_gives_nothing(text: str) -> None:
    assert extracted(text, "zh").facts == ()
