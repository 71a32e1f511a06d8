"""Links into the page itself, and the elements that they lead to."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from thresher.links import resolve_link
from thresher.page import Page
from thresher.tags import CODE_OF

__all__ = ["InnerLink", "find_inner_links"]

_A: Final = CODE_OF["a"]


class InnerLink(NamedTuple):
    """A link that leads to an element of its own page."""

    row: int
    name: str
    """The element's id or name."""
    target: int
    """The element's row, −1 where there is none."""


def find_inner_links(page: Page, keep: npt.NDArray[np.bool_]) -> list[InnerLink]:
    """Return the links with kept leaves that lead into the page itself, in document order."""
    kept_before = np.concatenate(([0], np.cumsum(keep)))
    rows = np.flatnonzero(page.tag == _A)
    first, stop = page.leaf_offset[rows], page.leaf_offset[page.end[rows]]
    rows = rows[kept_before[stop] > kept_before[first]]
    starts, stops = page.open_start[rows].tolist(), page.open_stop[rows].tolist()
    find = page.buffer.find
    rows = rows[[find(b"#", a, b) >= 0 for a, b in zip(starts, stops, strict=True)]]
    if not rows.size:
        return []
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


def _is_own_address(page: Page, address: str) -> bool:
    if page.url is None:
        return False
    return resolve_link(address, page.url) == page.url.partition("#")[0]
