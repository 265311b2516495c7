"""Small figures: a score as a bar, and a length of time as the parts of a bar."""

from collections.abc import Sequence

from app.components.elements import element, text
from app.i18n import Words

SHADES = 6  # colours of the parts of a bar, in turn
LEAST = 0.005  # share of the whole below which a part of time is not drawn


def number(value: float) -> str:
    """Return a score or weight with two decimals."""
    rounded = f"{abs(value):.2f}"
    return f"−{rounded}" if value < 0 and float(rounded) else rounded


def time_text(seconds: float, words: Words) -> str:
    """Return a length of time: milliseconds below one second, else seconds."""
    if seconds < 1:
        return words("found.milliseconds", count=max(1, round(seconds * 1000)) if seconds else 0)
    return words("found.seconds", count=f"{seconds:.1f}")


def meter(value: float | None, *, label: str) -> str:
    """Return a score as a bar with its figure, empty from 0 down; a dash for None."""
    if value is None:
        return text("span", "–", class_="no-score")
    share = min(1.0, max(0.0, value))
    bar = element("span", element("span", style=f"width:{share:.0%}"), class_="meter-track")
    figure = text("span", number(value), class_="figure")
    return element("span", bar, figure, class_="meter", title=f"{label}: {number(value)}")


def share_bar(shares: Sequence[tuple[str, float]], total: float, words: Words) -> str:
    """Return parts of `total` (seconds) side by side, with a key that names each."""
    parts, keys = [], []
    rest = total - sum(seconds for _, seconds in shares)
    everything = [*shares, (words("found.step_other"), rest)]
    for index, (name, seconds) in enumerate(everything):
        share = seconds / total if total > 0 else 0.0
        if share < LEAST and (index == len(shares) or seconds <= 0):
            continue
        said = time_text(seconds, words)
        shade = "rest" if index == len(shares) else str(index % SHADES)
        width = f"flex-grow:{max(share, LEAST):.4f}"
        parts.append(
            element("span", class_=f"share shade-{shade}", style=width, title=f"{name}: {said}")
        )
        keys.append(
            element(
                "li",
                element("span", class_=f"swatch shade-{shade}"),
                text("span", name),
                text("span", said, class_="figure"),
            )
        )
    return element("div", *parts, class_="share-bar", aria_hidden="true") + element(
        "ul", *keys, class_="share-keys"
    )
