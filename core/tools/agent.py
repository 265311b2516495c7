"""An agent that talks, and uses tools in bounded steps."""

import json
import math
import re
from collections.abc import Mapping, Sequence

from core.errors import AssistantError, InvalidInputError, ModelResponseError
from core.ports.llm import ChatTurn, Usage
from core.ports.tool_calling import AgentTurn, ToolCall, ToolCallingLLM, ToolSpec
from core.text.tokens import language_of
from core.tools.arguments import METADATA
from core.tools.llm import HelloAgentsLLM
from core.tools.registry import ToolRegistry, json_object
from core.tools.requests import is_question, speaks_of_deleting
from core.tools.texts import failure, shortened
from core.tools.texts_agent import say
from core.tools.tool import Tool

_MOST_HISTORY = 20
"""So many of the last messages the model gets with a new one."""
_MOST_CALLS = 8
"""In one step."""
_MOST_RESULT = 8000
"""Characters of a tool's text that the model gets."""
_FILES = ("file_path", "raw_data")
"""Arguments that name a file, also where they stand in `metadata`."""


class SimpleAgent:
    """Answers in words, with the tools of `tool_registry`, in at most `max_steps` steps a message.

    `llm` None, or a `HelloAgentsLLM` without a model: the tools answer by rules, and the reply says
    that there is no model. `tool_registry` may be set later. For one conversation at a time.
    """

    def __init__(
        self,
        name: str,
        llm: HelloAgentsLLM | ToolCallingLLM | None,
        system_prompt: str | None = None,
        tool_registry: ToolRegistry | None = None,
        max_steps: int = 5,
    ) -> None:
        """Raises `InvalidInputError` for less than one step."""
        if max_steps < 1:
            raise InvalidInputError(
                "An agent needs at least one step.", remedy="Set max_steps to 1 or more."
            )
        self.name = name
        self.llm = llm
        self.system_prompt = system_prompt
        self.tool_registry = tool_registry
        self.max_steps = max_steps
        self._history: list[ChatTurn] = []

    @property
    def history(self) -> tuple[ChatTurn, ...]:
        """What was said, oldest first, without the tools' part."""
        return tuple(self._history)

    def clear_history(self) -> None:
        """Begin a new conversation. What the tools keep stays."""
        self._history.clear()

    def run(self, text: str) -> str:
        """Answer a message. Raises `ModelError`; then the message is not in the history.

        What tools did before that stays done. A model that has no words after its calls is told of
        in the reply, with the last result.
        """
        language = language_of(text)
        if not text.strip():
            return say("empty", language)
        model = self.llm.model if isinstance(self.llm, HelloAgentsLLM) else self.llm
        reply = (
            self._by_rules(text, language)
            if model is None
            else _Turn(self, model, text, language).reply()
        )
        self._history += [ChatTurn("user", text), ChatTurn("assistant", reply)]
        return reply

    def _by_rules(self, text: str, language: str) -> str:
        tools = self.tool_registry.tools() if self.tool_registry is not None else []
        told = [_plainly(tool, text, language) for tool in tools]
        parts = [part for part in told if part]
        if not parts:
            if not tools:
                key = "no_tools"
            else:
                key = "nothing_found" if is_question(text) else "what_works"
            parts = [say(key, language)]
        return "\n\n".join([*parts, say("no_model", language)])


def _plainly(tool: Tool, text: str, language: str) -> str | None:
    try:
        return tool.answer_plainly(text, language)
    except AssistantError as error:
        return failure(error, language)


