"""Tools by name."""

import logging

import pytest

from core.tools.registry import ToolRegistry
from core.tools.tool import ActionSpec, Tool


def tool(name: str = "clock", said: str = "noon") -> Tool:
    spec = ActionSpec(name="now", description="Tell the time.")
    return Tool(name, "Clock tool", [spec.done_by(lambda language: f"{said} {language}")])


def test_tools_are_registered_found_and_taken_out() -> None:
    registry, clock = ToolRegistry(), tool()
    assert registry.register_tool(clock) == "Tool 'clock' registered."
    registry.register_tool(tool("other"))
    assert registry.list_tools() == ["clock", "other"]
    assert registry.get_tool("clock") is clock
    assert "clock: Clock tool\nActions:\n- now(): Tell the time." in (
        registry.get_tools_description()
    )
    assert registry.unregister("clock")
    assert not registry.unregister("clock")
    assert registry.get_tool("clock") is None
    assert registry.list_tools() == ["other"]


def test_a_second_tool_of_a_name_takes_its_place_and_that_is_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    registry, clock = ToolRegistry(), tool()
    registry.register_tool(clock)
    assert registry.register_tool(clock) == "Tool 'clock' registered."
    with caplog.at_level(logging.WARNING):
        told = registry.register_tool(tool(said="midnight"))
    assert told == "Tool 'clock' registered; it replaces another tool of this name."
    assert told in caplog.text
    assert registry.execute_tool("clock", {"action": "now"}) == "midnight en"
    assert registry.list_tools() == ["clock"]


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("clock", {"action": "now"}, "noon en"),
        ("clock", '{"action": "now", "language": "zh"}', "noon zh"),
        ("now", {}, "noon en"),
        ("clock_now", '{"language": "zh"}', "noon zh"),
        ("clock", '{"action": "now"', "not a JSON object"),
        ("clock", "[1]", "not a JSON object"),
        ("clock", "now", "not a JSON object"),
        ("clock", "", "has no action"),
        ("clock", "[" * 100_000, "not a JSON object"),
        ("klock", "{}", "There is no tool “klock”. Use one of: clock."),
    ],
    ids=["mapping", "json", "action", "both", "cut", "list", "word", "nothing", "deep", "unknown"],
)
def test_what_is_executed_and_what_cannot_be(name: str, given: object, told: str) -> None:
    registry = ToolRegistry()
    registry.register_tool(tool())
    assert told in registry.execute_tool(name, given)  # type: ignore[arg-type]


def test_without_tools_there_is_nothing_to_choose_from() -> None:
    assert ToolRegistry().execute_tool("x", "{}") == (
        "❌ There is no tool “x”: none is registered."
    )


def test_an_action_that_two_tools_have_must_be_told_apart() -> None:
    registry = ToolRegistry()
    registry.register_tool(tool())
    registry.register_tool(tool("watch", "midnight"))
    assert "There is no tool “now”" in registry.execute_tool("now", {})
    assert registry.execute_tool("watch_now", {}) == "midnight en"
