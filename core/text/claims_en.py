"""Statements of an English clause."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.text.claim import Claim
from core.text.claim_values import take_values
from core.text.terms import stem

SELF = "i"

_CONTRACTIONS = (
    (re.compile(r"\b(can)(?:no|['’])t\b"), r"\1 not"),
    (re.compile(r"\bwon['’]t\b"), "will not"),
    (re.compile(r"n['’]t\b"), " not"),
    (re.compile(r"\b(i)['’]m\b"), r"\1 am"),
    (re.compile(r"['’]re\b"), " are"),
    (re.compile(r"['’]ve\b"), " have"),
    (re.compile(r"['’]ll\b"), " will"),
    (re.compile(r"\b(i)['’]d rather\b"), r"\1 would rather"),
    (re.compile(r"\b(it|that|there|what|here)['’]s\b"), r"\1 is"),
)
_LEAD = re.compile(
    r"^(?:(?:update|correction|note|reminder|fyi|ps|edit|by the way|remember|please note|"
    r"just so you know|good news|bad news|sorry|actually|as of (?:today|now|this week)|"
    r"from now on|(?:starting|since|as of|beginning) (?:today|now|next week|this week|\w+day)|these days|"
    r"meanwhile|in the meantime|now|currently|in fact)(?: that)?[,:]?\s+)+"
)
_UNSURE = re.compile(
    r"\?\s*$|^(?:is|are|am|was|were|do|does|did|when|where|what|who|which|how|why|can|could|should|"
    r"would|will|has|have)\b|\b(?:if|might|maybe|perhaps|probably|possibly|could|unless|whether|"
    r"wish|hope|imagine|suppose|pretend|ask(?:ed|s)?|said|says|heard|rumou?r|"
    r"example|e\.g|think|thought|guess|used to think)\b"
)
_CHANGE_WORDS = (
    r"\b(?:now|no longer|any ?more|not anymore|from now on|instead|nowadays|these days|meanwhile|"
    r"has become|have become|became|turned out|update|correction|new|as of|since (?:today|yesterday))\b"
)
_CHANGE_VERBS = (
    r"\b(?:chang|mov|postpon|reschedul|push|shift|delay|extend|switch|transferr?|relocat|defer)ed\b"
    r"|\b(?:brought|put|set) (?:forward|back|off)\b|\bput off\b|\b(?:raised|lowered|increased|"
    r"reduced|cut|dropped|rose|fell|grew|went (?:up|down)|risen|grown|gone (?:up|down)) (?:to|from)\b"
    r"|\breplaced (?:by|with)\b|\bupdated to\b|\bmoves? (?:up |back |forward )?to\b"
    r"|\b(?:has|have|is|are|was|been|got) (?:been )?(?:brought|put) forward\b"
)
_CHANGED = re.compile(f"{_CHANGE_WORDS}|{_CHANGE_VERBS}")
_CHANGE_VERB = re.compile(_CHANGE_VERBS)
_CANCELLED = re.compile(r"\b(?:cancell?ed|called off|will not take place|does not take place)\b")
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|wrote|took|got|bought|met|saw|ate|drank|slept|ran|won|lost|learnt|"
    r"taught|began|came|gave|found|made|spent|sat|stood|told|sold|paid|sent|finished|passed|failed|"
    r"completed|started|visited|attended|handed|submitted|watched|yesterday|ago|last (?:week|month|"
    r"year|night|\w+day))\b"
)
_NEGATION = re.compile(
    r"\b(?:(?:do|does|did|am|is|are|was|were|will|can|could|should|have|has|had|need|must) )?"
    r"(?:not|never|no longer|hardly)\b"
)
_STOPPED = re.compile(
    r"\b(?:have |has |am |is |are )?(?:stopp(?:ed|ing)|quit(?:ting)?|g[ai]ve?n? up|giving up|done with)"
    r" (?=\w+ing\b)|\b(?:have |has )?used to (?=\w+)"
)
_GIVEN_UP = re.compile(r"\b(?:have |has )?(?:quit|g[ai]ven? up|sworn off) (?=\w+(?: \w+)?$)")
_BEGUN = re.compile(
    r"\b(?:have |has )?(?:start(?:ed)?|begun|began|taken up|took up) (?=\w+ing\b)"
    r"|\b(?:have |has )?(?:start(?:ed)?|begun|began) to\b"
)
_ANTI = re.compile(
    r"\b(?:hates?|dislikes?|detests?|loathes?|can not stand|am sick of|am tired of)\b"
)
_LIKE = re.compile(r"\b(?:loves?|enjoys?|adores?|am fond of|am into|am a fan of|am keen on)\b")
_DROPPED = re.compile(
    r"\b(?:now|currently|really|actually|just|still|already|yet|any ?more|again|recently|these days|"
    r"nowadays|at the moment|at all|instead|also|so|very|much|quite|finally|from now on|meanwhile|"
    r"last (?:week|month|year)|this (?:week|month|year)|since (?:\w+day|yesterday|last \w+|then)|"
    r"for now|too|finally|sadly|unfortunately|luckily|definitely|been|am|is|are|was|were|be|will|"
    r"do|does|did|have|has|had|can|the|a|an|my|our|this|that|of|on|in|at|by|for|from|to|with|i|"
    r"we|it|new|upcoming|next|old)\b"
)
_DROPPED_OF_VALUE = re.compile(
    r"\b(?:now|currently|really|actually|just|still|already|again|instead|the|my|our|an?(?= \w)|"
    r"of|in|at|to|with|for)\b"
)
_LIGHT = re.compile(
    r"\b(?:takes?|taking|taken?) place\b|\b(?:has|have|is|are|was|were|got|gets|will) (?:been |be )?|"
    r"\b(?:scheduled|planned|set|due|held|fixed|located|called|starts?|starting|begins?|beginning|"
    r"happens?|falls?|gets?|got|back|forward|up|down|off|out|to|from|reached|grown|grew|risen|rose|"
    r"fallen|fell|gone|went|increased|reduced|raised|lowered|cut|dropped|brought|put|updated|"
    r"by|earlier|later|until|till|only|about|around|instead|exactly|sharp)\b"
)
_END = re.compile(r"\b(?:ends?|finish(?:es)?|closes?|is over)\b")
_MINE = re.compile(r"^(?:my|our)\b|\b(?:of|for|to|in|with) (?:my|our)\b")
_THING = re.compile(r"(?:i|we|my|our|the|this|there|\w+['’]s)\b")
_FRESH = re.compile(
    r"^(?:i have |we have |there is |there will be )?(?:got )?(?:an?|another|one more) "
)
_PREPOSITION = re.compile(r"\s(?:for|of|in|with|to|on|at|by|from|about)\s")
_PLANNED = frozenset(
    [
        "exam",
        "deadline",
        "final",
        "midterm",
        "defence",
        "defense",
        "viva",
        "graduation",
        "birthday",
        "submission",
        "interview",
        "presentation",
        "finals",
        "retake",
        "wedding",
        "ceremony",
        "hearing",
        "enrolment",
    ]
)
"""Things of which there is one at a time: the day said last counts, also without "moved"."""
_HABIT = re.compile(
    r"\b(?:a|an|per|each|every) (?:day|night|week|month|year|morning|evening)\b|\bdaily\b|\bweekly\b"
)
_COUNTED = re.compile(r"^i (?:have|own|know|weigh|need|can|speak|earn|pay|sleep|want)\b")


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
    return [*_own(told), *_named(told), *_scalars(told), *_holds(told)]


def _ready(clause: str) -> _Told | None:
    low = clause.strip().lower()
    for pattern, written in _CONTRACTIONS:
        low = pattern.sub(written, low)
    changed = bool(_CHANGED.search(low))
    low = _LEAD.sub("", low)
    low = re.sub(r"\s+", " ", low).strip(" .!,;:\"'“”")
    if not low or _UNSURE.search(low + ("?" if clause.rstrip().endswith("?") else "")):
        return None
    return _Told(clause.strip(" .!,;:\"'“”"), low, changed)


# What the learner says of themselves

_V = r"(?P<v>[^,;]+?)"
_TAIL = (
    r"(?: (?:now|currently|instead|again|these days|at the moment|recently|already|yesterday|today|"
    r"this \w+|last \w+|next \w+|since .+|from now on|for good|as of .+|any ?more|in (?:the )?meantime))*$"
)
_JUST = r"(?:now |currently |just |recently |finally |actually |have |already |am now |am |will )*"
_OWN = tuple(
    (slot, re.compile(pattern + _TAIL), denied, change)
    for slot, pattern, denied, change in (
        ("home", rf"i {_JUST}(?:live|living|reside|residing|based|am based) (?:in|at) {_V}", False, False),
        ("home", rf"my (?:new )?home(?: town)? is (?:now )?(?:in )?{_V}", False, False),
        ("home", rf"i {_JUST}(?:moved|relocated|moving) (?:from (?P<b>[\w ]+?) )?(?:back )?to {_V}", False, True),
        ("home", rf"i (?:do not|no longer) live in {_V}", True, True),
        ("home", rf"i {_JUST}(?:left|moved away from|moved out of) (?P<v>[a-z]+)", True, True),
        ("job", rf"i {_JUST}(?:work|working|employed|am employed) (?:at|for|by|with) {_V}", False, False),
        ("job", rf"i {_JUST}(?:joined|started (?:work|working|a job|a new job|my new job) (?:at|for|with)|switched jobs to|changed jobs to|got a (?:new )?job at) {_V}", False, True),
        ("job", rf"i (?:do not|no longer) work (?:at|for) {_V}", True, True),
        ("age", rf"i {_JUST}(?:turned )?(?P<v>\d{{1,3}})(?: years old| now)?", False, False),
        ("age", rf"my age is (?:now )?{_V}", False, False),
        ("name", rf"(?:please )?call me {_V}", False, False),
        ("name", rf"my name is (?:now )?{_V}", False, False),
        ("major", rf"i {_JUST}(?:changed|switched) my (?:major|subject|degree|field)(?: from (?P<b>[\w ]+?))? to {_V}", False, True),
        ("major", rf"i {_JUST}(?:changed|switched|transferred) (?:from (?P<b>[\w ]+?) )?to {_V} as my (?:major|subject)", False, True),
        ("major", rf"i {_JUST}(?:majoring|major) in {_V}", False, False),
        ("major", rf"my (?:new )?(?:major|subject|degree|field of study) is (?:now )?{_V}", False, False),
    )
)  # fmt: skip
_USE = re.compile(rf"^i {_JUST}(?:use|using) (?P<v>[\w .+#-]+?) (?:for|to|as) (?P<p>.+?){_TAIL}")
_SWITCH = re.compile(
    rf"^i {_JUST}(?:switched|changed|moved|migrated|went) (?:over )?(?:from (?P<b>[\w .+#-]+?) )?to (?P<v>[\w .+#-]+?)"
    rf" (?:for|to|as) (?P<p>.+?){_TAIL}"
)
_AT = re.compile(
    rf"^i {_JUST}(?:on|at|in|up to|reached|got to|have reached|read up to|made it to) (?:the )?"
    r"(?P<unit>page|chapter|lesson|unit|section|level|episode|module|week|lecture)\s*(?P<v>\d+)(?: (?:of|in) (?P<p>.+?))?"
    + _TAIL
)
_PREFER = re.compile(
    r"^(?:i|please|my preference is|keep|give me|use|make|answer|reply|explain|write|speak)\b"
)
_MANNERS = (
    ("length", ("short", "shorter", "brief", "concise", "terse"), ("long", "longer", "detailed", "thorough", "extensive", "in-depth")),
    ("mode", ("dark mode", "dark theme"), ("light mode", "light theme")),
    ("level", ("simple", "simpler", "beginner"), ("advanced", "technical", "expert")),
)  # fmt: skip
_MANNER_NOUN = re.compile(r"\b(?P<n>answer|repl|explanation|summar|mode|theme|response|text)\w*")
_LANGUAGE = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|speak|explanations?|explain|write|respond)\b.*\bin (?P<v>english|chinese|german|french|"
    r"spanish|italian|japanese|korean|russian|portuguese)\b"
)


def _own(told: _Told) -> Iterator[Claim]:
    for slot, pattern, denied, change in _OWN:
        match = pattern.match(told.low)
        if match is None:
            continue
        yield Claim(
            language="en",
            subject=SELF,
            slot=slot,
            value=_value(match["v"]),
            before=_value(match.groupdict().get("b") or ""),
            positive=not denied,
            changed=change or told.changed,
            single=not denied,
        )
        break
    yield from _tools(told)
    yield from _manners(told)


def _tools(told: _Told) -> Iterator[Claim]:
    for pattern in (_USE, _SWITCH):
        if match := pattern.match(told.low):
            yield Claim(
                language="en",
                subject=_subject(match["p"]),
                slot="use",
                value=_value(match["v"]),
                before=_value(match.groupdict().get("b") or ""),
                changed=told.changed or pattern is _SWITCH,
            )
    if match := _AT.match(told.low):
        yield Claim(
            language="en",
            subject=_subject(match["p"] or ""),
            slot=f"at {match['unit']}",
            value=frozenset({match["v"]}),
            single=True,
        )


def _manners(told: _Told) -> Iterator[Claim]:
    if not _PREFER.match(told.low) or _NEGATION.search(told.low):
        return
    noun = _MANNER_NOUN.search(told.low)
    for name, first, second in _MANNERS:
        sides = [any(re.search(rf"\b{w}\b", told.low) for w in side) for side in (first, second)]
        if noun and sides[0] != sides[1]:
            yield Claim(
                language="en",
                subject=f"{name} {noun['n']}",
                slot="manner",
                value=frozenset({"first" if sides[0] else "second"}),
                single=True,
            )
    if match := _LANGUAGE.search(told.low):
        yield Claim(
            language="en",
            subject="language",
            slot="manner",
            value=frozenset({match["v"]}),
            single=True,
        )


# A thing with a name, a teacher, a favourite …

_SINGLE = (
    r"supervisor|advis[eo]r|professor|teacher|tutor|mentor|boss|manager|coach|partner|landlord|doctor|"
    r"dentist|major|password|passphrase|pin|username|login|nickname|e-?mail(?: address)?|"
    r"address|(?:phone|mobile|cell|telephone|student|room|account|locker|matriculation) (?:number|id)|"
    r"goal|target|aim|plan for (?:today|this week)|editor|browser|laptop|phone|operating system|"
    r"time ?zone|level|employer|job|position|role|title|topic|thesis topic|status|native language|"
    r"textbook|study partner|school|university|department|group|class ?room|office|seat|"
    r"grade|score|rank|weight|height|budget|salary|rent|bank"
)
_NAMED = re.compile(
    rf"^(?:the |my |our )(?P<np>(?:[\w'’-]+ ){{0,5}}?(?:(?:favou?rite|preferred|best-loved) [\w ]+?|{_SINGLE})"
    rf"(?: (?:for|of|in|at) [\w '’-]+?)?) (?:is|are|has become|became|(?:has |have |was |were )?(?:been )?"
    rf"(?:changed|switched|moved|updated|replaced|set|raised|lowered)(?: from (?P<b>.+?))? (?:to|by|with)|"
    rf"will be) (?:now |currently |actually )*{_V}{_TAIL}"
)
_INVERTED = re.compile(
    rf"^{_V} is (?:now |currently )*(?:my|our) (?:new )?(?P<np>(?:favou?rite|preferred) [\w ]+?|{_SINGLE}){_TAIL}"
)
_CHANGED_MY = re.compile(
    rf"^(?:i|we) {_JUST}(?:changed|switched|updated|raised|lowered|set|replaced) (?:my|our|the) (?P<np>[\w '’-]+?)"
    rf"(?: from (?P<b>.+?))? (?:to|with|by) {_V}{_TAIL}"
)
_MANY = re.compile(r"the \w+ is\b|(?:the|my|our) (?:[\w'’-]+ )*?(?:goal|target|aim|plan|group|topic)\b")
"""There may be several; or whose it is is not said."""
_SYNONYMS = (
    (re.compile(r"\b(?:due|hand-in|submission|closing) (?:date|day|time)\b|\bcut-?off(?: date)?\b"), "deadline"),
    (re.compile(r"\b(?:cell ?phone|mobile|telephone|cell)(?: phone)? number\b"), "phone number"),
    (re.compile(r"\be-?mail(?: address)?\b"), "email"),
    (re.compile(r"\bfavorite\b|\bpreferred\b"), "favourite"),
    (re.compile(r"\b(?:aim|target)\b"), "goal"),
    (re.compile(r"\badvis[eo]r\b"), "supervisor"),
    (re.compile(r"\bexamination\b"), "exam"),
    (re.compile(r"\b(?:date|day|time|room|place|location|venue) of (?:the |my |our )?"), ""),
    (re.compile(r"(?<=\w) (?:date|day|time|room|location|venue)\b(?= ?(?:$|\0|is|has|was|will|moved|for|of|in))"), ""),
)  # fmt: skip


def _named(told: _Told) -> Iterator[Claim]:
    for pattern in (_NAMED, _INVERTED, _CHANGED_MY):
        match = pattern.match(told.low)
        if match is None or _NEGATION.search(told.low):
            continue
        slots = take_values(match["v"]).slots
        if slots.keys() & {"day", "clock", "room"}:
            return  # a value of its own slot: `_scalars` reads it
        subject = _subject(match["np"])
        yield Claim(
            language="en",
            subject=subject,
            slot="is",
            words=frozenset(subject.split()),
            head=_head(match["np"]),
            value=_value(match["v"]),
            before=_value(match.groupdict().get("b") or ""),
            changed=told.changed or pattern is _CHANGED_MY,
            single=pattern is _INVERTED or (pattern is _NAMED and not _MANY.match(told.low)),
        )
        return


# Days, times, rooms, numbers


def _scalars(told: _Told) -> Iterator[Claim]:
    cancelled = bool(_CANCELLED.search(told.low))
    if _NEGATION.search(told.low) and not cancelled:
        return
    if _PAST.search(_CHANGE_VERB.sub("", _LIGHT.sub("", told.low))) and not cancelled:
        return
    values = take_values(_spelled(told))
    slots = {"day": frozenset[str](), **values.slots} if cancelled else values.slots
    rest = values.rest.lower()
    own = re.match(r"(?:i|we) ", rest) is not None
    before = _from(told.low)
    for slot, value in slots.items():
        if slot == "number" and ((len(slots) > 1 and own) or not _THING.match(rest)):
            continue  # two hours on Monday, three on Tuesday; "five years already"
        phrase = _CANCELLED.sub("", _CHANGE_VERB.sub("", rest))
        name = slot
        if slot == "clock" and _END.search(phrase):
            name, phrase = "clock end", _END.sub("", phrase)
        subject = _subject(_LIGHT.sub(" ", phrase))
        if not subject:
            continue
        head = subject if own else _head(_LIGHT.sub(" ", phrase))
        over = take_values(before).slots.get(slot, frozenset()) if before else frozenset()
        yield Claim(
            language="en",
            subject=subject,
            slot=name,
            words=frozenset(subject.split()),
            head=head,
            value=value - over,
            before=over,
            positive=not cancelled,
            changed=cancelled or told.changed,
            single=_is_single(slot, rest, head, own),
            fresh=_FRESH.match(rest) is not None and not cancelled,
        )


def _is_single(slot: str, rest: str, head: str, own: bool) -> bool:
    if slot == "number":
        return bool(_HABIT.search(rest) or _COUNTED.match(rest)) if own else bool(_MINE.match(rest))
    return head in _PLANNED and not own


def _spelled(told: _Told) -> str:
    """The clause as written, for the capitals of months; the lead and contractions do not matter."""
    lead = len(told.text) - len(told.low)
    return told.text[lead:] if told.text.lower().endswith(told.low) else _capitals(told)


def _capitals(told: _Told) -> str:
    written = {w.lower(): w for w in re.findall(r"[A-Za-z]+", told.text)}
    return re.sub(r"[a-z]+", lambda m: written.get(m.group(), m.group()), told.low)


def _from(low: str) -> str:
    match = re.search(r"\bfrom (?P<b>[\w .:]+?) (?:to|until)\b", low)
    return match["b"].title() if match and _CHANGE_VERB.search(low) else ""


# Whether it holds at all

_IRREGULAR = {"understood": "understand", "wrote": "write", "learnt": "learn", "knew": "know"}


def _holds(told: _Told) -> Iterator[Claim]:
    low = told.low
    likes = _LIKE.sub("like", low)
    likes, disliked = _ANTI.subn("like", likes)
    likes, begun = _BEGUN.subn("", likes)
    likes, stopped = _STOPPED.subn("", likes)
    likes, given_up = _GIVEN_UP.subn("", likes)
    likes, denied = _NEGATION.subn("", likes)
    turns = bool(disliked) + bool(stopped or given_up) + bool(denied)
    negative = turns % 2 == 1
    past = _PAST.search(low) is not None and not (stopped or begun or given_up)
    perfect = re.search(r"\b(?:have|has) not\b", low) is not None
    if past and negative:
        return
    subject = _subject(likes)
    who = "i" if re.match(r"(?:i|we)\b", low) else ""
    if len(subject.split()) < (1 if low.startswith("i am ") else 2):
        return
    if not who and negative and not told.changed and "not" not in low:
        return
    yield Claim(
        language="en",
        subject=f"{who}|{subject}",
        slot="so",
        positive=not negative,
        changed=True,
        past=past and not negative,
        open=perfect,
    )


# Words


def _subject(phrase: str) -> str:
    for pattern, written in _SYNONYMS:
        phrase = pattern.sub(written, phrase)
    words = re.findall(r"[a-z0-9#+][\w#+'’-]*", _DROPPED.sub(" ", phrase.lower()))
    return " ".join(sorted(stem(_IRREGULAR.get(w, w)) for w in words))


def _head(phrase: str) -> str:
    for pattern, written in _SYNONYMS:
        phrase = pattern.sub(written, phrase)
    phrase = re.sub(r"^\s*(?:i|we|there) (?:have|is|are|will be) ", "", phrase.strip())
    for part in _PREPOSITION.split(f" {phrase} "):
        words = re.findall(r"[a-z0-9][\w'’-]*", _DROPPED.sub(" ", part))
        if words:
            return stem(words[-1])
    return ""


def _value(phrase: str) -> frozenset[str]:
    words = re.findall(r"[\w@.#+'’-]+", _DROPPED_OF_VALUE.sub(" ", phrase.lower()))
    return frozenset(w.strip(".") for w in words if w.strip("."))
