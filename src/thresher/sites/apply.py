"""Application of site evidence and user rules to a selection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.errors import UsageError
from thresher.page import Page
from thresher.page.canonical import source_tree
from thresher.page.parse import pair_elements
from thresher.page.rows import BoolArray
from thresher.selection import DROPPED_BY_RULE, Selection
from thresher.sites.evidence import Evidence
from thresher.sites.rules import Rules
from thresher.support.quoting import quote

if TYPE_CHECKING:
    from turbohtml import Document, Element

__all__ = [
    "check_rules",
    "drop_repeated",
    "explain_repeated",
    "find_rows",
    "force",
    "match_rules",
]


_MOST: Final = 0.5
"""Share of pages with the same text in the same place from which the text is dropped."""
_MIN_REPEATED: Final = 2
"""Fewest pages that must have it: a single other one may be a copy."""


def explain_repeated(selection: Selection, evidence: Evidence) -> Selection:
    """Add to the reason of each dropped block the number of pages of its site that have it."""
    return _note(selection, evidence, ~selection.block_keep & (evidence.repeated > 0))


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


def _note(selection: Selection, evidence: Evidence, blocks: BoolArray) -> Selection:
    """Add to the reasons of some blocks the number of pages of the site that have their text."""
    where = blocks.nonzero()[0]
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
