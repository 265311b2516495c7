"""Adapter: tool calling of any OpenAI-compatible endpoint."""

import json
import re
from collections.abc import Generator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import openai

from core.errors import ModelResponseError
from core.llms.failures import empty_reply
from core.llms.openai_compatible import OpenAICompatibleLLM
from core.llms.reply import ReasoningFilter
from core.llms.retrying import Retrying
from core.llms.usage import UsageCount
from core.ports.llm import ChatTurn, OnUsage
from core.ports.tool_calling import AgentTurn, ToolCall, ToolReply, ToolSpec
from core.remote.openai_client import FAILURES

_AROUND_CALLS = re.compile(r"</?tool_call>|^```(?:json)?\s*$", re.MULTILINE)
_NATIVE_PATH, _COMPATIBLE_PATH = "/api/v1", "/compatible-mode/v1"


def compatible_address(address: str) -> str:
    """Return the OpenAI-compatible address of a DashScope address; others stay as they are."""
    parts = urlsplit(address)
    path = parts.path.rstrip("/")
    if not path.endswith(_NATIVE_PATH):
        return address
    compatible = path.removesuffix(_NATIVE_PATH) + _COMPATIBLE_PATH
    return urlunsplit(parts._replace(path=compatible))


class ToolCallingOpenAI(OpenAICompatibleLLM):
    """A chat model behind `base_url` that may ask for tools; else as `OpenAICompatibleLLM`.

    A message with calls comes whole, not in pieces: `timeout` (seconds) bounds the wait for it.
    """

    def respond(
        self,
        turns: Sequence[AgentTurn],
        *,
        tools: Sequence[ToolSpec] = (),
        max_tokens: int | None = None,
        on_usage: OnUsage | None = None,
    ) -> ToolReply:
        """See `ToolCallingLLM.respond`."""
        limit = min(self._max_tokens, max_tokens or self._max_tokens)
        usage = UsageCount([ChatTurn("user", turn.content) for turn in turns])
        replies: list[ToolReply] = []

        def request() -> Generator[str, None, None]:
            replies.append(self._ask(turns, tools, limit, usage))
            yield ""  # from here on nothing is sent again

        retrying = Retrying(
            failures=FAILURES,
            delay=self._delay,
            error=self._error,
            key=self._key,
            sleep=self._sleep,
        )
        for _ in retrying.stream(request, usage, on_usage):
            pass
        return replies[-1]

    def _ask(
        self, turns: Sequence[AgentTurn], tools: Sequence[ToolSpec], limit: int, usage: UsageCount
    ) -> ToolReply:
        """Send one request; lets the client's exceptions (`FAILURES`) pass."""
        offered: dict[str, Any] = {"tools": [tool.as_function() for tool in tools]} if tools else {}
        messages: Any = [_message(turn) for turn in turns]
        while True:
            try:
                completion = self._client().chat.completions.create(
                    model=self._model,
                    messages=messages,
                    extra_body={self._limit_name: limit},
                    **offered,
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as exc:
                if not self._can_do_without(exc):
                    raise
            except ValueError as exc:
                raise ModelResponseError(
                    "The language model sent a reply that is no JSON."
                ) from exc
            else:
                return _reply(_plain(completion), usage, with_calls=bool(tools))


def _sendable(text: str) -> str:
    # A lone surrogate cannot be sent; it becomes a question mark.
    return text.encode("utf-8", "replace").decode()


def _message(turn: AgentTurn) -> dict[str, Any]:
    message: dict[str, Any] = {"role": turn.role, "content": _sendable(turn.content)}
    if turn.calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": _sendable(call.arguments)},
            }
            for call in turn.calls
        ]
    if turn.call_id is not None:
        message["tool_call_id"] = turn.call_id
    return message


def _plain(completion: object) -> Mapping[str, Any]:
    """Return the answer's JSON: servers leave out what the SDK takes for granted."""
    dump = getattr(completion, "model_dump", None)
    body = dump(warnings=False) if dump is not None else completion
    if not isinstance(body, Mapping):
        raise ModelResponseError("The language model sent a reply of an unknown form.")
    return body


def _reply(body: Mapping[str, Any], usage: UsageCount, *, with_calls: bool) -> ToolReply:
    """Read a whole reply. Raises `ModelResponseError`."""
    choice = _first(body.get("choices"))
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise ModelResponseError("The language model sent a reply of an unknown form.")
    text = _said(message.get("content"))
    calls = _calls(message.get("tool_calls")) if with_calls else ()
    if with_calls and not calls:
        calls = _written_calls(text)
        text = "" if calls else text
    usage.said(text + "".join(f"{call.name} {call.arguments}" for call in calls))
    counted = body.get("usage")
    if isinstance(counted, Mapping):
        prompt, completion = counted.get("prompt_tokens"), counted.get("completion_tokens")
        if type(prompt) is int and type(completion) is int:
            usage.counted(prompt, completion)
    finish = choice.get("finish_reason")
    if calls and finish == "length":
        raise ModelResponseError(
            "The language model's reply was cut off in the middle of a tool call.",
            remedy="Ask for less at once; the operator can raise LLM_MAX_TOKENS.",
        )
    if not text and not calls:
        raise empty_reply(finish if isinstance(finish, str) else "")
    return ToolReply(text=text, calls=calls)


def _first(choices: object) -> Mapping[str, Any]:
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        raise ModelResponseError("The language model sent a reply of an unknown form.")
    first: Mapping[str, Any] = choices[0]
    return first


def _said(content: object) -> str:
    """Return the text without the thoughts a model may put before it."""
    if not isinstance(content, str):
        return ""
    reasoning = ReasoningFilter()
    return (reasoning.feed(content) + reasoning.end()).strip()


def _calls(raw: object) -> tuple[ToolCall, ...]:
    """Return the calls; one without a name or of another type than `function` is refused."""
    if raw is None:
        return ()
    if not isinstance(raw, list):
        raise ModelResponseError("The language model sent a tool call of an unknown form.")
    calls = []
    for number, entry in enumerate(raw):
        function = entry.get("function") if isinstance(entry, Mapping) else None
        name = function.get("name") if isinstance(function, Mapping) else None
        if not isinstance(function, Mapping) or not isinstance(name, str) or not name:
            raise ModelResponseError("The language model sent a tool call of an unknown form.")
        arguments, call_id = function.get("arguments"), entry.get("id")
        calls.append(
            ToolCall(
                id=call_id if isinstance(call_id, str) and call_id else f"call_{number}",
                name=name,
                # Some servers send the object itself instead of its JSON.
                arguments=arguments if isinstance(arguments, str) else json.dumps(arguments),
            )
        )
    return tuple(calls)


def _written_calls(text: str) -> tuple[ToolCall, ...]:
    """Return the calls that a small model writes as its text, () when the text is anything else.

    Such a text is nothing but objects with `name` and `arguments`, in tags or fences or without.
    """
    rest = _AROUND_CALLS.sub(" ", text).strip()
    calls: list[ToolCall] = []
    while rest:
        try:
            value, end = json.JSONDecoder().raw_decode(rest)
        except (ValueError, RecursionError):
            return ()
        if not isinstance(value, dict) or value.keys() != {"name", "arguments"}:
            return ()
        name, arguments = value["name"], value["arguments"]
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return ()
        calls.append(ToolCall(id=f"call_{len(calls)}", name=name, arguments=json.dumps(arguments)))
        rest = rest[end:].strip()
    return tuple(calls)
