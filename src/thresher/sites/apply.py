"""What becomes of a selection when its site is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.page import Page
from thresher.parse import pair_elements, source_tree
from thresher.selection import Selection
from thresher.sites.evidence import Evidence
from thresher.sites.model import Rules

__all__ = ["drop_repeated", "explain_repeated", "force"]

BoolArray = npt.NDArray[np.bool_]

_MOST: Final = 0.5
"""Share of pages that have a text in its place from which on other methods drop it."""
_MIN_REPEATED: Final = 2
"""Pages that must have it at least: one other may be a copy."""


def explain_repeated(selection: Selection, evidence: Evidence) -> Selection:
    """Say of each block that was dropped on how many pages of its site it is."""
    return _note(selection, evidence, ~selection.block_keep & (evidence.repeated > 0))


def drop_repeated(selection: Selection, evidence: Evidence) -> Selection:
    """Drop blocks that most pages of the site have; nothing where nothing would be left."""
    gone = (evidence.share >= _MOST) & (evidence.repeated >= _MIN_REPEATED)
    keep = selection.keep & ~gone[selection.page.blocks.of_leaf]
    if not keep.any():
        return selection
    return explain_repeated(replace(selection, keep=keep), evidence)


def force(selection: Selection, rules: Rules) -> Selection:
    """Keep and drop what the user's rules name; where both name it, it is dropped.

    Costs a second parse where there are rules. Raises UsageError for what is no selector.
    """
    if not rules.keep and not rules.drop:
        return selection
    page = selection.page
    kept, dropped = _find(page, rules.keep, rules.drop)
    kept &= ~dropped
    leaf_kept, leaf_dropped = kept[page.leaves], dropped[page.leaves]
    n_reason = len(selection.reasons)
    code = selection.reason_code.copy()
    code[page.blocks.any(leaf_kept)] = n_reason
    code[page.blocks.any(leaf_dropped)] = n_reason + 1
    return replace(
        selection,
        keep=(selection.keep | leaf_kept) & ~leaf_dropped,
        reason_code=code,
        reasons=(*selection.reasons, "kept by a rule of the site", "dropped by a rule of the site"),
    )


def _find(page: Page, *rules: tuple[str, ...]) -> list[BoolArray]:
    """Flag the rows that each list of selectors names, with all they hold; bool[n_row] each."""
    tree = source_tree(page.source)
    row_of = {element: row for row, element in pair_elements(page, tree).items()}
    found = []
    for selectors in rules:
        flags = np.zeros(len(page), np.bool_)
        for selector in selectors:
            try:
                elements = tree.select(selector)
            except ValueError as error:
                raise UsageError(f"{selector!r} is no CSS selector: {error}") from error
            flags[[row_of[element] for element in elements if element in row_of]] = True
        found.append(page.within(flags))
    return found


def _note(selection: Selection, evidence: Evidence, blocks: BoolArray) -> Selection:
    """Add to the reasons of some blocks on how many pages of the site their text is."""
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
