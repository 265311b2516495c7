"""The bounds of the stale facts, on every fourth pair, and that the eval can fail."""

from dataclasses import replace
from pathlib import Path

from core.memory.replacing import STATE_NOTHING
from tests.evals import stale_facts
from tests.evals.stale_facts import Outcome


def test_there_are_enough_pairs_in_both_languages() -> None:
    pairs = stale_facts.read()
    assert len({(pair.older, pair.newer) for pair in pairs}) == len(pairs)
    for language in stale_facts.LANGUAGES:
        own = [pair for pair in pairs if pair.language == language]
        assert sum(pair.is_stale for pair in own) >= 60
        assert sum(not pair.is_stale for pair in own) >= 45
    assert all(pair.query for pair in pairs if pair.is_stale)
    assert "note" not in STATE_NOTHING


def test_the_newer_statement_wins_and_nothing_else_is_marked(tmp_path: Path) -> None:
    outcomes = stale_facts.run(stale_facts.read()[::4], tmp_path)
    missed = [f.name for f in stale_facts.figures(outcomes) if f.passed is False]
    assert missed == [], stale_facts.wrong(outcomes)


def test_the_eval_sees_what_goes_wrong() -> None:
    pairs = stale_facts.read()
    stale = next(pair for pair in pairs if pair.is_stale)
    kept = next(pair for pair in pairs if not pair.is_stale)
    right = [
        Outcome(stale, True, (stale.newer, stale.older), 0),
        Outcome(kept, False, (), 0),
    ]
    assert stale_facts.wrong(right) == []
    assert all(f.passed is not False for f in stale_facts.figures(right))
    bad = [
        Outcome(stale, False, (stale.older, stale.newer), 1),
        replace(right[1], marked=True),
    ]
    assert len(stale_facts.wrong(bad)) == 2
    assert [f.passed for f in stale_facts.figures(bad) if f.passed is not None] == [False] * 4
