"""Links to elements of the same page, and their targets."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import unquote

import numpy as np

from thresher.analysis.links import resolve_link
from thresher.deadline import watch
from thresher.native import Steps, kernel_with
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF
from thresher.page.text import count_at
from thresher.support.cached import cached_view

__all__ = ["InnerLink", "find_inner_links", "is_own_address"]

_A: Final = CODE_OF["a"]


class InnerLink(NamedTuple):
    """A link to an element of its own page."""

    row: int
    name: str
    """The element's id or name."""
    target: int
    """The element's row, −1 if it does not exist."""


def find_inner_links(page: Page, keep: BoolArray) -> list[InnerLink]:
    """Return the links with kept leaves that point into the page itself, in document order."""
    found: list[tuple[int, str]] = []
    for row in watch(find_marked_links(page, keep).tolist()):
        before, _, name = (page.attr(row, "href") or "").strip().partition("#")
        if name and (not before or is_own_address(page, before)):
            found.append((row, unquote(name)))
    targets = _find_targets(page) if found else {}
    return [InnerLink(row, name, targets.get(name, -1)) for row, name in found]


@cached_view
def _find_targets(page: Page) -> dict[str, int]:
    """Return id or name → the row of the first element with it, ids first."""
    attributes = page.attributes
    targets = {name: row for row, name in reversed(attributes.values("name").items())}
    targets |= {name: row for row, name in reversed(attributes.values("id").items())}
    return targets


def _find_marked_by_step(steps: Steps, page: Page, keep: BoolArray) -> IntArray | None:
    columns = (page.tag, page.end, page.open_start, page.open_stop, page.leaf_offset)
    return steps.find_marked_links(page.buffer, *columns, keep, _A)


@kernel_with(_find_marked_by_step)
def find_marked_links(page: Page, keep: BoolArray) -> IntArray:
    """Find the links with kept leaves and a # in their tags, usually few; int32[n]."""
    rows = (page.tag == _A).nonzero()[0].astype(np.int32)
    first, stop = page.leaf_offset[rows], page.leaf_offset[page.end[rows]]
    rows = rows[count_at(keep, stop) > count_at(keep, first)]
    spans = zip(page.open_start[rows].tolist(), page.open_stop[rows].tolist(), strict=True)
    find = page.buffer.find
    return np.asarray(rows[[find(b"#", start, stop) >= 0 for start, stop in spans]])


def is_own_address(page: Page, address: str) -> bool:
    """Return whether an address is the page's; False if that is not known."""
    if page.url is None:
        return False
    return resolve_link(address, page.url) == page.url.partition("#")[0]
