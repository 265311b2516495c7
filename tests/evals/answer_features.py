"""What an answer tells about how sure it is, and how well each of these numbers tells apart
questions that the documents answer from those that they do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.domain.answer import Answer, AnswerMode

ALLOWED = (0.01, 0.02, 0.05)
"""Shares of answerable questions that a limit may refuse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One question asked of documents that answer it, or not. `group` is what is counted apart.

    `lang` is the language of the question, an arrow, and that of the documents. `features` are
    numbers in which more means surer.
    """

    group: str
    lang: str
    id: str
    question: str
    answerable: bool
    refused: bool
    mode: str
    reason: str | None
    features: Mapping[str, float]


def row_of(answer: Answer, *, group: str, lang: str, id: str, answerable: bool) -> Row:
    """Return what counts of an answer."""
    return Row(
        group=group,
        lang=lang,
        id=id,
        question=answer.question,
        answerable=answerable,
        refused=answer.mode is AnswerMode.REFUSED,
        mode=answer.mode.value,
        reason=None if answer.refusal is None else answer.refusal.reason.value,
        features=features_of(answer),
    )


def features_of(answer: Answer) -> dict[str, float]:
    """Return the scores of the first passage, the best of all, and those of the sentences.

    `first.x` is a score of the first passage, `best.x` the best of all passages, `quote.x` those of
    the citations; `sentence.x` are the features of the best sentence considered and
    `best_sentence.x` the best of all sentences, where the answer has a trace.
    """
    out: dict[str, float] = {}
    passages = [{"score": p.score, **p.scores} for p in answer.passages]
    if passages:
        out |= {f"first.{k}": float(v) for k, v in passages[0].items()}
        out |= _best("best", passages)
    if answer.citations:
        out["quote.score"] = max(c.score for c in answer.citations)
    if answer.trace is not None and answer.trace.sentences:
        sentences = [{"score": s.score, **s.features} for s in answer.trace.sentences]
        out |= {f"sentence.{k}": float(v) for k, v in sentences[0].items()}
        out |= _best("best_sentence", sentences)
    return out


def _best(prefix: str, scores: Sequence[Mapping[str, float]]) -> dict[str, float]:
    keys = {key for own in scores for key in own}
    return {f"{prefix}.{k}": float(max(own.get(k, 0.0) for own in scores)) for k in sorted(keys)}


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Return how often a positive is above a negative, ties counting half."""
    ordered = sorted([(v, 1) for v in positive] + [(v, 0) for v in negative])
    ranks, i = 0.0, 0
    while i < len(ordered):
        j = i
        while j < len(ordered) and ordered[j][0] == ordered[i][0]:
            j += 1
        ranks += (i + j + 1) / 2 * sum(label for _, label in ordered[i:j])
        i = j
    n = len(positive)
    return (ranks - n * (n + 1) / 2) / (n * len(negative))


def limit_for(values: Sequence[float], refused: float) -> float:
    """Return the highest limit under which at most the share `refused` of the values lies."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * refused), len(ordered) - 1)]


def below(values: Sequence[float], limit: float) -> float:
    """Return the share of the values below the limit."""
    return sum(v < limit for v in values) / len(values)


def sweep(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return for each language and feature how well it tells apart, alone.

    `auc` is over all unanswerable questions. For each share in `ALLOWED` of answerable questions
    refused: the limit that does it, and the share of each unanswerable group below it.
    """
    out = []
    for lang in sorted({r.lang for r in rows}):
        own = [r for r in rows if r.lang == lang]
        names = sorted({name for r in own for name in r.features})
        found = [_tell_apart(lang, name, own) for name in names]
        out += sorted((f for f in found if f), key=lambda f: -f["auc"])
    return out


def _tell_apart(lang: str, name: str, rows: Sequence[Row]) -> dict[str, Any]:
    values: dict[str, list[float]] = {r.group: [] for r in rows if not r.answerable}
    yes: list[float] = []
    for r in rows:
        (yes if r.answerable else values[r.group]).append(r.features.get(name, 0.0))
    no = [v for own in values.values() for v in own]
    if not yes or not no:
        return {}
    limits = {share: limit_for(yes, share) for share in ALLOWED}
    return {
        "lang": lang,
        "feature": name,
        "auc": auc(yes, no),
        "limits": {
            str(share): {"limit": limit, **{g: below(own, limit) for g, own in values.items()}}
            for share, limit in limits.items()
        },
    }


def sweep_table(found: Sequence[Mapping[str, Any]], allowed: float = 0.05) -> str:
    """Return the sweep at one share of answerable questions refused, as aligned lines."""
    lines = [f"Refused at the limit that refuses {allowed:.0%} of the answerable questions"]
    for one in found:
        at = one["limits"][str(allowed)]
        groups = "  ".join(f"{g} {v:.3f}" for g, v in at.items() if g != "limit")
        lines.append(
            f"{one['lang']}  {one['feature']:32} auc {one['auc']:.3f}  "
            f"< {at['limit']:.3f}: {groups}"
        )
    return "\n".join(lines)
