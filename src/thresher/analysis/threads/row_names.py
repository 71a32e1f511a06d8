"""The names of a page's rows: the distinct values of classes and ids, and custom elements.

Most occur many times on a page, so each value is searched once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.distinct import DistinctValues
from thresher.page.parts import Parts, find_parts
from thresher.page.scan import IntArray
from thresher.page.tags import OTHER
from thresher.support.cached import cached_property

__all__ = ["MAX_NAME_BYTES", "RowNames", "read_row_names"]

MAX_NAME_BYTES: Final = 500
"""Bytes read of one value; longer ones are not real names."""
_DIGITS: Final = b"0123456789"
_SEPARATOR: Final = b"\0"


@dataclass(frozen=True, eq=False)
class RowNames:
    """The distinct values of classes and ids, and names of custom elements."""

    values: list[bytes]
    """Classes unchanged; ids with a # prefix, names of elements with a < prefix."""
    row: IntArray
    """The row of each entry, one entry for each value of a row; int32[n_entry].

    First those of classes, then those of ids, then custom elements.
    """
    value: IntArray
    """The value of each entry: an index into ``values``; int32[n_entry]."""

    def find(self, parts: Parts) -> list[int]:
        """Return the indices of the values that have one of some parts, without their digits."""
        found: list[int] = find_parts(*self._bare, parts).nonzero()[0].tolist()
        return found

    @cached_property
    def _bare(self) -> tuple[bytes, IntArray, IntArray]:
        """The values without digits, joined, and where each starts and stops."""
        bare = _SEPARATOR.join([*self.values, b""]).translate(None, _DIGITS)
        stop = (np.frombuffer(bare, np.uint8) == 0).nonzero()[0].astype(np.int32)
        start = np.zeros_like(stop)
        np.add(stop[:-1], 1, out=start[1:])
        return bare, start, stop


def read_row_names(page: Page) -> RowNames:
    """Read the names of a page's rows."""
    classes, ids = page.attributes.distinct("class"), page.attributes.distinct("id")
    values = _cut(classes)
    values += [b"#" + text for text in _cut(ids)]
    place: dict[bytes, int] = {}
    rows: list[int] = []
    numbers: list[int] = []
    others = (page.tag == OTHER).nonzero()[0]
    for row, name in zip(others.tolist(), page.names(others), strict=True):
        if "-" in name:
            rows.append(row)
            numbers.append(place.setdefault(b"<" + name.encode()[:MAX_NAME_BYTES], len(place)))
    n_class, n_attribute = len(classes.texts), len(values)
    values += place
    return RowNames(
        values,
        np.concatenate((classes.row, ids.row, np.array(rows, np.int32))),
        np.concatenate(
            (classes.number, ids.number + n_class, np.array(numbers, np.int32) + n_attribute),
            dtype=np.int32,
        ),
    )


def _cut(found: DistinctValues) -> list[bytes]:
    sizes: npt.NDArray[np.int32] = found.stop - found.start
    if sizes.max(initial=0) <= MAX_NAME_BYTES:
        return list(found.texts)
    return [text[:MAX_NAME_BYTES] for text in found.texts]
