"""Incremental, unsupervised learning of a site from its pages.

For every place, the pages that have it are counted, and for every text in its place, the pages that
have it there. Both tables are bounded: the entries seen least often, and least recently, are
evicted first (after Manku and Motwani 2002, Approximate frequency counts over data streams).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline
from thresher.page import Page
from thresher.sites.keys import Keys, format_places, read_keys, text_keys
from thresher.sites.model import Layout, Site, SiteTexts
from thresher.sites.sketch import find_copy, make_sketch

__all__ = ["MAX_CHARS", "learn", "likeness", "update"]

MAX_TEXTS: Final = 1500
"""Most texts of a site: those of several pages."""
MAX_PLACES: Final = 120
"""Most places of a layout."""
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
    """Add a page to the most similar layout, or to a new one."""
    place, at = np.unique(keys.place, return_inverse=True)
    page = Layout(
        1,
        place,
        np.ones(place.size, np.int32),
        np.bincount(at).astype(np.int32),
        np.bincount(at, keys.letters).astype(np.int64),
    )
    like = [likeness(layout, place) for layout in layouts]
    best = int(np.argmax(like)) if like else -1
    if best < 0 or (like[best] < MIN_LIKENESS and len(layouts) < MAX_LAYOUTS):
        return (*layouts, _cut(page))
    return (*layouts[:best], _cut(_add(layouts[best], page)), *layouts[best + 1 :])


def _add(layout: Layout, page: Layout) -> Layout:
    place, at = np.unique(np.concatenate((layout.place, page.place)), return_inverse=True)
    sums = [
        np.bincount(at, np.concatenate((mine, its)), place.size)
        for mine, its in (
            (layout.seen, page.seen),
            (layout.blocks, page.blocks),
            (layout.letters, page.letters),
        )
    ]
    seen, blocks, letters = sums
    return Layout(
        layout.pages + page.pages,
        place,
        seen.astype(np.int32),
        blocks.astype(np.int32),
        letters.astype(np.int64),
    )


def _cut(layout: Layout) -> Layout:
    """Drop places beyond `MAX_PLACES`: those with the fewest pages and letters."""
    best = np.sort(np.lexsort((layout.letters, layout.seen))[-MAX_PLACES:])
    return Layout(
        layout.pages,
        layout.place[best],
        layout.seen[best],
        layout.blocks[best],
        layout.letters[best],
    )
