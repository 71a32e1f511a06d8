"""Measures shared by filters: links, letters, and links per word outside links."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.algorithms.crunch.params import Params
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF
from thresher.support.cached import cached_view

_A = CODE_OF["a"]


@cached_view
def find_links(page: Page) -> npt.NDArray[np.bool_]:
    """Flag the `a` elements with an href; bool[n_row]."""
    flags = np.zeros(len(page), np.bool_)
    flags[page.attributes.row[page.attributes.named("href")]] = True
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
