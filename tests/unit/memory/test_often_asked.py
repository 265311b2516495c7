"""What somebody keeps asking about."""

from core.domain.memory import Memory
from core.memory.often_asked import often_asked
from tests.fakes import MONDAY
from tests.upkeep import EPISODIC, WORKING, made


def asked(memory_id: str, question: str, *, days: float = 1, question_id: str = "") -> Memory:
    return made(
        memory_id,
        f"Learning about '{question}'",
        kind=EPISODIC,
        event="qa_interaction",
        days=days,
        metadata={"question_id": question_id or memory_id},
    )


def test_three_questions_about_one_thing_in_a_week_make_a_proposal() -> None:
    memories = [
        asked("a", "What is backpropagation?", days=6),
        asked("b", "Why does backpropagation need the chain rule?", days=3),
        asked("c", "How fast is Backpropagation?", days=1),
        asked("d", "What is entropy?", days=1),
    ]
    (proposal,) = often_asked(memories, MONDAY)
    assert (proposal.concept, proposal.memory_ids) == ("Backpropagation", ("c", "b", "a"))
    assert often_asked(memories[1:], MONDAY) == []


def test_a_chinese_concept_is_named_whole() -> None:
    memories = [
        asked("a", "什么是过拟合？"),
        asked("b", "过拟合怎么避免？"),
        asked("c", "为什么过拟合不好？"),
    ]
    assert [p.concept for p in often_asked(memories, MONDAY)] == ["过拟合"]


def test_a_question_and_its_answer_count_once_and_old_ones_not_at_all() -> None:
    question = made(
        "q",
        "Question: What is entropy?",
        kind=WORKING,
        event="question",
        metadata={"question_id": "1"},
    )
    memories = [
        question,
        asked("a", "What is entropy?", question_id="1"),
        asked("b", "Does entropy grow?"),
        asked("c", "Is entropy a measure?", days=8),
        made("n", "entropy is a measure of disorder", days=1),
    ]
    assert often_asked(memories, MONDAY) == []


def test_words_of_asking_are_no_concepts() -> None:
    memories = [asked(str(n), f"Explain the meaning of {w}") for n, w in enumerate(("a", "b", "c"))]
    assert often_asked(memories, MONDAY) == []
