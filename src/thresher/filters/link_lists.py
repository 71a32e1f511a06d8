"""The link list remover (section 3): finds cells with many links per word outside links.

    words = letters outside links / letters per word
    ratio = links / words

A cell is measured on the unfiltered page, as in the paper's top-down walk. The measure and the
definition of a cell are those of the method crunch (docs/algorithms/crunch.md); here text links and
image links can be distinguished, as in the authors' program.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.crunch.filters import find_cells, find_image_links, find_text_links
from thresher.algorithms.crunch.measures import count_letters
from thresher.algorithms.crunch.params import Params
from thresher.filters.filter_context import BoolArray, FilterContext
from thresher.page.tags import TEXT, flags_of

__all__ = ["find_link_lists", "list_contents"]

_BREAKS: Final = flags_of("br hr wbr")
"""Separators of links, removed with them: without links they would leave gaps."""
_FINDERS: Final = {"text": find_text_links, "image": find_image_links}
_ALL_ON: Final = Params(remove_text_links=True, remove_image_links=True)
"""The finders return results only if their filter is on."""


def find_link_lists(context: FilterContext) -> BoolArray:
    """Flag the cells with more than the limit of links a word; bool[n_row].

    With ``auto``, except cells in which the method selected content: it has more evidence.
    """
    if context.filters.link_lists == "off":
        return np.zeros(len(context.page), np.bool_)
    found = find_cells(context.page, context.params) & (
        _ratios(context) > context.filters.max_link_ratio
    )
    if context.filters.link_lists == "auto" and context.keep is not None:
        found &= context.kept_leaves[context.page.end] == context.kept_leaves[:-1]
    return found


def list_contents(context: FilterContext, lists: BoolArray) -> BoolArray:
    """Flag what is removed if its outermost cell is a link list; bool[n_row].

    Forms in the cell are not.
    """
    contents = _list_contents(context, lists)
    forms = context.forms.kept
    return contents & (context.page.subtree_sums(forms) == 0) if forms.any() else contents


def _list_contents(context: FilterContext, lists: BoolArray) -> BoolArray:
    page = context.page
    match context.filters.removed_content:
        case "links":
            lines = (page.tag == TEXT) | _BREAKS[page.tag]
            contents: BoolArray = lines | page.within(context.links)
            return contents
        case "all":
            return ~lists | page.below(lists)
        case _:
            return np.ones(len(page), np.bool_)


def _ratios(context: FilterContext) -> npt.NDArray[np.float64]:
    """Return each row's links a word outside links, over its subtree; float64[n_row].

    As in the authors' program, links without any words have the ratio limit + 1. Within a link,
    where subtracting link text would leave no words, nothing is subtracted.
    """
    page, filters = context.page, context.filters
    counted = _counted_links(context)
    in_link = page.within(context.links)
    letters = count_letters(page)
    total = page.subtree_sums(letters)
    unlinked = np.where(in_link, total, total - page.subtree_sums(letters * in_link))
    words = unlinked / filters.letters_per_word
    links = page.subtree_sums(counted) - counted
    ratios = np.where(links > 0, filters.max_link_ratio + 1.0, 0.0)
    np.divide(links, words, out=ratios, where=words > 0)
    return ratios


def _counted_links(context: FilterContext) -> BoolArray:
    find = _FINDERS.get(context.filters.counted_links)
    return context.links if find is None else find(context.page, _ALL_ON)
