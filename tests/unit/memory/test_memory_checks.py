"""What a caller gives to be kept is checked before anything is."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.errors import InvalidInputError
from core.memory.checks import (
    MAX_METADATA_BYTES,
    MAX_METADATA_DEPTH,
    checked_importance,
    checked_limit,
    checked_metadata,
    checked_name,
    checked_number,
    lies_in,
)
from tests.unit.memory.conftest import NS, WORKING


def nested(depth: int) -> object:
    value: object = "x"
    for _ in range(depth - 1):
        value = [value]
    return value


def circle() -> list[object]:
    value: list[object] = []
    value.append(value)
    return value


def test_metadata_is_kept_as_json_values():
    plain = {"a": "ünï 中文\n", "n": 3, "x": 0.5, "yes": True, "no": None, "o": {"k": []}}
    kept = checked_metadata({**plain, "box": (1, 2.0)})
    assert kept == {**plain, "box": [1, 2.0]}
    assert json.loads(json.dumps(kept)) == kept
    assert checked_metadata(None) == {}
    assert checked_metadata({"d": nested(MAX_METADATA_DEPTH)})


def test_what_no_store_can_hold_is_left_out_of_names_and_texts():
    assert checked_metadata({"a\ud800": ["b\x00c\udfff"]}) == {"a": ["bc"]}


UNFIT = [
    {"a": {1, 2}},
    {"a": datetime(2026, 3, 2, tzinfo=UTC)},
    {"a": b"bytes"},
    {"a": float("nan")},
    {"a": [float("-inf")]},
    {"a": 10**5000},
    {"a": object()},
    {"a": {1: "x"}},
    {1: "x"},
    {"a": nested(MAX_METADATA_DEPTH + 1)},
    {"a": nested(100_000)},
    {"a": circle()},
    {"a": "x" * 20_000_000},
    {"a": "字" * (MAX_METADATA_BYTES // 3)},
    [("a", 1)],
]


@pytest.mark.parametrize("metadata", UNFIT, ids=range(len(UNFIT)))
def test_metadata_that_cannot_be_kept_is_refused_in_words(metadata):
    with pytest.raises(InvalidInputError, match="metadata"):
        checked_metadata(metadata)


@pytest.mark.parametrize("name", ["", " ", "\ud800", "e" * 201, ["x"], 5])
def test_names_are_short_texts(name):
    with pytest.raises(InvalidInputError, match="event"):
        checked_name(name, "event")


def test_names_lose_what_cannot_be_kept():
    assert checked_name(" no\x00te\ud800 ", "event") == "note"


@pytest.mark.parametrize("importance", ["0.5", None, True, float("nan"), -0.1, 1.1, [1], 10**400])
def test_an_importance_is_a_number_from_0_to_1(importance):
    with pytest.raises(InvalidInputError, match="importance"):
        checked_importance(importance)


@pytest.mark.parametrize("limit", ["3", 2.5, True, 0, -1, 10**20])
def test_a_limit_is_a_whole_number(limit):
    with pytest.raises(InvalidInputError, match="limit"):
        checked_limit(limit)


def test_numbers_that_make_sense_stay():
    assert checked_number(30, "age") == 30
    assert checked_importance(1) == 1
    assert checked_limit(None) is None
    assert checked_limit(3) == 3


def test_links_into_a_folder_lie_in_it(tmp_path):
    home = tmp_path / "home"
    (home / "in").mkdir(parents=True)
    (home / "in" / "a.md").write_text("a", encoding="utf-8")
    (tmp_path / "b.md").write_text("b", encoding="utf-8")
    (tmp_path / "link.md").symlink_to(home / "in" / "a.md")
    (tmp_path / "folder").symlink_to(home, target_is_directory=True)
    (tmp_path / "homely").mkdir()
    for inside in ("home", "home/in/a.md", "home/none", "link.md", "folder/in/a.md", "x/../home/y"):
        assert lies_in(tmp_path / inside, home), inside
        assert lies_in(tmp_path / inside, tmp_path / "folder"), inside
    for outside in ("b.md", "homely", "homely/x", "home/../b.md", "bad\x00name"):
        assert not lies_in(tmp_path / outside, home), outside


def test_what_cannot_be_kept_is_refused_before_it_is_in_working_memory(manager, add):
    kept = add("Oak is pegged", WORKING)
    for wrong in ({"metadata": {"a": {1}}}, {"event": "e" * 500}, {"session_id": "s" * 500}):
        with pytest.raises(InvalidInputError):
            add("Teak is oiled", WORKING, **wrong)
    with pytest.raises(InvalidInputError):
        manager.update(replace(kept, metadata={"at": datetime.now(UTC)}), namespace=NS)
    with pytest.raises(InvalidInputError):
        manager.add_figures(
            [("A wheel", {"page": float("nan")})], importance=0.5, namespace=NS, session_id="s"
        )
    assert manager.list(namespace=NS) == [kept]
