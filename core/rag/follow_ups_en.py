"""Follow-up questions in English: telling them, and completing them from the last question.

Careful rather than complete: a question that stands alone must never be changed, so everything that
may be one counts as one.
"""

import re

from core.rag.topics_en import AUX, WH, bare, is_plural, names_in, topic

_DOCUMENT = (
    "document|documents|paper|book|chapter|section|report|article|file|files|pdf|page|text|text"
    "book|study|course|lecture|thesis|filing|manual|year|month|week|day|days|time|morning|way"
)
_CLASS = (
    "method|methods|approach|technique|algorithm|theory|concept|idea|process|company|firm|city|"
    "country|war|battle|law|model|models|system|person|man|woman|event|effect|disease|animal|plant|"
    "place|term|phenomenon|organization|organisation|project|product|programme|program|treaty|"
    "building|bridge|river|team|material|structure|mechanism|principle|problem|condition|drug"
)
_QUOTED = re.compile(r"[\"“”][^\"“”]*[\"“”]|(?<!\w)['‘][^'‘’]*['’](?!\w)|`[^`]*`")
_SHORT = re.compile(
    r"^(?:and |but |so )?(?:why|why not|how|how so|how come|when|where|who|by whom|what for|"
    r"since when|"
    r"for example|for instance|such as|like what|examples|any examples|an example|"
    r"(?:can|could) you give (?:me )?(?:an |some )?(?:more )?examples?|tell me more|go on|more|"
    r"(?:some |any )?more details|in more detail|explain further|elaborate|please elaborate|and|"
    r"what else|anything else|really|are you sure|which ones?|how much|how many|how long|"
    r"is that (?:so|true|right|all)|why is that|why was that|how is that|why did that happen|"
    r"why does that happen|(?:please )?explain (?:that|this|it)|what does (?:that|this) mean|"
    r"the (?:former|latter|first one|second one|other one|others?))$",
    re.I,
)
_ELLIPSIS = re.compile(
    r"^(?:(?:and|or|but|so|then) )?(?:what|how) about (?P<about>.+)$"
    r"|^(?:and|or|but|then) (?P<fragment>.+)$"
    r"|^(?P<phrase>(?:in|for|since|during|by|at|on|after|before|under|among|with|without|from|"
    r"compared (?:to|with)|versus|vs\.?) .+)$"
    r"|^(?:and )?(?:the )?same (?:question )?(?:for|in|with) (?P<same>.+)$",
    re.I,
)
_CLAUSE = re.compile(rf"\b(?:{WH}|{AUX})\b", re.I)
_MOST_WORDS = 7
"""A fragment of more words is a question of its own."""
_EXPLETIVE = re.compile(
    r"\bit\b.*\b(?:that|when|if|whether)\b|\bit (?:rains?|snows?|raining|snowing)\b"
    r"|\bit (?:\w+ )?(?:takes?|took|means?|costs?|feels?|called|like|possible|impossible|important|"
    r"necessary|better|best|easier|easy|hard|harder|difficult|safe|legal|illegal|common|normal|"
    r"good|bad|worth|useful|wrong|right|ok|okay|allowed|dangerous|cheaper|healthy|rude|true|"
    r"for)\b.*"
    r"\b(?:to|for|as|than)\b.*\w"
    r"|\bit worth\b|\b(?:[Ww]hen|[Aa]s|[Ii]f) it (?:comes|were)\b"
    r"|\bthey (?:call|make|produce|grow|say|use|celebrate|speak|measure|name) \w",
)
_NO_CONTENT = (
    rf"(?:(?:{AUX}|{WH}|and|but|so|then|or|in|by|for|to|of|from|with|on|at|about|much|many|long|"
    r"often|far|old|big|large|tall|please|exactly|actually|really|you|me|i|tell|explain|describe|"
    r"not|also|else|the|a|an)\b,?\s+)"
)
_PRONOUN = r"(?:it|its|they|them|their|he|she|him|her|his)"
_BEFORE_CONTENT = re.compile(rf"^{_NO_CONTENT}*{_PRONOUN}\b", re.I)
_AFTER_ASKED_NOUN = re.compile(
    rf"^(?:in |on |at |for |by |from |to )?(?:what|which|how many|"
    rf"how much)(?: [\w'-]+){{1,3}} (?:{AUX}) "
    r"(?:it|they|he|she)\b",
    re.I,
)
_OBJECT = re.compile(
    r"^(?:who|what|which(?: [\w-]+)?) (?:[\w-]+ ){1,2}(?:it|them|him)"
    r"(?: first| and (?:when|where|why|how))?$"
    r"|^(?:why|how|when|where) (?:did|does|do|can|could|will|would|should) "
    r"(?:the |an? )?(?:[\w'-]+ ){1,2}[\w-]+ (?:it|them)$"
    r"|^(?:what|which|who|how) (?:is|are|was|were) (?:the )?[\w-]+(?: [\w-]+)? (?:of|for|about|"
    r"with|in|to|"
    r"behind) (?:it|them|him|her|this|that|these|those)$",
    re.I,
)
_DEMONSTRATIVE = re.compile(
    rf"\b(?:this|that|these|those) (?:{_CLASS})\b"
    rf"|^(?:(?:{WH}) )?(?:{AUX}) (?:this|that|these|those)(?: (?:so|true|possible|important|bad|"
    rf"good|"
    r"necessary|useful|different|relevant|significant|correct|wrong|work|happen|matter|mean|"
    r"affect|help|"
    r"change|differ)\b.*)?$"
    r"|\b(?:about|of|by|than|from|with|after|before) (?:this|these|those)$",
    re.I,
)
_DOCUMENT_NAMED = re.compile(rf"\b(?:this|that|these|those) (?:{_DOCUMENT})\b", re.I)
_THERE = re.compile(rf"^(?:how|who|what|why|when|which).*\b(?!{AUX})\w+ there$", re.I)
_LETTERED_IT = re.compile(r"\bIT\b|(?<=\w )It\b")


