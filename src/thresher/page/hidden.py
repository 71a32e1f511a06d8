"""Flags for rows that are initially hidden, with the reason; hidden rows stay in the table.

Much main content is hidden: replies behind "show more", tabs, slides, text in `<noscript>` on pages
rendered by scripts. So hiding is evidence for an algorithm, never a reason to drop while parsing.
"""

from __future__ import annotations

from enum import IntFlag
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page.attributes import Attributes
from thresher.page.rows import inherit_flags
from thresher.page.scan import IntArray
from thresher.page.tags import FALLBACK, flags_of

__all__ = ["Hidden", "find_hidden"]


class Hidden(IntFlag):
    """Reasons why a row is hidden, those of its ancestors included."""

    NOSCRIPT = 1
    TEMPLATE = 2
    FALLBACK = 4
    """Inside an element whose children are only a fallback: video, object, iframe …"""
    ATTRIBUTE = 8
    """The `hidden` attribute."""
    STYLE = 16
    """`display: none` or `visibility: hidden` in the `style` attribute."""
    ARIA = 32
    """`aria-hidden="true"`: shown, but kept from screen readers."""


_HIDES: Final = flags_of("noscript") * np.uint8(Hidden.NOSCRIPT) + flags_of("template") * np.uint8(
    Hidden.TEMPLATE
)
"""Flags that each element sets on itself and its descendants, by tag code."""
_HIDES_BELOW: Final = FALLBACK * np.uint8(Hidden.FALLBACK)
"""Flags that each element sets on its descendants only, by tag code."""
_HIDING_STYLES: Final = (
    rb"display(?<![\w-]display)\s*:\s*none",
    rb"visibility(?:(?<![\w-]visibility)|(?<=content-visibility)(?<![\w-]content-visibility))"
    rb"\s*:\s*(?:hidden|collapse)",
)
"""Not `backface-visibility`, which hides nothing. Lookbehinds follow the name, because patterns
that begin with letters are searched for much faster."""


_TRUE: Final = rb"true(?<!\wtrue)(?!\w)"
"""The word ``true``; its lookbehind follows for the same reason."""


def find_hidden(
    attributes: Attributes, tag: npt.NDArray[np.int16], parent: IntArray, end: IntArray
) -> npt.NDArray[np.uint8]:
    """Return why each row is hidden, itself or by an ancestor: `Hidden` flags; uint8[n_row]."""
    own = _HIDES.take(tag)
    own |= flag_hidden(attributes, tag.size)
    return inherit_flags(own, _HIDES_BELOW.take(tag), parent, end)


def _flag_hidden_by_step(
    steps: Steps, attributes: Attributes, n_row: int
) -> npt.NDArray[np.uint8] | None:
    columns = (attributes.row, attributes.name_start, attributes.start, attributes.stop)
    return steps.flag_hidden(attributes.buffer, *columns, n_row)


@kernel_with(_flag_hidden_by_step)
def flag_hidden(attributes: Attributes, n_row: int) -> npt.NDArray[np.uint8]:
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
