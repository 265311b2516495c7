"""A tool: actions behind one door, described for people and for models."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import AssistantError
from core.ports.tool_calling import ToolSpec
from core.text.tokens import language_of
from core.tools.arguments import Parameter, checked
from core.tools.texts import LANGUAGES, failure, say

_LANGUAGE = Parameter(
    name="language",
    description="Language of the reply; that of the text when left out.",
    choices=LANGUAGES,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionSpec:
    """What an action is for, and its arguments.

    With `keeps_others` every further argument is kept. `erases`: it deletes everything for good, so
    that an agent does it only where the user spoke of deleting.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...] = ()
    keeps_others: bool = False
    erases: bool = False

    def done_by(self, do: Callable[..., str]) -> "Action":
        """Return the action with the function that does it.

        It gets the language of the reply, then the arguments that were given, by name; the further
        ones as `metadata`.
        """
        return Action(self, do)


@dataclass(frozen=True, slots=True)
class Action:
    """An action of a tool."""

    spec: ActionSpec
    do: Callable[..., str]


class Tool:
    """What agents and scripts call: `execute(action, **arguments)` gives back a text.

    The text says what was done, or what was wrong and what to do about it: agents read it. Bad
    arguments raise nothing; nor do failures of a store or a model, which are texts too.
    """

    name: str
    description: str

    def __init__(self, name: str, description: str, actions: Sequence[Action]) -> None:
        self.name = name
        self.description = description
        self._actions = {action.spec.name: action for action in actions}
        self._spoken = LANGUAGES[0]

    @property
    def actions(self) -> tuple[str, ...]:
        """Names of the actions."""
        return tuple(self._actions)

    def erases(self, action: object) -> bool:
        """Tell whether an action deletes everything for good."""
        return any(spec.erases and spec.name == action for spec in self._specs())

    def execute(self, action: str, **arguments: object) -> str:
        """Do an action and tell how it went, in the language of its text (English, Chinese).

        `language` (`en`, `zh`) in the arguments asks for one; without it and without a text it is
        the language used last.
        """
        language = self._language(arguments)
        known = self._actions.get(action) if isinstance(action, str) else None
        if known is None:
            return say(
                "unknown_action",
                language,
                tool=self.name,
                action=str(action)[:80],
                known=", ".join(self._actions),
            )
        given, spec = dict(arguments), known.spec
        accepted = spec.parameters
        if given.get("language") in LANGUAGES:
            del given["language"]
        elif not spec.keeps_others:
            accepted = (*accepted, _LANGUAGE)  # refused with the choices
        try:
            fitting = checked(accepted, given, language=language, keeps_others=spec.keeps_others)
            return known.do(language, **fitting)
        except AssistantError as error:
            return failure(error, language)

    def run(self, parameters: Mapping[str, object]) -> str:
        """As `execute`, with the action among the parameters: `{"action": "add", …}`."""
        given = {str(key): value for key, value in parameters.items()}
        action = given.pop("action", "")
        given.pop("self", None)
        return self.execute(str(action), **given)

    def answer_plainly(self, text: str, language: str) -> str | None:
        """Return what this tool makes of a user's text by rules alone; None: nothing.

        This is how an agent without a language model works.
        """
        return None

    @property
    def parameters(self) -> dict[str, dict[str, object]]:
        """JSON Schema of the arguments of each action."""
        return {
            action.name: {
                "type": "object",
                "properties": {p.name: p.schema() for p in (*action.parameters, _LANGUAGE)},
                "required": [p.name for p in action.parameters if p.required],
                "additionalProperties": action.keeps_others,
            }
            for action in self._specs()
        }

    def _specs(self) -> list[ActionSpec]:
        return [action.spec for action in self._actions.values()]

    def spec(self) -> ToolSpec:
        """Return the tool as a model sees it: one schema over all actions."""
        lines = [self.description, "Actions:"]
        properties: dict[str, object] = {
            "action": {"type": "string", "enum": list(self._actions), "description": "What to do."}
        }
        for action in self._specs():
            names = [p.name + ("" if p.required else "?") for p in action.parameters]
            lines.append(f"- {action.name}({', '.join(names)}): {action.description}")
            for parameter in action.parameters:
                properties.setdefault(parameter.name, parameter.schema())
        properties["language"] = _LANGUAGE.schema()
        return ToolSpec(
            name=self.name,
            description="\n".join(lines),
            parameters={
                "type": "object",
                "properties": properties,
                "required": ["action"],
                "additionalProperties": any(a.keeps_others for a in self._specs()),
            },
        )

    def to_openai_schema(self) -> dict[str, object]:
        """Return the tool as an entry of `tools` of OpenAI's chat completions."""
        return self.spec().as_function()

    def _language(self, arguments: Mapping[str, object]) -> str:
        asked = arguments.get("language")
        if asked in LANGUAGES:
            self._spoken = str(asked)
            return self._spoken
        names = {p.name for action in self._specs() for p in action.parameters if p.words}
        texts = [str(arguments[n]) for n in names if isinstance(arguments.get(n), str)]
        said = " ".join(texts)
        if any(char.isalpha() for char in said):
            self._spoken = language_of(said)
        return self._spoken
