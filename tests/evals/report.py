"""Figures with their bounds: a table to read, JSON to keep, an exit code for scripts."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured number. `floor` and `ceiling` are inclusive; neither means "information".

    `value` is None when there was nothing to measure, which passes no bound.
    """

    name: str
    value: float | None
    count: int | None = None
    floor: float | None = None
    ceiling: float | None = None
    unit: str = ""

    @property
    def passed(self) -> bool | None:
        """Whether the bound is kept; None without a bound."""
        if self.floor is None and self.ceiling is None:
            return None
        if self.value is None:
            return False
        return (self.floor is None or self.value >= self.floor) and (
            self.ceiling is None or self.value <= self.ceiling
        )

    @property
    def bound(self) -> str:
        """The bound as text."""
        parts = []
        if self.floor is not None:
            parts.append(f">= {self.floor:g}")
        if self.ceiling is not None:
            parts.append(f"<= {self.ceiling:g}")
        return " ".join(parts)


def share(hits: int, total: int) -> float | None:
    """Return `hits / total`, or None without anything to count."""
    return hits / total if total else None


def percentile(values: Sequence[float], percent: float) -> float | None:
    """Return the value below which `percent` of the values lie (nearest rank)."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def table(title: str, figures: Sequence[Figure]) -> str:
    """Return the figures as aligned lines."""
    words = {True: "pass", False: "FAIL", None: ""}
    rows = [
        (
            f.name,
            "-" if f.value is None else f"{f.value:.4f}" if not f.unit else f"{f.value:.1f}",
            f.unit,
            "" if f.count is None else str(f.count),
            f.bound,
            words[f.passed],
        )
        for f in figures
    ]
    head = ("figure", "value", "unit", "n", "bound", "")
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = [title, "-" * len(title)]
    for row in [head, *rows]:
        cells = [
            cell.rjust(w) if i in (1, 3) else cell.ljust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def finish(
    sections: dict[str, Sequence[Figure]], *, json_file: Path | None, details: dict[str, Any]
) -> int:
    """Print all tables, write JSON if asked, and return the exit code: 1 when a bound is missed."""
    for title, figures in sections.items():
        print("\n" + table(title, figures))
    missed = [f"{t}: {f.name}" for t, fs in sections.items() for f in fs if f.passed is False]
    print("\n" + ("All bounds kept." if not missed else "Missed: " + "; ".join(missed)))
    if json_file is not None:
        data = {
            "passed": not missed,
            "figures": {
                title: [asdict(f) | {"passed": f.passed} for f in figures]
                for title, figures in sections.items()
            },
            **details,
        }
        json_file.parent.mkdir(parents=True, exist_ok=True)
        json_file.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
    return 1 if missed else 0


def arguments(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options that every eval has."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with the PDFs")
    parser.add_argument("--json", type=Path, default=None, help="also write the figures here")
    return parser
