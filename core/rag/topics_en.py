"""What an English question is about: its topic, as it is written there."""

import re

AUX = "is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must"
WH = "what|which|who|whom|whose|when|where|why|how"
_NAME = re.compile(
    r"(?<![.?!] )(?:(?<=\w )|(?<=\w, ))(?:[A-Z]{2,}(?= of )|[A-Z][\w'&.-]*"
    r"(?: (?:(?:of|the|and|de|van|von) )?[A-Z][\w'&.-]*)*)"
)
_ASPECT = re.compile(
    r"^(?:the )?(?:main |major |key |most important |chief |biggest )?(?:advantages?|"
    r"disadvantages?|benefits?|"
    r"drawbacks?|causes?|effects?|symptoms?|types?|purpose|functions?|role|meaning|definition|"
    r"history|"
    r"characteristics|features?|components?|parts|stages|steps|examples?|uses?|goals?|limits|"
    r"limitations|"
    r"strengths|weaknesses|price|cost|risks?|origin|consequences|principles?) (?:of|"
    r"for) (?P<of>.+)$",
    re.I,
)
_WHAT_IS = re.compile(r"^(?:what|who|where|how \w+)(?: (?:is|are|was|were)|'s) (?P<rest>.+)$", re.I)
_AUX_FIRST = re.compile(
    rf"^(?:(?:how|why|when|where)(?: (?!(?:{AUX})\b)[\w-]+){{0,3}}|(?:what|"
    rf"which)(?: (?!(?:{AUX})\b)[\w-]+)"
    rf"{{0,3}}|in (?:what|which) \w+)? ?\b(?P<aux>{AUX}) (?P<rest>.+)$",
    re.I,
)
_WHO_DID = re.compile(
    r"^(?:who|which \w+|what(?: \w+)??) (?:first )?(?P<verb>[\w-]+(?:ed|te|lt|nt|de|on|ns|es|"
    r"ts)) (?P<rest>.+)$",
    re.I,
)
_TELL = re.compile(
    r"^(?:please )?(?:explain|describe|define|summari[sz]e|tell me about|"
    r"what do you know about) (?P<rest>.+)$",
    re.I,
)
_TIME = re.compile(
    r"\s+(?:(?:in|during|since|by|for|at the end of|on) )?(?:fiscal |the year |FY ?|"
    r"Q[1-4] )*(?:1\d|20)\d{2}$"
)
_TAIL = re.compile(
    r"\s+(?:used for|made of|made from|called|known for|about|like|famous for|based on|located)$"
)
_VERB_LIST = """
work function mean happen occur affect use produce make get grow form cause become begin start end
open close die live move change help need have lead differ fail win lose build create discover
invent write publish found develop process store convert improve reduce increase decrease rise
fall decline contribute protect prevent play go come take spend earn sell buy pay report matter
learn fly sleep eat join leave invade attack collapse spread treat kill cost weigh last say think
want try keep run do see recognise recognize own employ handle train compute choose reach give
send expand shrink migrate hunt erupt break burn melt boil freeze sink attract repel reject adopt
pass sign release launch divide reproduce navigate communicate survive hibernate shed generate
absorb regulate
"""
_VERBS = frozenset(_VERB_LIST.split())
_PARTICIPLE = re.compile(
    r"^(?:\w+ed|built|made|found|known|written|held|born|used|sold|won|lost|taken|given|set|"
    r"left|sent|"
    r"drawn|grown|thought|chosen|cut|put|so|such|still|not|always|never|more|less|very)$",
    re.I,
)


def topic(question: str) -> str | None:
    """Return what a question is about, as it is written there, or None when it cannot be told."""
    text = bare(question)
    for pattern, read in (
        (_TELL, _whole),
        (_WHAT_IS, _whole),
        (_AUX_FIRST, _subject),
        (_WHO_DID, _whole),
    ):
        match = pattern.match(text)
        if match and (found := read(match)):
            return found
    names = [name.group() for name in names_in(text)]
    return names[0] if len(names) == 1 else None


def _whole(match: re.Match[str]) -> str | None:
    rest = _TAIL.sub("", _TIME.sub("", match["rest"]))
    aspect = _ASPECT.match(rest)
    rest = aspect["of"] if aspect else rest
    if re.search(rf"\b(?:{WH}|and|if)\b", rest, re.I) or len(rest.split()) > 8:
        return None
    return rest


def _subject(match: re.Match[str]) -> str | None:
    rest, is_be = _TIME.sub("", match["rest"]), match["aux"].lower() in ("is", "are", "was", "were")
    aspect = _ASPECT.match(rest)
    words = rest.split()
    name = re.match(r"(?:the )?[A-Z][\w'&-]*(?: (?:of |the |de )*[A-Z][\w'&-]*)*", rest)
    if name and not rest[name.end() :].startswith(" of "):
        return name.group()
    if aspect and is_be:
        return None
    end = 0
    for i, word in enumerate(words[:7]):
        if i and (_PARTICIPLE.match(word) if is_be else word.lower() in _VERBS):
            end = i
            break
    if not end and len(words) <= (3 if words[0].lower() in ("the", "a", "an") else 2):
        end = len(words) - 1
    found = " ".join(words[:end])
    return found if found and found.lower() not in ("the", "a", "an", "you", "i", "we") else None


def bare(question: str) -> str:
    """Return a question on one line without its end mark and politeness."""
    text = " ".join(question.split()).strip(" ?？!.。")
    return re.sub(r"^(?:ok(?:ay)?|well|thanks|thank you|hi|please)[,.!]? ", "", text, flags=re.I)


def names_in(text: str) -> list[re.Match[str]]:
    """Return the capitalised names of a question; a first word is none. GDP of Japan is two."""
    return list(_NAME.finditer(text))


def is_plural(topic: str) -> bool:
    """Tell whether a topic is a plural noun, as far as its ending says."""
    head = topic.split(" of ")[0]
    singular = ("ss", "us", "is", "ics", "etes", "news", "series", "species")
    return head.islower() and head.endswith("s") and not head.endswith(singular)
