"""The forms of English verbs that state a relation, and where they stand in a sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.graph import RelationKind
from core.graph.english_words import IRREGULAR, OTHER_VERBS, PASSIVES, VERBS

_DOUBLED_WORDS = "run stem refer occur transmit control drag begin"
_DOUBLED = frozenset(_DOUBLED_WORDS.split())
_VOWELS = "aeiou"


@dataclass(frozen=True, slots=True)
class Trigger:
    """A verb that states a relation. `inverse`: the object does it to the subject.

    `rest` are the words after the verb; `form` is `base`, `s`, `past` or `part` (participle).
    """

    kind: RelationKind
    inverse: bool
    confidence: float
    label: str
    rest: tuple[str, ...]
    form: str


def third_person(verb: str) -> str:
    """Return the form with -s."""
    if verb == "have":
        return "has"
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + "s"


def past(verb: str) -> tuple[str, str]:
    """Return past tense and participle."""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb.endswith("e"):
        return verb + "d", verb + "d"
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return verb[:-1] + "ied", verb[:-1] + "ied"
    return verb + "ed", verb + "ed"


def gerund(verb: str) -> str:
    """Return the form with -ing."""
    if verb in _DOUBLED:
        return verb + verb[-1] + "ing"
    if verb == "lie":
        return "lying"
    return (verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb) + "ing"


def _each() -> Iterator[tuple[str, Trigger]]:
    for kind, inverse, confidence, written in VERBS:
        for entry in written.split():
            verb, *rest = entry.split(":")
            tense, part = past(verb)
            label = " ".join([verb, *rest])
            forms = (("base", verb), ("s", third_person(verb)), ("past", tense), ("part", part))
            for form, word in forms:
                yield word, Trigger(kind, inverse, confidence, label, tuple(rest), form)


def _indexed(pairs: Iterator[tuple[str, Trigger]]) -> dict[str, tuple[Trigger, ...]]:
    found: dict[str, list[Trigger]] = {}
    for word, trigger in pairs:
        found.setdefault(word, []).append(trigger)
    return {
        word: tuple(sorted(triggers, key=lambda t: -len(t.rest)))
        for word, triggers in found.items()
    }


def _passive() -> Iterator[tuple[str, Trigger]]:
    for kind, inverse, confidence, written in PASSIVES:
        for entry in written.split():
            verb, *rest = entry.split(":")
            label = " ".join([verb, *rest])
            yield verb, Trigger(kind, inverse, confidence, label, tuple(rest), "part")


ACTIVE = _indexed(_each())
"""Triggers by the first word, those with most words after it first."""
PASSIVE = _indexed(_passive())
PARTICIPLES = {
    word: next(t for t in triggers if t.form == "part" and not t.rest)
    for word, triggers in ACTIVE.items()
    if any(t.form == "part" and not t.rest for t in triggers)
}
"""Participles that `by` may follow."""
_BARE = {t.label.split()[0] for triggers in ACTIVE.values() for t in triggers}
_GERUNDS_WORDS = """
being having making giving going allowing letting turning showing becoming
"""
GERUNDS = frozenset(gerund(verb) for verb in _BARE) | frozenset(_GERUNDS_WORDS.split())
_NAMES_TOO = frozenset("found coin")
FINITE = (
    frozenset(
        word
        for word, triggers in ACTIVE.items()
        if any(t.form in ("s", "past") for t in triggers) and word not in _NAMES_TOO
    )
    | OTHER_VERBS
    | {"named", "titled"}
)
"""Words that end a noun phrase, for they are verbs (or may be)."""


def matching(
    triggers: Sequence[Trigger], lows: Sequence[str], after: int, forms: str
) -> tuple[Trigger, int] | None:
    """Return the trigger of one of `forms` whose further words stand at `after`, and their end."""
    for trigger in triggers:
        end = after + len(trigger.rest)
        if trigger.form in forms.split() and tuple(lows[after:end]) == trigger.rest:
            return trigger, end
    return None
