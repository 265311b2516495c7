"""The arguments of a tool's action: described once, for the model's schema and for the check."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePath
from typing import Literal

from core.errors import InvalidInputError
from core.tools.texts import say, wrong

Kind = Literal["string", "number", "integer", "boolean", "strings"]

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""No database keeps these."""
METADATA = "metadata"
_SHOWN = 80
_YES, _NO = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument of an action. `minimum` and `maximum` are inclusive, `choices` complete.

    `words` says that its language is the one to answer in.
    """

    name: str
    description: str
    kind: Kind = "string"
    required: bool = False
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    words: bool = False

    def schema(self) -> dict[str, object]:
        """Return it as JSON Schema."""
        one: dict[str, object] = {"type": "string" if self.kind == "strings" else self.kind}
        if self.choices:
            one["enum"] = list(self.choices)
        if self.minimum is not None:
            one["minimum"] = self.minimum
        if self.maximum is not None:
            one["maximum"] = self.maximum
        if self.kind == "strings":
            one = {"type": "array", "items": one}
        return {**one, "description": self.description}


def checked(
    parameters: Sequence[Parameter],
    given: Mapping[str, object],
    *,
    language: str,
    keeps_others: bool = False,
) -> dict[str, object]:
    """Return the arguments that were given, as their parameters want them; None counts as left out.

    Numbers and truth values are also taken as text, as models write them. With `keeps_others` what
    no parameter names is returned as `metadata` (JSON values); what is given as an object of this
    name is among it, and a further argument of the same name wins. Raises `InvalidInputError`, in
    `language`, for what is missing, unknown, of a wrong kind or out of bounds.
    """
    known = {parameter.name: parameter for parameter in parameters}
    result: dict[str, object] = {}
    others: dict[str, object] = {}
    inside: dict[str, object] = {}
    for name, value in given.items():
        if value is None:
            continue
        if name in known:
            result[name] = _fitting(known[name], value, language)
        elif keeps_others and name == METADATA:
            inside = _object(value, language)
        elif keeps_others:
            others[_storable(name)] = _json(name, value, language)
        else:
            raise _wrong("unknown_argument", language, name=name, known=", ".join(known))
    missing = [p.name for p in parameters if p.required and p.name not in result]
    if missing:
        raise _wrong("missing_argument", language, name=missing[0])
    return {**result, METADATA: {**inside, **others}} if keeps_others else result


def _object(value: object, language: str) -> dict[str, object]:
    written: object = value
    if isinstance(value, str):
        try:
            written = json.loads(value)
        except (ValueError, RecursionError):
            written = None
    if isinstance(written, Mapping):
        kept = _json(METADATA, written, language)
        assert isinstance(kept, dict)
        return kept
    raise _wrong(
        "wrong_kind",
        language,
        name=METADATA,
        kind=say("kind.object", language),
        value=repr(value)[:_SHOWN],
    )


def _wrong(what: str, language: str, **values: object) -> InvalidInputError:
    return wrong(InvalidInputError, say, what, language, **values)


def _fitting(parameter: Parameter, value: object, language: str) -> object:
    fitted: object
    match parameter.kind:
        case "string":
            fitted = _text(value)
        case "strings":
            fitted = _texts(value)
        case "boolean":
            fitted = _truth(value)
        case "integer":
            number = _number(value)
            fitted = int(number) if number is not None and number == int(number) else None
        case "number":
            fitted = _number(value)
    if fitted is None:
        raise _wrong(
            "wrong_kind",
            language,
            name=parameter.name,
            kind=say(f"kind.{parameter.kind}", language),
            value=repr(value)[:80],
        )
    _check_bounds(parameter, fitted, language)
    return fitted


def _text(value: object) -> str | None:
    return _storable(str(value)) if isinstance(value, str | PurePath) else None


def _storable(text: str) -> str:
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _texts(value: object) -> list[str] | None:
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except ValueError:
            return None
    if isinstance(value, str):
        return [_storable(part.strip()) for part in value.split(",") if part.strip()]
    if isinstance(value, list | tuple) and all(isinstance(v, str) for v in value):
        return [_storable(one) for one in value]
    return None


def _truth(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    return True if word in _YES else False if word in _NO else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _check_bounds(parameter: Parameter, value: object, language: str) -> None:
    if parameter.choices:
        chosen = value if isinstance(value, list) else [value]
        for one in chosen:
            if one not in parameter.choices:
                raise _wrong(
                    "no_choice",
                    language,
                    name=parameter.name,
                    value=str(one)[:80],
                    choices=", ".join(parameter.choices),
                )
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = parameter.minimum, parameter.maximum
        if (low is not None and value < low) or (high is not None and value > high):
            bounds = "…".join("" if bound is None else f"{bound:g}" for bound in (low, high))
            raise _wrong("out_of_bounds", language, name=parameter.name, value=value, bounds=bounds)


def _json(name: str, value: object, language: str) -> object:
    """Return a value as it can be kept: JSON, with times and paths as text."""
    if isinstance(value, str):
        return _storable(value)
    if isinstance(value, int | bool) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, date):  # a datetime is one
        return value.isoformat()
    if isinstance(value, PurePath):
        return _storable(str(value))
    if isinstance(value, list | tuple):
        return [_json(name, one, language) for one in value if one is not None]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {_storable(k): _json(name, v, language) for k, v in value.items() if v is not None}
    raise _wrong(
        "wrong_kind", language, name=name, kind=say("kind.json", language), value=repr(value)[:80]
    )
