"""Steps compiled from C, where they were built: the one place that says whether they are used.

``pip install`` compiles them where there is a C compiler (hatch_build.py). Each has a twin in
numpy, which does the same where they are not there, and for what they refuse; docs/adr/0004 says
which steps are compiled, and why. What is beside this file opens their arguments; the folders hold
plain C. ``THRESHER_NATIVE=0`` in the environment leaves them unused.
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
"""What a compiled step returns where it cannot make sense of what it was given."""
TOO_LONG: Final = -2
"""What `canonicalise` returns where the canonical HTML does not fit into the room it has."""
CLOSED_AS_XML: Final = -3
"""What it returns, where it is asked to, at an element of text that is closed as in XML."""

_Bool = npt.NDArray[np.bool_]
_Bytes = npt.NDArray[np.uint8]
_Int32 = npt.NDArray[np.int32]
_Words = npt.NDArray[np.uint64]


class Compiled(LearnedSteps, WriterSteps, Protocol):
    """The compiled steps. Arrays are contiguous; the last ones of each call are filled.

    ValueError and BufferError for arrays that do not fit together. Nothing that an array holds
    makes a step read or write beyond its arrays.
    """

    def measure_utf8(self, utf8: bytes, /) -> int:
        """Count the characters of UTF-8, where it is well-formed."""

    def canonicalise(self, source: bytes, canonical: _Bytes, asks: int, /) -> int:
        """Write UTF-8 source as canonical HTML, uint8[n_room]; return how many bytes it has.

        Or REFUSED, or TOO_LONG, or, where ``asks`` is not 0, CLOSED_AS_XML.
        """

    def count_rows_at_most(self, buffer: bytes, /) -> int:
        """Return how many rows canonical HTML has, or few more."""

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
        """Fill the columns of a page, int32[7, n_room]; return how many rows it has."""

    def count_attributes_at_most(self, buffer: bytes, /) -> int:
        """Return how many attributes canonical HTML has, or few more."""

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
        """Fill row, start of name, start and stop of value, int32[4, n_room]; return how many."""

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
        """Find the attributes of a name, by where name and value begin; return how many."""

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
        """Join texts unescaped, and count what is before each row; return how many bytes."""

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
        """Flag every row that is, or is inside, a flagged row."""

    def flag_below(self, flags: _Bool, end: _Int32, inside: _Bool, /) -> int:
        """Flag every row that is inside a flagged row."""

    def sum_flagged(self, flags: _Bool, offsets: _Int32, sums: _Int32, /) -> int:
        """Add up, before each row, what the flagged rows take of offsets."""

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
        """Add the flags that attributes set to those of their rows."""

    def inherit_flags(self, own: _Bytes, inside: _Bytes, parent: _Int32, flags: _Bytes, /) -> int:
        """Put together each row's own flags, its parent's, and what its parent flags inside."""

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
        """Find leaves and blocks, their sums and separators, as `thresher.page.blocks` does."""

    def group_leaves(self, marks: _Bytes, start: _Int32, of_leaf: _Int32, edges: int, /) -> int:
        """Group leaves at marks; return how many groups."""

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
        """Find the links with kept leaves that have a # in their tags; return how many."""

    def find_nearest(self, flags: _Bool, parent: _Int32, nearest: _Int32, /) -> int:
        """Find for every row itself or its nearest ancestor that is flagged."""


def _load() -> Compiled | None:
    # Characters and names are handed over as numpy packs them, the first byte lowest.
    if os.environ.get("THRESHER_NATIVE") == "0" or sys.byteorder != "little":
        return None
    try:
        module: Any = import_module("thresher.native._compiled")
    except ImportError:
        return None
    # One compiled from older sources, left behind in a working tree, is none.
    kinds = (Compiled, LearnedSteps, WriterSteps)
    steps = (name for kind in kinds for name in vars(kind) if not name.startswith("_"))
    return cast(Compiled, module) if all(hasattr(module, step) for step in steps) else None


compiled: Final = _load()
"""The compiled steps, None where there are none."""
