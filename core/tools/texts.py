"""What tools and agents say, English and Chinese: what was wrong with a call, and what to do."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from core.errors import AssistantError
from core.text.tokens import language_of
from core.tools.texts_failures import FAILURES_ZH

E = TypeVar("E", bound=AssistantError)
LANGUAGES = ("en", "zh")
Texts = Mapping[str, tuple[str, str]]

_TEXTS: Texts = {
    "unknown_action": (
        "❌ The tool {tool} has no action “{action}”. Use one of: {known}.",
        "❌ 工具 {tool} 没有“{action}”这个操作。可用的操作：{known}。",
    ),
    "unknown_tool": (
        "❌ There is no tool “{name}”. Use one of: {known}.",
        "❌ 没有名为“{name}”的工具。可用的工具：{known}。",
    ),
    "no_tools": (
        "❌ There is no tool “{name}”: none is registered.",
        "❌ 没有名为“{name}”的工具：尚未注册任何工具。",
    ),
    "bad_json": (
        "❌ The arguments of {name} are not a JSON object. Send for example "
        '{{"action": "{action}"}} with the other arguments beside it.',
        '❌ {name} 的参数不是 JSON 对象。请发送例如 {{"action": "{action}"}}，其他参数与它并列。',
    ),
    "failure": ("❌ {message} {remedy}", "❌ {message}{remedy}"),
    "unknown_argument": (
        "There is no argument “{name}”.",
        "没有“{name}”这个参数。",
    ),
    "unknown_argument.remedy": ("Known are: {known}.", "可用的参数：{known}。"),
    "missing_argument": ("The argument “{name}” is missing.", "缺少参数“{name}”。"),
    "missing_argument.remedy": ("Give {name} and try again.", "请补上 {name} 后重试。"),
    "wrong_kind": (
        "The argument “{name}” must be {kind}, not {value}.",
        "参数“{name}”应为{kind}，而不是 {value}。",
    ),
    "wrong_kind.remedy": ("Correct {name} and try again.", "请改正 {name} 后重试。"),
    "no_choice": ("“{value}” is not a possible {name}.", "“{value}”不是可用的 {name}。"),
    "no_choice.remedy": ("Use one of: {choices}.", "可选：{choices}。"),
    "out_of_bounds": (
        "The argument “{name}” must be within {bounds}, not {value}.",
        "参数“{name}”应在 {bounds} 范围内，而不是 {value}。",
    ),
    "out_of_bounds.remedy": ("Correct {name} and try again.", "请改正 {name} 后重试。"),
    "private_file": (
        "{path} lies in the folder where the assistant keeps everybody's files.",
        "{path} 位于本程序保存所有用户文件的文件夹中。",
    ),
    "private_file.remedy": (
        "Name a file outside that folder.",
        "请改用该文件夹以外的文件。",
    ),
    "kind.string": ("a text", "文本"),
    "kind.strings": ("a list of texts", "文本列表"),
    "kind.boolean": ("true or false", " true 或 false"),
    "kind.integer": ("a whole number", "整数"),
    "kind.number": ("a number", "数字"),
    "kind.json": ("a JSON value", " JSON 值"),
    "kind.object": ("a JSON object", " JSON 对象"),
}


def of(texts: Texts, key: str, language: str, **values: object) -> str:
    """Return a text of a table in a language (`en`, `zh`), its places filled."""
    return texts[key][LANGUAGES.index(language)].format(**values)


def say(key: str, language: str, **values: object) -> str:
    """Return a text of this module."""
    return of(_TEXTS, key, language, **values)


def failure(error: AssistantError, language: str) -> str:
    """Return an error with its remedy.

    What the error says of the case itself is English unless whoever raised it wrote it in Chinese;
    for a Chinese reply the general words of its kind stand in front.
    """
    message, remedy = error.message, error.remedy
    if language == "zh" and language_of(message) == "en":
        known = FAILURES_ZH.get(error.code)
        general = FAILURES_ZH["assistant_error"] if known is None else known
        same = message == type(error).default_message
        message = general[0] if same else f"{general[0]}（{message}）"
        remedy = general[1] if remedy == type(error).default_remedy else f"{general[1]}（{remedy}）"
    return say("failure", language, message=message, remedy=remedy)


def wrong(
    kind: type[E], said: Callable[..., str], key: str, language: str, /, **values: object
) -> E:
    """Return an error in the words of a table: those of `key`, and those of `key.remedy`."""
    return kind(said(key, language, **values), remedy=said(f"{key}.remedy", language, **values))


def shortened(text: str, most: int) -> str:
    """Return a text on one line, of at most `most` characters and then an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[:most].rstrip() + "..."
