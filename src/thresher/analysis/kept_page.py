"""What is kept in each element of a page, the lines that open it, and the lists that go on with it.

A toggle is a line that opens what follows, in `details` or in boxes that are like them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import BLOCK, CODE_OF, HEADINGS, flags_of
from thresher.support.cached import cached_property
from thresher.support.quoting import read_whole_number

_LISTS, _ITEMS = flags_of("ol"), flags_of("li")
_Counts = npt.NDArray[np.int64]

_LEVELS_UP: Final = 8
"""Elements around one with the same content: a bound on the cost, not tuned."""


@dataclass(frozen=True)
class KeptPage:
    """A page with counts of what is kept, each before a row; int64[n_row + 1]."""

    page: Page
    keep: BoolArray
    """Flags the leaves that are kept; bool[n_leaf]."""

    @cached_property
    def leaves(self) -> npt.NDArray[np.intp]:
        """The kept leaves."""
        return self.keep.nonzero()[0]

    @cached_property
    def before(self) -> _Counts:
        """Kept leaves."""
        return sum_before(self.keep).take(self.page.leaf_offset)

    @cached_property
    def words(self) -> _Counts:
        """Their words."""
        return sum_before(self.page.leaf_words * self.keep).take(self.page.leaf_offset)

    @cached_property
    def linked(self) -> _Counts:
        """Their words in links."""
        return sum_before(self.page.leaf_link_words * self.keep).take(self.page.leaf_offset)

    def count(self, row: int, of: _Counts | None = None) -> int:
        """Return the kept leaves of a row, or what else was counted."""
        counted = self.before if of is None else of
        return int(counted[self.page.end[row]] - counted[row])

    def leaves_of(self, row: int) -> list[int]:
        """Return the kept leaves of a row."""
        leaves: list[int] = self.leaves[self.before[row] : self.before[self.page.end[row]]].tolist()
        return leaves

    def widen(self, row: int) -> int:
        """Return the outermost of the elements around a row with the same kept leaves."""
        n_own = self.count(row)
        for _ in range(_LEVELS_UP):
            above = int(self.page.parent[row])
            if above <= 0 or self.count(above) != n_own:
                break
            row = above
        return row

    def blocks_of(self, row: int) -> int:
        """Return how many blocks a row, which is not empty, has kept leaves of."""
        first, last = self.before[row], self.before[self.page.end[row]] - 1
        of_leaf = self.page.blocks.of_leaf
        return int(of_leaf[self.leaves[last]] - of_leaf[self.leaves[first]]) + 1


# -- toggles ---------------------------------------------------------------------------------------

_NAMED: Final = CLASS_PARTS.bits(b"accordion", b"expand", b"toggle")
_BOX: Final = rb"(?<![a-z])(?:accordion|expand(?:able|er)?|toggle)(?![a-z])"
_HEAD: Final = re.compile(
    r"(?<![a-z])(?:button|control|head(?:er|ing)?|question|summary|title|trigger)(?![a-z])",
    re.IGNORECASE,
)
"""Words in the classes of a toggle, and of the line that opens it."""
_BOXES: Final = flags_of("article div section")
_HEADS: Final = BLOCK & ~flags_of("dd details dt figure h1 h2 h3 h4 h5 h6 li ol table td th tr ul")
_NOT_INSIDE: Final = flags_of(
    "blockquote details dl figure h1 h2 h3 h4 h5 h6 ol pre summary table ul"
)
_NOT_AROUND: Final = flags_of("h1 h2 h3 h4 h5 h6 pre summary td th")
_DETAILS, _SVG = CODE_OF["details"], CODE_OF["svg"]
_SUMMARIES: Final = flags_of("summary")
_MAX_HEAD_WORDS: Final = 30
_REACH: Final = 256
"""Rows before the first kept text among which a line may open it."""
_TAB: Final = "tab"
_MENU_BUTTON: Final = "dropdown-toggle"
"""A class of buttons that open a menu: Bootstrap, and systems built with it."""


def find_openers(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the dropped leaves that open what is kept, given by ``keep``; bool[n_leaf].

    With them, what a kept line opens where the same is kept of others: one answer of several.
    """
    flags = np.zeros(keep.size, np.bool_)
    chosen = page.leaves[keep]
    if not chosen.size:
        return flags
    first, stop = max(int(chosen[0]) - _REACH, 1), int(chosen[-1])
    toggles = find_toggles(KeptPage(page, ~flags), first, stop)
    for head in watch(page.rows_of(_SUMMARIES).tolist()):
        if first <= head < stop and page.tag[page.parent[head]] == _DETAILS:
            toggles[int(page.parent[head])] = head
    pairs = [(head, box) for box, head in toggles.items()] + _find_controlled(page, first, stop)
    if not pairs:
        return flags
    kept = KeptPage(page, keep)
    unanswered: list[int] = []
    for head, box in watch(pairs):
        inside = head < page.end[box] and head > box
        words = int(page.subtree_words[box] - inside * page.subtree_words[head])
        n_head = kept.count(head, kept.words)
        n_kept = kept.count(box, kept.words) - inside * n_head
        if n_head and not n_kept:
            unanswered.append(box)
        if n_kept > words / 2:
            headings = page.rows_of(HEADINGS)
            named = headings[slice(*headings.searchsorted((head, page.end[head])))]
            # Beside its heading are links to the source and the like.
            row = named[0] if named.size else head
            flags[page.leaf_offset[row] : page.leaf_offset[page.end[row]]] = True
    if len(unanswered) <= len(pairs) / 2:
        for box in unanswered:
            flags[page.leaf_offset[box] : page.leaf_offset[page.end[box]]] = True
    return flags & ~keep


