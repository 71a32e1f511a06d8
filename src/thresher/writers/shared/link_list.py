"""The removed links of a page as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

import numpy as np

from thresher.analysis.links import clean_address
from thresher.analysis.removed_links import (
    Addresses,
    AddressKind,
    Link,
    find_line_gaps,
    find_removed,
)
from thresher.deadline import watch
from thresher.document import Document
from thresher.native import Steps, kernel_with
from thresher.page.scan import IntArray
from thresher.writers.shared.literals import join_literals
from thresher.writers.shared.removed_links import read_links

__all__ = ["write_links"]

_quote: Final[Callable[[str], str]] = json.encoder.encode_basestring
_ROOM_LINK: Final = 64
"""Bytes that suffice for what is written of a link besides its text and its address. Of these,
characters that are escaped take two bytes; the few that take more are left to Python."""
_MAX_ROOM: Final = 2**30
"""Bytes that the step may need; what needs more is left to Python."""
_ABSOLUTE, _ROOTED, _NOWHERE = int(AddressKind.ABSOLUTE), int(AddressKind.ROOTED), -1
"""Plain numbers: numpy compares an array with them in a tenth of the time."""


def _write_by_step(steps: Steps, document: Document, *, tracking: bool) -> str | None:
    page = document.page
    removed = find_removed(page, document.selection.keep)
    if not removed.first.size:
        return "[]"
    addresses = _AddressLiterals(page.buffer, Addresses(page), tracking=tracking)
    start, stop = removed.address_start, removed.address_stop
    literal = addresses.number(removed.kind, start, stop)
    leads = np.flatnonzero(literal != _NOWHERE)
    if not leads.size:
        return "[]"
    columns = removed.first, removed.stop, start, stop, literal
    first, last, start, stop, literal = (column.take(leads) for column in columns)
    stop = np.where(literal <= _ROOTED, stop, start)
    literals = join_literals(addresses.literals)
    n_address = int((np.diff(literals.offset).take(literal) + 2 * (stop - start)).sum())
    n_room = 2 * page.text_utf8.size + _ROOM_LINK * leads.size + n_address
    if n_room > _MAX_ROOM:
        return None
    written = steps.write_link_list(
        page.buffer,
        page.text_utf8,
        page.text_offset,
        page.leaves,
        page.leaf_stop,
        find_line_gaps(page),
        first,
        last,
        start,
        stop,
        page.blocks.of_leaf.take(first),
        literal,
        literals.joined,
        literals.offset,
        n_room,
    )
    return None if written is None else f"[{str(written.data, 'utf-8', 'surrogatepass')}]"


@kernel_with(_write_by_step)
def write_links(document: Document, *, tracking: bool) -> str:
    """Write the removed links as a JSON array; without ``tracking`` their URLs are cleaned."""
    links = watch(read_links(document, tracking=tracking))
    return f"[{', '.join([_write_link(link) for link in links])}]"


class _AddressLiterals:
    """What stands before the part of each link's address that the step copies from the page.

    Nothing and the root of the page's addresses are the first two literals, as in `AddressKind`.
    All other addresses are literals, each once, of which nothing is copied from the page.
    """

    def __init__(self, buffer: bytes, addresses: Addresses, *, tracking: bool) -> None:
        self.literals = ["", _escape(addresses.root or "")]
        self._buffer, self._addresses, self._tracking = buffer, addresses, tracking
        self._known: dict[bytes, int] = {}

    def number(self, kind: IntArray, start: IntArray, stop: IntArray) -> IntArray:
        """Return the literal of each link, `_NOWHERE` for links that lead to no other page."""
        literal = kind.copy()
        is_plain = kind == _ABSOLUTE
        if self._addresses.root is not None:
            is_plain |= kind == _ROOTED
        others = np.flatnonzero(~is_plain)
        spans = zip(start.take(others).tolist(), stop.take(others).tolist(), strict=True)
        buffer = self._buffer
        literal[others] = [self._number(buffer[first:last]) for first, last in watch(spans)]
        return literal

    def _number(self, address: bytes) -> int:
        if address not in self._known:
            url = self._addresses.read(address)
            self._known[address] = len(self.literals) if url else _NOWHERE
            if url:
                self.literals.append(_escape(url if self._tracking else clean_address(url)))
        return self._known[address]


def _escape(text: str) -> str:
    """Escape a text as the inside of a JSON string."""
    return _quote(text)[1:-1]


def _write_link(link: Link) -> str:
    """Write a link as the encoder does, in half the time: pages have hundreds."""
    return f'{{"text": {_quote(link.text)}, "url": {_quote(link.url)}, "block": {link.block}}}'
