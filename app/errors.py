"""From a failure to words: the only place that catches broadly.

An `AssistantError` is told to the learner by its code; anything else is a bug: it is logged with
its traceback under a short reference, and the learner sees that reference.
"""

import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from core.errors import AssistantError

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


def attempt(action: Callable[[], Result]) -> Result | Failure:
    """Run `action` and return its result, or the failure if it raised."""
    try:
        return action()
    except AssistantError as error:
        logger.info("Refused: %s (%s)", error.code, type(error).__name__)
        return Failure(code=error.code, message=error.message, remedy=error.remedy)
    except Exception:
        reference = secrets.token_hex(3).upper()
        logger.exception("Unexpected failure, reference %s", reference)
        return Failure(code=UNEXPECTED, reference=reference)
