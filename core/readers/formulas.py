"""Formulas that stand alone, by what they are made of."""

import re

from core.text.tokens import cjk_share

_OPERATOR = re.compile(r"[=≈≠≤≥<>∑∏∫√∂∇∞∈∉⊂⊆∪∩±×÷→⇒∝≡]")
_WORD = re.compile(r"[^\W\d_]{4,}(?![^\W\d_]*\s*[(\[])")
"""A word of a sentence; the name of a function has a bracket behind it."""
MAX_FORMULA = 160


def is_formula(text: str) -> bool:
    """Tell whether a block is a formula: an operator, names and numbers, no words."""
    return (
        len(text) <= MAX_FORMULA
        and _OPERATOR.search(text) is not None
        and _WORD.search(text) is None
        and cjk_share(text) == 0
        and any(map(str.isalpha, text))
    )
