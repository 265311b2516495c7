"""Charts as SVG, each with the sentence that says what it means."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from app.components.elements import element, text
from app.i18n import Words

WINDOW = 14  # days
KINDS = {"loads": "documents", "questions": "questions", "notes": "notes"}  # activity: words
WIDTH, HEIGHT, BASE, TOP = 560, 170, 140, 14  # of the activity chart, in its own units
STEP = WIDTH / WINDOW
SOURCES = 6  # documents that the second chart names


def _figure(title: str, *content: str, sentence: str, identity: str) -> str:
    return element(
        "figure",
        text("h3", title),
        *content,
        text("figcaption", sentence),
        class_="chart",
        id=identity,
    )


def _bar(day: date, index: int, count: Mapping[str, int], scale: float, words: Words) -> str:
    """Return the stacked bar of a day; `scale` is the height of one action."""
    y, parts = float(BASE), []
    for kind, name in KINDS.items():
        height = count.get(kind, 0) * scale
        if not height:
            continue
        y -= height
        tip = f"{day.isoformat()}: {count[kind]} {words(f'progress.chart_{name}')}"
        parts.append(
            element(
                "rect",
                text("title", tip),
                class_=f"bar bar-{name}",
                x=f"{(index + 0.2) * STEP:.1f}",
                y=f"{y:.1f}",
                width=f"{STEP * 0.6:.1f}",
                height=f"{height:.1f}",
                rx=2,
            )
        )
    return "".join(parts)


def _day_labels(days: Sequence[date]) -> str:
    places = ((0, 0, "start"), (WINDOW // 2, STEP / 2, "middle"), (WINDOW - 1, STEP, "end"))
    return "".join(
        text(
            "text",
            f"{days[index]:%m-%d}",
            x=f"{index * STEP + shift:.1f}",
            y=BASE + 20,
            text_anchor=anchor,
        )
        for index, shift, anchor in places
    )


def _activity_sentence(days: Sequence[date], totals: Sequence[int], words: Words) -> str:
    if not any(totals):
        return words("progress.activity_none", window=WINDOW)
    busiest = max(range(len(days)), key=lambda i: totals[i])
    return words(
        "progress.activity_text",
        days=sum(1 for total in totals if total),
        window=WINDOW,
        day=days[busiest].isoformat(),
        count=totals[busiest],
    )


def activity_chart(activity: Mapping[str, Mapping[str, int]], today: date, words: Words) -> str:
    """Return actions by day over the last `WINDOW` days. Keys of `activity` are ISO dates."""
    days = [today - timedelta(days=back) for back in range(WINDOW - 1, -1, -1)]
    counts = [activity.get(day.isoformat(), {}) for day in days]
    totals = [sum(count.get(kind, 0) for kind in KINDS) for count in counts]
    scale = (BASE - TOP) / max(1, *totals)
    bars = [
        _bar(day, index, count, scale, words)
        for index, (day, count) in enumerate(zip(days, counts, strict=True))
    ]
    sentence = _activity_sentence(days, totals, words)
    svg = element(
        "svg",
        element("line", class_="axis", x1=0, x2=WIDTH, y1=BASE, y2=BASE),
        *bars,
        _day_labels(days),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=sentence,
    )
    keys = [
        text("span", words(f"progress.chart_{name}"), class_=f"key key-{name}")
        for name in KINDS.values()
    ]
    return _figure(
        words("progress.activity"),
        element("p", *keys, class_="legend"),
        svg,
        sentence=sentence,
        identity="chart-activity",
    )


def _source_bar(name: str, count: int, most: int) -> str:
    fill = element("span", class_="bar-fill", style=f"width:{count / most:.1%}")
    return element(
        "li",
        text("span", name, class_="bar-name", title=name),
        element("span", fill, class_="bar-track"),
        text("span", count, class_="bar-count"),
    )


def sources_chart(citations: Mapping[str, int], words: Words) -> str:
    """Return how often each document was cited, given by name; the most cited first."""
    ranked = sorted(citations.items(), key=lambda item: (-item[1], item[0]))[:SOURCES]
    if ranked:
        name, most = ranked[0]
        bars = element("ul", *(_source_bar(n, c, most) for n, c in ranked), class_="bars")
        sentence = words.count("progress.sources_text", most, document=name)
    else:
        bars, sentence = "", words("progress.sources_none")
    return _figure(words("progress.sources"), bars, sentence=sentence, identity="chart-sources")
