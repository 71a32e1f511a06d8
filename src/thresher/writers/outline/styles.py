"""Elements whose style says more than their tag: emphasis, and significant white space."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.live_posts import find_live_posts
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import SYSTEM_PARTS
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import BLOCK, CODE_OF, REPLACED, TEXT, flags_of
from thresher.writers.code.lines import find_fragments
from thresher.writers.outline.runs import KeptRuns

_CODE, _PRE, _TABLE = (CODE_OF[name] for name in "code pre table".split())

# -- emphasis ----------------------------------------------------------------------------------
#
# Google Docs, Word and e-mail write emphasis like this, and take it back like this too: the text
# of a Google document is in a `b` whose weight is normal.

Rows = npt.NDArray[np.intp]

EMPHASIS: Final = {"b": flags_of("b strong"), "i": flags_of("em i"), "s": flags_of("s strike del")}
_STRESS: Final = ("b", "i")
_STRESSED: Final = flags_of("b em i strong")
_SIGNS: Final = re.compile(r"\s*[].,;:!?…'\"“”‘’«»()[–—-]{1,3}\s*")
_MAX_SIGNS: Final = 3
_MAX_SIGN_CHARS: Final = 8
"""Characters of such signs with the white space around them, at most."""
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
_GOOGLE_DOCS: Final = SYSTEM_PARTS.bits(b"doc-content")
_RULE: Final = re.compile(rb"\.(c\d+)\{([^{}]*)\}")
"""A rule for a class of Google Docs, which has all that is styled in its sheets."""
_SHEETS: Final = flags_of("style")
_PLAIN: Final = {
    "b": rb"font-weight(?<![\w-]font-weight)\s*:\s*(?:normal|[1-5]\d\d)(?!\d)",
    "i": rb"font-style(?<![\w-]font-style)\s*:\s*normal",
    "s": rb"text-decoration(?<![\w-]text-decoration)(?:-line)?\s*:\s*none",
}
_INLINE: Final = ~(BLOCK | REPLACED | (np.arange(BLOCK.size) == TEXT))
_LEVEL: Final = BLOCK | REPLACED
_STYLED: Final = {name: ~flags for name, flags in EMPHASIS.items()} | {
    name: ~(flags | BLOCK) for name, flags in SCRIPTS.items()
}
"""Elements that do not say by their tags what a style says of them."""
_BLOCKS: Final = flags_of("address center dd div li p td")
"""Blocks that may be styled as a whole, if there are no others, and no pictures, inside."""


def find_styled(page: Page, holds: BoolArray) -> dict[str, Rows]:
    """Return element → the rows of other elements that are styled like it, if any.

    The times at the heads of posts of a live blog are among those of `b`.
    ``holds`` flags the rows to be considered; bool[n_row].
    """
    own = page.attributes.rows_named("style")
    can_be = holds[own]
    if can_be.any():
        tag, levels = page.tag[own], page.rows_of(_LEVEL)
        n_level = levels.searchsorted(page.end[own]) - levels.searchsorted(own)
        can_be &= _INLINE[tag] | (_BLOCKS[tag] & (n_level == 1))
    styled = _find_matching(page, _STYLES, can_be)
    if page.attributes.system_parts & _GOOGLE_DOCS:
        for name, rows in _read_sheets(page, holds & _INLINE.take(page.tag)).items():
            styled[name] = np.union1d(styled.get(name, []), rows).astype(np.intp)
    live = find_live_posts(page)
    if live and live.clocks:
        clocks = [row for row in live.clocks if holds[row]]
        styled["b"] = np.union1d(styled.get("b", []), clocks).astype(np.intp)
    return _keep_tags(page, styled, _STYLED)


def _read_sheets(page: Page, of: BoolArray) -> dict[str, Rows]:
    """Return element → the flagged rows of a class that a document's own style sheets style so."""
    classes = page.attributes.distinct("class")
    values_of: dict[str, list[int]] = {}
    for sheet in page.rows_of(_SHEETS).tolist():
        for name, declarations in _RULE.findall(page.raw_utf8(sheet)):
            for element, pattern in _STYLES.items():
                if re.search(pattern, declarations):
                    values_of.setdefault(element, []).extend(classes.words.get(name.decode(), []))
    rows = {element: classes.rows_with(values) for element, values in values_of.items()}
    return {element: styled[of[styled]].astype(np.intp) for element, styled in rows.items()}


def find_plain(page: Page, holds: BoolArray, kept: IntArray) -> dict[str, Rows]:
    """Return element → the rows of such elements that emphasise nothing, if any.

    They are styled as plain text, or hold nothing but punctuation; ``kept`` are the kept leaves.
    """
    rows = page.attributes.rows_named("style")
    plain = _keep_tags(page, _find_matching(page, _PLAIN, holds[rows]), EMPHASIS)
    short = kept[page.leaf_chars.take(kept) <= _MAX_SIGNS]
    if not short.size:
        return plain
    around = page.parent.take(page.leaves.take(short))
    signs: list[int] = []
    for inner in watch(around[_STRESSED.take(page.tag.take(around))].tolist()):
        row = inner
        while _STRESSED[page.tag[row]] and _is_sign(page, row):
            signs.append(row)
            row = int(page.parent[row])
    for name in _STRESS if signs else ():
        own = [row for row in signs if EMPHASIS[name][page.tag[row]]]
        plain[name] = np.union1d(plain.get(name, []), own).astype(np.intp)
    return plain


def _is_sign(page: Page, row: int) -> bool:
    start, stop = page.text_offset[row], page.text_offset[page.end[row]]
    return bool(stop - start <= _MAX_SIGN_CHARS) and _SIGNS.fullmatch(page.text_of(row)) is not None


def _keep_tags(
    page: Page, found: Mapping[str, Rows], wanted: Mapping[str, BoolArray]
) -> dict[str, Rows]:
    kept = {name: rows[wanted[name][page.tag[rows]]] for name, rows in found.items()}
    return {name: rows for name, rows in kept.items() if rows.size}


def _find_matching(page: Page, patterns: Mapping[str, bytes], of: BoolArray) -> dict[str, Rows]:
    """Return name → the rows whose style matches its pattern, ``of`` flags all that have styles."""
    if not of.any():
        return {}
    attributes = page.attributes
    rows, search = attributes.rows_named("style"), attributes.search("style")
    matching = {name: search.matching((pattern,)) for name, pattern in patterns.items()}
    return {
        name: rows[[place for place in places if of[place]]].astype(np.intp)
        for name, places in matching.items()
    }


# -- white space -------------------------------------------------------------------------------

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
    preformatted = _ALWAYS[page.tag]
    preformatted[fragments] = True
    tables = page.tag == _TABLE
    if (tables & holds).any():
        attributes = page.attributes
        cells = attributes.rows_matching("class", _CODE_ROW_CLASS)
        if cells.size:
            around = page.nearest(tables)[cells]
            preformatted[around[around >= 0]] = True
    code = (holds & (page.tag == _CODE)).nonzero()[0]
    if code.size:
        preformatted[_find_blocks(page, code)] = True
    if not preformatted.any():
        return preformatted
    preformatted &= holds
    return preformatted & ~page.below(preformatted)


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
    classed = attributes.rows_matching("class", _BLOCK_CLASS)
    styled = attributes.rows_matching("style", _PRE_STYLE)
    maybe = np.flatnonzero(~several & np.isin(code, np.concatenate((classed, styled))))
    several[maybe] = ["\n" in page.text_of(row).strip() for row in code[maybe].tolist()]
    return code[several]
