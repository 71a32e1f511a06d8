"""Compiled steps: loading of the C extension, and the types of its functions.

``pip install`` compiles them if there is a C compiler (hatch_build.py). Each step has a numpy
definition with the same results, which is used if the extension is missing and for inputs that a
step refuses; docs/adr/0004 gives the reasons for compiling each. The C files in this folder convert
the arguments; the subfolders contain plain C. ``THRESHER_NATIVE=0`` in the environment disables the
extension.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any, Final, Protocol, cast

import numpy as np
import numpy.typing as npt

from thresher.native.learned import LearnedSteps
from thresher.native.writers import WriterSteps

__all__ = ["CLOSED_AS_XML", "REFUSED", "TOO_LONG", "Compiled", "compiled"]

REFUSED: Final = -1
"""Return value of a compiled step that cannot handle its input."""
TOO_LONG: Final = -2
"""Return value of `canonicalise` if the canonical HTML does not fit into the given array."""
CLOSED_AS_XML: Final = -3
"""Return value of `canonicalise`, if enabled, at a raw-text element self-closed as in XML."""

_Bool = npt.NDArray[np.bool_]
_Bytes = npt.NDArray[np.uint8]
_Int32 = npt.NDArray[np.int32]
_Words = npt.NDArray[np.uint64]


class Compiled(LearnedSteps, WriterSteps, Protocol):
    """The compiled steps. Arrays must be contiguous; the last ones of each call are outputs.

    ValueError and BufferError for arrays whose sizes do not match. No content of an array makes a
    step read or write out of bounds.
    """

    def measure_utf8(self, utf8: bytes, /) -> int:
        """Count the characters of UTF-8; REFUSED if it is not well-formed."""

    def canonicalise(self, source: bytes, canonical: _Bytes, asks: int, /) -> int:
        """Write UTF-8 source as canonical HTML, uint8[n_room]; return its size in bytes.

        Or REFUSED, TOO_LONG, or, if ``asks`` is not 0, CLOSED_AS_XML.
        """

    def count_rows_at_most(self, buffer: bytes, /) -> int:
        """Return a tight upper bound of the rows of canonical HTML."""

    def scan_rows(  # noqa: PLR0917
        self,
        buffer: bytes,
        words: _Words,
        code_at: npt.NDArray[np.int16],
        is_void: _Bool,
        eats_newline: _Bool,
        hash: _Words,
        tag: npt.NDArray[np.int16],
        columns: _Int32,
        /,
    ) -> int:
        """Fill the columns of a page, int32[7, n_room]; return the number of rows."""

    def count_attributes_at_most(self, buffer: bytes, /) -> int:
        """Return a tight upper bound of the attributes of canonical HTML."""

    def find_attributes(  # noqa: PLR0917
        self,
        buffer: bytes,
        tag: npt.NDArray[np.int16],
        start: _Int32,
        stop: _Int32,
        name_bytes: _Int32,
        found: _Int32,
        /,
    ) -> int:
        """Fill row, start of name, start and stop of value, int32[4, n_room]; return the number."""

    def pack_words(
        self, buffer: bytes, start: _Int32, stop: _Int32, low: _Words, high: _Words, /
    ) -> int:
        """Pack the first 16 bytes between each two offsets into two words."""

    def find_named(
        self,
        buffer: bytes,
        name_start: _Int32,
        start: _Int32,
        name: bytes,
        places: npt.NDArray[np.int64],
        /,
    ) -> int:
        """Find attributes by name, given the starts of names and values; return the number."""

    def measure_texts(
        self, buffer: bytes, tag: npt.NDArray[np.int16], start: _Int32, stop: _Int32, text: int, /
    ) -> int:
        """Count the bytes of texts, the rows with one tag."""

    def read_texts(  # noqa: PLR0917
        self,
        buffer: bytes,
        tag: npt.NDArray[np.int16],
        start: _Int32,
        stop: _Int32,
        text: int,
        code_of: npt.NDArray[np.uint16],
        joined: _Bytes,
        counts: _Int32,
        /,
    ) -> int:
        """Join texts unescaped, and count before each row; return the number of bytes."""

    def classify(
        self,
        utf8: bytes | memoryview,
        code_of: npt.NDArray[np.uint16],
        codes: npt.NDArray[np.uint16],
        /,
    ) -> int:
        """Look up the code of each character of UTF-8."""

    def count_words(
        self,
        codes: npt.NDArray[np.uint16],
        offsets: _Int32,
        words: _Int32,
        chars: _Int32,
        /,
    ) -> int:
        """Count words, and characters that are not white space, before each offset."""

    def flag_within(self, flags: _Bool, end: _Int32, inside: _Bool, /) -> int:
        """Flag every flagged row and its descendants."""

    def flag_below(self, flags: _Bool, end: _Int32, inside: _Bool, /) -> int:
        """Flag the descendants of flagged rows."""

    def sum_flagged(self, flags: _Bool, offsets: _Int32, sums: _Int32, /) -> int:
        """Sum, before each row, the ranges of offsets of flagged rows."""

    def flag_hidden(  # noqa: PLR0917
        self,
        buffer: bytes,
        row: _Int32,
        name_start: _Int32,
        start: _Int32,
        stop: _Int32,
        flags: _Bytes,
        /,
    ) -> int:
        """Add the flags set by attributes to those of their rows."""

    def inherit_flags(self, own: _Bytes, inside: _Bytes, parent: _Int32, flags: _Bytes, /) -> int:
        """Combine each row's own flags, its ancestors', and those that these set on descendants."""

    def read_leaves(  # noqa: PLR0917
        self,
        buffer: bytes,
        tag: npt.NDArray[np.int16],
        parent: _Int32,
        end: _Int32,
        open_start: _Int32,
        words: _Int32,
        chars: _Int32,
        kinds: _Bytes,
        closing: _Bool,
        flags: _Bool,
        offsets: _Int32,
        leaves: _Int32,
        blocks: _Int32,
        marks: _Bytes,
        nearest: _Int32,
        sizes: npt.NDArray[np.int64],
        link: int,
        math: int,
        /,
    ) -> int:
        """Find leaves and blocks, their sizes and gaps, as `thresher.page.blocks` does."""

    def group_leaves(self, marks: _Bytes, start: _Int32, of_leaf: _Int32, edges: int, /) -> int:
        """Group leaves at marks; return the number of groups."""

    def find_marked_links(  # noqa: PLR0917
        self,
        buffer: bytes,
        tag: npt.NDArray[np.int16],
        end: _Int32,
        start: _Int32,
        stop: _Int32,
        leaf_offset: _Int32,
        keep: _Bool,
        found: _Int32,
        code: int,
        /,
    ) -> int:
        """Find the links with kept leaves and a # in their tags; return the number."""

    def find_nearest(self, flags: _Bool, parent: _Int32, nearest: _Int32, /) -> int:
        """Find each row's nearest flagged ancestor-or-self."""


def _load() -> Compiled | None:
    # Characters and names are passed as packed by numpy, in little-endian order.
    if os.environ.get("THRESHER_NATIVE") == "0" or sys.byteorder != "little":
        return None
    try:
        module: Any = import_module("thresher.native._compiled")
    except ImportError:
        return None
    # Ignore an extension compiled from older sources that was left in a working tree.
    kinds = (Compiled, LearnedSteps, WriterSteps)
    steps = (name for kind in kinds for name in vars(kind) if not name.startswith("_"))
    return cast(Compiled, module) if all(hasattr(module, step) for step in steps) else None


compiled: Final = _load()
"""The compiled steps; None if they are not available."""
