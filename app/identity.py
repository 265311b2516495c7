"""Who is asking: from the secret token a browser keeps to a learner.

A token is a bearer secret: whoever sends it is that learner. The user id is a keyed hash of it,
so neither an id seen in a report nor a guess leads back to a token.
"""

import hashlib
import hmac
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from app.answering import Answers
from app.loading import LoadTray
from app.outline import Outlines
from app.turns import Turns
from core.assistant import PDFLearningAssistant
from core.errors import AssistantError

STORAGE_KEY = "pdf-learning-assistant.token"
TOKEN_BYTES = 32
TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{43,128}")  # 32 random bytes give 43 characters
USER_ID_LENGTH = 32  # hexadecimal digits: 128 bits
CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without the look-alikes I, O, 0 and 1
CODE_LENGTH = 6
CAPACITY = 512  # learners kept in memory; one more forgets the session of the longest idle


class UnknownLearnerError(AssistantError):
    """The call carries no token, or one that this application cannot have made."""

    code = "unknown_learner"
    default_message = "This browser is not signed in to its learning space yet."
    default_remedy = "Reload the page; cookies and site data must be allowed for it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """A learner while the application runs: session, refused files, answers under way."""

    assistant: PDFLearningAssistant
    tray: LoadTray
    answers: Answers
    turns: Turns
    outlines: Outlines


def new_token() -> str:
    """Return a token of 256 random bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def is_token(value: object) -> bool:
    """Say whether `value` has the form of a token; a browser can send anything."""
    return isinstance(value, str) and TOKEN_PATTERN.fullmatch(value) is not None


def user_id(token: object, secret: bytes) -> str:
    """Return the user id of a token, 32 hexadecimal digits.

    Raises `UnknownLearnerError` when the token is missing or malformed: there is no default user.
    """
    if not isinstance(token, str) or not is_token(token):
        raise UnknownLearnerError()
    return hmac.new(secret, token.encode(), hashlib.sha256).hexdigest()[:USER_ID_LENGTH]


def storage_secret(secret: bytes) -> str:
    """Return the key with which the browser's copy of the token is obscured.

    Every visitor's page carries this key, so it is derived one way and opens nothing else.
    """
    return hmac.new(secret, b"browser storage", hashlib.sha256).hexdigest()


def learner_code(user: str) -> str:
    """Return the short public form of a user id, e.g. `K7Q-2XM`; it authorises nothing."""
    digest = hashlib.sha256(b"learner code " + user.encode()).digest()
    letters = "".join(CODE_ALPHABET[byte % len(CODE_ALPHABET)] for byte in digest[:CODE_LENGTH])
    return f"{letters[:3]}-{letters[3:]}"


class Learners:
    """The learners of this process, one assistant each, so that a session outlives one call.

    Safe to use from several threads. Holds at most `capacity`; what is stored stays stored when
    the longest idle one is dropped, only its running session ends.
    """

    def __init__(
        self,
        make: Callable[[str], PDFLearningAssistant],
        secret: Callable[[], bytes],
        *,
        capacity: int = CAPACITY,
    ) -> None:
        self._make = make
        self._secret = secret
        self._capacity = capacity
        self._learners: OrderedDict[str, Learner] = OrderedDict()
        self._languages: dict[str, str] = {}
        self._lock = Lock()

    def get(self, token: object) -> Learner:
        """Return the learner of a token. Raises `UnknownLearnerError`."""
        user = user_id(token, self._secret())
        with self._lock:
            learner = self._learners.get(user)
            if learner is None:
                learner = Learner(
                    assistant=self._make(user),
                    tray=LoadTray(),
                    answers=Answers(),
                    turns=Turns(),
                    outlines=Outlines(),
                )
                self._learners[user] = learner
            self._learners.move_to_end(user)
            while len(self._learners) > self._capacity:
                dropped, _ = self._learners.popitem(last=False)
                self._languages.pop(dropped, None)
            return learner

    def choose_language(self, token: object, language: str) -> None:
        """Keep the language that a learner has just chosen. Raises `UnknownLearnerError`."""
        user = user_id(token, self._secret())
        with self._lock:
            self._languages[user] = language

    def language(self, token: object) -> str | None:
        """Return the language chosen last while the application runs; None when there is none.

        The browser's own note of it arrives later: a call made at once still carries the old one.
        """
        if not is_token(token):
            return None
        user = user_id(token, self._secret())
        with self._lock:
            return self._languages.get(user)

    def __len__(self) -> int:
        return len(self._learners)
