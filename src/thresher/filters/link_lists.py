"""The link list remover (section 3): cells with many links for the words outside them.

    words = letters outside links / letters per word
    ratio = links / words

A cell is measured as the page came, before anything in it is filtered, as in the paper's top-down
walk. The measure and what counts as a cell are those of the method crunch
(docs/algorithms/crunch.md); here text links and links with a picture can be told apart, as in the
authors' program.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.crunch.link_lists import find_cells
from thresher.algorithms.crunch.links import find_image_links, find_text_links
from thresher.algorithms.crunch.measures import count_letters
from thresher.algorithms.crunch.params import Params
from thresher.filters.case import BoolArray, Case
from thresher.page.tags import TEXT, flags_of

__all__ = ["find_link_lists", "list_contents"]

_BREAKS: Final = flags_of("br hr wbr")
"""What sets links apart goes with them: lines without any would be a hole."""
_FINDERS: Final = {"text": find_text_links, "image": find_image_links}
_ALL_ON: Final = Params(remove_text_links=True, remove_image_links=True)
"""The finders answer only where their filter is on."""


def find_link_lists(case: Case) -> BoolArray:
    """Flag the cells with more than the limit of links a word; bool[n_row].

    With ``auto`` not those in which a method chose content: it has more to go by.
    """
    if case.filters.link_lists == "off":
        return np.zeros(len(case.page), np.bool_)
    found = find_cells(case.page, case.params) & (_ratios(case) > case.filters.max_link_ratio)
    if case.filters.link_lists == "auto" and case.keep is not None:
        found &= case.kept_leaves[case.page.end] == case.kept_leaves[:-1]
    return found


def list_contents(case: Case, lists: BoolArray) -> BoolArray:
    """Flag what goes where the outermost cell around it is one of these; bool[n_row]."""
    page = case.page
    match case.filters.removed_content:
        case "links":
            lines = (page.tag == TEXT) | _BREAKS[page.tag]
            contents: BoolArray = lines | page.within(case.links)
            return contents
        case "all":
            return ~lists | page.below(lists)
        case _:
            return np.ones(len(page), np.bool_)


def _ratios(case: Case) -> npt.NDArray[np.float64]:
    """Return each row's links a word outside links, over its subtree; float64[n_row].

    As in the authors' program, links without any word have the limit + 1. Inside a link, where
    links would take all words away, they take none.
    """
    page, filters = case.page, case.filters
    counted = _counted_links(case)
    in_link = page.within(case.links)
    letters = count_letters(page)
    total = page.subtree_sums(letters)
    unlinked = np.where(in_link, total, total - page.subtree_sums(letters * in_link))
    words = unlinked / filters.letters_per_word
    links = page.subtree_sums(counted) - counted
    ratios = np.where(links > 0, filters.max_link_ratio + 1.0, 0.0)
    np.divide(links, words, out=ratios, where=words > 0)
    return ratios


def _counted_links(case: Case) -> BoolArray:
    find = _FINDERS.get(case.filters.counted_links)
    return case.links if find is None else find(case.page, _ALL_ON)
