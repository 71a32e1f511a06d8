"""The filters, in the order in which the paper's walk applies them to an element."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.crunch.ads import find_ads
from thresher.algorithms.crunch.link_lists import find_link_lists, list_contents
from thresher.algorithms.crunch.links import find_image_links, find_images, find_text_links
from thresher.algorithms.crunch.params import Params
from thresher.page import Page
from thresher.page.rows import BoolArray

__all__ = ["FILTERS", "Filter", "apply_filters"]

IntArray = npt.NDArray[np.int32]


def _find_tags(page: Page, params: Params) -> BoolArray:
    return page.tagged(params.removed_tags)


def _everything(page: Page, params: Params) -> BoolArray:
    return np.ones(len(page), np.bool_)


@dataclass(frozen=True, slots=True)
class Filter:
    """Finds elements and deletes their contents; both functions return bool[n_row]."""

    reason: str
    find: Callable[[Page, Params], BoolArray]
    """Flags the elements to act on; their contents include themselves."""
    takes: Callable[[Page, Params], BoolArray] = _everything
    """Flags the rows that are deleted inside these elements."""


FILTERS: Final = (
    Filter("leads to an advertiser", find_ads),
    Filter("too many links for its words", find_link_lists, list_contents),
    Filter("a link without a picture", find_text_links),
    Filter("a link with a picture", find_image_links),
    Filter("a picture", find_images),
    Filter("inside a tag that is always removed", _find_tags),
)
"""All are top-down. The paper's bottom-up exception, for empty tables, comes after them."""


def apply_filters(page: Page, params: Params) -> tuple[IntArray, IntArray]:
    """Return the filter that deletes each row, and the element, −1 for none; int32[n_row] both.

    In a top-down walk the outermost matching element deletes a row; if two filters match the same
    element, the first in the table does.
    """
    none = len(page) * len(FILTERS)
    first = np.full(len(page), none, np.int64)
    for index, step in enumerate(FILTERS):
        found = step.find(page, params)
        if not found.any():
            continue
        outermost = page.nearest(found & ~page.below(found)).astype(np.int64)
        taken = (outermost >= 0) & step.takes(page, params)
        np.minimum(first, outermost * len(FILTERS) + index, out=first, where=taken)
    gone = first < none
    step_of = np.where(gone, first % len(FILTERS), -1)
    taker = np.where(gone, first // len(FILTERS), -1)
    return step_of.astype(np.int32), taker.astype(np.int32)
