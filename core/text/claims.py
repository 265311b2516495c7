"""What a short text states: of which thing, which property, which value; and what contradicts it.

By rules, English and Chinese, without any model. Only what is sure counts: of two statements that
might both hold, neither contradicts the other.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.text.claim import Claim
from core.text.claims_en import english_claims
from core.text.claims_zh import chinese_claims
from core.text.sentences import sentence_spans
from core.text.tokens import language_of

VERSION = 2
"""Counts changes of the rules after which the keys of a text may be others."""
LONGEST = 300
"""Characters: a longer text tells more than a fact or two."""
_P = r"(?: on| at| in)?"
_INSTEAD = tuple(
    (re.compile(pattern, re.I), written)
    for pattern, written in (
        (
            rf"^(?P<s>.+?) (?:is|are|takes place|starts|begins|will be){_P} (?P<new>[^,;]+?),? "
            rf"(?:and )?not{_P} (?P<old>[^,;]+?)(?: any ?more)?$",
            r"\g<s> was changed from \g<old> to \g<new>",
        ),
        (
            rf"^(?P<s>.+?) (?:is|are) (?:not|no longer){_P} (?P<old>[^,;]+?),? "
            rf"but{_P}(?: now)?{_P} "
            r"(?P<new>[^,;]+)$",
            r"\g<s> was changed from \g<old> to \g<new>",
        ),
        (
            rf"^(?P<s>.+?) (?:was|were|used to be|is){_P} (?P<old>[^,;]+?),? but "
            rf"(?:(?:it|that|they|he|she) )?(?:is |are |['’]s )?now{_P} (?P<new>[^,;]+)$",
            r"\g<s> was changed from \g<old> to \g<new>",
        ),
        (
            r"^(?P<s>.+?)不(?:是|在|叫)(?P<old>[^，,。]+?)了?[，,]\s*(?:而|改)?(?:是|在|到|叫)"
            r"(?P<new>[^，,。]+)$",
            r"\g<s>从\g<old>改成\g<new>",
        ),
        (
            r"^(?P<s>.+?)(?:是|在|叫)(?P<new>[^，,。]+?)[，,]\s*而?不(?:是|在|叫)"
            r"(?P<old>[^，,。]+?)了?$",
            r"\g<s>从\g<old>改成\g<new>",
        ),
        (
            r"^i (?:have |just |recently )*(?:changed|replaced|switched|got a new) (?:my )?"
            r"(?P<s>[\w -]{3,30}?)[,;:]? (?:and )?(?:(?:now )?it(?: is|['’]s)|the new one is)"
            r"(?: now)? (?P<new>[^,;]+)$",
            r"My \g<s> was changed to \g<new>",
        ),
        (
            r"^我(?:已经|刚刚?|最近)*(?:更?换|改)了(?:一?个|新的?)*"
            r"(?P<s>手机号码?|电话号码?|手机|电脑|邮箱|密码|地址|用户名|昵称)了?[，,：:]\s*"
            r"(?:现在|新的?|号码?|密码|邮箱|地址)*(?:是|为|叫)(?P<new>[^，,。]+)$",
            r"我的\g<s>换成了\g<new>",
        ),
    )
)
"""A correction that names the old value ("on 19 May, not on 12 May"), or a change in two steps."""
_MOST_CLAUSES = 6
_WORDED = frozenset({"is", "home", "job", "major", "name", "use"})
"""Slots with values of words: a Chinese one is one string, of which the other may be a part."""
_REMEMBERED = 256
"""Texts: each is read for its keys and again to be compared."""
_CLAUSE_END = re.compile(
    r"[;；，]\s*|,\s+(?=(?:and|but|so|i|we|my|instead|now|it|he|she|his|her|they)\b)|,(?=[\u4e00-\u9fff])",
    re.I,
)
_AND_I = re.compile(
    r"\b(I)\b([^.;,!?]*?),? and "
    r"(?=(?:now |currently |just )*(?:live|work|study|use|moved|joined)\b)"
)
"""A second clause that shares the subject of the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """The claims of a text, clause by clause. A clause without any tells something else."""

    clauses: tuple[tuple[Claim, ...], ...]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All of them, in order."""
        return tuple(claim for clause in self.clauses for claim in clause)


@lru_cache(maxsize=_REMEMBERED)
def stated_in(text: str) -> Stated:
    """Return what a text states; nothing for a text of more than `LONGEST` characters."""
    text = _AND_I.sub(r"\1\2; \1 ", text.strip())
    if not text or len(text) > LONGEST:
        return Stated(clauses=())
    read = chinese_claims if language_of(text) == "zh" else english_claims
    clauses = [
        part.strip()
        for start, end in sentence_spans(text)
        for part in _CLAUSE_END.split(_as_change(text[start:end]))
        if part.strip()
    ]
    if len(clauses) > _MOST_CLAUSES:
        return Stated(clauses=())
    return Stated(clauses=tuple(tuple(read(clause)) for clause in clauses))


def _as_change(sentence: str) -> str:
    bare = sentence.strip().rstrip(".。!！ ")
    for pattern, written in _INSTEAD:
        changed, count = pattern.subn(written, bare)
        if count:
            return changed
    return sentence


def claim_keys(text: str) -> tuple[str, ...]:
    """Return the keys of what a text states: hashes, to be kept beside it. `()` for nothing."""
    claims = stated_in(text).claims
    keys = (*(claim.key for claim in claims), *(claim.head_key for claim in claims))
    return tuple(dict.fromkeys(filter(None, keys)))


def keys_of_rivals(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keys of texts that this one may contradict, and of those it may mean.

    The first are about the very same thing. The second are about things of the same noun, for a
    change that may name the thing in fewer words.
    """
    claims = stated_in(text).claims
    meant = [claim.head_key for claim in claims if claim.changed and claim.slot != "so"]
    return (
        tuple(dict.fromkeys(claim.key for claim in claims)),
        tuple(dict.fromkeys(filter(None, meant))),
    )


