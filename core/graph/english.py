"""Facts that English sentences state, by their verbs and what stands around them.

Precision comes before recall: a subject has to begin its clause, a phrase that may be half a clause
is no object, and what merely occurs together is not related.
"""

from dataclasses import replace

from core.domain.graph import Entity, EntityKind, RelationKind
from core.graph import english_words as words
from core.graph.clauses import Subject, continued, subject_before
from core.graph.english_examples import examples, gives_examples
from core.graph.english_words import OTHER_VERBS
from core.graph.objects import objects_after, stops
from core.graph.phrases import Tokens, named, phrase_after, singular
from core.graph.stated import Stated, fitting
from core.graph.verbs import ACTIVE, PARTICIPLES, PASSIVE, Trigger, matching

_BE_WORDS = "is are was were be been"
BE = frozenset(_BE_WORDS.split())
_UNKNOWN = 0.6
"""Confidence of what a verb does that is not known."""
_BEHIND = 2
"""A negation so many words behind a verb denies it."""
_LISTED = frozenset(
    {
        RelationKind.HAS,
        RelationKind.USES,
        RelationKind.PRODUCES,
        RelationKind.CREATED,
        RelationKind.CAUSES,
        RelationKind.RELATED,
        RelationKind.CONTRASTS,
    }
)
_NOUNS_TOO_WORDS = """
use uses cause causes trigger triggers lead leads result results produce release releases yield
yields design designs paint coin feed join study studies support supports control controls measure
measures influence influences require power powers drive attack attacks rule rules cross border
borders orbit orbits process win wins run runs lead leads stem stems teaches works contrast
contrasts means mean belong store stores train trains link links extract extracts found bank
exploit exploits compound compounds lies signals advances bonds
"""
_NOUNS_TOO = frozenset(_NOUNS_TOO_WORDS.split())


def facts_of(tokens: Tokens, before: Subject | None) -> tuple[list[Stated], Subject | None]:
    """Return the facts of a sentence and its subject.

    `before` is the subject of the sentence before: `it` and `they` stand for it, with less
    confidence.
    """
    return _Reader(tokens, before).read()


