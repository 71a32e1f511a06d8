"""A canvas for the figures of the docs: SVG that follows the reader's light or dark setting.

A figure is as wide as the text of a page on a phone, so that nothing shrinks there; larger screens
enlarge it. What is kept is filled and what is dropped is outlined, so that no meaning is in colour
alone. The background is painted, because a page may be set to another scheme than the browser.
"""

from __future__ import annotations

from html import escape
from typing import Final

WIDTH: Final = 360
"""Width of every figure, in pixels of a phone with 390."""
LINE: Final = 17.0
"""Height of a row of text, in the same unit."""
_ENLARGED: Final = 1.5
"""How much larger a figure is where there is room."""

_STYLE: Final = """
text { font: 11px system-ui, sans-serif; fill: #1f2328 }
.mono { font: 10px ui-monospace, "DejaVu Sans Mono", monospace }
.muted { fill: #57606a }
.title { font-weight: 600 }
.end { text-anchor: end }
.middle { text-anchor: middle }
.paper { fill: #fff }
.band { fill: #d9efec }
.in { fill: #00796b; stroke: #00796b }
.out { fill: none; stroke: #6b7480 }
.rule { stroke: #c4cbd3; fill: none }
.limit { stroke: #b3261e; fill: none; stroke-width: 1.5 }
.curve { stroke: #5b3fa8; fill: none; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
text { fill: #e6e8ee }
.muted { fill: #b3bac6 }
.paper { fill: #1e2129 }
.band { fill: #143f3a }
.in { fill: #4fc3b4; stroke: #4fc3b4 }
.out { stroke: #98a1ae }
.rule { stroke: #454b57 }
.limit { stroke: #ff9a90 }
.curve { stroke: #c3b1f5 }
}
"""


class Canvas:
    """A figure being drawn, from top to bottom."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._parts: list[str] = []

    def text(self, x: float, y: float, text: str, style: str = "") -> None:
        """Write a line of text with its baseline at ``y``."""
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" class="{style}" xml:space="preserve">{escape(text)}</text>'
        )

    def box(self, x: float, y: float, width: float, height: float, style: str) -> None:
        """Draw a rectangle."""
        self._parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
            f' class="{style}"/>'
        )

    def path(self, path: str, style: str, dashes: str = "") -> None:
        """Draw lines, as the attribute ``d`` describes them, and maybe dashed."""
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        self._parts.append(f'<path d="{path}" class="{style}"{dashed}/>')

    def finish(self, height: float) -> str:
        """Return the file of the figure."""
        size = f'width="{WIDTH * _ENLARGED:g}" height="{height * _ENLARGED:g}"'
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" {size}'
                f' role="img"><title>{escape(self._title)}</title>',
                f"<style>{_STYLE}</style>",
                f'<rect width="{WIDTH}" height="{height:g}" class="paper"/>',
                *self._parts,
                "</svg>\n",
            )
        )


def shorten(text: str, n_char: int) -> str:
    """Return a text on one line, cut where it would be longer."""
    flat = " ".join(text.split())
    return flat if len(flat) <= n_char else f"{flat[: n_char - 1].rstrip()}…"
