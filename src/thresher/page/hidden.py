"""Which rows a reader does not see at first, and why; they stay in the table, flagged.

Much main content hides: replies behind "show more", tabs, slides, text in `<noscript>` for pages
that build themselves. So hiding is evidence for an algorithm, never a reason to drop while parsing.
"""

from __future__ import annotations

from enum import IntFlag
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.native import REFUSED, compiled
from thresher.page.attributes import Attributes
from thresher.page.rows import inherit_flags
from thresher.page.scan import IntArray
from thresher.page.tags import FALLBACK, flags_of

__all__ = ["Hidden", "find_hidden"]


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


_HIDES: Final = flags_of("noscript") * np.uint8(Hidden.NOSCRIPT) + flags_of("template") * np.uint8(
    Hidden.TEMPLATE
)
"""Why each element hides what is in it, by tag code."""
_HIDES_BELOW: Final = FALLBACK * np.uint8(Hidden.FALLBACK)
"""Why each element hides what is in it but not itself, by tag code."""
_HIDING_STYLES: Final = (
    rb"display(?<![\w-]display)\s*:\s*none",
    rb"visibility(?:(?<![\w-]visibility)|(?<=content-visibility)(?<![\w-]content-visibility))"
    rb"\s*:\s*(?:hidden|collapse)",
)
"""Not `backface-visibility`, which hides nothing. What stands before a name is looked at behind it:
patterns that begin with letters are searched for much faster."""


_TRUE: Final = rb"true(?<!\wtrue)(?!\w)"
"""The word, which again is searched for by its letters first."""


def find_hidden(
    attributes: Attributes, tag: npt.NDArray[np.int16], parent: IntArray, end: IntArray
) -> npt.NDArray[np.uint8]:
    """Find why each row is hidden, itself or by an ancestor: `Hidden` flags; uint8[n_row]."""
    own = _HIDES.take(tag)
    own |= _hidden_by_attribute(attributes, tag.size)
    return inherit_flags(own, _HIDES_BELOW.take(tag), parent, end)


def _hidden_by_attribute(attributes: Attributes, n_row: int) -> npt.NDArray[np.uint8]:
    """Return the flags that each row's own attributes set; uint8[n_row]."""
    if compiled is not None:
        flags = np.zeros(n_row, np.uint8)
        done = compiled.flag_hidden(
            attributes.buffer,
            np.ascontiguousarray(attributes.row),
            np.ascontiguousarray(attributes.name_start),
            np.ascontiguousarray(attributes.start),
            np.ascontiguousarray(attributes.stop),
            flags,
        )
        if done != REFUSED:
            return flags
    return _hidden_by_attribute_arrays(attributes, n_row)


def _hidden_by_attribute_arrays(attributes: Attributes, n_row: int) -> npt.NDArray[np.uint8]:
    """Return flags as `_hidden_by_attribute` does, without compiled steps."""
    flags = np.zeros(n_row, np.uint8)
    for entries, flag in (
        (attributes.named("hidden"), Hidden.ATTRIBUTE),
        (attributes.matching("style", *_HIDING_STYLES), Hidden.STYLE),
        (attributes.matching("aria-hidden", _TRUE), Hidden.ARIA),
    ):
        if entries.size:
            flags[attributes.row.take(entries)] |= np.uint8(flag)
    return flags
