"""Draw the figures of the docs from pages of our own.

    python -m tests.docs.figures docs/images/figures

Writes each of `FIGURES` as an SVG file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import thresher
from tests.docs.figures.concepts import draw_mask, draw_masks, draw_table, draw_writing
from tests.docs.figures.densities import draw_lines, draw_strings
from tests.docs.figures.errors import draw_errors
from tests.docs.figures.scores import draw_scores
from thresher import Document
from thresher.algorithms import MethodName

_ROOT: Final = Path(__file__).parents[3]
_HARBOUR: Final = _ROOT / "examples" / "harbour.html"
_NEWS: Final = _ROOT / "tests" / "pages" / "news-article" / "page.html"
_TABLES: Final = _ROOT / "tests" / "pages" / "layout-table-2003" / "page.html"
_CARD: Final = _ROOT / "src" / "thresher" / "models" / "density_lines.md"
_URL: Final = "https://tidewater.example/2026/harbour"
_DEGREE: Final = 9
"""Degree of the polynomial that is drawn: with more, it follows single strings."""


def _extract(method: MethodName = "learned", page: Path = _HARBOUR) -> Document:
    return thresher.extract(page.read_bytes(), url=_URL, method=method)


FIGURES: Final[dict[str, Callable[[], str]]] = {
    "table": lambda: draw_table(_extract()),
    "mask": lambda: draw_mask(_extract()),
    "masks": lambda: draw_masks(_extract()),
    "writing": lambda: draw_writing(_extract()),
    "link_ratio": lambda: draw_scores(
        _extract("link_ratio"), "limit − links per word of the container"
    ),
    "link_quota": lambda: draw_scores(_extract("link_quota"), "0.5 − share of text in links"),
    "prune_shake_purify": lambda: draw_scores(
        _extract("prune_shake_purify"), "words − 2 · words in links − tags"
    ),
    "crunch": lambda: draw_scores(_extract("crunch", _TABLES), "0.25 − links per word of the cell"),
    "density_lines": lambda: draw_lines(_extract(page=_NEWS).page),
    "density_lines-errors": lambda: draw_errors(_CARD),
    "max_density": lambda: draw_strings(_extract(page=_NEWS).page),
    "max_density-polynomial": lambda: draw_strings(_extract(page=_NEWS).page, _DEGREE),
}
"""Name → what draws it, from the page that it is drawn from."""


def main(arguments: Sequence[str]) -> int:
    """Write the figures into the folder that is named."""
    (folder,) = map(Path, arguments)
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in FIGURES.items():
        (folder / f"{name}.svg").write_text(draw(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