def is_follow_up(question: str) -> bool:
    """Tell whether a question cannot be understood without the one before."""
    text = bare(question)
    if _QUOTED.search(text) or _LETTERED_IT.search(text):
        return False
    text = text.replace("’", "'")
    if _SHORT.match(text) or fragment(text) is not None:
        return True
    if _EXPLETIVE.search(text):
        return False
    if _BEFORE_CONTENT.match(text) or _AFTER_ASKED_NOUN.match(text) or _OBJECT.match(text):
        return True
    if _DEMONSTRATIVE.search(text) and not _DOCUMENT_NAMED.search(text):
        return True
    return _THERE.match(text) is not None


def fragment(text: str) -> tuple[str, str] | None:
    """Return (preposition, phrase) of a question that names only what changes, else None."""
    match = _ELLIPSIS.match(bare(text))
    if match is None:
        return None
    found = next(part for part in match.groups() if part)
    if len(found.split()) > _MOST_WORDS or _CLAUSE.search(found) or "," in found:
        return None
    if match["about"] and re.search(rf"\b{_PRONOUN}\b", found, re.I):
        return None
    parts = re.match(
        r"(?:(in|for|since|during|by|at|on|after|before|under|among|with|without|from|of|"
        r"compared to|compared with|versus|vs\.?) )?(.+)$",
        found,
        re.I,
    )
    return (parts[1] or "", parts[2]) if parts else None


_YEAR = re.compile(r"(?:\b(?:FY|Q[1-4] ?)(?:\d{2,4})?|\b(?:1\d|20)\d{2})\b")


def complete(question: str, last: str, answer: str) -> str | None:
    """Return `question` completed from the question before and its answer, or None."""
    text, base = bare(question).replace("’", "'"), bare(last)
    short = re.sub(r"^(?:and|but|so) ", "", text, flags=re.I).lower()
    if short in (
        "why",
        "why is that",
        "why was that",
        "why did that happen",
        "when",
        "where",
        "how",
        "how come",
    ):
        return _other_word("why" if short == "how come" else short.split()[0], base)
    happened = re.match(rf"^(why|when|where|how) (?:{AUX}) (?:this|that|it) happen$", short)
    if happened:
        return _other_word(happened[1], base)
    about = topic(base)
    if _SHORT.match(text):
        return _more(short, about)
    part = fragment(text)
    if part:
        return _changed(part, base, about)
    return _resolved(text, base, answer, about)


