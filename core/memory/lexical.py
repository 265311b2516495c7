"""Comparing short texts by their words: TF-IDF cosine, keywords, and the share of a query found."""

import math
from collections import Counter
from collections.abc import Sequence

from core.text.letters import letters
from core.text.terms import terms

JACCARD_FACTOR = 0.8
"""A set of shared words counts less than the whole query word for word (*Hello-Agents*, ch. 8)."""


def tfidf_cosines(query: str, texts: Sequence[str]) -> list[float]:
    """Return the cosine in [0, 1] of the query with each text; fitted on all of them."""
    counts = [Counter(terms(text)) for text in (query, *texts)]
    frequency = Counter(term for count in counts for term in count)
    idf = {t: math.log((1 + len(counts)) / (1 + n)) + 1 for t, n in frequency.items()}
    vectors = [{t: n * idf[t] for t, n in count.items()} for count in counts]
    norms = [math.sqrt(sum(w * w for w in vector.values())) for vector in vectors]
    out: list[float] = []
    for vector, norm in zip(vectors[1:], norms[1:], strict=True):
        dot = sum(w * vector.get(t, 0.0) for t, w in vectors[0].items())
        out.append(dot / (norm * norms[0]) if dot > 0 else 0.0)
    return out


def keyword_score(query: str, text: str) -> float:
    """Return how far the query stands in the text word for word, in [0, 1].

    Where it does, its share of the text's letters; else the Jaccard index of the words × 0.8.
    """
    wanted, found = letters(query), letters(text)
    if wanted and wanted in found:
        return len(wanted) / len(found)
    a, b = set(terms(query)), set(terms(text))
    return JACCARD_FACTOR * len(a & b) / len(a | b) if a & b else 0.0


def overlaps(query: str, texts: Sequence[str]) -> list[float]:
    """Return for each text the share of the query's terms it has, rare terms counting more."""
    wanted = set(terms(query))
    found = [wanted.intersection(terms(text)) for text in texts]
    frequency = Counter(term for hit in found for term in hit)
    weight = {t: math.log(1 + (1 + len(texts)) / (1 + frequency[t])) for t in wanted}
    total = sum(weight.values())
    return [sum(weight[t] for t in hit) / total if hit else 0.0 for hit in found]
