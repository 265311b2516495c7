"""Statements of an English clause."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.text import claims_en_words as en
from core.text.claim import Claim
from core.text.claim_closed import closed_claims
from core.text.claim_values import take_values
from core.text.terms import stem

SELF = "i"
_PLANNED = frozenset(stem(word) for word in en.PLANNED)
_WHEN = ("day", "clock")
_LESSON = frozenset(stem(word) for word in en.LESSON)


@dataclass(frozen=True, slots=True)
class _Told:
    """A clause made ready: `low` in lower case without contractions, `text` as written."""

    text: str
    low: str
    changed: bool


def english_claims(clause: str) -> list[Claim]:
    """Return what an English clause states; `[]` for a question, a guess, a wish."""
    told = _ready(clause)
    if told is None:
        return []
    return [
        *_own(told, SELF),
        *_of_others(told),
        *closed_claims(told.low, "en", changed=told.changed),
        *_named(told),
        *_scalars(told),
        *_adjuncts(told),
        *_holds(told),
    ]


def _ready(clause: str) -> _Told | None:
    low = clause.strip().lower()
    for pattern, written in en.CONTRACTIONS:
        low = pattern.sub(written, low)
    low = en.NEW_OF.sub(r"\g<of>newer", low)
    changed = bool(en.CHANGED.search(low))
    low = re.sub(r"\s+", " ", en.LEAD.sub("", low)).strip(" .!,;:\"'“”")
    low = en.TRAIL.sub("", low)
    if not low or en.UNSURE.search(low + ("?" if clause.rstrip().endswith("?") else "")):
        return None
    return _Told(clause.strip(" .!,;:\"'“”"), low, changed)


def _of_others(told: _Told) -> Iterator[Claim]:
    """Yield where somebody with a name, or one's brother, lives and works."""
    match = en.OTHER.match(told.low)
    if match is None or not (told.low.startswith(("my ", "our ")) or told.text[:1].isupper()):
        return
    does = match["does"]
    for pattern, written in en.FIRST_PERSON:
        does = pattern.sub(written, does)
    low = f"i{match['now'] or ''} {does}{told.low[match.end() :]}"
    who = re.sub(r"^our ", "my ", match["who"])
    yield from _own(_Told(told.text, low, told.changed), who)


def _own(told: _Told, who: str) -> Iterator[Claim]:
    over = en.BACK_THEN.search(told.low) is not None
    more = re.search(r" (?:and|but|because|where) [a-z]", told.text) is not None
    for slot, pattern, denied, change in en.OWN:
        match = pattern.match(told.low)
        if match is None or (slot == "home" and not _is_place(match["v"], told)):
            continue
        if not change and (over or (more and slot in ("home", "job"))):
            continue  # "I live in Berlin and have two cats"
        if slot == "job" and en.AT_TIMES.search(match["v"]):
            continue  # a second one
        dated = en.DATED.search(told.low) is not None  # it may be told later than it was
        yield Claim(
            language="en",
            subject=who,
            slot=slot,
            value=_value(match["v"]),
            before=_value(match.groupdict().get("b") or ""),
            positive=not denied,
            changed=(bool(change) or told.changed) and not dated,
            single=not denied and slot != "home" and not dated,  # in Germany, in Berlin
        )
        if not denied:
            break
    if who == SELF:
        yield from _tools(told)
        yield from _manners(told)


def _is_place(value: str, told: _Told) -> bool:
    """Tell whether one may live there: a name, or a word for a home. Not "chapter 4"."""
    if take_values(value).slots or en.NAMED_THING.search(value):
        return False
    first = re.findall(r"[a-z]+", _without_articles(value))[:1]
    named = any(re.search(rf"\b{word.capitalize()}\b", told.text) for word in first)
    return named or en.DWELLING.search(value) is not None


def _tools(told: _Told) -> Iterator[Claim]:
    for pattern in (en.USE, en.SWITCH):
        if match := pattern.match(told.low):
            yield Claim(
                language="en",
                subject=_subject(match["p"]),
                slot="use",
                value=_value(match["v"]),
                before=_value(match.groupdict().get("b") or ""),
                changed=told.changed or pattern is en.SWITCH,
            )
    if match := en.SO_FAR.match(told.low):
        yield Claim(
            language="en",
            subject=_subject(match["p"]),
            slot="so far",
            value=frozenset({match["v"]}),
            single=True,
        )
    if match := en.AT.match(told.low):
        yield Claim(
            language="en",
            subject=_subject(match["p"] or ""),
            slot=f"at {match['unit']}",
            value=frozenset({match["v"]}),
            single=True,
        )


def _manners(told: _Told) -> Iterator[Claim]:
    if not en.PREFER.match(told.low) or en.NEGATION.search(told.low):
        return
    noun = en.MANNER_NOUN.search(told.low)
    for name, first, second in en.MANNERS:
        sides = [
            any(re.search(rf"\b{word}\b", told.low) for word in side) for side in (first, second)
        ]
        if noun and sides[0] != sides[1]:
            yield Claim(
                language="en",
                subject=f"{name} {noun['n']}",
                slot="manner",
                value=frozenset({"first" if sides[0] else "second"}),
                single=True,
            )
    if match := en.LANGUAGE.search(told.low):
        yield Claim(
            language="en",
            subject="language",
            slot="manner",
            value=frozenset({match["v"]}),
            single=True,
        )


