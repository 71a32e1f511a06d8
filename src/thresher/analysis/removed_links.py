"""The links that a selection leaves out.

The removed link retainer of Gupta, Kaiser, Neistadt, Grimm, "DOM-based Content Extraction of HTML
Documents", WWW 2003, section 3: whatever the method, the text links missing from its result can be
listed at the end, so that the page stays browsable.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.links import find_base, find_plain_root, find_target
from thresher.deadline import watch
from thresher.native import Steps, kernel_with
from thresher.page import Page
from thresher.page.blocks import SPACE, collapse, join_leaves
from thresher.page.rows import BoolArray, sum_before
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, REPLACED
from thresher.page.text import unescape
from thresher.selection import Selection
from thresher.support.bounded_cache import MAX_ADDRESS_CHARS

_LINK, _MATH = CODE_OF["a"], CODE_OF["math"]
_SHOWS_TEXT: Final = ~REPLACED
_SHOWS_TEXT[_MATH] = True
"""Tags of leaves that show text; bool[n_code]."""
_SPAN_MARK: Final = b"#"


class Link(NamedTuple):
    """A link of a page as shown to a reader."""

    text: str
    """On one line; never empty."""
    url: str
    """Absolute where the page's address is known."""
    block: int
    """The block it begins in: an index into ``page.blocks`` and ``document.blocks``."""


class AddressKind(IntEnum):
    """What has to be done to an address of the markup."""

    ABSOLUTE = 0
    """Nothing."""
    ROOTED = 1
    """It follows the root of the base, as `find_plain_root` returns it."""
    OTHER = 2
    """It has to be read: most have a query, or are relative."""


_KINDS: Final = (
    re.compile(rb"https?://[\w.-]+(?::[0-9]+)?(?:/[^\x00-\x20&;?#\x80-\xff]*)?"),
    re.compile(rb"(?:/[\w-][\w.,-]*)+/?|/"),
)
"""The addresses of each kind but the last: a part of those that `resolve_link` need not read. They
have neither references nor parameters."""


class RemovedLinks(NamedTuple):
    """The removed text links of a page, in document order; int32[n] each."""

    first: IntArray
    """First leaf."""
    stop: IntArray
    """One past the last leaf."""
    address_start: IntArray
    """Where the address, escaped, starts in the page's buffer."""
    address_stop: IntArray
    kind: IntArray
    """`AddressKind`"""


def _find_by_step(steps: Steps, page: Page, keep: BoolArray) -> RemovedLinks | None:
    attributes = page.attributes
    entries = attributes.named("href")
    columns = steps.find_removed_links(
        page.buffer,
        page.tag,
        page.end,
        page.leaf_offset,
        page.leaves,
        keep,
        _SHOWS_TEXT,
        attributes.row.take(entries),
        attributes.start.take(entries),
        attributes.stop.take(entries),
        _LINK,
        MAX_ADDRESS_CHARS,
    )
    return None if columns is None else RemovedLinks(*columns)


@kernel_with(_find_by_step)
def find_removed(page: Page, keep: BoolArray) -> RemovedLinks:
    """Find the text links of which no leaf is kept, bool[n_leaf], that have an address.

    A text link has text, with or without a picture. Of nested links, the outermost counts. Links
    within the page are excluded if that is plain to see.
    """
    is_link = page.tag == _LINK
    rows = np.flatnonzero(is_link & ~page.below(is_link))
    first, stop = page.leaf_offset[rows], page.leaf_offset[page.end[rows]]
    shows_text = _SHOWS_TEXT[page.tag[page.leaves]]
    removed = _any_within(shows_text, first, stop) & ~_any_within(keep, first, stop)
    attributes = page.attributes
    entries = attributes.named("href")
    entry_of = np.full(len(page), -1, np.intp)
    entry_of[attributes.row[entries]] = entries
    entry = entry_of[rows]
    addressed = np.flatnonzero(removed & (entry >= 0))
    starts, stops = attributes.start[entry[addressed]], attributes.stop[entry[addressed]]
    spans = zip(starts.tolist(), stops.tolist(), strict=True)
    addresses = [page.buffer[start:stop] for start, stop in spans]
    leads = np.array([address[:1] not in (b"", _SPAN_MARK) for address in addresses], np.bool_)
    kinds = np.array([_kind_of(address) for address in addresses], np.int32)
    columns = (first[addressed], stop[addressed], starts, stops, kinds)
    return RemovedLinks(*(column[leads].astype(np.int32) for column in columns))


def _kind_of(address: bytes) -> AddressKind:
    if len(address) <= MAX_ADDRESS_CHARS:
        for kind, pattern in enumerate(_KINDS):
            if pattern.fullmatch(address):
                return AddressKind(kind)
    return AddressKind.OTHER


def removed_links(selection: Selection) -> tuple[Link, ...]:
    """List the text links that a selection drops entirely, in document order.

    Only those that lead to another page: links within the page, to scripts and to mailboxes are
    excluded.
    """
    page = selection.page
    removed = find_removed(page, selection.keep)
    addresses = Addresses(page)
    blocks = page.blocks.of_leaf[removed.first]
    texts, gaps = page.leaf_texts(np.arange(page.leaves.size)), _find_line_gaps(page)
    columns = (column.tolist() for column in (*removed, blocks))
    links = []
    for start, stop, first, last, kind, block in watch(zip(*columns, strict=True)):
        if url := addresses.resolve(page.buffer[first:last], kind):
            if stop - start == 1:
                text = collapse(texts[start])
            else:
                text = join_leaves(texts[start:stop], gaps[start:stop]).replace("\n", " ")
            links.append(Link(text, url, block))
    return tuple(links)


class Addresses:
    """The addresses of other pages that links lead to; those that occur several times read once."""

    def __init__(self, page: Page) -> None:
        self.base = find_base(page)
        self.root = find_plain_root(self.base)
        """What stands before addresses of the kind `ROOTED`; None if these have to be read too."""
        self._known: dict[bytes, str | None] = {}

    def resolve(self, address: bytes, kind: int) -> str | None:
        """Resolve an address of the markup, escaped; None if it does not lead to another page."""
        if kind == AddressKind.ABSOLUTE:
            return address.decode()
        if kind == AddressKind.ROOTED and self.root is not None:
            return self.root + address.decode()
        return self.read(address)

    def read(self, address: bytes) -> str | None:
        """Resolve an address of any kind."""
        if address not in self._known:
            self._known[address] = find_target(unescape(address.decode()), self.base)
        return self._known[address]


def _any_within(
    leaf_flags: npt.NDArray[np.bool_], start: IntArray, stop: IntArray
) -> npt.NDArray[np.bool_]:
    total = sum_before(leaf_flags)
    return total[stop] > total[start]


def _find_line_gaps(page: Page) -> npt.NDArray[np.uint8]:
    """Return the gap before each leaf when all is on one line: a space between blocks."""
    gaps = page.gaps.copy()
    gaps[page.blocks.start[:-1]] = SPACE
    return gaps
