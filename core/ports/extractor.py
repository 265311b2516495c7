"""Port: reading from a text which things it speaks of and what it says of them."""

from dataclasses import dataclass
from typing import Protocol

from core.domain.graph import Entity, RelationKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMention:
    """A thing that a sentence names. `confidence` is in (0, 1]."""

    entity: Entity
    sentence: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFact:
    """What a sentence says of two things. `label` is the verb or phrase it was read from."""

    subject: Entity
    kind: RelationKind
    object: Entity
    sentence: str
    confidence: float
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAlias:
    """Two names of which a sentence says that they mean the same; `entity` has the fuller one."""

    entity: Entity
    other: Entity
    sentence: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What was read from a text, in the order of its sentences.

    Every `sentence` stands in the text letter for letter.
    """

    mentions: tuple[ReadMention, ...] = ()
    facts: tuple[ReadFact, ...] = ()
    aliases: tuple[ReadAlias, ...] = ()


class Extractor(Protocol):
    """Reads entities and relations. Safe in several threads."""

    @property
    def name(self) -> str:
        """What reads, as shown to the learner: `rules`, a model's id."""

    def extract(self, text: str, *, language: str) -> Extracted:
        """Read a text in `language` (`en` or `zh`); nothing read is an empty result.

        Raises `ModelError` where a model reads and fails.
        """