def _named(told: _Told) -> Iterator[Claim]:
    for pattern in (en.NAMED, en.NO_MORE, en.NEW_ONE, en.INVERTED, en.CHANGED_MY):
        match = pattern.match(told.low)
        if match is None or (pattern is not en.NO_MORE and en.NEGATION.search(told.low)):
            continue
        changes = pattern in (en.CHANGED_MY, en.NO_MORE, en.NEW_ONE)
        if not changes and en.BACK_THEN.search(told.low) and not en.CHANGE_VERB.search(told.low):
            return  # "my teacher is Mr. Li in 2019"
        scope = en.FOR.match(match["v"] or "")
        named = scope["v"] if scope else match["v"]
        slots = take_values(named or "").slots
        if slots.keys() & {"day", "clock", "room"}:
            return  # a value of its own slot: `_scalars` reads it
        if not _is_name(named or "New", match["np"], told):
            return  # "my teacher is nice"
        subject = _subject(f"{match['np']} {scope['of']}" if scope else match["np"])
        yield Claim(
            language="en",
            subject=subject,
            slot="is",
            words=frozenset(subject.split()),
            head=_head(match["np"]),
            value=_value(named or "new"),
            before=_value(match.groupdict().get("b") or ""),
            positive=pattern is not en.NO_MORE,
            changed=told.changed or changes,
            single=pattern in (en.NAMED, en.INVERTED)
            and not en.MANY.match(told.low)
            and not en.WHERE.search(named),
            past=en.FORMER.match(match["np"]) is not None,
        )
        return


def _is_name(value: str, thing: str, told: _Told) -> bool:
    """Tell whether a value names something, and does not tell how a thing is."""
    if value == "New" or en.ANYTHING.search(thing) or re.search(r"[\d@]", value):
        return True
    if en.WHERE.match(value) or en.NATIONALITY.match(value):
        return False
    written = re.findall(r"[A-Za-z]+", told.text)
    capital = {word.lower() for word in written if not word.islower()}
    return not capital.isdisjoint(re.findall(r"[a-z]+", _without_articles(value)))


def _scalars(told: _Told) -> Iterator[Claim]:
    cancelled = en.CANCELLED.search(told.low) is not None
    if not cancelled and _is_over(told):
        return
    values = take_values(_spelled(told))
    slots = {"day": frozenset[str](), **values.slots} if cancelled else values.slots
    rest = en.DONE_BY.sub("", values.rest.lower())
    opening = en.OPENING.search(rest) is not None
    rest = rest if opening else en.DUE.sub(" deadline ", rest)
    own = re.match(r"(?:i|we) ", rest) is not None
    phrase = en.CANCELLED.sub("", en.CHANGE_VERB.sub("", rest))
    which, former = ({}, {}) if cancelled else _which(told)
    over = {**former, **take_values(_from(told.low)).slots}
    marks = sorted(f"@{slot}{value}" for slot, found in which.items() for value in found)
    for slot, value in slots.items():
        if slot == "number" and ((len(slots) > 1 and own) or not en.THING.match(rest)):
            continue  # two hours on Monday, three on Tuesday; "five years already"
        ends = slot == "clock" and en.END.search(phrase) is not None
        about = en.END.sub("", phrase) if ends else phrase
        about = about if own else en.LIGHT.sub(" ", about)
        subject = _subject(about)
        head = subject if own else _head(about)
        if not subject:
            continue
        passing = slot in which
        lesson = slot == "room" and head in _LESSON and not slots.keys().isdisjoint(_WHEN)
        aside = passing or lesson  # on another day it may be elsewhere
        subject = subject if passing else " ".join([subject, *marks])
        yield Claim(
            language="en",
            subject=subject,
            slot="clock end" if ends else slot,
            words=frozenset(subject.split()),
            head=head,
            aside=aside,
            value=value - over.get(slot, frozenset()),
            before=over.get(slot, frozenset()),
            positive=not cancelled,
            changed=cancelled or (told.changed and not passing),
            single=not aside
            and (_is_single(slot, rest, head, own) or (opening and slot == "clock")),
            fresh=en.FRESH.match(rest) is not None and not cancelled,
        )


def _is_over(told: _Told) -> bool:
    changes = told.changed or en.CHANGE_VERB.search(told.low) is not None
    return bool(
        en.NEGATION.search(told.low)
        or en.PAST.search(en.CHANGE_VERB.sub("", en.LIGHT.sub("", told.low)))
        or (not changes and en.WAS.search(told.low))
    )


