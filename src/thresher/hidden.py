"""Which rows a reader does not see at first, and why; they stay in the table, flagged.

Much main content hides: replies behind "show more", tabs, slides, text in `<noscript>` for pages
that build themselves. So hiding is evidence for an algorithm, never a reason to drop while parsing.
"""

from __future__ import annotations

from enum import IntFlag
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.attributes import Attributes

__all__ = ["Hidden", "rows_hidden_by_attribute"]


class Hidden(IntFlag):
    """Why a row is hidden; the flags of ancestors are included."""

    NOSCRIPT = 1
    TEMPLATE = 2
    FALLBACK = 4
    """Inside an element whose children show only where it cannot: video, object, iframe …"""
    ATTRIBUTE = 8
    """The `hidden` attribute."""
    STYLE = 16
    """`display: none` or `visibility: hidden` in the `style` attribute."""
    ARIA = 32
    """`aria-hidden="true"`: shown, but kept from screen readers."""


_HIDING_STYLES: Final = (
    rb"display(?<![\w-]display)\s*:\s*none",
    rb"visibility(?:(?<![\w-]visibility)|(?<=content-visibility)(?<![\w-]content-visibility))"
    rb"\s*:\s*(?:hidden|collapse)",
)
"""Not `backface-visibility`, which hides nothing. What stands before a name is looked at behind it:
patterns that begin with letters are searched for much faster."""


_TRUE: Final = rb"true(?<!\wtrue)(?!\w)"
"""The word, which again is searched for by its letters first."""


def rows_hidden_by_attribute(attributes: Attributes, n_row: int) -> npt.NDArray[np.uint8]:
    """Return the flags that each row's own attributes set; uint8[n_row]."""
    flags = np.zeros(n_row, np.uint8)
    for entries, flag in (
        (attributes.named("hidden"), Hidden.ATTRIBUTE),
        (attributes.matching("style", *_HIDING_STYLES), Hidden.STYLE),
        (attributes.matching("aria-hidden", _TRUE), Hidden.ARIA),
    ):
        if entries.size:
            flags[attributes.row.take(entries)] |= np.uint8(flag)
    return flags
