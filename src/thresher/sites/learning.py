"""Incremental, unsupervised learning of a site from its pages.

For every place, the pages that have it are counted, and for every text in its place, the pages that
have it there. Both tables are bounded: the entries seen least often, and least recently, are
evicted first (after Manku and Motwani 2002, Approximate frequency counts over data streams).

Near copies, the same article at two URLs, or before and after a correction, count as one page,
otherwise the article would be text that the site repeats. (A print version has its text in other
places, so it counts as another page, and repeats nothing.) A page's sketch is the hash of its title
and the smallest hashes of its long texts (bottom-k sketch, Broder 1997, On the resemblance and
containment of documents).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline
from thresher.features.hashing import Hashes
from thresher.page import Page
from thresher.page.scan import IntArray
from thresher.sites.keys import Keys, format_places, read_keys, text_keys
from thresher.sites.rulebook import Rules


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """A group of pages with similar places; arrays are sorted by key."""

    pages: int
    place: Hashes
    """uint64[n_place]"""
    seen: IntArray
    """Pages of this layout that have each place; int32[n_place]."""
    blocks: IntArray
    """Blocks in each place, on all pages of the layout; int32[n_place]."""
    letters: npt.NDArray[np.int64]
    """Letters in each place, on all pages of the layout; int64[n_place]."""


@dataclass(frozen=True, slots=True, eq=False)
class SiteTexts:
    """Texts in their places, sorted by key."""

    key: Hashes
    """uint64[n_text]"""
    place: Hashes
    """uint64[n_text]"""
    pages: IntArray
    """Pages with this text in this place; int32[n_text]."""
    last: IntArray
    """Index of the last such page; int32[n_text]."""
    letters: IntArray
    """int32[n_text]"""


_NO_TEXTS: Final = SiteTexts(
    np.zeros(0, np.uint64),
    np.zeros(0, np.uint64),
    np.zeros(0, np.int32),
    np.zeros(0, np.int32),
    np.zeros(0, np.int32),
)


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A learned site; immutable, and of bounded size however many pages it was learned from."""

    pages: int = 0
    """Pages learned from; near copies count once."""
    layouts: tuple[Layout, ...] = ()
    texts: SiteTexts = _NO_TEXTS
    paths: dict[int, str] = field(default_factory=dict)
    """CSS selector of each place."""
    wording: dict[int, str] = field(default_factory=dict)
    """Texts on two or more pages, by key, cut to `MAX_CHARS`."""
    sketches: tuple[tuple[int, ...], ...] = ()
    """A sketch of each page by which near copies are recognised, see `make_sketch`."""
    rules: Rules = field(default_factory=Rules)


_HASHES: Final = 4
_LONG_LETTERS: Final = 60
"""Minimum letters of a long text, which is unlikely to be a label."""
_SAME_TEXTS: Final = 2
"""Common texts that make two pages with the same title copies; with other titles, four of four were
notices that a newspaper puts on every page."""


def make_sketch(page: Page, keys: Keys) -> tuple[int, ...]:
    """Return the hash of the title, and the `_HASHES` smallest hashes of long texts, ascending."""
    title = " ".join(page.text_of(page.title_row).split()) if page.title_row >= 0 else ""
    texts = np.unique(keys.text[keys.letters >= _LONG_LETTERS])[:_HASHES]
    return crc32(title.encode()), *texts.tolist()


def find_copy(sketch: tuple[int, ...], others: Iterable[tuple[int, ...]]) -> bool:
    """Return whether a page is a near copy of one of the others.

    It is if all its hashes are equal, or that of the title and half of those of the texts.
    """
    texts = set(sketch[1:])
    return any(
        sketch == other
        or (sketch[0] == other[0] and len(texts.intersection(other[1:])) >= _SAME_TEXTS)
        for other in others
    )


MAX_TEXTS: Final = 1500
"""Maximum texts of a site: those of several pages."""
MAX_PLACES: Final = 120
"""Maximum places of a layout."""
MAX_LAYOUTS: Final = 6
MAX_SKETCHES: Final = 200
"""Pages whose copies are recognised; with more, one page makes little difference."""
MAX_CHARS: Final = 300
"""Characters stored of a repeated text, for people to read."""
MIN_LIKENESS: Final = 0.3
"""Share of common places (Jaccard) from which pages have the same layout."""


def learn(pages: Iterable[Page]) -> Site:
    """Learn a site from pages of one host; fewer than two give no evidence."""
    site = Site()
    for page in pages:
        check_deadline()
        site = update(site, page)
    return site