class _Turn:
    """One message on its way through the model and the tools."""

    def __init__(self, agent: SimpleAgent, model: ToolCallingLLM, text: str, language: str) -> None:
        self._model = model
        self._language = language
        self._registry = agent.tool_registry or ToolRegistry()
        self._max_steps = agent.max_steps
        llm = agent.llm
        self._budget = llm.answer_budget if isinstance(llm, HelloAgentsLLM) else math.inf
        self._spent = 0
        self._said = "\n".join([t.content for t in agent.history if t.role == "user"] + [text])
        self._last: dict[str, tuple[str, str]] = {}  # of each tool: arguments and result
        self._result = ""
        tools = self._registry.tools()
        system = agent.system_prompt or say("system", language, name=agent.name)
        if tools:
            system = f"{system}\n\n{say('tools', language)}"
        self._specs = [tool.spec() for tool in tools]
        past = agent.history[-_MOST_HISTORY:]
        self._turns = [
            AgentTurn(role="system", content=system),
            *(AgentTurn(role=turn.role, content=turn.content) for turn in past),
            AgentTurn(role="user", content=text),
        ]

    def reply(self) -> str:
        """Return the model's answer, or what kept it from one with the last result."""
        offered: Sequence[ToolSpec] = self._specs
        for _ in range(self._max_steps):
            if self._spent >= self._budget:
                return self._stopped("budget")
            try:
                said = self._model.respond(self._turns, tools=offered, on_usage=self._count)
            except ModelResponseError as error:
                if not self._result:
                    raise
                # Something was done already, and asking again would do it again.
                return self._stopped("no_words", error=error.sentence)
            if not said.calls:
                return said.text
            self._turns.append(AgentTurn(role="assistant", content=said.text, calls=said.calls))
            # A model that only repeats itself is to answer now.
            offered = self._specs if self._called(said.calls) else ()
        return self._stopped("step_limit", steps=self._max_steps)

    def _stopped(self, why: str, **values: object) -> str:
        return say(why, self._language, result=self._result, **values)

    def _count(self, usage: Usage) -> None:
        self._spent += usage.prompt_tokens + usage.completion_tokens

    def _called(self, calls: Sequence[ToolCall]) -> bool:
        """Answer every call; return whether one of them was no repetition."""
        news = False
        for number, call in enumerate(calls):
            if number >= _MOST_CALLS:
                told, is_new = say("too_many", self._language, most=_MOST_CALLS), True
            else:
                told, is_new = self._told(call)
            told = shortened_result(told)
            if is_new:
                news, self._result = True, told
            self._turns.append(AgentTurn(role="tool", content=told, call_id=call.id))
        return news

    def _told(self, call: ToolCall) -> tuple[str, bool]:
        """Return what a call is answered, and whether it is another one than the tool's last."""
        written = json_object(call.arguments)
        tool, arguments = self._registry.meant(call.name, written or {})
        if written is None or tool is None:
            given = call.arguments if written is None else arguments
            wrong = self._registry.execute_tool(call.name, given, language=self._language)
            return wrong, True
        key = json.dumps(arguments, sort_keys=True)
        last_key, last_result = self._last.get(tool.name, ("", ""))
        if last_key == key:
            return say("repeated", self._language, result=last_result), False
        refusal = self._refusal(tool, arguments)
        if refusal is not None:
            return refusal, True
        result = tool.run(arguments)
        self._last[tool.name] = (key, result)
        return result, True

    def _refusal(self, tool: Tool, arguments: Mapping[str, object]) -> str | None:
        """Return why a call is not made for the user who is spoken with, None when it is."""
        for path in files_in(arguments):
            # A document or a memory could otherwise talk the model into opening any file.
            if not names(self._said, path):
                return say("unnamed_file", self._language, path=shortened(path, 80))
        if tool.erases(arguments.get("action")) and not speaks_of_deleting(self._said):
            return say("not_asked", self._language)
        return None


def files_in(arguments: Mapping[str, object]) -> list[str]:
    """Return the files that a call would open."""
    inside: object = arguments.get(METADATA)
    if isinstance(inside, str):
        inside = json_object(inside)
    places = [arguments, inside] if isinstance(inside, Mapping) else [arguments]
    given = [place.get(name) for place in places for name in _FILES]
    return [str(path) for path in given if path is not None]


def names(text: str, path: str) -> bool:
    """Tell whether a text names exactly this path, a `./` in front aside."""
    bare = path.removeprefix("./")
    edges = r"(?<![\w/\\.])(?:\./)?{}(?![\w/\\])"
    return bool(bare) and re.search(edges.format(re.escape(bare)), text, re.ASCII) is not None


def shortened_result(text: str) -> str:
    """Return a tool's text as the model gets it."""
    return text if len(text) <= _MOST_RESULT else text[:_MOST_RESULT].rstrip() + "…"
