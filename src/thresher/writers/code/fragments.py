"""Code without a `pre`: elements whose children are its lines, or that are displayed like one."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.tags import CODE_OF, TEXT, flags_of
from thresher.support.cached import cached_view

__all__ = ["find_fragments"]

_DIV: Final = CODE_OF["div"]
_PRE: Final = flags_of("listing pre")
_HOLDERS: Final = flags_of("code div ol td ul")
_LINE: Final = CLASS_PARTS.bits(b"line")
_LINE_CLASS: Final = (
    rb"(?<![\w-])(?:(?:code|cm|view|token|crayon|ace)[_-]?line|line number\d+)(?![\w-])"
)
"""Lines in highlighters and editors: react-syntax-highlighter and blogs, CodeMirror, Monaco, Prism
for React, Crayon, Ace, SyntaxHighlighter."""
_DOXYGEN_LINE: Final = rb"(?<![\w-])line(?![\w-])"
_FRAGMENT: Final = CLASS_PARTS.bits(b"fragment")
_FRAGMENT_CLASS: Final = rb"(?<![\w-])fragment(?![\w-])"
_FRAGMENT_LINE: Final = rb"(?<![\w-])line(?![\w-])"
"""Doxygen's code and its lines; elsewhere these classes mean slides and verses too."""
_ENLIGHTER: Final = CLASS_PARTS.bits(b"enlighter")
_ENLIGHTER_CLASS: Final = rb"(?<![\w-])enlighter(?![\w-])"
_MONOSPACE: Final = rb"monospace"
_PRE_STYLE: Final = rb"white-space\s*:\s*pre(?![\w-])"
"""Styles of code that was copied from an editor."""


@cached_view
def find_fragments(page: Page) -> npt.NDArray[np.integer]:
    """Return the rows of such elements, in order, none of them in a `pre`."""
    attributes = page.attributes
    found = [_find_holders(page, attributes.row[attributes.classed(_LINE, _LINE_CLASS)])]
    fragments = attributes.row[attributes.classed(_FRAGMENT, _FRAGMENT_CLASS)]
    if fragments.size:
        lines = attributes.row[attributes.classed(_LINE, _FRAGMENT_LINE)]
        found.append(np.intersect1d(fragments, page.parent[lines]))
    found.append(attributes.row[attributes.classed(_ENLIGHTER, _ENLIGHTER_CLASS)])
    styled = attributes.matching("style", _MONOSPACE, of=page.tag == _DIV)
    if styled.size:
        styled = np.intersect1d(styled, attributes.matching("style", _PRE_STYLE))
        found.append(attributes.row[styled])
    rows: npt.NDArray[np.integer] = np.unique(np.concatenate(found))
    rows = rows[_HOLDERS[page.tag[rows]]]
    return rows[~page.within(_PRE[page.tag])[rows]] if rows.size else rows


def _find_holders(page: Page, lines: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """Return the elements of which all child elements are lines."""
    if not lines.size:
        return lines
    holders, n_line = np.unique(page.parent[lines], return_counts=True)
    n_child = np.bincount(page.parent[1:][page.tag[1:] != TEXT], minlength=len(page))
    return np.asarray(holders[n_child[holders] == n_line])
