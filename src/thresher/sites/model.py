"""Data model of a site: its layouts, and the texts that several pages have in the same place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features.hashing import Hashes
from thresher.page.scan import IntArray
from thresher.sites.rules import Rules

__all__ = ["NO_TEXTS", "Layout", "Site", "SiteTexts"]


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


NO_TEXTS: Final = SiteTexts(
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
    texts: SiteTexts = NO_TEXTS
    paths: dict[int, str] = field(default_factory=dict)
    """CSS selector of each place."""
    wording: dict[int, str] = field(default_factory=dict)
    """Texts on two or more pages, by key, cut to `learn.MAX_CHARS`."""
    sketches: tuple[tuple[int, ...], ...] = ()
    """A sketch of each page by which near copies are recognised, see `sketch`."""
    rules: Rules = field(default_factory=Rules)
