"""Finding known names in a text, and the strings of a text that may be names."""

import re
from collections.abc import Iterable, Iterator, Mapping

from core.domain.graph import Entity, name_key
from core.graph.phrases import singular
from core.text.tokens import CJK

LONGEST_WORDS = 6
LONGEST_CHARACTERS = 14
MOST_CANDIDATES = 2_000
_WORD = re.compile(rf"[^\W_{CJK}](?:[^\W_{CJK}]|['’&+#/.-](?=[^\W_{CJK}])|[+#])*")
_CHINESE = re.compile(rf"[{CJK}·•]+")
_TITLE = re.compile(r"《([^》]{1,40})》|[“\"]([A-Z][^”\"]{2,90})[”\"]")


def spellings(words: list[str]) -> Iterator[str]:
    """Yield a phrase as written, then with its last word in the singular."""
    yield " ".join(words)
    one = singular(words[-1])
    if one != words[-1]:
        yield " ".join([*words[:-1], one])


def candidates(text: str) -> list[str]:
    """Return the strings of a question that may be names, the longest first, each once.

    Runs of up to six words, and of two to fourteen Chinese characters.
    """
    found: list[str] = [a or b for a, b in _TITLE.findall(text)]
    words = [match.group() for match in _WORD.finditer(text)]
    for size in range(LONGEST_WORDS, 0, -1):
        for i in range(len(words) - size + 1):
            found += spellings(words[i : i + size])
    for run in _CHINESE.findall(text):
        for size in range(min(LONGEST_CHARACTERS, len(run)), 0, -1):
            found += [run[i : i + size] for i in range(len(run) - size + 1)]
    return list(dict.fromkeys(found))[:MOST_CANDIDATES]


class Spotter:
    """Finds known names in texts: the longest of those that overlap."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._by_key: dict[str, Entity] = {}
        for one in entities:
            for name in (one.name, *one.aliases):
                self._by_key.setdefault(name_key(name), one)
        self._heads = {key[:2] for key in self._by_key}

    def find(self, text: str) -> list[Entity]:
        """Return the entities named in a text in the order of their first mention, each once."""
        return list(self.places(text).values())

    def places(self, text: str) -> Mapping[int, Entity]:
        """Return the entities by where their name begins, each at its first mention."""
        found: dict[int, Entity] = {}
        if self._by_key:
            self._english(text, found)
            if not text.isascii():
                self._chinese(text, found)
        seen: set[str] = set()
        out: dict[int, Entity] = {}
        for at in sorted(found):
            if found[at].id not in seen:
                seen.add(found[at].id)
                out[at] = found[at]
        return out

    def _english(self, text: str, found: dict[int, Entity]) -> None:
        matches = list(_WORD.finditer(text))
        words = [match.group() for match in matches]
        folded = [name_key(word) for word in words]
        i = 0
        while i < len(words):
            step = 1
            if folded[i][:2] in self._heads or len(folded[i]) < 2:
                for size in range(min(LONGEST_WORDS, len(words) - i), 0, -1):
                    key = "".join(folded[i : i + size])
                    one = self._by_key.get(key)
                    if one is None and key.endswith(("s", "a", "i", "en")):
                        last = name_key(singular(words[i + size - 1]))
                        one = self._by_key.get("".join(folded[i : i + size - 1]) + last)
                    if one is not None and (len(key) > 1 or size > 1):
                        found[matches[i].start()] = one
                        step = size
                        break
            i += step

    def _chinese(self, text: str, found: dict[int, Entity]) -> None:
        for match in _CHINESE.finditer(text):
            run, i = match.group().replace("•", "·"), 0
            while i < len(run) - 1:
                step = 1
                if run[i : i + 2] in self._heads or "·" in run[i : i + 2]:
                    for size in range(min(LONGEST_CHARACTERS, len(run) - i), 1, -1):
                        one = self._by_key.get(run[i : i + size].replace("·", ""))
                        if one is not None and run[i + size - 1] != "·":
                            found[match.start() + i] = one
                            step = size
                            break
                i += step
