"""Small version of the eval of long conversations: two of our own, English and Chinese."""

import json
import zipfile
from pathlib import Path

import pytest

from core.domain.memory import Scorer
from tests.evals import locomo

ENGLISH = {
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
        {"speaker": "Ada", "dia_id": "D1:1", "text": "Hi Bob! How was the weekend?"},
        {"speaker": "Bob", "dia_id": "D1:2", "text": "Great, I built a kite with my niece."},
        {"speaker": "Ada", "dia_id": "D1:3", "text": "Did it fly?"},
        {"speaker": "Bob", "dia_id": "D1:4", "text": "For an hour, then it fell into a tree."},
        {
            "speaker": "Ada",
            "dia_id": "D1:5",
            "text": "I repaired my bicycle.",
            "blip_caption": "a red bicycle against a wall",
        },
    ],
    "session_2_date_time": "9:10 am on 2 July, 2023",
    "session_2": [
        {"speaker": "Bob", "dia_id": "D2:1", "text": "I sold my bicycle last week."},
        {"speaker": "Ada", "dia_id": "D2:2", "text": "What a pity."},
        {"speaker": "Bob", "dia_id": "D2:3", "text": "I want to learn the violin instead."},
    ],
    "qa": [
        {"question": "What did Bob build?", "category": 4, "evidence": ["D1:2"]},
        {"question": "What happened to the kite?", "category": 4, "evidence": ["D1:2; D1:04"]},
        {"question": "What did Ada do with her bicycle?", "category": 4, "evidence": ["D:1:5"]},
        {"question": "When did Bob sell his bicycle?", "category": 2, "evidence": ["D2:1"]},
        {"question": "What did Ada sell?", "category": 5, "evidence": ["D2:1"]},
        {"question": "Of what is nothing known?", "category": 3, "evidence": ["D9:9"]},
    ],
}
CHINESE = {
    "session_1_date_time": "10:00 am on 3 April, 2023",
    "session_1": [
        {"speaker": "小明", "dia_id": "D1:1", "text": "周末我去学了游泳。"},
        {"speaker": "小红", "dia_id": "D1:2", "text": "难吗？"},
        {"speaker": "小明", "dia_id": "D1:3", "text": "换气很难，教练很耐心。"},
        {"speaker": "小红", "dia_id": "D1:4", "text": "我最近在学做面包。"},
    ],
    "qa": [
        {"question": "小明周末学了什么？", "category": 4, "evidence": ["D1:1"]},
        {"question": "小红在学做什么？", "category": 4, "evidence": ["D1:4"]},
        {"question": "What did 小明 learn?", "category": 4, "evidence": ["D1:1"]},
    ],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("conversations")
    with zipfile.ZipFile(folder / "small.zip", "w") as packed:
        for name, data in (("en", ENGLISH), ("zh", CHINESE)):
            packed.writestr(f"data/{name}.json", json.dumps(data, ensure_ascii=False))
    return folder


def test_conversations_are_read_as_they_are(folder: Path) -> None:
    english, chinese = locomo.read(folder)
    assert (english.name, len(english.turns), len(chinese.turns)) == ("en", 8, 4)
    assert [q.evidence for q in english.questions] == [
        {"D1:2"},
        {"D1:2", "D1:4"},
        {"D1:5"},
        {"D2:1"},
        {"D2:1"},
    ]
    assert english.turns[4].text == (
        "Ada: I repaired my bicycle. [photo: a red bicycle against a wall]"
    )
    assert english.turns[0].at.isoformat() == "2023-05-08T13:56:00+00:00"


def test_judging() -> None:
    hits = [{"D1:1"}, {"D1:2"}, set(), {"D1:3"}, {"D1:4"}, {"D1:5"}]
    assert locomo.judged(hits, frozenset({"D1:2", "D1:5"})) == (0.5, 1.0, 0.5)
    assert locomo.judged(hits, frozenset({"D9:9"})) == (0.0, 0.0, 0.0)
    assert locomo.judged([], frozenset({"D1:1"})) == (0.0, 0.0, 0.0)


def test_evidence_is_found_in_both_languages(folder: Path, tmp_path: Path) -> None:
    conversations = locomo.read(folder)
    found = locomo.run(conversations, tmp_path, refined=False)[Scorer.DEFAULT]
    assert found.mean(locomo.ALL, 0) == 1.0
    assert found.mean(locomo.ALL, 2) == pytest.approx(1.0, abs=0.15)
    assert len(found.rows[locomo.ALL]) == 7
    assert len(found.rows["adversarial"]) == 1


def test_the_figures_and_their_bound(folder: Path, tmp_path: Path) -> None:
    results = locomo.run(locomo.read(folder), tmp_path, refined=False)
    figures = {f.name: f for f in locomo.figures(results[Scorer.TUTORIAL], floor=0.0)}
    assert figures[f"{locomo.ALL}: recall@10"].passed
    assert figures[f"{locomo.ALL}: recall@10"].count == 7
    assert figures["single-hop: MRR"].count == 6
    assert figures["open-domain: recall@5"].value is None
