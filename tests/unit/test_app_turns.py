"""Only the last click of its kind may draw."""

from app.turns import Turns


def test_the_last_call_of_a_kind_wins() -> None:
    turns = Turns()
    first = turns.take("evidence")
    assert turns.is_last("evidence", first)
    notes = turns.take("notes")
    second = turns.take("evidence")
    assert not turns.is_last("evidence", first)
    assert turns.is_last("evidence", second)
    assert turns.is_last("notes", notes)


def test_the_order_of_the_page_counts_when_calls_overtake_each_other() -> None:
    turns = Turns()
    later = turns.take("evidence", 1_700_000_000_002)
    earlier = turns.take("evidence", 1_700_000_000_001)
    assert turns.is_last("evidence", later)
    assert not turns.is_last("evidence", earlier)
    own = turns.take("evidence")
    assert turns.is_last("evidence", own)
    assert not turns.is_last("evidence", later)
