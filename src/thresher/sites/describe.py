"""A site in a person's words: selectors of its layouts, and what it repeats.

Selectors describe; nothing is decided by them but what a user moves to the rules.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np

from thresher.sites.model import Layout, Site

__all__ = ["Selectors", "chrome", "describe"]

_MOST: Final = 0.5
"""Share of a layout's pages that must have a place, and share of its texts that must repeat."""
_FEW: Final = 0.1
"""Share of a place's letters that may repeat where it holds content."""
_LONG_LETTERS: Final = 60
"""Letters of the mean block where the content is; labels and links are shorter."""
_LISTED: Final = 8
"""Selectors of each kind."""
_FIELDS: Final = {
    "title": (re.compile(r"h1"), 1),
    "author": (re.compile(r"[^#.]*[#.].*(?:author|byline)", re.IGNORECASE), 3),
    "date": (re.compile(r"[^#.]*[#.].*(?:date|time|publish)", re.IGNORECASE), 2),
}
"""How the steps of paths to fields begin, and which of the last steps may be one."""


class Selectors(NamedTuple):
    """CSS selectors, from the root down, those of the most letters or pages first."""

    content: tuple[str, ...]
    drop: tuple[str, ...]
    items: tuple[str, ...]
    """Places with many short blocks on each page: items of lists and threads."""
    title: str | None
    author: str | None
    date: str | None


def describe(site: Site, layout: Layout) -> Selectors:
    """Describe one layout of a site."""
    repeated = _repeated_letters(site, layout)
    share = repeated / np.maximum(layout.letters, 1)
    usual = 2 * layout.seen >= layout.pages
    long = layout.letters >= _LONG_LETTERS * layout.blocks
    varies = usual & (share <= _FEW) & (layout.letters > 0)
    by_letters = np.argsort(-layout.letters, kind="stable")
    by_pages = np.lexsort((-layout.letters, -layout.seen))
    many = layout.blocks >= 4 * layout.seen
    named = {int(key): site.paths.get(int(key), "") for key in layout.place}

    def paths(flags: np.ndarray, order: np.ndarray) -> tuple[str, ...]:
        found = [named[int(layout.place[i])] for i in order.tolist() if flags[i]]
        return tuple(path for path in found if path)[:_LISTED]

    fields = {
        name: next(
            (path for path in paths(varies, by_pages) if any(map(step.match, path.split()[-n:]))),
            None,
        )
        for name, (step, n) in _FIELDS.items()
    }
    return Selectors(
        paths(varies & long, by_letters),
        paths(usual & (share >= _MOST), by_letters),
        paths(varies & ~long & many, by_letters),
        **fields,
    )


def chrome(site: Site) -> str:
    """Return what most pages of the site have in one place: navigation, contact, licence, footer.

    A paragraph each, those on the most pages first; long ones are cut (`learn.MAX_CHARS`).
    """
    texts = site.texts
    seen = sum(
        (np.isin(texts.place, layout.place) * layout.pages for layout in site.layouts),
        np.zeros(texts.key.size, np.int64),
    )
    most = (texts.pages > 1) & (texts.pages >= _MOST * np.maximum(seen, 1))
    order = np.lexsort((texts.key, -texts.letters, -texts.pages))
    keys = [int(texts.key[i]) for i in order.tolist() if most[i]]
    return "\n\n".join(dict.fromkeys(site.wording[key] for key in keys if key in site.wording))


def _repeated_letters(site: Site, layout: Layout) -> np.ndarray:
    """Add up the letters of the texts that stand in each place of a layout on several pages."""
    texts = site.texts
    several = (texts.pages > 1).nonzero()[0]
    at = np.searchsorted(layout.place, texts.place[several])
    known = layout.place.take(at, mode="clip") == texts.place[several]
    letters = texts.letters[several].astype(np.int64) * texts.pages[several]
    return np.bincount(at[known], letters[known], layout.place.size)
