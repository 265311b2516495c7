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