def _which(told: _Told) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Return the values by slot that say which thing is meant, and those that are over.

    The Monday of "my exam on Monday is in room 4"; of "my exam on Monday was moved to Friday".
    """
    spelled = _spelled(told)
    verb = en.VERB.search(spelled)
    if verb is None or re.match(r"(?:i|we)\b", told.low):
        return {}, {}
    front, back = (
        take_values(part).slots for part in (spelled[: verb.start()], spelled[verb.end() :])
    )
    front = {slot: value for slot, value in front.items() if slot in ("day", "clock", "room")}
    if not back:
        return {}, {}
    moved = en.CHANGE_VERB.search(told.low) is not None
    return (
        {slot: value for slot, value in front.items() if slot not in back},
        {slot: value for slot, value in front.items() if slot in back and moved},
    )


def _is_single(slot: str, rest: str, head: str, own: bool) -> bool:
    if slot == "number":
        if own:
            return bool(en.HABIT.search(rest) or en.COUNTED.match(rest))
        return bool(en.MINE.match(rest) or en.LASTS.match(rest))
    if slot == "room" and head in _LESSON:
        return en.DEFINITE.match(rest) is not None
    return head in _PLANNED and not own


def _spelled(told: _Told) -> str:
    """Return the clause with its capitals, by which months are read."""
    written = {w.lower(): w for w in re.findall(r"[A-Za-z]+", told.text)}
    return re.sub(r"[a-z]+", lambda m: written.get(m.group(), m.group()), told.low)


def _from(low: str) -> str:
    match = re.search(r"\bfrom (?P<b>[\w .:]+?) (?:to|until)\b", low)
    return match["b"].title() if match and en.CHANGE_VERB.search(low) else ""


def _adjuncts(told: _Told) -> Iterator[Claim]:
    if en.NEGATION.search(told.low) or en.PAST.search(told.low) or take_values(told.text).slots:
        return
    for slot, pattern in en.ADJUNCTS:
        match = pattern.match(told.low)
        if match is None:
            continue
        subject = _subject(match["core"])
        proper = slot == "place" and _is_name(match["v"], "", told)
        yield Claim(
            language="en",
            subject=subject if subject else match["core"],
            slot=f"{slot}, named" if proper else slot,
            value=_value(match["v"]),
            changed=told.changed,
        )
        return


def _holds(told: _Told) -> Iterator[Claim]:
    low = told.low
    if given_up := en.GIVEN_UP.search(low):
        for verb in en.TAKEN:
            subject = "i|" + _subject(f"{verb} {given_up['o']}")
            yield Claim(language="en", subject=subject, slot="so", positive=False, changed=True)
    if left := en.LEFT.match(low):
        for over in en.MEMBER:
            subject = "i|" + _subject(over.format(left["o"]))
            yield Claim(language="en", subject=subject, slot="so", positive=False, changed=True)
    text = en.LIKE.sub("like", low)
    text, disliked = en.ANTI.subn("like", text)
    text, begun = en.BEGUN.subn("", text)
    text, stopped = en.STOPPED.subn("", text)
    text, denied = en.NEGATION.subn("", text)
    negative = (bool(disliked) + bool(stopped) + bool(denied)) % 2 == 1
    perfect = re.search(r"\b(?:have|has) not\b|\bnever \w+(?:ed|ood)\b", low) is not None
    past = not (stopped or begun or perfect) and en.PAST.search(low) is not None
    who = "i" if re.match(r"(?:i|we)\b", low) else ""
    subject = _subject(text)
    alone = en.OF_ONE_WORD.match(low) is not None or en.ALONE.match(f"i {subject}") is not None
    if (past and negative) or len(subject.split()) < (1 if alone else 2):
        return
    general = subject if negative else _subject(en.OFTEN.sub("", text))
    for about in dict.fromkeys((subject, general)):
        if about == subject or len(about.split()) > 1:
            yield Claim(
                language="en",
                subject=f"{who}|{about}",
                slot="so",
                positive=not negative,
                changed=True,
                past=past and not negative,
                open=perfect,
            )


def _subject(phrase: str) -> str:
    for pattern, written in en.SYNONYMS:
        phrase = pattern.sub(written, phrase)
    words = re.findall(r"[a-z0-9#+@][\w#+'’-]*", en.DROPPED.sub(" ", phrase.lower()))
    return " ".join(sorted(stem(en.IRREGULAR.get(word, word)) for word in words))


def _head(phrase: str) -> str:
    for pattern, written in en.SYNONYMS:
        phrase = pattern.sub(written, phrase)
    phrase = re.sub(r"^\s*(?:i|we|there) (?:have|is|are|will be) ", "", phrase.strip())
    for part in en.PREPOSITION.split(f" {phrase} "):
        words = re.findall(r"[a-z0-9][\w'’-]*", en.DROPPED.sub(" ", part))
        if words:
            return stem(words[-1])
    return ""


def _without_articles(phrase: str) -> str:
    return re.sub(r"^(?:the|a|an|my|our)\s+", "", phrase)


def _value(phrase: str) -> frozenset[str]:
    words = re.findall(r"[\w@.#+'’-]+", en.DROPPED_OF_VALUE.sub(" ", phrase.lower()))
    return frozenset(w.strip(".") for w in words if w.strip("."))
