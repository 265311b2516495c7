"""One statement of a short text."""

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement. All words are folded and stemmed.

    `subject` is what it is about, `words` the parts of it; `head` (its noun) finds those that may
    be about the same. `slot` is the property: `day`, `clock`, `room`, `number`, `is` (a name of any
    sort), `so` (whether it holds at all: `value` is empty), or one of our own (`home`, `job`, …).
    `positive`: not denied; a cancelled event is denied. `changed`: it says of itself that it
    changes something. `single`: there is one such value at a time, said or not. `fresh`: it
    introduces a thing ("an exam"). `past`: it tells of an event that is over. `open`: it tells what
    has not happened yet. `before` is the value that it says to be over. `aside`: it only says which
    thing is meant ("my exam on Monday is in room 4").
    """

    language: str
    subject: str
    slot: str
    words: frozenset[str] = frozenset()
    head: str = ""
    value: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()
    positive: bool = True
    changed: bool = False
    single: bool = False
    fresh: bool = False
    past: bool = False
    open: bool = False
    aside: bool = False

    @property
    def key(self) -> str:
        """Return what claims about the very same thing share: a hash of 16 digits."""
        return self._hashed("thing", self.subject)

    @property
    def head_key(self) -> str:
        """Return what claims about things of the same noun share, "" without a noun."""
        return self._hashed("noun", self.head) if self.head else ""

    def _hashed(self, what: str, name: str) -> str:
        kind = {"day": "when", "clock": "when"}.get(self.slot, self.slot)
        named = f"{self.language}\0{what}\0{kind}\0{name}"
        return hashlib.sha256(named.encode()).hexdigest()[:16]
