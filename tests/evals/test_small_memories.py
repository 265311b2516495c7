"""Small version of the eval of time with many memories: that they are there and are counted.

No times here: a shared machine says nothing about them.
"""

import random

from tests.evals import memories
from tests.evals.memories import Texts


def test_every_call_is_measured() -> None:
    timed = memories.run(learners=3, each=40, times=6)
    figures = {f.name: f for f in memories.figures(timed, 120)}
    assert (len(timed.add), len(timed.recall)) == (6, 6)
    assert figures["add, p50"].count == figures["recall, p95"].count == 6
    assert figures["add, p50"].ceiling == 10
    assert figures["recall, p95"].ceiling == 60
    assert timed.size > 0


def test_texts_are_of_both_languages_and_differ() -> None:
    texts = Texts(random.Random(0).randrange(9))
    made = [texts.next() for _ in range(50)]
    assert len(set(made)) == 50
    assert {text.endswith("。") for text in made} == {True, False}
    assert all(texts.question() for _ in range(20))
