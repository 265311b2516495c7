"""The line icons of assets/icons, to be drawn in the colour of the text around them."""

from functools import cache
from pathlib import Path

ASSETS = Path(__file__).resolve().parents[2] / "assets"


@cache
def icon(name: str) -> str:
    """Return the SVG of an icon. Raises `FileNotFoundError` for a name without a file."""
    svg = (ASSETS / "icons" / f"{name}.svg").read_text(encoding="utf-8").strip()
    return svg.replace("<svg ", '<svg class="icon" aria-hidden="true" ', 1)


@cache
def logo() -> str:
    """Return the SVG of the logo."""
    svg = (ASSETS / "logo.svg").read_text(encoding="utf-8").strip()
    return svg.replace("<svg ", '<svg class="logo" aria-hidden="true" ', 1)
