"""What is known of a site: its layouts, and the texts that stand in one place on several pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features.hashing import Hashes
from thresher.page.scan import IntArray

__all__ = ["NO_TEXTS", "Layout", "Rules", "Site", "SiteTexts"]


@dataclass(frozen=True, slots=True)
class Rules:
    """What the user says of a site, as CSS selectors; stronger than all that was learned."""

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Pages that have most of their places in common; arrays by ascending key."""

    pages: int
    place: Hashes
    """uint64[n_place]"""
    seen: IntArray
    """Pages of this layout that have each place; int32[n_place]."""
    blocks: IntArray
    """Blocks there, on all those pages; int32[n_place]."""
    letters: npt.NDArray[np.int64]
    """Letters there, on all those pages; int64[n_place]."""


@dataclass(frozen=True, slots=True, eq=False)
class SiteTexts:
    """SiteTexts at their places, by ascending key."""

    key: Hashes
    """uint64[n_text]"""
    place: Hashes
    """uint64[n_text]"""
    pages: IntArray
    """Pages that have this text there; int32[n_text]."""
    last: IntArray
    """The number of the last such page; int32[n_text]."""
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
    """What was learned of a site; immutable, and bounded however many pages it is of."""

    pages: int = 0
    """Pages learned from; of near copies one counts."""
    layouts: tuple[Layout, ...] = ()
    texts: SiteTexts = NO_TEXTS
    paths: dict[int, str] = field(default_factory=dict)
    """How each place is spelled."""
    wording: dict[int, str] = field(default_factory=dict)
    """The texts that stand on two pages and more, by key, cut at `learn.MAX_CHARS`."""
    sketches: tuple[tuple[int, ...], ...] = ()
    """What near copies are told by, a page each: see `sketch`."""
    rules: Rules = Rules()
