import pytest

from core.prompts.answer import (
    NOT_IN_DOCUMENTS,
    SYSTEM,
    USER,
    MarkFilter,
    Reference,
    is_refusal,
    parse,
    user_turn,
)


def parts(reply):
    return [(p.text, [(r.number, r.words) for r in p.references]) for p in parse(reply)]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("One.[1] Two. [2]", [("One.", [(1, None)]), (" Two. ", [(2, None)])]),
        ("Both [1][3].", [("Both ", [(1, None), (3, None)]), (".", [])]),
        ("Both [1, 3]", [("Both ", [(1, None), (3, None)])]),
        ("两个【2】。", [("两个", [(2, None)]), ("。", [])]),
        ('It is [2: "exact words 7"]', [("It is ", [(2, "exact words 7")])]),
        ("In [sic] 1999 nothing", [("In [sic] 1999 nothing", [])]),
        ("A list [a][b]", [("A list [a][b]", [])]),
        ("No marks at all", [("No marks at all", [])]),
        ("", []),
    ],
)
def test_replies_are_cut_at_their_marks(reply, expected):
    assert parts(reply) == expected


def test_a_reference_is_number_and_words():
    assert parse('x [12: "a, b"]')[0].references == (Reference(12, "a, b"),)


@pytest.mark.parametrize(
    "reply",
    [
        NOT_IN_DOCUMENTS,
        f" {NOT_IN_DOCUMENTS}. ",
        f"`{NOT_IN_DOCUMENTS}`",
        f"The passages say nothing. {NOT_IN_DOCUMENTS}",
    ],
)
def test_refusals_are_recognised(reply):
    assert is_refusal(reply)


def test_an_answer_is_no_refusal():
    assert not is_refusal("The documents do not say it directly, but [1] implies it.")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_prompt_has_everything(language):
    turn = user_turn("Why {braces}?", ["first {x}", "second"], language)
    assert "[1] first {x}" in turn
    assert "[2] second" in turn
    assert "Why {braces}?" in turn
    assert NOT_IN_DOCUMENTS in SYSTEM[language]
    assert "{question}" in USER[language]


def filtered(reply, size):
    marks = MarkFilter()
    shown = [marks.feed(reply[i : i + size]) for i in range(0, len(reply), size)]
    return "".join(shown) + marks.rest()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("One [1]. Two [2, 3] end", "One. Two end"),
        ('Quoted [2: "some exact words"] here', "Quoted here"),
        ("两个【2】。", "两个。"),
        ("array[i] and [sic] stay", "array[i] and [sic] stay"),
        ("cut off [1", "cut off"),
        ("open [", "open ["),
    ],
)
def test_marks_never_reach_the_screen_while_streaming(reply, shown, size):
    assert filtered(reply, size) == shown
