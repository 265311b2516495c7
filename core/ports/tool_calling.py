"""Port: a chat model that may ask for tools to be called."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from core.ports.llm import OnUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as the model sees it. `parameters` is a JSON Schema of the type `object`."""

    name: str
    description: str
    parameters: Mapping[str, object]

    def as_function(self) -> dict[str, object]:
        """Return it as an entry of `tools` in the chat completions format most servers speak."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": dict(self.parameters),
            },
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call the model asks for. `arguments` is what it wrote, meant to be a JSON object."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTurn:
    """One message. `calls` are those of an assistant's message; `call_id` is what a `tool` answers.

    Every call must be answered by one `tool` message before the next message of another role.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    calls: tuple[ToolCall, ...] = field(default=())
    call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReply:
    """What the model said: a text, calls, or both; never neither."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()


class ToolCallingLLM(Protocol):
    """A chat model with tools, behind any provider. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """Model id, as shown to the learner."""

    def respond(
        self,
        turns: Sequence[AgentTurn],
        *,
        tools: Sequence[ToolSpec] = (),
        max_tokens: int | None = None,
        on_usage: OnUsage | None = None,
    ) -> ToolReply:
        """Return the next message; without `tools` it has no calls.

        `on_usage` is called once, with the tokens of all requests it took. Raises
        `ModelUnavailableError` (no connection, timeout, 429 or 5xx after the retries, refused key)
        and `ModelResponseError` (an empty reply, one cut off in the middle of a call, or none of
        the known form).
        """
