"""Detection of the post that each one answers: stated depth, nesting, indentation."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from typing import Final

import numpy as np

from thresher.analysis.threads.markup_hints import MarkupHints
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import Parts
from thresher.page.tags import CODE_OF

__all__ = ["find_parents"]

MAX_ROWS: Final = 12
"""First rows of a post examined for a stated depth or an indentation."""
MAX_AROUND: Final = 2
"""Ancestors of a post without other posts, examined for the same."""
MAX_WRAPS: Final = 3
"""Ancestors of a post that may contain its replies too."""
_ATTRIBUTES: Final = ("depth", "data-depth", "data-level", "aria-level", "data-nesting", "indent",
                      "data-indent", "data-nest-level")  # fmt: skip
_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:depth|level|indent|nest(?:ing|ed)?|lvl|tier|indentation)[_-]?(\d{1,3})(?=$|\s)",
    re.IGNORECASE,
)
_STYLE: Final = re.compile(
    r"(?:margin|padding)-(?:left|inline-start)\s*:\s*(\d{1,5}(?:\.\d{1,3})?)\s*(?:px|em|rem|%|pt)?"
)
_LEVEL_PARTS: Final = Parts(b"depth", b"level", b"indent", b"nest", b"lvl", b"tier")
"""Every class with a depth has one of these in it."""
_STYLE_PARTS: Final = Parts(
    *(b"margin-left", b"padding-left", b"margin-inline-start", b"padding-inline-start")
)
"""Every indentation has one of these in it."""
_WIDTH: Final = re.compile(r"\d{1,4}")
_SPACER: Final = re.compile(r"(?:^|/)(?:s|spacer|blank|pixel|clear|trans\w*|dot)\.(?:gif|png)")
_IMG: Final = CODE_OF["img"]


def find_parents(
    hints: MarkupHints, start: Sequence[int], stop: Sequence[int], above: Sequence[int]
) -> list[int]:
    """Return for each post the index of the one it answers, −1 for none.

    ``start:stop`` are the rows of each, ``above`` the index of the enclosing post or −1. A stated
    depth takes precedence, then nesting, then indentation.
    """
    page = hints.page
    for read, rows in ((_stated, _rows_with_depths(hints)), (_style, _rows_with_styles(page))):
        if not rows:
            continue  # as on most pages
        levels = [
            _read_level(page, first, last, read, rows)
            for first, last in watch(zip(start, stop, strict=True))
        ]
        known = [level for level in levels if level is not None]
        if len(set(known)) > 1 and 2 * len(known) >= len(levels):
            if read is _style and any(each >= 0 for each in above):
                continue
            return _from_levels([0.0 if level is None else level for level in levels])
    if any(each >= 0 for each in above):
        return list(above)
    return _from_wraps(page, start, stop)


def _from_levels(levels: Sequence[float]) -> list[int]:
    """Make the last preceding post with a smaller level the parent of each post."""
    parents = []
    path: list[int] = []
    for index, level in enumerate(levels):
        while path and levels[path[-1]] >= level:
            path.pop()
        parents.append(path[-1] if path else -1)
        path.append(index)
    return parents


def _rows_with_depths(hints: MarkupHints) -> set[int]:
    """Return the rows that may state a depth."""
    attributes, names = hints.page.attributes, hints.names
    rows = set(attributes.row[attributes.named(*_ATTRIBUTES)].tolist())
    is_level = np.zeros(names.start.size, np.bool_)
    is_level[names.find(_LEVEL_PARTS)] = True
    return rows.union(names.row[is_level.take(names.value)].tolist())


def _rows_with_styles(page: Page) -> set[int]:
    """Return the rows that may be indented."""
    attributes = page.attributes
    widths = attributes.row[attributes.named("width")]
    rows = set(widths[page.tag.take(widths) == _IMG].tolist())
    styles = attributes.named("style")
    indented = styles[attributes.parts_of(styles, _STYLE_PARTS) != 0]
    return rows.union(attributes.row[indented].tolist())


def _read_level(
    page: Page,
    start: int,
    stop: int,
    read: Callable[[Page, int], float | None],
    readable: Set[int],
) -> float | None:
    """Read the level of a post from the first of the readable rows that has one."""
    rows = list(range(start, min(stop, start + MAX_ROWS)))
    around = int(page.parent[start])
    for _ in range(MAX_AROUND):
        # The indented element may be a wrapper of this post alone.
        if around < 0 or page.end[around] > stop + 1:
            break
        rows.append(around)
        around = int(page.parent[around])
    levels = (read(page, row) for row in rows if row in readable)
    return next((level for level in levels if level is not None), None)


def _stated(page: Page, row: int) -> float | None:
    attrs = page.attrs(row)
    for name in _ATTRIBUTES:
        value = attrs.get(name, "") if attrs.get("role") != "heading" else ""
        if value.isascii() and value.isdigit() and len(value) <= 3:
            return float(value)
    found = _CLASS.search(attrs.get("class", ""))
    return float(found[1]) if found else None


def _style(page: Page, row: int) -> float | None:
    attrs = page.attrs(row)
    found = _STYLE.search(attrs.get("style", "").lower())
    if found:
        return float(found[1])
    width = attrs.get("width", "")
    if page.tag[row] == _IMG and _WIDTH.fullmatch(width):
        thin = attrs.get("height", "") in ("0", "1")
        return float(width) if thin or _SPACER.search(attrs.get("src", "")) else None
    return None


def _from_wraps(page: Page, start: Sequence[int], stop: Sequence[int]) -> list[int]:
    """Make the last shallower post the parent whose wrapper contains a post, and none before."""
    parents: list[int] = []
    path: list[int] = []
    depth = page.depth
    for index, row in enumerate(watch(start)):
        while path and depth[start[path[-1]]] >= depth[row]:
            path.pop()
        parents.append(-1)
        for candidate in reversed(path[-MAX_WRAPS:]):
            if _wraps(page, start, candidate, index, row):
                parents[index] = candidate
                break
        path.append(index)
    return parents


def _wraps(page: Page, start: Sequence[int], candidate: int, index: int, row: int) -> bool:
    wrapper = int(page.parent[start[candidate]])
    for _ in range(MAX_WRAPS):
        if wrapper < 0 or (candidate and start[candidate - 1] >= wrapper):
            return False
        if page.end[wrapper] > row:
            # The container of all posts is not a wrapper of the first.
            return bool(candidate or page.end[wrapper] <= start[-1])
        wrapper = int(page.parent[wrapper])
    return False
