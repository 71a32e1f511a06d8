"""The names of a page's rows: the distinct values of classes and ids, and custom elements.

Most occur many times on a page, so each value is searched once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel, kernel_with
from thresher.page import Page
from thresher.page.attributes import number_spans
from thresher.page.parts import Parts, find_parts
from thresher.page.scan import IntArray
from thresher.page.tags import OTHER

__all__ = ["MAX_NAME_BYTES", "Bits", "RowNames", "mark_rows", "read_row_names"]

Bits = npt.NDArray[np.uint16]

MAX_NAME_BYTES: Final = 500
"""Bytes read of one value; longer ones are not real names."""
_DIGITS: Final = b"0123456789"
_QUOTE: Final = b'"'
_SEPARATOR: Final = b"\0"


@dataclass(frozen=True, eq=False)
class RowNames:
    """The distinct values of classes and ids, and names of custom elements."""

    buffer: bytes
    row: IntArray
    """The row of each entry, one entry for each value of a row; int32[n_entry].

    First those of classes, then those of ids, then custom elements.
    """
    value: IntArray
    """The value of each entry: an index into the other fields; int32[n_entry]."""
    start: IntArray
    """Where each value starts in the buffer; int32[n_value].

    That of an id starts with the quote before it, that of an element with the < before it.
    """
    stop: IntArray
    """Where it stops there; int32[n_value]."""
    bare: bytes
    """The values without digits, each followed by NUL."""
    bare_start: IntArray
    """Where each starts there; int32[n_value]."""
    bare_stop: IntArray
    """Where it stops there; int32[n_value]."""

    def find(self, parts: Parts) -> npt.NDArray[np.intp]:
        """Return the indices of the values that have one of some parts, without their digits."""
        return find_parts(self.bare, self.bare_start, self.bare_stop, parts).nonzero()[0]

    def texts(self, values: npt.NDArray[np.integer] | None = None) -> list[bytes]:
        """Return some of the values, or all: ids with a # prefix, elements with a < prefix."""
        start, stop = self.start, self.stop
        if values is not None:
            start, stop = start.take(values), stop.take(values)
        buffer, spans = self.buffer, zip(start.tolist(), stop.tolist(), strict=True)
        texts = [buffer[first:last] for first, last in spans]
        # No class begins with a quote: it would be escaped.
        return [b"#" + text[1:] if text[:1] == _QUOTE else text for text in texts]


def _read_row_names_by_step(steps: Steps, page: Page) -> RowNames | None:
    attributes = page.attributes
    classes, ids = attributes.named("class"), attributes.named("id")
    n_room = classes.size + ids.size + int(np.count_nonzero(page.tag == OTHER))
    found = steps.read_row_names(
        page.buffer,
        *(attributes.row, attributes.start, attributes.stop, classes, ids),
        *(page.tag, page.open_start, page.open_stop),
        # A table twice as large as needed has few collisions.
        *(OTHER, MAX_NAME_BYTES, n_room, 2 << n_room.bit_length()),
    )
    if found is None:
        return None
    sizes, entries, values, bare = found
    n_entry, n_value = sizes.tolist()
    row, value = entries[:, :n_entry]
    start, stop, bare_start, bare_stop = values[:, :n_value]
    return RowNames(page.buffer, row, value, start, stop, bare.tobytes(), bare_start, bare_stop)


@kernel_with(_read_row_names_by_step)
def read_row_names(page: Page) -> RowNames:
    """Read the names of a page's rows."""
    attributes = page.attributes
    others = (page.tag == OTHER).nonzero()[0]
    names = page.names(others)
    is_custom = np.array(["-" in name for name in names], np.bool_)
    size = np.array([len(name.encode()) for name in names], np.int32)[is_custom]
    others = others[is_custom]
    classes, ids = attributes.named("class"), attributes.named("id")
    values = np.concatenate((classes, ids))
    first = np.concatenate((attributes.start.take(values), page.open_start.take(others) + 1))
    last = np.concatenate((attributes.stop.take(values), first[values.size :] + size))
    start = first.copy()
    start[classes.size :] -= 1
    stop = np.minimum(last, first + MAX_NAME_BYTES)
    number, example = number_spans(page.buffer, start, stop)
    start, stop = start.take(example), stop.take(example)
    spans = zip(start.tolist(), stop.tolist(), strict=True)
    bare = [page.buffer[slice(*span)].translate(None, _DIGITS) + _SEPARATOR for span in spans]
    sizes = np.array([len(each) for each in bare], np.int32)
    ends = sizes.cumsum(dtype=np.int32)
    return RowNames(
        page.buffer,
        np.concatenate((attributes.row.take(values), others), dtype=np.int32),
        number,
        start,
        stop,
        b"".join(bare),
        ends - sizes,
        ends - 1,
    )


@kernel
def mark_rows(
    row: IntArray, value: IntArray, of_value: Bits, tag: npt.NDArray[np.int16], of_tag: Bits
) -> Bits:
    """Combine the bits of each row's tag and names; uint16[n_row].

    ``row`` and ``value`` are those of `RowNames`; ``of_value`` has the bits of its values.
    """
    bits: Bits = of_tag.take(tag)
    np.bitwise_or.at(bits, row, of_value.take(value))
    return bits
