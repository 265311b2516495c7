"""What an answer is made from, and what it is before it is recorded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.answer import AnswerMode, Citation, Doubt, RefusalReason
from core.prompts import answer as prompt
from core.rag.retrieval import PageLookup, Retrieval
from core.rag.selection import Chosen, choose

NOTHING_PROVEN = "nothing_proven"
"""Notice: nothing the model said could be proven; the best sentences stand in its place."""
NOT_PROVABLE = "not_provable"
"""Notice: no sentence of the documents could be proven, for example because files are gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An answer before it is recorded. `notice` and `detail` as in `Answer`.

    `refusal` is why there is no answer, None with one. `considered` says of each sentence of
    `Material.chosen`, by its position, why it is a quote or not (codes of `TraceSentence.why`), and
    which citation it became. `cited_chunks` are the numbers of the citations by chunk id; `read`
    are the ids of the chunks that a model was shown.
    """

    text: str
    mode: AnswerMode
    citations: tuple[Citation, ...] = ()
    removed: int = 0
    notice: str | None = None
    detail: str | None = None
    refusal: RefusalReason | None = None
    doubts: tuple[Doubt, ...] = ()
    considered: Mapping[int, tuple[str, int | None]] = field(default_factory=dict)
    cited_chunks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    read: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Material:
    """What an answer is made from. `notes` are what the learner noted or asked, for a model.

    `is_given`: the first sentences are known to answer; nothing else judges that.
    """

    question: str
    language: str
    retrieval: Retrieval
    pages: PageLookup
    chosen: Sequence[Chosen] = ()
    notes: tuple[str, ...] = ()
    is_given: bool = False


def refused(
    language: str,
    reason: RefusalReason,
    *,
    removed: int = 0,
    notice: str | None = None,
    considered: Mapping[int, tuple[str, int | None]] | None = None,
) -> Draft:
    """Return the answer that says that the documents do not answer."""
    return Draft(
        text=prompt.REFUSAL[language],
        mode=AnswerMode.REFUSED,
        removed=removed,
        notice=notice,
        refusal=reason,
        considered=considered or {},
    )


def choose_sentences(
    question: str,
    language: str,
    retrieval: Retrieval,
    pages: PageLookup,
    notes: tuple[str, ...] = (),
) -> Material:
    """Return the material of an answer with its candidate sentences."""
    chosen = choose(question, language, retrieval, pages)
    return Material(question, language, retrieval, pages, chosen, notes)
