"""The tools an agent has."""

import json
import logging
from collections.abc import Mapping

from core.text.tokens import language_of
from core.tools.texts import say
from core.tools.tool import Tool

logger = logging.getLogger(__name__)


class ToolRegistry:
    """Tools by name, in the order in which they were registered."""

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}

    def register_tool(self, tool: Tool) -> str:
        """Register a tool; return what was done.

        A tool of the same name is replaced, as in the tutorial; that is said and logged.
        """
        replaced = self._tools.get(tool.name)
        self._tools[tool.name] = tool
        if replaced is None or replaced is tool:
            done = f"Tool '{tool.name}' registered."
            logger.info(done)
        else:
            done = f"Tool '{tool.name}' registered; it replaces another tool of this name."
            logger.warning(done)
        return done

    def unregister(self, name: str) -> bool:
        """Take a tool out; tell whether it was there."""
        return self._tools.pop(name, None) is not None

    def get_tool(self, name: str) -> Tool | None:
        """Return the tool of this name, None without one."""
        return self._tools.get(name)

    def list_tools(self) -> list[str]:
        """Return the names of the tools."""
        return list(self._tools)

    def tools(self) -> list[Tool]:
        """Return the tools."""
        return list(self._tools.values())

    def get_tools_description(self) -> str:
        """Return name, description and actions of every tool, one after the other."""
        return "\n\n".join(f"{tool.name}: {tool.spec().description}" for tool in self.tools())

    def execute_tool(
        self, name: str, parameters: Mapping[str, object] | str, *, language: str | None = None
    ) -> str:
        """Run a tool with `{"action": …}`, given as mapping or as JSON, and return its text.

        For the name see `meant`. An unknown tool and what is no JSON object are told in a text with
        the remedy.
        """
        spoken = language or language_of(str(parameters))
        given = json_object(parameters) if isinstance(parameters, str) else parameters
        tool, arguments = self.meant(name, given or {})
        if tool is None:
            key = "unknown_tool" if self._tools else "no_tools"
            return say(key, spoken, name=name[:80], known=", ".join(self._tools))
        if given is None:
            return say("bad_json", spoken, name=name, action=next(iter(tool.actions), ""))
        return tool.run(arguments)

    def meant(
        self, name: str, arguments: Mapping[str, object]
    ) -> tuple[Tool | None, Mapping[str, object]]:
        """Return the tool of a name, None without one, and the arguments with their action.

        Small models call `add` or `memory_add` and mean the action of the tool `memory`: the name
        of an action that only one tool has stands for it.
        """
        if name in self._tools:
            return self._tools[name], arguments
        found = [
            (tool, action)
            for tool in self._tools.values()
            for action in tool.actions
            if name in (action, f"{tool.name}_{action}")
        ]
        if len(found) != 1:
            return None, arguments
        (tool, action), *_ = found
        return tool, {**arguments, "action": action}


def json_object(text: str) -> dict[str, object] | None:
    """Return a JSON object, {} for an empty text, None for anything else."""
    if not text.strip():
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