def _other_word(word: str, base: str) -> str | None:
    match = re.match(
        rf"^(?:(?:when|where|how|why|in what \w+|in which \w+)(?: \w+)?? )?(?P<rest>(?:{AUX}) .+)$",
        base,
        re.I,
    )
    return f"{word.capitalize()} {_lower_first(match['rest'])}?" if match else None


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


def _more(short: str, about: str | None) -> str | None:
    if about is None:
        return None
    if "example" in short or short in ("for instance", "such as", "like what"):
        return f"What are examples of {about}?"
    if re.search(r"more|go on|further|elaborate|explain", short):
        return f"Tell me more about {about}."
    return f"What does {about} mean?" if "mean" in short else None


def _changed(part: tuple[str, str], base: str, about: str | None) -> str | None:
    """Return the last question with the phrase in the place of its like."""
    preposition, phrase = part
    phrase = re.sub(r"^(?:the )?(?:fiscal )?(?:year )?(?=(?:1\d|20)\d{2}$)", "", phrase, flags=re.I)
    if _YEAR.fullmatch(phrase):
        return _with_year(base, preposition, phrase)
    if re.match(r"compared|versus|vs", preposition, re.I):
        return f"{base} {preposition.lower()} {phrase}?"
    names = names_in(base)
    if not phrase.isupper():
        names = [n for n in names if not n.group().isupper()] or names
    if preposition:
        places = [
            m
            for m in names
            if base[: m.start()]
            .lower()
            .endswith((f" {preposition.lower()} ", f" {preposition.lower()} the "))
        ]
        names = places if len(places) == 1 else names
        if not places:
            return _after_preposition(base, preposition.lower(), phrase)
    if phrase[0].isupper() or re.match(r"the [A-Z]", phrase):
        if len(names) == 1 or preposition:
            return _put(base, names[0].start(), names[0].end(), phrase) if names else None
        return (
            _put_topic(base, about, phrase)
            if not names or about in [n.group() for n in names]
            else None
        )
    return _noun_changed(base, about, phrase)


def _with_year(base: str, preposition: str, year: str) -> str | None:
    years = list(_YEAR.finditer(base))
    if len(years) == 1:
        return _put(base, years[0].start(), years[0].end(), year)
    return None if years else f"{base} {(preposition or 'in').lower()} {year}?"


def _put(base: str, start: int, end: int, phrase: str) -> str:
    if base[:start].lower().endswith("the ") and phrase.lower().startswith("the "):
        phrase = phrase[4:]
    return f"{base[:start]}{phrase}{base[end:]}?"


def _put_topic(base: str, about: str | None, phrase: str) -> str | None:
    at = base.rfind(about) if about else -1
    return _put(base, at, at + len(about or ""), phrase) if at >= 0 else None


def _after_preposition(base: str, preposition: str, phrase: str) -> str | None:
    found = list(
        re.finditer(rf" {re.escape(preposition)} (?P<old>(?:the |an? )?[\w-]+(?: [\w-]+)?)$", base)
    )
    if len(found) == 1:
        return _put(base, found[0].start("old"), found[0].end("old"), phrase)
    return (
        f"{base} {preposition} {phrase}?"
        if preposition in ("in", "for", "during", "after", "before")
        else None
    )


