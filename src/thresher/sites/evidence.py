"""Site evidence for the blocks of a page: how many other pages have the same text in the place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.features.hashing import Hashes
from thresher.page import Page
from thresher.page.scan import IntArray
from thresher.sites.keys import read_keys, text_keys
from thresher.sites.learning import likeness
from thresher.sites.model import Site
from thresher.sites.sketch import find_copy, make_sketch

__all__ = ["Evidence", "Match", "match", "read_evidence"]


class Evidence(NamedTuple):
    """Counts over the other pages of the site; int32[n_block] each."""

    repeated: IntArray
    """Pages with the block's text in the block's place; 0 for blocks without letters."""
    seen: IntArray
    """Pages with the block's place."""

    @property
    def share(self) -> npt.NDArray[np.float64]:
        """Share of the pages with the place that have the text there; float64[n_block]."""
        return self.repeated / np.maximum(self.seen, 1)


class Match(NamedTuple):
    """The similarity of a page to a learned site."""

    layout: int | None
    """The most similar layout; None if no page was learned."""
    likeness: float
    """Share of common places, 0 to 1. Below `learn.MIN_LIKENESS` it matches no layout: the site has
    changed, or this kind of page was not learned; learn the site again."""


def read_evidence(site: Site, page: Page) -> Evidence:
    """Look up the blocks of a page; the page itself, or a copy of it, is not counted."""
    keys = read_keys(page)
    own = int(find_copy(make_sketch(page, keys), site.sketches))
    seen = np.zeros(keys.place.size, np.int32)
    for layout in site.layouts:
        seen += _look_up(keys.place, layout.place, layout.seen)
    repeated = _look_up(text_keys(keys), site.texts.key, site.texts.pages)
    repeated = np.where(keys.letters > 0, repeated, 0)
    seen = np.maximum(seen, repeated)  # a place beyond the bound may still have texts
    return Evidence(np.maximum(repeated - own, 0), np.maximum(seen - own, 0))


def match(site: Site, page: Page) -> Match:
    """Return the layout of a page, and the likeness to it."""
    place = np.unique(read_keys(page).place)
    like = [likeness(layout, place) for layout in site.layouts]
    return Match(int(np.argmax(like)), max(like)) if like else Match(None, 0.0)


def _look_up(wanted: Hashes, keys: Hashes, values: IntArray) -> IntArray:
    """Return the value of each wanted key, 0 if it is missing."""
    if not keys.size:
        return np.zeros(wanted.size, np.int32)
    at = np.searchsorted(keys, wanted)
    found = keys.take(at, mode="clip") == wanted
    return np.where(found, values.take(at, mode="clip"), 0).astype(np.int32)
