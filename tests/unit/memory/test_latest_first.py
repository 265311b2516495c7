"""A later statement comes before an earlier one much like it."""

from core.domain.memory import Memory, MemoryHit
from core.memory.latest_first import latest_first
from tests.upkeep import made


def hits(*memories: Memory, scores: tuple[float, ...] = ()) -> list[MemoryHit]:
    given = scores or tuple(1.0 - n / 10 for n in range(len(memories)))
    return [
        MemoryHit(memory=memory, score=score, relevance=score)
        for memory, score in zip(memories, given, strict=True)
    ]


def order(found: list[MemoryHit], query: str) -> list[str]:
    return [hit.memory.id for hit in latest_first(found, query)]


def test_the_later_of_two_alike_comes_first() -> None:
    older = made("old", "I am a member of the chess club", days=9)
    newer = made("new", "I left the chess club", days=1)
    other = made("other", "Chess is played on 64 squares", days=5)
    assert order(hits(older, other, newer), "the chess club") == ["new", "old", "other"]
    assert order(hits(newer, other, older), "the chess club") == ["new", "other", "old"]
    zh = hits(made("旧", "我是象棋社的成员", days=9), made("新", "我退出了象棋社", days=1))
    assert order(zh, "象棋社") == ["新", "旧"]


def test_what_was_asked_for_stays_first() -> None:
    maths = made("maths", "The maths exam is on 12 May", days=9)
    physics = made("physics", "The physics exam is on 14 May", days=1)
    assert order(hits(maths, physics), "When is the maths exam?") == ["maths", "physics"]


def test_much_worse_unlike_or_other_events_keep_their_place() -> None:
    older = made("old", "The library closes at eight", days=9)
    newer = made("new", "The library closes at nine", days=1)
    query = "library closes"
    assert order(hits(older, newer, scores=(1.0, 0.4)), query) == ["old", "new"]
    asked = made("new", "The library closes at nine", days=1, event="qa_interaction")
    assert order(hits(older, asked), query) == ["old", "new"]
    unlike = made("new", "The library has green carpets", days=1)
    assert order(hits(older, unlike), "library") == ["old", "new"]
    assert latest_first([], query) == []
