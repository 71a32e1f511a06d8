"""Human-readable description of a site: selectors of its layouts, and the text it repeats.

The selectors are informative; they have no effect unless a user copies them into the rules.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np

from thresher.sites.model import Layout, Site

__all__ = ["Selectors", "chrome", "describe"]

_MOST: Final = 0.5
"""Share of the letters in a place that must repeat for it to be dropped, and of the pages with a
place that must have a text for it to be boilerplate."""
_FEW: Final = 0.1
"""Largest share of a place's letters that may repeat if it holds content."""
_LONG_LETTERS: Final = 60
"""Fewest letters of the mean block of a content place; labels and links are shorter."""
_LISTED: Final = 8
"""Selectors listed of each kind."""
_FIELDS: Final = {
    "title": (re.compile(r"h1"), 1),
    "author": (re.compile(r"[^#.]*[#.].*(?:author|byline)", re.IGNORECASE), 3),
    "date": (re.compile(r"[^#.]*[#.].*(?:date|time|publish)", re.IGNORECASE), 2),
}
"""Pattern of a step in the path to each field, and how many of the last steps may match it."""


class Selectors(NamedTuple):
    """CSS selectors, from the root down, those with the most letters or pages first."""

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
    """Return the texts that most pages have in one place: navigation, contact, licence, footer.

    One paragraph per text, those on the most pages first; long ones are cut (`learn.MAX_CHARS`).
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
    """Sum, for each place of a layout, the letters of texts that several pages have there."""
    texts = site.texts
    several = (texts.pages > 1).nonzero()[0]
    at = np.searchsorted(layout.place, texts.place[several])
    known = layout.place.take(at, mode="clip") == texts.place[several]
    letters = texts.letters[several].astype(np.int64) * texts.pages[several]
    return np.bincount(at[known], letters[known], layout.place.size)
