"""Detection of gutters: line numbers, copy buttons and language labels in code.

Highlighters put them into the `pre`, beside it or into a bar above it. Read as text they would
become part of the code, which could not be run any more. They are detected by their classes and
otherwise by their content: numbers that count the lines.
"""

from __future__ import annotations

import itertools
import re
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import BLOCK, CODE_OF, TEXT, flags_of
from thresher.writers.code.bars import find_bar
from thresher.writers.code.fragments import find_fragments
from thresher.writers.code.language_names import names_language

__all__ = ["PREFORMATTED", "find_gutters", "find_label"]

_Rows = npt.NDArray[np.intp]

PREFORMATTED: Final = flags_of("listing pre")
_BUTTONS, _CODES = flags_of("button"), flags_of("code")
_BUTTON, _CODE, _TR = (CODE_OF[name] for name in ("button", "code", "tr"))
_NUMBER_CLASS: Final = (
    rb"(?<![\w-])(?:gutter(?:-\w+)*|rouge-gutter|blob-num|ln|lnt|lnos|line-?num(?:ber)?s?|linenos?|"
    rb"linenodiv|hljs-ln-n(?:umbers)?|line-numbers-rows|code-?line-?num(?:ber)?s?|ln-num|"
    rb"react-syntax-highlighter-line-number|crayon-nums?|cm-gutters?|codemirror-linenumber)"
    rb"(?![\w-])"
)
"""Classes of line numbers: Pygments (`lineno`, `linenos`, `linenodiv`), Rouge, Chroma (`ln`,
`lnt`), highlight.js and its plugin, Prism, GitHub (`blob-num`), Hexo (`gutter`), Expressive Code,
Crayon, CodeMirror, react-syntax-highlighter. They count only on elements that hold nothing but
numbers."""
_COPY_CLASS: Final = (
    rb"(?<![\w])(?:copy(?:-?to-?clipboard)?-?(?:button|btn)|(?:btn|button)-?-?copy|copybtn|"
    rb"hljs-copy-button|clipboard-?(?:button|btn|copy)?|copy-code(?:-\w+)?)(?![\w])"
)
_NUMBER_EDGES: Final = " \t\r\n.:|\xa0"
"""Characters that may surround a line number."""
_NUMERIC: Final = re.compile(rf"[{_NUMBER_EDGES}]*[0-9][0-9{_NUMBER_EDGES}]*")
_MAX_DIGITS: Final = 6
"""Maximum digits of a line number."""
_LEVELS_UP: Final = 3
"""Ancestors of a `pre` that may contain its line numbers."""