def update(site: Site, page: Page) -> Site:
    """Learn one more page; a near copy of a page already learned changes nothing."""
    keys = read_keys(page)
    sketch = make_sketch(page, keys)
    if not keys.place.size or find_copy(sketch, site.sketches):
        return site
    texts, new = _count_texts(site, keys)
    layouts = _count_places(site.layouts, keys)
    held = {int(key) for layout in layouts for key in layout.place}
    paths = {key: path for key, path in site.paths.items() if key in held}
    place, first = np.unique(keys.place, return_index=True)
    block_of = dict(zip(place.tolist(), first.tolist(), strict=True))
    new_places = [key for key in block_of if key in held and key not in paths]
    new_paths = format_places(page, (block_of[key] for key in new_places))
    paths.update(zip(new_places, new_paths, strict=True))
    repeated = set(texts.key[texts.pages > 1].tolist())
    wording = {key: text for key, text in site.wording.items() if key in repeated}
    for key, block in new.items():
        if key in repeated and key not in wording:
            wording[key] = " ".join(page.block_text(block).split())[:MAX_CHARS]
    return replace(
        site,
        pages=site.pages + 1,
        layouts=layouts,
        texts=texts,
        paths=paths,
        wording=wording,
        sketches=(*site.sketches, sketch)[-MAX_SKETCHES:],
    )


def likeness(layout: Layout, place: npt.NDArray[np.uint64]) -> float:
    """Return the share of common places of a page (distinct places) and a layout.

    Of the layout, only places that half of its pages have are counted.
    """
    usual = layout.place[2 * layout.seen >= layout.pages]
    shared = np.isin(place, usual).sum()
    whole = usual.size + place.size - shared
    return float(shared / whole) if whole else 0.0


def _count_texts(site: Site, keys: Keys) -> tuple[SiteTexts, dict[int, int]]:
    """Count the texts of a page; also return the block of each."""
    all_keys = text_keys(keys)
    worded = (keys.letters > 0).nonzero()[0]
    key, first = np.unique(all_keys[worded], return_index=True)
    block = worded[first]
    old = site.texts
    whole, at = np.unique(np.concatenate((old.key, key)), return_inverse=True)
    n_old = old.key.size
    columns = []
    for was, now in (
        (old.place, keys.place[block]),
        (old.last, np.full(key.size, site.pages)),
        (old.letters, keys.letters[block]),
    ):
        column = np.zeros(whole.size, was.dtype)
        column[at[:n_old]] = was
        column[at[n_old:]] = now
        columns.append(column)
    pages = np.zeros(whole.size, np.int32)
    pages[at[:n_old]] = old.pages
    pages[at[n_old:]] += 1
    best = np.sort(np.lexsort((columns[1], pages))[-MAX_TEXTS:])
    place, last, letters = (column[best] for column in columns)
    texts = SiteTexts(whole[best], place, pages[best], last, letters)
    return texts, dict(zip(key.tolist(), block.tolist(), strict=True))


def _count_places(layouts: tuple[Layout, ...], keys: Keys) -> tuple[Layout, ...]:
    place, at = np.unique(keys.place, return_inverse=True)
    blocks, letters = np.bincount(at), np.bincount(at, keys.letters)
    page = _make_layout(1, place, np.ones(place.size), blocks, letters)
    like = [likeness(layout, place) for layout in layouts]
    best = int(np.argmax(like)) if like else -1
    if best < 0 or (like[best] < MIN_LIKENESS and len(layouts) < MAX_LAYOUTS):
        return (*layouts, _cut(page))
    return (*layouts[:best], _cut(_add(layouts[best], page)), *layouts[best + 1 :])


def _make_layout(pages: int, place: Hashes, *counts: npt.NDArray[Any]) -> Layout:
    """Make a layout of the counts of its places: seen, blocks and letters."""
    seen, blocks, letters = counts
    return Layout(
        pages, place, seen.astype(np.int32), blocks.astype(np.int32), letters.astype(np.int64)
    )


def _add(layout: Layout, page: Layout) -> Layout:
    place, at = np.unique(np.concatenate((layout.place, page.place)), return_inverse=True)
    pairs = (
        (layout.seen, page.seen),
        (layout.blocks, page.blocks),
        (layout.letters, page.letters),
    )
    sums = (np.bincount(at, np.concatenate(pair), place.size) for pair in pairs)
    return _make_layout(layout.pages + page.pages, place, *sums)


def _cut(layout: Layout) -> Layout:
    """Drop places beyond `MAX_PLACES`: those with the fewest pages and letters."""
    best = np.sort(np.lexsort((layout.letters, layout.seen))[-MAX_PLACES:])
    counts = (layout.seen[best], layout.blocks[best], layout.letters[best])
    return _make_layout(layout.pages, layout.place[best], *counts)
