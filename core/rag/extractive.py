"""Answers without a model: the best sentences, word for word, as far as they can be proven."""

from collections.abc import Sequence
from dataclasses import replace

from core.domain.answer import AnswerMode, Citation, RefusalReason
from core.rag.answering import NOT_PROVABLE, Draft, Material, refused
from core.rag.citations import Claim, Prover
from core.rag.gate import Gate
from core.rag.selection import MAX_QUOTES, Chosen

_WEAKER = 0.3
"""Further sentences are quoted when they score this part of the best one."""
_CANDIDATES_TO_PROVE = 6
_CONSIDERED = 12
"""So many of the best sentences the glass box shows."""

_Considered = dict[int, tuple[str, int | None]]


def extractive(material: Material, prover: Prover, gate: Gate) -> Draft:
    """Quote the best sentences that can be proven, at most `MAX_QUOTES`, or refuse."""
    considered: _Considered = {
        i: ("enough", None) for i in range(min(len(material.chosen), _CONSIDERED))
    }
    reason = gate.refusal(material)
    if reason is not None:
        too_far = {i: ("too_far", None) for i in considered}
        return refused(material.language, reason, considered=too_far)
    wanted = _wanted(gate.near(material), considered)
    citations, chunks, removed = _proven(wanted, material, prover, considered)
    if not citations:
        return refused(
            material.language,
            RefusalReason.NOT_PROVABLE,
            removed=removed,
            notice=NOT_PROVABLE,
            considered=considered,
        )
    return Draft(
        text="\n\n".join(f"{c.quote} [{c.number}]" for c in citations),
        mode=AnswerMode.EXTRACTIVE,
        citations=tuple(citations),
        removed=removed,
        considered=considered,
        cited_chunks=chunks,
    )


def _wanted(
    near: Sequence[tuple[int, Chosen]], considered: _Considered
) -> list[tuple[int, Chosen]]:
    """Return the sentences to prove of those that are near; note why others are not wanted."""
    for i in considered.keys() - {i for i, _ in near}:
        considered[i] = ("too_far", None)
    if not near:
        return []
    best = near[0][1].score
    wanted = [(i, c) for i, c in near if c.score >= _WEAKER * best]
    for i in considered.keys() & ({i for i, _ in near} - {i for i, _ in wanted}):
        considered[i] = ("weaker", None)
    return wanted[:_CANDIDATES_TO_PROVE]


def _proven(
    wanted: Sequence[tuple[int, Chosen]],
    material: Material,
    prover: Prover,
    considered: _Considered,
) -> tuple[list[Citation], dict[str, tuple[int, ...]], int]:
    """Return the numbered citations, their numbers by chunk, and how many fell out.

    What is shown first is proven first; what falls out is replaced by the next best.
    """
    citations: list[Citation] = []
    chunks: dict[str, tuple[int, ...]] = {}
    removed = 0
    left = list(wanted)
    while left and len(citations) < MAX_QUOTES:
        step = left[: MAX_QUOTES - len(citations)]
        left = left[len(step) :]
        claims = [
            Claim(c.found.document, c.sentence.ranges, c.score, c.found.chunk.heading_path)
            for _, c in step
        ]
        for (i, c), citation in zip(step, prover.prove(claims, material.pages), strict=True):
            if citation is None:
                removed += 1
                considered[i] = ("not_proven", None)
                continue
            number = len(citations) + 1
            citations.append(replace(citation, number=number))
            chunk_id = c.found.chunk.id
            chunks[chunk_id] = (*chunks.get(chunk_id, ()), number)
            considered[i] = ("cited", number)
    return citations, chunks, removed
