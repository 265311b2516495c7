"""What a caller, or a model, gives to an action is checked and worded."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import InvalidInputError
from core.tools.arguments import Parameter, checked
from core.tools.tool import ActionSpec, Tool

WORDS = Parameter(name="content", words=True, required=True, description="d")
PARAMETERS = (
    WORDS,
    Parameter(name="limit", kind="integer", minimum=1, maximum=9, description="d"),
    Parameter(name="importance", kind="number", minimum=0, maximum=1, description="d"),
    Parameter(name="confirm", kind="boolean", description="d"),
    Parameter(name="kinds", kind="strings", choices=("a", "b"), description="d"),
)


class Echo(Tool):
    """A tool that tells what it was given."""

    def __init__(self) -> None:
        super().__init__(
            "echo",
            "Echo tool",
            [
                ActionSpec(name="say", description="Say it.", parameters=PARAMETERS).done_by(
                    lambda language, **given: f"{language} {given}"
                ),
                ActionSpec(name="keep", description="Keep it.", keeps_others=True).done_by(
                    lambda language, metadata: f"{language} {metadata}"
                ),
            ],
        )


def fit(**given: object) -> dict[str, object]:
    return checked(PARAMETERS, {"content": "c", **given}, language="en")


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"limit": 3}, 3),
        ({"limit": "3"}, 3),
        ({"limit": 3.0}, 3),
        ({"importance": "0.25"}, 0.25),
        ({"importance": 1}, 1.0),
        ({"confirm": "True"}, True),
        ({"confirm": "no"}, False),
        ({"confirm": True}, True),
        ({"kinds": "a, b"}, ["a", "b"]),
        ({"kinds": ("b",)}, ["b"]),
        ({"kinds": '["a", "b"]'}, ["a", "b"]),
        ({"content": Path("x/y")}, "x/y"),
    ],
    ids=str,
)
def test_what_models_write_is_understood(given: dict[str, object], wanted: object) -> None:
    (name,) = given
    assert fit(**given)[name] == wanted


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"limit": "many"}, "whole number"),
        ({"limit": 2.5}, "whole number"),
        ({"limit": True}, "whole number"),
        ({"limit": 0}, "within 1…9"),
        ({"limit": 10}, "within 1…9"),
        ({"importance": "nan"}, "a number"),
        ({"importance": 10**400}, "a number"),
        ({"importance": [1]}, "a number"),
        ({"confirm": "maybe"}, "true or false"),
        ({"kinds": ["a", 1]}, "list of texts"),
        ({"kinds": '["a"'}, "list of texts"),
        ({"kinds": "a, c"}, "“c” is not a possible kinds"),
        ({"content": 7}, "must be a text"),
        ({"limt": 7}, "no argument “limt”"),
    ],
    ids=str,
)
def test_what_does_not_fit_is_named(given: dict[str, object], told: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        fit(**given)
    assert told in caught.value.message
    assert caught.value.remedy


def test_none_counts_as_left_out() -> None:
    assert fit(limit=None) == {"content": "c"}
    with pytest.raises(InvalidInputError, match="“content” is missing"):
        checked(PARAMETERS, {"content": None}, language="en")


def test_further_arguments_are_kept_as_json() -> None:
    at = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
    given = {"content": "c", "at": at, "where": Path("a"), "tags": ("x", None, 2), "n": {"k": 1.5}}
    kept = checked([WORDS], given, language="en", keeps_others=True)["metadata"]
    assert kept == {"at": at.isoformat(), "where": "a", "tags": ["x", 2], "n": {"k": 1.5}}
    for value in (object(), float("inf"), {1: 2}, {"deep": [set()]}):
        with pytest.raises(InvalidInputError, match="“what” must be a JSON value"):
            checked([WORDS], {"content": "c", "what": value}, language="en", keeps_others=True)


def test_a_tool_answers_in_the_language_of_the_text_or_as_asked() -> None:
    echo = Echo()
    assert echo.execute("say", content="水").startswith("zh ")
    assert echo.execute("say", content="water").startswith("en ")
    assert echo.execute("say", content="water", language="zh").startswith("zh ")
    assert echo.execute("keep") == "zh {}", "without a text, the language used last"
    assert echo.execute("say", content="water", language="fr").startswith("❌ “fr” is not")
    assert "'language': 'Python'" in echo.execute("keep", language="Python"), "kept: no reply's"


@pytest.mark.parametrize("action", ["sya", "", None, 7, ["say"]])
def test_an_unknown_action_is_told_with_those_there_are(action: object) -> None:
    assert "Use one of: say, keep." in Echo().execute(action)  # type: ignore[arg-type]


def test_run_takes_the_action_with_the_rest() -> None:
    assert Echo().run({"action": "say", "content": "water"}) == "en {'content': 'water'}"
    assert Echo().run({"content": "water"}).startswith("❌ The tool echo has no action “”")
    assert Echo().run({"action": "say", "self": 1, "content": "c"}).startswith("en")


def test_the_schemas_say_what_is_taken() -> None:
    echo = Echo()
    assert echo.parameters["say"]["required"] == ["content"]
    assert echo.parameters["keep"]["additionalProperties"] is True
    properties = echo.parameters["say"]["properties"]
    assert isinstance(properties, dict)
    assert properties["kinds"] == {
        "type": "array",
        "items": {"type": "string", "enum": ["a", "b"]},
        "description": "d",
    }
    schema = echo.to_openai_schema()
    assert schema["type"] == "function"
    function = schema["function"]
    assert isinstance(function, dict)
    assert function["name"] == "echo"
    assert "say(content, limit?, importance?, confirm?, kinds?): Say it." in function["description"]
    assert function["parameters"]["required"] == ["action"]
    assert function["parameters"]["properties"]["action"]["enum"] == ["say", "keep"]