def outdated(newer: str, older: Sequence[str]) -> list[int]:
    """Return which of the `older` texts say nothing any more that holds, given the newer one.

    Indexes in order. A text is out of date when each of its clauses is contradicted.
    """
    new = stated_in(newer).claims
    if not new:
        return []
    read = [stated_in(text) for text in older]
    found = [
        number
        for number, old in enumerate(read)
        if old.clauses and all(_over(clause, new) for clause in old.clauses)
    ]
    return found or _meant(new, read)


def _over(clause: Sequence[Claim], new: Sequence[Claim]) -> bool:
    """Tell whether the newer claims contradict a clause.

    Another room on another day is another event, where nothing says that it was moved.
    """
    against = [(c, o) for c in new for o in clause if _against(c, o)]
    slots = {o.slot for _, o in against}
    moved = any(c.changed for c, _ in against)
    return bool(against) and (moved or not ("room" in slots and slots & {"day", "clock"}))


def _against(newer: Claim, older: Claim) -> bool:
    """Tell whether two claims about the very same thing cannot both hold any more."""
    same = newer.subject == older.subject and _comparable(newer, older)
    tells = newer.changed or (newer.single and not older.aside)
    return same and tells and _excludes(newer, older)


def _meant(new: Sequence[Claim], read: Sequence[Stated]) -> list[int]:
    """Return the one text that a change is about when it names the thing in fewer words.

    "The exam was moved" is about the statistics exam when no other exam is spoken of.
    """
    for claim in new:
        if not claim.changed or claim.slot == "so":
            continue
        things = {o.subject for old in read for o in old.claims if _narrower(o, claim)}
        if len(things) != 1:
            continue
        return [
            number
            for number, old in enumerate(read)
            if old.clauses
            and all(
                any(_narrower(o, claim) and _excludes(claim, o) for o in cl) for cl in old.clauses
            )
        ]
    return []


def _narrower(older: Claim, newer: Claim) -> bool:
    return (
        _comparable(newer, older) and bool(newer.words) and newer.words < older.words
        and newer.head == older.head
        and not any(word.startswith("@") for word in older.words - newer.words)
    )  # fmt: skip


def _comparable(newer: Claim, older: Claim) -> bool:
    kinds = {newer.slot, older.slot}
    if newer.language != older.language or newer.fresh or older.past:
        return False
    return len(kinds) == 1 or (not newer.positive and kinds == {"day", "clock"})


def _excludes(newer: Claim, older: Claim) -> bool:
    """Tell whether the values cannot both hold."""
    if newer.slot == "so":
        if newer.past:
            return newer.positive and older.open
        return newer.positive != older.positive
    if not older.positive:
        return newer.positive and newer.changed
    if newer.before and _differ(newer.before, older, surely=False):
        return False
    if not newer.positive:
        return not newer.value or newer.slot != older.slot or not _differ(newer.value, older)
    return _differ(newer.value, older, surely=not newer.changed)


def _differ(value: frozenset[str], older: Claim, *, surely: bool = True) -> bool:
    """Tell whether two values of one slot are not the same and neither is the finer one.

    A day is a set of parts ("m5" the month, "d12" the day, "w0" the Monday): without a part in
    common, two may be the same day, and are not `surely` different.
    """
    if older.slot in _WORDED and older.language == "zh":
        return not any(a in b or b in a for a in value for b in older.value)
    if older.slot != "day":
        return not (value <= older.value or older.value <= value)
    shared = {p[0] for p in value} & {p[0] for p in older.value}
    if not shared:
        return not surely
    mine, theirs = ({p for p in parts if p[0] in shared} for parts in (value, older.value))
    return mine.isdisjoint(theirs) if len(shared) == 1 else mine != theirs
