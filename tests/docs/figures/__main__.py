"""Draw the figures of the docs from pages of our own.

    python -m tests.docs.figures docs/images/figures

Writes each of `FIGURES` as an SVG file.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tests.docs.figures.every_figure import FIGURES


def main(arguments: Sequence[str]) -> int:
    """Write the figures into the folder that is named."""
    (folder,) = map(Path, arguments)
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in FIGURES.items():
        (folder / f"{name}.svg").write_text(draw(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
