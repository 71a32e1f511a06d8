"""Displayed formulas laid out as the rows of a table, as LaTeXML writes aligned equations.

`<tr class="ltx_eqn_row">` has a cell for each part between two alignment marks, with a formula of
its own, and one for the number. A reader sees one formula.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF

__all__ = ["find_equation_rows", "find_formula_rows"]

_MATH, _TR = CODE_OF["math"], CODE_OF["tr"]
_LATEXML: Final = CLASS_PARTS.bits(b"ltx_")
_ROW: Final = rb"(?<![\w-])ltx_eqn_row(?![\w-])"
_TAG: Final = "ltx_tag"
"""Part of the class of a number."""


def find_equation_rows(page: Page) -> IntArray:
    """Return the rows of these elements."""
    rows = page.attributes.row[page.attributes.classed(_LATEXML, _ROW)]
    return np.asarray(rows[page.tag[rows] == _TR])


def find_formula_rows(page: Page) -> list[list[int]]:
    """Return the leaves of each such row that has formulas and a number, and nothing else."""
    found: list[list[int]] = []
    for row in watch(find_equation_rows(page).tolist()):
        leaves = np.arange(page.leaf_offset[row], page.leaf_offset[page.end[row]])
        is_math = page.tag[page.leaves[leaves]] == _MATH
        others = page.parent[page.leaves[leaves[~is_math]]].tolist()
        if is_math.any() and all(_TAG in (page.attr(each, "class") or "") for each in others):
            found.append(leaves[is_math].tolist())
    return found
