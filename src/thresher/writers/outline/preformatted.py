"""Detection of elements whose white space is significant: code, and elements displayed like it."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.code.lines import find_fragments
from thresher.writers.outline.kept_runs import KeptRuns

__all__ = ["find_preformatted"]


_CODE, _PRE, _TABLE = (CODE_OF[name] for name in ("code", "pre", "table"))
_ALWAYS: Final = flags_of("listing pre textarea")
"""Elements that preserve the white space of their text (HTML Living Standard, 15.3.8 and 15.5)."""
_MAYBE: Final = _ALWAYS | flags_of("code table")
_CODE_ROW_CLASS: Final = rb"(?<![\w-])(?:blob-code|js-file-line|blob-code-inner)(?![\w-])"
"""Cells of the tables in which GitHub and GitLab show files, one row per line."""
_BLOCK_CLASS: Final = (
    rb"(?<![\w-])(?:block|code-?block|hljs|prettyprint|(?:language|lang)-[\w+#]+)(?![\w-])"
)
"""Classes that make a `code` outside a `pre` a block of code."""
_PRE_STYLE: Final = rb"white-space\s*:\s*(?:pre|break-spaces)(?!-line)"


def find_preformatted(page: Page, kept: KeptRuns) -> BoolArray:
    """Flag the outermost elements whose white space is significant; bool[n_row].

    Besides `pre` and the like these are `code` elements that form a block of several lines, tables
    whose rows are lines of code, and Doxygen's fragments.
    """
    holds, fragments = kept.holds, find_fragments(page)
    if not fragments.size and not (kept.tags & _MAYBE).any():
        return np.zeros(len(page), np.bool_)
    found = _ALWAYS[page.tag]
    found[fragments] = True
    tables = page.tag == _TABLE
    if (tables & holds).any():
        attributes = page.attributes
        cells = attributes.row[attributes.matching("class", _CODE_ROW_CLASS)]
        if cells.size:
            around = page.nearest(tables)[cells]
            found[around[around >= 0]] = True
    code = (holds & (page.tag == _CODE)).nonzero()[0]
    if code.size:
        found[_find_blocks(page, code)] = True
    if not found.any():
        return found
    found &= holds
    return found & ~page.below(found)


def _find_blocks(page: Page, code: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return those `code` elements that have several lines and fill whole blocks of the page."""
    code = code[page.subtree_sums(page.tag == _PRE)[code] == 0]
    first, stop = page.leaf_offset[code], page.leaf_offset[page.end[code]]
    edge = np.zeros(page.leaves.size + 1, np.bool_)
    edge[page.blocks.start] = True
    alone = (stop > first) & edge[first] & edge[stop]
    code, line = code[alone], page.lines.of_leaf
    if not code.size:
        return code
    several = line[stop[alone] - 1] > line[first[alone]]
    attributes = page.attributes
    classed = attributes.row[attributes.matching("class", _BLOCK_CLASS)]
    styled = attributes.row[attributes.matching("style", _PRE_STYLE)]
    maybe = np.flatnonzero(~several & np.isin(code, np.concatenate((classed, styled))))
    several[maybe] = ["\n" in page.text_of(row).strip() for row in code[maybe].tolist()]
    return code[several]