def _noun_changed(base: str, about: str | None, phrase: str) -> str | None:
    """Change what was asked for ("the disadvantages"), or else what it was asked of ("dogs")."""
    noun = re.sub(r"^(?:the|its|their|his|her) ", "", phrase, flags=re.I)
    asked = re.match(
        r"^(?P<head>(?:what|which) )(?P<be>is|are|was|"
        r"were) (?P<the>the )?(?P<noun>[\w-]+(?: [\w-]+)?)(?P<rest> (?:of|in|for|at|during) .+)$",
        base,
        re.I,
    )
    if asked and (noun != phrase or not about or about.lower().startswith(asked["noun"].lower())):
        plural = noun.endswith("s") and not noun.endswith(("ss", "us", "is"))
        past = asked["be"].lower() in ("was", "were")
        be = ("were" if plural else "was") if past else ("are" if plural else "is")
        return f"{asked['head']}{be} {asked['the'] or ''}{noun}{asked['rest']}?"
    owned = re.match(
        r"^(?P<head>what (?:is|are|was|were) .+['’]s? )(?P<noun>(?:[\w-]+ ){0,2}?[\w-]+)"
        r"(?P<rest>(?: (?:in|of|for|at|during) .+)?)$",
        base,
        re.I,
    )
    if owned and noun != phrase:
        return f"{owned['head']}{noun}{owned['rest']}?"
    counted = re.match(r"^(?P<how>how (?:many|much) )(?P<noun>[\w-]+)(?P<rest> .+)$", base, re.I)
    if counted and " " not in noun:
        return f"{counted['how']}{noun}{counted['rest']}?"
    return _put_topic(base, about, phrase)


_PERSONAL = re.compile(r"\b(?:he|she|him|his|her)\b", re.I)
_HER_OBJECT = re.compile(r"\bher$", re.I)


def _resolved(text: str, base: str, answer: str, about: str | None) -> str | None:
    """Return the question with its pronoun replaced by what the last question is about."""
    if _PERSONAL.search(text):
        about = _person(base, answer, about)
    elif re.search(r"\bit\b|\bits\b", text, re.I) and about:
        others = [n for n in names_in(f"x {base}") if n.group() not in about]
        if is_plural(about) or (about[0].isupper() and " did " in f" {base} " and len(others) > 0):
            return None
    if not about or re.search(rf"\b{_PRONOUN}\b", about, re.I):
        return None
    text = re.sub(r"^(?:and|but|so|then) ", "", text, flags=re.I)
    if _THERE.match(text):
        places = re.findall(r"\bin ((?:the )?[A-Z]\w*(?: [A-Z]\w*)*)", base)
        return f"{text[:-5]}in {places[-1] if places else about}?".replace("  ", " ")
    done, count = _without_pronoun(text, about)
    return f"{done[:1].upper()}{done[1:]}?" if count else None


def _without_pronoun(text: str, about: str) -> tuple[str, int]:
    owner = about + ("'" if about.endswith("s") else "'s")
    long = len(about.split()) > 3 or " of " in about
    owned = (
        r"(?:its|their|his|her) "
        r"(?P<noun>(?:main |biggest |most important |early |real |own )?[\w-]+)"
    )
    if re.search(rf"\b{owned}", text, re.I) and not _HER_OBJECT.search(text):
        form = rf"the \g<noun> of {_safe(about)}" if long else rf"{_safe(owner)} \g<noun>"
        return re.subn(rf"\b{owned}", form, text, count=1, flags=re.I)
    for pattern in (
        rf"\b(?:this|that|these|those) (?:{_CLASS})\b",
        r"\b(?:it|they|them|he|she|him|her)\b",
        r"\b(?:this|that|these|those)\b",
    ):
        done, count = re.subn(pattern, _safe(about), text, count=1, flags=re.I)
        if count:
            return done, count
    return text, 0


def _safe(text: str) -> str:
    return text.replace("\\", r"\\")


def _person(base: str, answer: str, about: str | None) -> str | None:
    """Return the person meant: whom the last question names, or the only one its answer names."""
    if re.match(r"^who\b(?! (?:is|was|were|are)\b)", base, re.I):
        names = re.findall(r"[A-Z][\w.'-]+(?: (?:(?:de|van|von|da) )?[A-Z][\w.'-]+)+", answer)
        new = list(dict.fromkeys(n.rstrip(".") for n in names if n not in base))
        return new[0] if len(new) == 1 else None
    return about if about and about[0].isupper() else None
