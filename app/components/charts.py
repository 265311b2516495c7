"""Charts as SVG, each with the sentence that says what it means."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from app.i18n import Words
from app.presenters import escape, shorten

WINDOW = 14  # days
KINDS = {"loads": "documents", "questions": "questions", "notes": "notes"}  # activity: words
WIDTH, HEIGHT, BASE, TOP = 560, 170, 140, 14  # of the activity chart, in its own units
NAME_LENGTH = 40


def _figure(title: str, svg: str, sentence: str, *, identity: str, legend: str = "") -> str:
    return (
        f'<figure class="chart" id="{identity}"><h3>{escape(title)}</h3>{legend}{svg}'
        f"<figcaption>{escape(sentence)}</figcaption></figure>"
    )


def _bars(days: Sequence[date], counts: Sequence[Mapping[str, int]], words: Words) -> str:
    most = max(1, *(sum(c.values()) for c in counts))
    step = WIDTH / len(days)
    parts = [f'<line class="axis" x1="0" x2="{WIDTH}" y1="{BASE}" y2="{BASE}"/>']
    for index, (day, count) in enumerate(zip(days, counts, strict=True)):
        y = float(BASE)
        for kind, name in KINDS.items():
            height = count.get(kind, 0) / most * (BASE - TOP)
            if height:
                y -= height
                tip = f"{day.isoformat()}: {count[kind]} {words(f'progress.chart_{name}')}"
                parts.append(
                    f'<rect class="bar bar-{name}" x="{index * step + step * 0.2:.1f}"'
                    f' y="{y:.1f}" width="{step * 0.6:.1f}" height="{height:.1f}" rx="2">'
                    f"<title>{escape(tip)}</title></rect>"
                )
        if index in (0, len(days) // 2, len(days) - 1):
            anchor = ("start", "middle", "end")[(index > 0) + (index == len(days) - 1)]
            x = (index * step, index * step + step / 2, WIDTH)[
                (index > 0) + (index == len(days) - 1)
            ]
            parts.append(
                f'<text x="{x:.1f}" y="{BASE + 20}" text-anchor="{anchor}">{day:%m-%d}</text>'
            )
    return "".join(parts)


def activity_chart(activity: Mapping[str, Mapping[str, int]], today: date, words: Words) -> str:
    """Return actions by day over the last `WINDOW` days. Keys of `activity` are ISO dates."""
    days = [today - timedelta(days=back) for back in range(WINDOW - 1, -1, -1)]
    counts = [
        {kind: activity.get(day.isoformat(), {}).get(kind, 0) for kind in KINDS} for day in days
    ]
    totals = [sum(count.values()) for count in counts]
    if any(totals):
        busiest = max(range(len(days)), key=lambda i: totals[i])
        sentence = words(
            "progress.activity_text",
            days=sum(1 for total in totals if total),
            window=WINDOW,
            day=days[busiest].isoformat(),
            count=totals[busiest],
        )
    else:
        sentence = words("progress.activity_none", window=WINDOW)
    svg = (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(sentence)}">'
        f"{_bars(days, counts, words)}</svg>"
    )
    legend = "".join(
        f'<span class="key key-{name}">{words(f"progress.chart_{name}")}</span>'
        for name in KINDS.values()
    )
    return _figure(
        words("progress.activity"),
        svg,
        sentence,
        identity="chart-activity",
        legend=f'<p class="legend">{legend}</p>',
    )


def sources_chart(citations: Mapping[str, int], words: Words) -> str:
    """Return how often each document was cited, given by name; the most cited first."""
    ranked = sorted(citations.items(), key=lambda item: (-item[1], item[0]))[:6]
    if not ranked:
        return _figure(
            words("progress.sources"), "", words("progress.sources_none"), identity="chart-sources"
        )
    most = ranked[0][1]
    rows = "".join(
        f'<li><span class="bar-name">{escape(shorten(name, NAME_LENGTH))}</span>'
        f'<span class="bar-track"><span class="bar-fill" style="width:{count / most:.1%}"></span>'
        f'</span><span class="bar-count">{count}</span></li>'
        for name, count in ranked
    )
    sentence = words("progress.sources_text", document=ranked[0][0], count=most)
    return _figure(
        words("progress.sources"),
        f'<ul class="bars">{rows}</ul>',
        sentence,
        identity="chart-sources",
    )
