"""Whether two texts say the same, letter for letter."""

import hashlib
import unicodedata

_EDGES = " \t\n.,;:!?。，、；：！？…\"'“”‘’「」『』"


def fingerprint(text: str) -> str:
    """Return what texts share that differ in case, width, spaces and punctuation at the ends only.

    A hash, 32 hexadecimal digits, so that it can be kept beside a text without repeating it.
    """
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(_EDGES)
    return hashlib.sha256(folded.encode()).hexdigest()[:32]
