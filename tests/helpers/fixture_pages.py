"""Whole pages with what the writers must make of them: tests/pages/<slug>/, read as data.

`about.toml` says what is kept, by CSS selectors, so that no expectation depends on an algorithm.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tests.helpers.data import read_tables
from thresher import Document, Page, Selection
from thresher.extraction import document_of
from thresher.page.canonical import source_tree
from thresher.page.parse import pair_elements, parse

_FOLDER: Final = Path(__file__).parents[1] / "pages"
EXPECTED_FILES: Final[dict[Any, str]] = {
    "markdown": "expected.md",
    "text": "expected.txt",
    "html": "expected.html",
}
"""Format → the file that holds what is expected."""


@dataclass(frozen=True)
class FixturePage:
    """One page of tests/pages."""

    folder: Path

    def document(self) -> Document:
        """Parse the page, and keep what about.toml says."""
        about = read_tables(self.folder / "about")
        html = (self.folder / "page.html").read_text(encoding="utf-8")
        return document_keeping(html, about["keep"], about["drop"], url=about["url"])

    def expected(self, format: str) -> str:
        """Return what a writer must write; fails where the file is missing."""
        return (self.folder / EXPECTED_FILES[format]).read_text(encoding="utf-8")


PAGES: Final = {folder.name: FixturePage(folder) for folder in sorted(_FOLDER.iterdir())}
"""Every page by its slug."""


def document_keeping(
    html: str,
    keep: Iterable[str] = ("body",),
    drop: Iterable[str] = (),
    *,
    url: str | None = "https://site.example/dir/page.html",
) -> Document:
    """Make a document that keeps what is in elements of ``keep`` and not in those of ``drop``."""
    page = parse(html, url=url)
    rows = flag_rows(page, keep) & ~flag_rows(page, drop)
    n_row = len(page)
    return document_of(
        Selection.of_rows(
            page,
            "by hand",
            rows,
            score=rows.astype(np.float32),
            reason_code=np.zeros(n_row, np.int16),
            reasons=("chosen by hand",),
        )
    )


def random_document(html: str, seed: int) -> Document:
    """Keep leaves at random."""
    page = parse(html, url="https://site.example/")
    n_block = len(page.blocks)
    return document_of(
        Selection(
            page,
            "at random",
            np.random.default_rng(seed).random(page.leaves.size) < 0.5,
            np.zeros(n_block, np.float32),
            np.zeros(n_block, np.int16),
            ("by lot",),
        )
    )


def flag_rows(page: Page, selectors: Iterable[str]) -> npt.NDArray[np.bool_]:
    """Flag the rows that are, or are inside, elements that any of the selectors finds."""
    tree = source_tree(page.source)
    chosen = {element for selector in selectors for element in tree.select(selector)}
    flags = np.zeros(len(page), np.bool_)
    for row, element in pair_elements(page, tree).items():
        flags[row] = element in chosen
    return page.within(flags)
