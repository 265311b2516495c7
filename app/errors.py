"""From a failure to words: the only place that catches broadly.

An `AssistantError` is told to the learner by its code; anything else is a bug: it is logged with
its traceback under a short reference, and the learner sees that reference.
"""

import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from core.errors import AssistantError, ConfigurationError, StoreError

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
UNEXPECTED = "unexpected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What went wrong, without words yet. `reference` finds an unexpected one in the log.

    `message` and `remedy` are the error's own English sentences, for a code without words.
    """

    code: str
    message: str = ""
    remedy: str = ""
    reference: str = ""


def _level_of(error: AssistantError) -> int:
    """What the operator must mend is a warning; what the learner can, is not."""
    return logging.WARNING if isinstance(error, StoreError | ConfigurationError) else logging.INFO


def _for_operator(error: AssistantError) -> str:
    """Return code and cause; the sentence only where it can hold nothing of a document."""
    cause = error.__cause__
    told = error.code if cause is None else f"{error.code} ({type(cause).__name__})"
    operators = isinstance(error, StoreError | ConfigurationError)
    return f"{told}: {error.sentence}" if operators else told


def attempt(action: Callable[[], Result]) -> Result | Failure:
    """Run `action` and return its result, or the failure if it raised."""
    try:
        return action()
    except AssistantError as error:
        logger.log(_level_of(error), "Refused: %s", _for_operator(error))
        return Failure(code=error.code, message=error.message, remedy=error.remedy)
    except Exception:
        reference = secrets.token_hex(3).upper()
        logger.exception("Unexpected failure, reference %s", reference)
        return Failure(code=UNEXPECTED, reference=reference)
