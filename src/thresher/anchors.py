"""Links into the page itself, and the elements that they lead to."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from thresher.links import resolve_link
from thresher.native import REFUSED, compiled
from thresher.page import Page
from thresher.scan import IntArray
from thresher.tags import CODE_OF
from thresher.text import count_at

__all__ = ["InnerLink", "find_inner_links"]

_A: Final = CODE_OF["a"]
_MARK: Final = ord("#")


class InnerLink(NamedTuple):
    """A link that leads to an element of its own page."""

    row: int
    name: str
    """The element's id or name."""
    target: int
    """The element's row, −1 where there is none."""


def find_inner_links(page: Page, keep: npt.NDArray[np.bool_]) -> list[InnerLink]:
    """Return the links with kept leaves that lead into the page itself, in document order."""
    rows = _find_marked(page)
    if not rows.size:
        return []
    first, stop = page.leaf_offset[rows], page.leaf_offset[page.end[rows]]
    rows = rows[count_at(keep, stop) > count_at(keep, first)]
    found: list[tuple[int, str]] = []
    for row in rows.tolist():
        before, _, name = (page.attr(row, "href") or "").strip().partition("#")
        if name and (not before or _is_own_address(page, before)):
            found.append((row, unquote(name)))
    targets: dict[str, int] = {}
    if found:
        names = page.attributes.values("name")
        for row, name in (*page.attributes.values("id").items(), *names.items()):
            targets.setdefault(name, row)
    return [InnerLink(row, name, targets.get(name, -1)) for row, name in found]


def _find_marked(page: Page) -> IntArray:
    """Find the links with a # in their tags, which few pages have; int32[n]."""
    if compiled is not None:
        rows = np.empty(len(page), np.int32)
        columns = (page.buffer, page.tag, page.open_start, page.open_stop)
        n_row = compiled.find_tags_with(*columns, rows, _A, _MARK)
        if n_row != REFUSED:
            return rows[:n_row]
    return _find_marked_arrays(page)


def _find_marked_arrays(page: Page) -> IntArray:
    """Find links as `_find_marked` does, without compiled steps."""
    rows = (page.tag == _A).nonzero()[0].astype(np.int32)
    spans = zip(page.open_start[rows].tolist(), page.open_stop[rows].tolist(), strict=True)
    find, mark = page.buffer.find, bytes([_MARK])
    return rows[[find(mark, start, stop) >= 0 for start, stop in spans]]


def _is_own_address(page: Page, address: str) -> bool:
    if page.url is None:
        return False
    return resolve_link(address, page.url) == page.url.partition("#")[0]