def find_continued_lists(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the dropped lists that go on with the numbers of a kept one; bool[n_leaf].

    Editors end a list before a paragraph, and begin another one behind it, at the next number.
    """
    flags = np.zeros(keep.size, np.bool_)
    starts = {
        row: start
        for row, value in page.attributes.values("start").items()
        if _LISTS[page.tag[row]] and (start := read_whole_number(value) or 0) > 1
    }
    if not starts:
        return flags
    kept = KeptPage(page, keep)
    lists = page.rows_of(_LISTS)
    items = page.parent.take(page.rows_of(_ITEMS))
    for row, start in starts.items():
        siblings = lists[(lists < row) & (page.parent.take(lists) == page.parent[row])]
        for before in siblings[-1:].tolist():
            first = read_whole_number(page.attr(before, "start") or "1") or 1
            goes_on = first + np.count_nonzero(items == before) == start
            if goes_on and kept.count(before) and not kept.count(row):
                flags[page.leaf_offset[row] : page.leaf_offset[page.end[row]]] = True
    return flags


def _find_controlled(page: Page, first: int, stop: int) -> list[tuple[int, int]]:
    """Find headings in the rows ``first:stop`` that control the element directly behind them."""
    attributes = page.attributes
    entries = attributes.named("aria-controls")
    rows = attributes.row.take(entries)
    entries = entries[(rows >= first) & (rows < stop)]
    if not entries.size:
        return []
    ids = attributes.distinct("id")
    whole = KeptPage(page, np.ones(page.leaves.size, np.bool_))
    pairs: list[tuple[int, int]] = []
    for row, name in watch(attributes.values_of(entries).items()):
        panels = ids.rows_with_word(name.strip())
        if panels.size != 1 or not whole.count(row) or page.attr(row, "role") == _TAB:
            continue  # a tab may control the first of several panels
        head, panel = whole.widen(row), int(panels[0])
        follows = page.leaf_offset[page.end[head]] == page.leaf_offset[panel] and panel > row
        is_heading = HEADINGS[page.tag[head : row + 1]].any()
        if follows and is_heading and 0 < page.subtree_words[head] <= _MAX_HEAD_WORDS:
            pairs.append((head, panel))
    return pairs


def find_toggles(kept: KeptPage, first: int = 1, stop: int | None = None) -> dict[int, int]:
    """Return box → its first line, for boxes without `details` whose first line opens the rest.

    It does so by `aria-expanded`, or by the classes of both; only among the rows ``first:stop``.
    """
    page = kept.page
    attributes = page.attributes
    first, stop = max(first, 1), len(page) if stop is None else stop
    heads = {
        kept.widen(row)
        for row in attributes.rows_named("aria-expanded").tolist()
        if first <= row < stop
        and kept.count(row)
        and page.attr(row, "role") != _TAB
        and not opens_menu(page, row)
    }
    boxes = {int(page.parent[head]): head for head in sorted(heads, reverse=True)}
    for box in attributes.rows_classed(_NAMED, _BOX, first, stop).tolist():
        head = _find_first(kept, box)
        if head is not None and _HEAD.search(page.attr(head, "class") or ""):
            boxes.setdefault(box, head)
    if not boxes:
        return {}
    is_inside = page.subtree_sums(_NOT_INSIDE[page.tag])
    is_within = page.within(_NOT_AROUND[page.tag])
    return {
        box: head
        for box, head in boxes.items()
        if (
            _BOXES[page.tag[box]]
            and _HEADS[page.tag[head]]
            and head == _find_first(kept, box)
            and 0 < kept.count(head, kept.words) <= _MAX_HEAD_WORDS
            and kept.count(head) < kept.count(box)
            and _is_line(kept, head)
            and not is_inside[head]
            and not is_within[box]
            and not _recurs(kept, box, head)
        )
    }


def _is_line(kept: KeptPage, head: int) -> bool:
    """Return whether all that is kept in an element is in one block, but for drawn icons."""
    leaves = kept.leaves[kept.before[head] : kept.before[kept.page.end[head]]]
    shown = leaves[kept.page.tag[kept.page.leaves[leaves]] != _SVG]
    of_leaf = kept.page.blocks.of_leaf
    return bool(shown.size) and bool(of_leaf[shown[0]] == of_leaf[shown[-1]])


def opens_menu(page: Page, row: int) -> bool:
    """Return whether a button opens a menu, and no part of the text."""
    return _MENU_BUTTON in (page.attr(row, "class") or "").split()


def _recurs(kept: KeptPage, box: int, head: int) -> bool:
    """Return whether another child of a box is like the first: there are several toggles in it."""
    page = kept.page
    name = page.attr(head, "class")
    child = int(page.end[head])
    while child < page.end[box]:
        if page.tag[child] == page.tag[head]:
            attrs = page.attrs(child)
            if name == attrs.get("class") and (name or "aria-expanded" in attrs):
                return True
        child = int(page.end[child])
    return False


def _find_first(kept: KeptPage, box: int) -> int | None:
    """Return the child of a box in which its kept leaves begin, if it is not the only one."""
    n_kept, child, end = kept.count(box), box + 1, kept.page.end
    if not n_kept:
        return None
    while child < end[box] and not kept.count(child):
        child = int(end[child])
    # A picture or a player is itself what is kept, whatever its children are.
    return child if child < end[box] and kept.count(child) < n_kept else None
