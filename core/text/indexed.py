"""What finding needs to know of a memory's text, packed so that it is kept without the text."""

import re
import struct
from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.memory import Memory
from core.text.terms import term_hash, terms

VERSION = 1
"""What another version packed is made anew."""

SPEAKER = "speaker"
"""Key in a memory's metadata: who said it. Such a memory is a turn of its session's conversation,
and tells little without what was said around it."""

_HEAD = struct.Struct("<IHBI")
_MOST = 0xFFFF
_ASKS = re.compile(r"[?？][\s\"'”’)）」』]*$")


@dataclass(frozen=True, slots=True)
class IndexedText:
    """A text by its index terms.

    `hashes` (ascending) and `counts` belong together; `length` is the number of terms, repeats
    included. `asks`: the text ends with a question mark. `speaker`: hashes of the speaker's name,
    none outside a conversation.
    """

    hashes: NDArray[np.uint64]
    counts: NDArray[np.uint16]
    length: int
    asks: bool
    speaker: tuple[int, ...]

    def to_bytes(self) -> bytes:
        """Return it packed; it holds no text."""
        head = _HEAD.pack(len(self.hashes), len(self.speaker), self.asks, self.length)
        speaker = np.array(self.speaker, dtype="<u8")
        return head + speaker.tobytes() + self.hashes.tobytes() + self.counts.tobytes()


def indexed(memory: Memory) -> IndexedText:
    """Return what is kept of a memory's text."""
    speaker = memory.metadata.get(SPEAKER)
    return indexed_text(memory.content, speaker if isinstance(speaker, str) else "")


def indexed_text(text: str, speaker: str = "") -> IndexedText:
    """Return a text by its index terms."""
    counts = Counter(terms(text))
    pairs = sorted((term_hash(term), min(count, _MOST)) for term, count in counts.items())
    return IndexedText(
        hashes=np.array([hashed for hashed, _ in pairs], dtype="<u8"),
        counts=np.array([count for _, count in pairs], dtype="<u2"),
        length=counts.total(),
        asks=_ASKS.search(text) is not None,
        speaker=term_hashes(speaker)[:_MOST],
    )


def term_hashes(text: str) -> tuple[int, ...]:
    """Return the hashes of a text's terms, ascending, each once."""
    return tuple(sorted({term_hash(term) for term in terms(text)}))


def unpacked(data: bytes) -> IndexedText:
    """Return what `IndexedText.to_bytes` packed, with this version."""
    words, names, asks, length = _HEAD.unpack_from(data)
    at = _HEAD.size
    speaker = np.frombuffer(data, "<u8", names, at)
    hashes = np.frombuffer(data, "<u8", words, at + 8 * names)
    counts = np.frombuffer(data, "<u2", words, at + 8 * (names + words))
    return IndexedText(hashes, counts, length, bool(asks), tuple(speaker.tolist()))
