"""Evidence of a site for the blocks of a page, and its application, with the user's rules.

The evidence is how many other pages have the same text in the same place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.features.hashing import Hashes
from thresher.page import Page
from thresher.page.canonical import source_tree
from thresher.page.parse import pair_elements
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.selection import DROPPED_BY_RULE, Selection
from thresher.sites.keys import read_keys, text_keys
from thresher.sites.learning import Site, find_copy, likeness, make_sketch
from thresher.sites.rulebook import Rules
from thresher.support.quoting import quote

if TYPE_CHECKING:
    from turbohtml import Document, Element


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
    """Share of common places, 0 to 1. Below `MIN_LIKENESS` it matches no layout: the site has
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


_MOST: Final = 0.5
"""Share of pages with the same text in the same place from which the text is dropped."""
_MIN_REPEATED: Final = 2
"""Minimum pages that must have it: a single other one may be a copy."""


def explain_repeated(selection: Selection, evidence: Evidence) -> Selection:
    """Add to the reason of each dropped block the number of pages of its site that have it."""
    where = (~selection.block_keep & (evidence.repeated > 0)).nonzero()[0]
    if not where.size:
        return selection
    facts = np.stack((selection.reason_code, evidence.repeated, evidence.seen))[:, where]
    distinct, number = np.unique(facts, axis=1, return_inverse=True)
    reasons = [
        f"{selection.reasons[code]}; on {repeated} of {seen} pages of this site"
        for code, repeated, seen in distinct.T.tolist()
    ]
    code = selection.reason_code.copy()
    code[where] = len(selection.reasons) + number.reshape(-1)
    return replace(selection, reason_code=code, reasons=(*selection.reasons, *reasons))


def drop_repeated(selection: Selection, evidence: Evidence) -> Selection:
    """Drop blocks that most pages of the site have, unless nothing would be left."""
    gone = (evidence.share >= _MOST) & (evidence.repeated >= _MIN_REPEATED)
    keep = selection.keep & ~gone[selection.page.blocks.of_leaf]
    if not keep.any():
        return selection
    return explain_repeated(replace(selection, keep=keep), evidence)


def force(selection: Selection, rules: Rules) -> Selection:
    """Keep and drop what the user's rules match; what both match is dropped.

    Costs a second parse if there are rules. UsageError for an invalid selector.
    """
    if not rules.keep and not rules.drop:
        return selection
    page = selection.page
    kept, dropped = map(page.within, match_rules(page, rules))
    leaf_kept, leaf_dropped = kept[page.leaves], dropped[page.leaves]
    n_reason = len(selection.reasons)
    code = selection.reason_code.copy()
    code[page.blocks.any(leaf_kept)] = n_reason
    code[page.blocks.any(leaf_dropped)] = n_reason + 1
    return replace(
        selection,
        keep=(selection.keep | leaf_kept) & ~leaf_dropped,
        reason_code=code,
        reasons=(*selection.reasons, "kept by a rule of the site", DROPPED_BY_RULE),
    )


def match_rules(page: Page, rules: Rules) -> tuple[BoolArray, BoolArray]:
    """Flag the elements that the user's rules keep and drop; bool[n_row] each.

    Within what is dropped nothing is kept. Costs a second parse. UsageError for an invalid
    selector.
    """
    flags = find_rows(page, (*rules.keep, *rules.drop))
    kept, dropped = (
        np.logical_or.reduce(some, axis=0)
        for some in (flags[: len(rules.keep)], flags[len(rules.keep) :])
    )
    return kept & ~page.within(dropped), dropped


def check_rules(rules: Rules) -> None:
    """Raise UsageError for the first invalid selector, and name it."""
    tree = source_tree("")
    for selector in (*rules.keep, *rules.drop):
        _select(tree, selector)


def find_rows(page: Page, selectors: Sequence[str]) -> BoolArray:
    """Flag the rows that each selector matches; bool[n_selector, n_row].

    Costs a second parse. UsageError for an invalid selector.
    """
    tree = source_tree(page.source)
    row_of = {element: row for row, element in pair_elements(page, tree).items()}
    flags = np.zeros((len(selectors), len(page)), np.bool_)
    for place, selector in enumerate(selectors):
        elements = _select(tree, selector)
        flags[place, [row_of[element] for element in elements if element in row_of]] = True
    return flags


def _select(tree: Document, selector: str) -> list[Element]:
    try:
        return tree.select(selector)
    except ValueError as error:
        raise UsageError(f"{quote(selector)} is not a CSS selector: {error}") from error
