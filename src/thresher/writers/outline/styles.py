"""Inline elements that a `style` attribute alone makes bold, italic, struck, raised or lowered.

Google Docs, Word and e-mail write emphasis like this, and take it back like this too: the text of
a Google document is in a `b` whose weight is normal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.live_posts import find_live_posts
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import BLOCK, REPLACED, TEXT, flags_of

__all__ = ["EMPHASIS", "SCRIPTS", "find_plain", "find_styled"]

Rows = npt.NDArray[np.intp]

EMPHASIS: Final = {
    "b": flags_of("b strong"),
    "i": flags_of("em i"),
    "s": flags_of("s strike del"),
}
SCRIPTS: Final = dict.fromkeys(("sub", "sup"), flags_of("sub sup"))
"""Element → those of which one inside another adds nothing."""
_STYLES: Final = {
    "b": rb"font-weight(?<![\w-]font-weight)\s*:\s*(?:[6-9]\d\d|1000|bold)(?!\d)",
    "i": rb"font-style(?<![\w-]font-style)\s*:\s*(?:italic|oblique)",
    "s": rb"text-decoration(?<![\w-]text-decoration)(?:-line)?\s*:[^;\0]{0,40}line-through",
    "sub": rb"vertical-align(?<![\w-]vertical-align)\s*:\s*sub(?!\w)",
    "sup": rb"vertical-align(?<![\w-]vertical-align)\s*:\s*super(?!\w)",
}
"""Element → the style that means the same. Lookbehinds follow the name, as such patterns are
searched for much faster."""
_PLAIN: Final = {
    "b": rb"font-weight(?<![\w-]font-weight)\s*:\s*(?:normal|[1-5]\d\d)(?!\d)",
    "i": rb"font-style(?<![\w-]font-style)\s*:\s*normal",
    "s": rb"text-decoration(?<![\w-]text-decoration)(?:-line)?\s*:\s*none",
}
_INLINE: Final = ~(BLOCK | REPLACED | (np.arange(BLOCK.size) == TEXT))


def find_styled(page: Page, holds: BoolArray) -> dict[str, Rows]:
    """Return element → the rows of other inline elements that are styled like it, if any.

    The times at the heads of posts of a live blog are among those of `b`.
    ``holds`` flags the rows to be considered; bool[n_row].
    """
    found = _find_matching(page, _STYLES, holds & _INLINE[page.tag])
    live = find_live_posts(page)
    if live and live.clocks:
        clocks = [row for row in live.clocks if holds[row]]
        found["b"] = np.union1d(found.get("b", []), clocks).astype(np.intp)
    return _keep_tags(page, found, {name: ~flags for name, flags in (EMPHASIS | SCRIPTS).items()})


def find_plain(page: Page, holds: BoolArray) -> dict[str, Rows]:
    """Return element → the rows of such elements that are styled as plain text, if any."""
    return _keep_tags(page, _find_matching(page, _PLAIN, holds), EMPHASIS)


def _keep_tags(
    page: Page, found: Mapping[str, Rows], wanted: Mapping[str, BoolArray]
) -> dict[str, Rows]:
    kept = {name: rows[wanted[name][page.tag[rows]]] for name, rows in found.items()}
    return {name: rows for name, rows in kept.items() if rows.size}


def _find_matching(page: Page, patterns: Mapping[str, bytes], of: BoolArray) -> dict[str, Rows]:
    found = page.attributes
    rows = found.row[found.named("style")]
    if not of[rows].any():
        return {}
    search = found.search("style")
    matching = {name: rows[search.matching((each,))] for name, each in patterns.items()}
    return {name: each[of[each]].astype(np.intp) for name, each in matching.items()}
