"""The filters, in the order of the paper's walk over elements, and the measures that they share.

Cells with many links for their words are measured before their contents are filtered, as the walk
is top-down: every ratio is that of the original page, and decisions are independent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.crunch.ads import find_ads
from thresher.algorithms.crunch.params import Params
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, TEXT, flags_of
from thresher.support.cached import cached_view

IntArray = npt.NDArray[np.int32]

_A: Final = CODE_OF["a"]
_PICTURE: Final = flags_of("img svg canvas")
"""The paper's images, and today's elements for icons and charts."""


@cached_view
def find_links(page: Page) -> BoolArray:
    """Flag the `a` elements with an href; bool[n_row]."""
    flags = page.flag(page.attributes.rows_named("href"))
    flags &= page.tag == _A
    return flags


def count_letters(page: Page) -> npt.NDArray[np.int64]:
    """Count each row's own visible characters other than white space; int64[n_row]."""
    letters = np.zeros(len(page), np.int64)
    letters[page.leaves] = page.leaf_chars
    return letters


def link_ratios(
    page: Page, params: Params, counted: BoolArray | None = None
) -> npt.NDArray[np.float64]:
    """Return each row's links per word outside links, over its subtree; float64[n_row].

        words = letters outside links / letters per word
        ratio = links / words

    Of the links below a row, those in ``counted`` count, all by default, bool[n_row]; the words of
    all links are left out. Inside a link, where no words would be left, all words count. Links
    without any word have the ratio limit + 1, as in the authors' program; a row without links has
    0.
    """
    is_link = find_links(page)
    counted = is_link if counted is None else counted
    in_link = page.within(is_link)
    letters = count_letters(page)
    total = page.subtree_sums(letters)
    unlinked = np.where(in_link, total, total - page.subtree_sums(letters * in_link))
    words = unlinked / params.letters_per_word
    links = page.subtree_sums(counted) - counted
    ratios = np.where(links > 0, params.max_link_ratio + 1.0, 0.0)
    np.divide(links, words, out=ratios, where=words > 0)
    return ratios


def find_text_links(page: Page, params: Params) -> BoolArray:
    """Flag the links without a picture; bool[n_row]."""
    if not params.remove_text_links:
        return np.zeros(len(page), np.bool_)
    return find_links(page) & ~_holds_picture(page)


def find_image_links(page: Page, params: Params) -> BoolArray:
    """Flag the links with a picture, at any depth; bool[n_row]."""
    if not params.remove_image_links:
        return np.zeros(len(page), np.bool_)
    return find_links(page) & _holds_picture(page)


def find_images(page: Page, params: Params) -> BoolArray:
    """Flag the pictures outside links; the image link filter handles the others."""
    if not params.remove_images:
        return np.zeros(len(page), np.bool_)
    return _PICTURE[page.tag] & ~page.within(find_links(page))


def _holds_picture(page: Page) -> BoolArray:
    return page.subtree_sums(_PICTURE[page.tag]) > 0


def find_link_lists(page: Page, params: Params) -> BoolArray:
    """Flag the cells whose ratio of links to words is above the limit; bool[n_row]."""
    if not params.remove_link_lists:
        return np.zeros(len(page), np.bool_)
    return find_cells(page, params) & (link_ratios(page, params) > params.max_link_ratio)


def find_cells(page: Page, params: Params) -> BoolArray:
    """Flag the elements to decide on; bool[n_row].

    Today's pages wrap everything in boxes, whereas a page of 2003 was seldom in a single cell. So a
    box counts as a cell only if it contains no other.
    """
    cell, box = page.tagged(params.cell_tags), page.tagged(params.box_tags)
    inner = page.subtree_sums(cell | box) == 1
    cells: BoolArray = cell | (box & inner)
    return cells


def list_contents(page: Page, params: Params) -> BoolArray:
    """Flag the rows to delete inside link lists: links and texts; bool[n_row]."""
    if params.whole_cells:
        return np.ones(len(page), np.bool_)
    contents: BoolArray = (page.tag == TEXT) | page.within(find_links(page))
    return contents


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
    Filter(
        "inside a tag that is always removed", lambda page, params: page.tagged(params.removed_tags)
    ),
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
        matching = step.find(page, params)
        if not matching.any():
            continue
        outermost = page.nearest(matching & ~page.below(matching)).astype(np.int64)
        taken = (outermost >= 0) & step.takes(page, params)
        np.minimum(first, outermost * len(FILTERS) + index, out=first, where=taken)
    gone = first < none
    step_of = np.where(gone, first % len(FILTERS), -1)
    taker = np.where(gone, first // len(FILTERS), -1)
    return step_of.astype(np.int32), taker.astype(np.int32)
