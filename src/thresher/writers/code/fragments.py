"""Code that Doxygen writes without a `pre`: a `div` of lines, displayed like one."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.tags import CODE_OF
from thresher.support.cached import cached_view

__all__ = ["find_fragments"]

_DIV: Final = CODE_OF["div"]
_FRAGMENT: Final = CLASS_PARTS.bits(b"fragment")
_FRAGMENT_CLASS: Final = rb"(?<![\w-])fragment(?![\w-])"
_LINE_CLASS: Final = rb"(?<![\w-])line(?![\w-])"


@cached_view
def find_fragments(page: Page) -> npt.NDArray[np.integer]:
    """Return the rows of such elements."""
    none = np.zeros(0, np.intp)
    attributes = page.attributes
    fragments = attributes.row[attributes.classed(_FRAGMENT, _FRAGMENT_CLASS)]
    if not fragments.size:
        return none
    lines = attributes.row[attributes.matching("class", _LINE_CLASS)]
    rows = np.intersect1d(fragments, page.parent[lines])
    found: npt.NDArray[np.integer] = rows[page.tag[rows] == _DIV]
    return found