class _Reader:
    """Goes through the words of one sentence."""

    def __init__(self, tokens: Tokens, before: Subject | None) -> None:
        self._tokens = tokens
        self._lows = tokens.lows
        self._before = before
        self._last: Subject | None = None
        self._first: Subject | None = None
        self._out: list[Stated] = []
        self._denied = _denied(tokens.lows)
        self._at = 0

    def read(self) -> tuple[list[Stated], Subject | None]:
        i = 0
        while i < len(self._lows):
            low, self._at = self._lows[i], i
            if low in BE:
                i = max(i + 1, self._be(i))
            elif low in ACTIVE:
                i = max(i + 1, self._active(i))
            elif gives_examples(self._lows, i):
                found, end = examples(self._tokens, i)
                self._out += [] if self._denied[i] else found
                i = max(i + 1, end)
            elif low == "," and i + 2 < len(self._lows):
                i = max(i + 1, self._aside(i))
            else:
                i += 1
        return self._out, self._first

    def _subject(self, at: int, *, plural: bool) -> Subject | None:
        subject = subject_before(self._tokens, at, plural=plural, before=self._before)
        if subject is None and self._last is not None and continued(self._tokens, at):
            subject = replace(self._last, confidence=self._last.confidence * 0.9)
        if subject is not None:
            self._last = subject
            if self._first is None:
                self._first = subject
        return subject

    def _after_adverbs(self, i: int) -> int:
        while i < len(self._lows) and (
            self._lows[i] in words.ADVERBS
            or (self._lows[i].endswith("ly") and self._lows[i] not in ("family", "only"))
        ):
            i += 1
        return i

    def _add(
        self, subject: Subject, trigger: Trigger, objects: list[Entity], factor: float = 1.0
    ) -> None:
        confidence = round(trigger.confidence * subject.confidence * factor, 3)
        for one in subject.entities:
            for other in objects:
                first, second = (other, one) if trigger.inverse else (one, other)
                self._append(first, trigger.kind, second, confidence, trigger.label)

    def _append(
        self, one: Entity, kind: RelationKind, other: Entity, confidence: float, label: str
    ) -> None:
        if not self._denied[self._at]:
            self._out += fitting(one, kind, other, confidence, label)

    def _active(self, i: int) -> int:
        word, lows = self._tokens.words[i], self._lows
        if word[:1].isupper() and i > 0:
            return i + 1
        previous = lows[i - 1] if i else ""
        perfect = previous in ("has", "have", "had")
        modal = previous in ("can", "will", "must", "to")
        if previous == "to" or previous in BE:
            return i + 1
        forms = "part past" if perfect else "base" if modal else "s past base"
        found = matching(ACTIVE[lows[i]], lows, i + 1, forms)
        if found is None or self._is_noun(i, found[0]):
            return i + 1
        trigger, end = found
        plural = trigger.form == "base" and not modal
        subject = self._subject(i, plural=plural)
        if subject is None:
            return i + 1
        listed = trigger.kind in _LISTED
        objects, after = objects_after(self._tokens, self._after_adverbs(end), listed=listed)
        moved = trigger.kind in (RelationKind.CAUSES, RelationKind.RELATED)
        if moved and lows[after : after + 1] == ["to"]:
            return after  # it led people to move
        self._add(subject, trigger, objects, 0.85 if modal else 1.0)
        if objects and trigger.kind is RelationKind.CREATED and not trigger.inverse:
            self._when(objects, trigger.label, after)
        return after

    def _is_noun(self, i: int, trigger: Trigger) -> bool:
        """Tell whether a word that may be a noun is one here."""
        lows = self._lows
        following = lows[i + 1] if i + 1 < len(lows) else ""
        if i == 0:
            return True
        if trigger.label == "have":
            verbal = following == "to" or following in ACTIVE or following.endswith("ed")
            if verbal or following in OTHER_VERBS or following in words.ADVERBS:
                return True
        if lows[i] in _NOUNS_TOO and not trigger.rest:
            if following in ("of", "for", "in", "and", "or", ",", ".", "is", "are", "was", "with"):
                return True
            if lows[i - 1] in words.DETERMINERS | words.POSSESSIVES | words.WEAK:
                return True
        if trigger.form != "base":
            return False
        before = lows[i - 1]
        helped = before in (
            "can",
            "will",
            "must",
            "they",
            "we",
            "and",
            "which",
            "that",
            ",",
            "also",
        )
        several = singular(before) != before or before in words.ADVERBS or before == "people"
        return not (helped or several)

    def _when(self, objects: list[Entity], label: str, after: int) -> None:
        """Add the year of a sentence that has one: when something was made."""
        years = [
            i
            for i, low in enumerate(self._lows)
            if len(low) == 4 and low.isdigit() and low[0] in "12" and self._lows[i - 1] == "in"
        ]
        if len(years) == 1 and (years[0] <= after + 3):
            year = named(self._tokens, years[0], years[0] + 1, subject=False)
            for one in objects if year is not None else []:
                assert year is not None
                self._append(one, RelationKind.HAPPENED_IN, year, 0.75, f"{label} in")

    def _be(self, i: int) -> int:
        lows = self._lows
        at = self._after_adverbs(i + 1)
        if at >= len(lows) or lows[at] in words.NEGATIONS:
            return i + 1
        if lows[at] == "been" or lows[at] == "be":
            return i + 1
        start = i
        while start > 0 and lows[start - 1] in ("has", "have", "had", "can", "will", "must"):
            start -= 1
        subject = self._subject(start, plural=lows[i] in ("are", "were"))
        if subject is None:
            return i + 1
        if (found := matching(PASSIVE.get(lows[at], ()), lows, at + 1, "part")) is not None:
            return self._object(subject, *found)
        if lows[at] in PARTICIPLES:
            return self._passive(subject, at)
        if lows[at].endswith("ed") and lows_at(lows, self._after_adverbs(at + 1)) == "by":
            return self._done_by(subject, at)
        return self._is(subject, at, lows[i])

    def _object(self, subject: Subject, trigger: Trigger, end: int) -> int:
        listed = trigger.kind in (RelationKind.HAS, RelationKind.USES)
        objects, after = objects_after(self._tokens, end, listed=listed)
        self._add(subject, trigger, objects)
        if trigger.kind is RelationKind.BORN_IN and lows_at(self._lows, after) in ("in", "on"):
            more, after = objects_after(self._tokens, after + 1, listed=False)
            self._add(subject, trigger, more)
        return after

    def _passive(self, subject: Subject, at: int) -> int:
        """Read `was invented (in 1990) by Y (in 1990)`."""
        trigger, lows = PARTICIPLES[lows_at(self._lows, at)], self._lows
        label = f"{trigger.label} in"
        i, end = at + 1, at + 1
        for _ in range(3):
            i = self._after_adverbs(i)
            if lows_at(lows, i) in ("in", "on") and trigger.kind is RelationKind.CREATED:
                phrase = phrase_after(self._tokens, i + 1)
                time = named(self._tokens, i + 1, phrase, subject=False)
                if time is not None and time.kind is EntityKind.TIME:
                    self._add(subject, _dated(label), [time])
                i = end = max(phrase, i + 1)
            elif lows_at(lows, i) == "by":
                agents, end = objects_after(self._tokens, i + 1, listed=True)
                flipped = replace(
                    trigger, inverse=not trigger.inverse, label=f"{lows[at]} by", rest=()
                )
                self._add(subject, flipped, agents)
                i = end
            else:
                break
        return end

    def _done_by(self, subject: Subject, at: int) -> int:
        """Read `is administered by Y`, with a verb that is not known: related, no more."""
        agents, end = objects_after(self._tokens, self._after_adverbs(at + 1) + 1, listed=True)
        label = f"{self._lows[at]} by"
        self._add(subject, Trigger(RelationKind.RELATED, True, _UNKNOWN, label, (), "part"), agents)
        return max(end, at + 1)

    def _is(self, subject: Subject, at: int, verb: str) -> int:
        lows = self._lows
        article = lows[at]
        if article in ("a", "an", "the", "one"):
            start = at + 1
            if article == "one" and lows[at + 1 : at + 3] == ["of", "the"]:
                start = at + 3
            elif article == "one":
                return at + 1
            return self._role(subject, start, article)
        if article in words.ROLES and lows_at(lows, at + 1) == "of":
            return self._role(subject, at, article)
        end = phrase_after(self._tokens, at)
        if verb in ("are", "were") and end > at and self._tokens.words[end - 1].islower():
            head = lows[lows.index("of", at, end) - 1] if "of" in lows[at:end] else lows[end - 1]
            if singular(head) != head and stops(self._tokens, end):
                self._is_a(subject, at, end, 0.7)
        return end

    def _role(self, subject: Subject, start: int, article: str) -> int:
        """Read what follows `is a`, `is the` or `is one of the`."""
        lows = self._lows
        end = phrase_after(self._tokens, start)
        of = lows.index("of", start, end) if "of" in lows[start:end] else -1
        role = singular(lows[of - 1]) if of > start else ""
        superlative = lows_at(lows, start).endswith("est")
        if (
            role in words.ROLES
            and not superlative
            and (article != "one" or role not in ("type", "kind", "form"))
        ):
            kind, inverse = words.ROLES[role]
            objects, after = objects_after(self._tokens, of + 1, listed=False)
            trigger = Trigger(kind, inverse, 0.85, f"is {role} of", (), "s")
            self._add(subject, trigger, objects)
            return after
        if article == "the" and not superlative:
            return end
        if superlative and of > start:
            end = of
        if article == "the" or lows_at(lows, start) == "most":
            start += 1
        if end > start and stops(self._tokens, end):
            self._is_a(subject, start, end, 0.85 if article != "the" else 0.75)
            if lows_at(lows, end) in ("at", "for") and all(
                one.kind is EntityKind.OTHER for one in subject.entities
            ):
                places, after = objects_after(self._tokens, end + 1, listed=False)
                works = Trigger(RelationKind.WORKS_FOR, False, 0.8, "works at", (), "s")
                self._add(subject, works, [p for p in places if p.name[:1].isupper()])
                return after
        return end

    def _is_a(self, subject: Subject, start: int, end: int, confidence: float) -> None:
        object_ = named(self._tokens, start, end, subject=False)
        if object_ is not None:
            trigger = Trigger(RelationKind.IS_A, False, confidence, "is a", (), "s")
            self._add(subject, trigger, [object_])

    def _aside(self, comma: int) -> int:
        """Read `X, a Y,` and `X, invented by Y,`, where X begins the sentence."""
        tokens, lows = self._tokens, self._lows
        first = lows[comma + 1]
        if first not in ("a", "an") and first not in PARTICIPLES:
            return comma + 1
        subject = subject_before(tokens, comma, plural=False, before=None)
        if subject is None or len(subject.entities) != 1:
            return comma + 1
        if first in PARTICIPLES:
            if "by" in lows[comma + 1 : comma + 6] and not PARTICIPLES[first].inverse:
                weaker = replace(subject, confidence=subject.confidence * 0.9)
                return self._passive(weaker, comma + 1)
            return comma + 1
        end = phrase_after(tokens, comma + 2)
        closed = lows.index(",", end) if "," in lows[end : end + 8] else -1
        if closed > 0 and lows[comma + 2 : comma + 3] != ["of"]:
            self._is_a(replace(subject, confidence=0.88), comma + 2, end, 0.85)
        return max(end, comma + 1)


def _denied(lows: list[str]) -> list[bool]:
    """Tell of each word, taken as a verb, whether it is denied.

    A negation before it in its part of the sentence (between commas) or right behind it does so.
    """
    out: list[bool] = []
    start = 0
    for i, low in enumerate([*lows, ";"]):
        if low in (",", ";", ":", "—"):
            first = next(
                (n for n in range(start, i) if lows[n] in words.NEGATIONS), i + _BEHIND + 1
            )
            out += [first <= n + _BEHIND for n in range(start, i + 1)]
            start = i + 1
    return out


def lows_at(lows: list[str], i: int) -> str:
    """Return a word, or nothing behind the end."""
    return lows[i] if i < len(lows) else ""


def _dated(label: str) -> Trigger:
    return Trigger(RelationKind.HAPPENED_IN, False, 0.85, label, (), "part")
