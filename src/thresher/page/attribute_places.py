"""Positions of all attributes of a page, as spans of the canonical buffer.

If compiled, `find_attributes` reads the tags one by one in C (native/page/attributes.c,
docs/adr/0007); otherwise numpy finds them without a loop.

In canonical HTML an attribute is one space, the name, `="`, the value with `"` escaped, and `"`.
So inside a tag quotes alternate between opening and closing. A name may contain a stray quote
(`<a href="x"">`, `<a="x">`); such tags are recognised by the misplaced quote and read one by one.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page.attributes import Attributes
from thresher.page.rows import freeze
from thresher.page.scan import IntArray
from thresher.page.tags import NAMES, OTHER, TEXT

_QUOTE, _EQUALS, _SPACE, _GT = b'"= >'
_NAME_BYTES: Final = np.array([len(name) for name in NAMES], np.int32)
"""Bytes of each known tag name; 0 for other elements."""
_NAME_BYTES[OTHER] = 0
_ATTRIBUTE: Final = re.compile(rb' (=?[^ =>]*)="([^"]*)"')


def _find_attributes_by_step(
    steps: Steps, buffer: bytes, tag: npt.NDArray[np.int16], start: IntArray, stop: IntArray
) -> Attributes | None:
    n_room = steps.count_attributes_at_most(buffer) or 0
    columns = steps.find_attributes(buffer, tag, start, stop, _NAME_BYTES, n_room)
    return None if columns is None else Attributes(buffer, *freeze(columns))


@kernel_with(_find_attributes_by_step)
def find_attributes(
    buffer: bytes, tag: npt.NDArray[np.int16], start: IntArray, stop: IntArray
) -> Attributes:
    """Find the attributes of all elements, given each row's tag code and start tag."""
    row = (tag != TEXT).nonzero()[0].astype(np.int32)
    name, start, stop = tag.take(row), start.take(row), stop.take(row)
    raw = np.frombuffer(buffer, np.uint8)
    quote = (raw == _QUOTE).nonzero()[0].astype(np.int32)
    owner = start.searchsorted(quote, side="right") - 1
    inside = (quote < stop.take(owner)).nonzero()[0]
    quote, owner = quote.take(inside), owner.take(inside)

    count = np.bincount(owner, minlength=start.size)
    begun = count.nonzero()[0]
    first = count.cumsum() - count
    head = first.take(begun)
    closes = ((np.arange(quote.size) - first.take(owner)) & 1).astype(np.bool_)
    after = raw.take(quote + 1)
    fits = np.where(closes, (after == _SPACE) | (after == _GT), raw.take(quote - 1) == _EQUALS)
    # A tag's name ends at its first space; a quote before that is part of the name.
    name_stop = _end_names(raw, name.take(begun), start.take(begun))
    is_bad = (count & 1).astype(np.bool_)
    is_bad[owner[~fits]] = True
    is_bad[begun[name_stop > quote.take(head)]] = True
    bad = is_bad.nonzero()[0]
    if bad.size:
        fine = ~is_bad.take(owner)
        quote, owner, closes = quote[fine], owner[fine], closes[fine]
        count[bad] = 0
        name_stop = name_stop[~is_bad.take(begun)]
        begun = count.nonzero()[0]
        head = (count.cumsum() - count).take(begun)

    # In the remaining tags every second quote opens a value.
    columns = np.empty((4, quote.size // 2), np.int32)
    columns[0] = row.take(owner[::2])
    columns[2] = quote[::2]
    columns[2] += 1
    columns[3] = quote[1::2]
    # A name starts after the previous value; the first one after the tag name.
    columns[1, 1:] = columns[3, :-1]
    columns[1] += len('" ')
    columns[1, head // 2] = name_stop + 1
    if bad.size:
        columns = np.concatenate((columns, _read_each(buffer, bad, row, start, stop)), axis=1)
        columns = columns[:, columns[1].argsort(kind="stable")]
    columns.setflags(write=False)
    return Attributes(buffer, *columns)


def _end_names(
    raw: npt.NDArray[np.uint8], name: npt.NDArray[np.int16], start: IntArray
) -> IntArray:
    stop = start + _NAME_BYTES.take(name) + 1
    others = (name == OTHER).nonzero()[0]
    if others.size:
        space = np.append((raw == _SPACE).nonzero()[0], raw.size)
        stop[others] = space.take(space.searchsorted(start.take(others)))
    return stop


def _read_each(
    buffer: bytes, tags: npt.NDArray[np.intp], row: IntArray, start: IntArray, stop: IntArray
) -> IntArray:
    """Find the attributes of these tags one by one; int32[4, n] as in `Attributes`."""
    entries = [
        (int(row[i]), match.start(1), match.start(2), match.end(2))
        for i in tags.tolist()
        for match in _ATTRIBUTE.finditer(buffer, int(start[i]), int(stop[i]))
    ]
    return np.array(entries, np.int32).reshape(-1, 4).T
