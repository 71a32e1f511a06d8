"""Links into the page itself: where they lead, and which of them only offer a heading's address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from thresher.links import resolve_link
from thresher.page import Page
from thresher.tags import CODE_OF, flags_of

__all__ = ["HEADINGS", "InnerLink", "Permalinks", "find_inner_links", "find_permalinks"]

BoolArray = npt.NDArray[np.bool_]

HEADINGS: Final = flags_of("h1 h2 h3 h4 h5 h6")
_A: Final = CODE_OF["a"]
_LEVELS_UP: Final = 3
"""Elements between a link and the heading it is in."""
_PERMALINK_CLASS: Final = re.compile(
    r"(?i)(?:^|[\s_-])(?:anchor|anchor-?link|hash-?link|header-?link|heading-?link|permalink)"
    r"(?:$|[\s_-])"
)
"""How generators of documentation call them: Sphinx, Docusaurus, GitHub, MkDocs, Hugo themes."""
_EDIT_CLASS: Final = rb"\b(?:mw-)?edit-?section\b"
"""How MediaWiki calls the link by which a section is edited, and the brackets around it."""
_WORD: Final = re.compile(r"\w")


class InnerLink(NamedTuple):
    """A link that leads to an element of its own page."""

    row: int
    name: str
    """The element's id or name."""
    target: int
    """The element's row, −1 where there is none."""


@dataclass(frozen=True, slots=True)
class Permalinks:
    """Links in headings to the headings themselves."""

    leaves: npt.NDArray[np.intp]
    """Leaves that only show a sign for such a link, or a link by which the section is edited."""
    rows: frozenset[int]
    """Links around the words of a heading."""


NO_PERMALINKS: Final = Permalinks(np.empty(0, np.intp), frozenset())


def find_inner_links(page: Page, keep: BoolArray) -> list[InnerLink]:
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


def find_permalinks(page: Page, keep: BoolArray, inner: list[InnerLink]) -> Permalinks:
    """Find the links that offer the address of the heading they are in.

    A sign is a link in a heading without any letter or digit, such as "#", "¶" or a chain. What it
    leads to is no matter. Of links with words those are meant that lead into the page.
    """
    rows = np.flatnonzero(page.tag == _A)
    above = page.parent[rows]
    in_heading = np.zeros(rows.size, np.bool_)
    for _ in range(_LEVELS_UP):
        in_heading |= HEADINGS[page.tag[above]]
        above = np.maximum(page.parent[above], 0)
    rows = rows[in_heading]
    if not rows.size:
        return NO_PERMALINKS
    leaves = _find_edit_links(page)
    around: list[int] = []
    own = {link.row for link in inner}
    for row in rows.tolist():
        inside = range(int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]]))
        text = page.text_of(row)
        if text.strip() and not _WORD.search(text):
            leaves.extend(inside)
        elif row in own:
            named = _PERMALINK_CLASS.search(page.attr(row, "class") or "")
            alone = _is_alone(page, keep, row)
            (leaves.extend(inside) if named and not alone else around.append(row))
    return Permalinks(np.array(leaves, np.intp), frozenset(around))


def _find_edit_links(page: Page) -> list[int]:
    """Return the leaves of the links in headings that open an editor."""
    rows = page.attributes.row[page.attributes.matching("class", _EDIT_CLASS)]
    if not rows.size:
        return []
    in_heading = page.below(HEADINGS[page.tag])
    spans = page.leaf_offset[rows], page.leaf_offset[page.end[rows]]
    inside = zip(*(each[in_heading[rows]].tolist() for each in spans), strict=True)
    return [leaf for first, stop in inside for leaf in range(first, stop)]


def _is_alone(page: Page, keep: BoolArray, row: int) -> bool:
    """Say whether a link holds all the kept leaves of its block."""
    first, stop = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
    block = page.blocks.of_leaf[first] if first < stop else 0
    begin, end = page.blocks.start[block : block + 2].tolist()
    return not (keep[begin:first].any() or keep[stop:end].any())