def find_gutters(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the kept leaves in and beside code that are not code; bool[n_leaf].

    ``keep`` is bool[n_leaf]. Nothing is flagged in a page without kept code.
    """
    found = np.zeros(page.leaves.size, np.bool_)
    is_pre = PREFORMATTED[page.tag]
    is_pre[find_fragments(page)] = True
    if not is_pre.any():
        return found
    pre = np.flatnonzero(is_pre & ~page.below(is_pre))
    pre = pre[_count(keep, page, pre) > 0]
    if not pre.size:
        return found
    rows = _find_named(page, is_pre).tolist()
    in_pre = page.within(is_pre)
    numeric = _flag_numeric(page, pre)
    for one in pre[~numeric].tolist():
        rows += _find_column(page, one, in_pre)
    for one in pre.tolist():
        rows += _find_counting(page, one)
        label = find_label(page, one)
        rows += [label] if label >= 0 else []
        rows += find_bar(page, one)
    level = np.zeros(found.size + 1, np.int64)
    np.add.at(level, page.leaf_offset[rows], 1)
    np.add.at(level, page.leaf_offset[page.end[rows]], -1)
    flags: BoolArray = (np.cumsum(level[:-1]) > 0) & keep
    return flags


def find_label(page: Page, pre: int) -> int:
    """Return the row of the text that names the language above the code in a `pre`, −1 for none.

    It is the first text, in a block of its own, and is outside `code` or beside a button.
    """
    first, stop = page.leaf_offset[[pre, page.end[pre]]].tolist()
    rows = page.leaves[first:stop]
    texts = np.flatnonzero(page.tag[rows] == TEXT)
    if texts.size < 2 or not names_language(page.leaf_text(first + int(texts[0]))):
        return -1
    label, *others = rows[texts].tolist()
    inside = slice(pre + 1, int(page.end[pre]))

    def within(row: int, tags: BoolArray) -> bool:
        """Return whether a row is inside an element of the `pre` with one of these tags."""
        around = np.flatnonzero(tags[page.tag[inside.start : row]]) + inside.start
        return bool((page.end[around] > row).any())

    code = next((row for row in others if not within(row, _BUTTONS)), inside.stop)
    blocks = np.flatnonzero(BLOCK[page.tag[inside.start : label]]) + inside.start
    apart = bool(((page.end[blocks] > label) & (page.end[blocks] <= code)).any())
    has_code = bool((page.tag[inside] == _CODE).any()) and not within(label, _CODES)
    has_button = bool((page.tag[inside] == _BUTTON).any())
    return label if apart and code < inside.stop and (has_code or has_button) else -1


def _count(flags: BoolArray, page: Page, rows: _Rows) -> npt.NDArray[np.int64]:
    """Count the flagged leaves in each of the rows."""
    total = np.zeros(flags.size + 1, np.int64)
    np.cumsum(flags, out=total[1:])
    counts: npt.NDArray[np.int64] = (
        total[page.leaf_offset[page.end[rows]]] - total[page.leaf_offset[rows]]
    )
    return counts


def _flag_numeric(page: Page, rows: npt.NDArray[np.integer]) -> BoolArray:
    """Flag the rows whose text consists of numbers only; bool[n]."""
    starts, stops = page.text_offset[rows].tolist(), page.text_offset[page.end[rows]].tolist()
    matches = map(_NUMERIC.fullmatch, itertools.repeat(page.text), starts, stops)
    return np.fromiter(map(bool, matches), np.bool_, rows.size)


def _find_named(page: Page, is_pre: BoolArray) -> _Rows:
    """Return the rows in code that are gutters by their class or tag."""
    in_pre = page.below(is_pre)
    attributes = page.attributes
    numbered = attributes.row[attributes.matching("class", _NUMBER_CLASS)]
    copying = attributes.row[attributes.matching("class", _COPY_CLASS)]
    buttons = np.flatnonzero(page.tag == _BUTTON)
    rows = np.concatenate((numbered[_flag_numeric(page, numbered)], copying, buttons))
    inside: _Rows = rows[in_pre[rows]].astype(np.intp)
    return inside


def _find_column(page: Page, pre: int, in_pre: BoolArray) -> list[int]:
    """Return the texts directly before some code, beside it, that only count its lines.

    They may be in a `pre` of their own, in cells or in items.
    """
    first, stop = page.leaf_offset[[pre, page.end[pre]]].tolist()
    above = pre
    for _ in range(_LEVELS_UP):
        above = max(int(page.parent[above]), 0)
        if page.tag[above] == _TR:
            break
    begin = int(page.leaf_offset[above])
    numbers: list[int] = []
    leaf = first
    while leaf > begin and _NUMERIC.fullmatch(text := page.leaf_text(leaf - 1)):
        words = (word.strip(_NUMBER_EDGES) for word in text.split())
        numbers += reversed(
            [int(word) for word in words if len(word) <= _MAX_DIGITS and word.isdigit()]
        )
        leaf -= 1
    counts = all(after - before == 1 for after, before in itertools.pairwise(numbers))
    if not numbers or not counts:
        return []
    rows: list[int] = page.leaves[leaf:first].tolist()
    n_break = page.text_of(pre).strip("\n").count("\n") + 1
    n_line = int(page.lines.of_leaf[stop - 1] - page.lines.of_leaf[first]) + 1
    if in_pre[rows[0]]:
        return rows if page.tag[above] == _TR or abs(n_break - len(numbers)) <= 1 else []
    return rows if len(numbers) in (n_break, n_line) and len(numbers) > 1 else []


def _find_counting(page: Page, pre: int) -> list[int]:
    """Return the texts that count the lines of a `pre`, empty if they do not count all of them.

    The first begins the `pre` and each of the others begins a line; a line without a number is only
    allowed directly after a number, in a block of its own.
    """
    first, stop = page.leaf_offset[[pre, page.end[pre]]].tolist()
    if stop - first < 2 or not _is_number(page.leaf_text(first)):
        return []
    starts = set(page.lines.start[page.lines.of_leaf[first] : page.lines.of_leaf[stop - 1] + 1])
    expected = int(page.leaf_text(first).strip(_NUMBER_EDGES))
    found: list[int] = []
    number_before = False
    for leaf in range(first, stop):
        row = int(page.leaves[leaf])
        text = page.leaf_text(leaf)
        at = int(page.text_offset[row])
        before = page.text[max(0, at - 64) : at].rstrip(" \t")
        begins = leaf == first or leaf in starts or before.endswith("\n") or text[:1] == "\n"
        if begins and _is_number(text) and int(text.strip(_NUMBER_EDGES)) == expected:
            found.append(row)
            expected += 1
            number_before = True
            continue
        if (begins and not number_before) or "\n" in text.strip("\n"):
            return []
        number_before = False
    return found if len(found) > 1 else []


def _is_number(text: str) -> bool:
    digits = text.strip(_NUMBER_EDGES)
    return digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS
