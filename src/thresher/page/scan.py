"""Canonical HTML bytes → the columns of the page table, without a loop over nodes in Python.

`scan` is one pass in C (native/page/scan.c, docs/adr/0007) if compiled.
Both rely on guarantees of the parser's serialisation (HTML Living Standard, 13.3):

* text and attribute values never contain a raw `<` or `>`, and no tag or attribute name contains
  `>`; so every `>` ends a token, and the token starts at the first `<` after the previous `>`
  (names may contain `<`: the web has `<div<p>`);
* every element except the void ones is closed by an end tag.

They hold only once comments are stripped and raw-text elements emptied, which `canonical` does.
In numpy, depth is then a running sum, and pairing start with end tags and finding each row's parent
are one stable sort by level each; in C the open elements are linked by their parents.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.native import Steps, kernel_with
from thresher.page.names import HASH_MIX, pack_names, pack_names_at
from thresher.page.tags import AMP, NAMES, OTHER, TEXT, VOID, flags_of

IntArray = npt.NDArray[np.int32]
_Integers = npt.NDArray[np.signedinteger]

_LT, _GT, _SLASH, _NEWLINE = b"<>/\n"
_NOT_A_TAG: Final = np.isin(np.arange(256), list(b"!?"))
"""First byte of markup without a row: doctype and processing instructions."""
_EATS_NEWLINE: Final = flags_of("listing pre textarea")
"""Elements whose first newline is added by the serialiser (standard, 13.3 step 3)."""

_KNOWN: Final = pack_names(*NAMES[OTHER + 1 : -1])
_KNOWN_CODES: Final = np.arange(OTHER + 1, len(NAMES) - 1, dtype=np.int32)
"""The known tag names and their codes."""
_SPREAD: Final = np.uint64(0x75970952DF41A5E3)
_SPREAD_BITS: Final = np.uint64(64 - 12)
"""Multiplier and shift of a perfect hash: the upper 12 bits of a known name's key times `_SPREAD`
are its slot in `_PLACES`; found by trial."""
_PLACES: Final = np.zeros(1 << 12, np.intp)
"""Index of the name to compare with, by slot."""
_PLACES[_KNOWN.key * _SPREAD >> _SPREAD_BITS] = np.arange(_KNOWN_CODES.size)

_HASH: Final = np.array([HASH_MIX, _SPREAD], np.uint64)
"""Hash constants for the compiled scan."""
_CODE_AT: Final = _KNOWN_CODES.take(_PLACES).astype(np.int16)
_WORDS: Final = np.zeros((len(NAMES), 2), np.uint64)
"""The packed name of each code."""
_WORDS[_KNOWN_CODES] = np.column_stack((_KNOWN.low, _KNOWN.high))


@dataclass(frozen=True, slots=True)
class Columns:
    """One row per DOM node, in document order; every array is int32[n_row] (tag int16).

    ``open_start:open_stop`` is the span in the buffer of a start tag, or of a text;
    ``close_start:close_stop`` that of the end tag, empty if there is none.
    """

    tag: npt.NDArray[np.int16]
    parent: IntArray
    end: IntArray
    depth: IntArray
    open_start: IntArray
    open_stop: IntArray
    close_start: IntArray
    close_stop: IntArray


_FIRST_AMP: Final = int(AMP.argmax())
_AMP_SCRIPT: Final = b"cdn.ampproject.org"
"""Part of the address of the script that shows AMP's elements."""


def scan(buffer: bytes) -> Columns:
    """Fill the columns from a canonical serialisation of one root element.

    AMP's elements are unknown ones in a page that does not load its script.
    """
    columns = scan_rows(buffer)
    if columns.tag.max() < _FIRST_AMP or _AMP_SCRIPT in buffer:
        return columns
    tag = np.where(columns.tag < _FIRST_AMP, columns.tag, np.int16(OTHER))
    tag.setflags(write=False)
    return replace(columns, tag=tag)


def _scan_by_step(steps: Steps, buffer: bytes) -> Columns | None:
    n_room = steps.count_rows_at_most(buffer) or 0
    scanned = steps.scan_rows(buffer, _WORDS, _CODE_AT, VOID, _EATS_NEWLINE, _HASH, n_room)
    # Refused are rare cases: SVG elements with a void name and an end tag.
    if scanned is None:
        return None
    for array in scanned:
        array.setflags(write=False)
    tag, columns = scanned
    return Columns(tag, *columns)


@kernel_with(_scan_by_step)
def scan_rows(buffer: bytes) -> Columns:
    """Fill the columns, with the code of each known name.

    Cost: linear in the bytes; without the compiled steps, plus a stable integer sort of the tags by
    depth.
    """
    raw = np.frombuffer(buffer, np.uint8)
    stop, start = (raw == _GT).nonzero()[0], (raw == _LT).nonzero()[0]
    if start.size != stop.size or not (start[1:] > stop[:-1]).all():
        start = start[np.searchsorted(start, np.concatenate(([0], stop[:-1] + 1)))]
    stop += 1

    first = raw.take(start + 1)
    is_end = first == _SLASH
    elements = (~is_end & ~_NOT_A_TAG.take(first)).nonzero()[0]
    code = _tag_codes(buffer, start.take(elements) + 1)
    has_end = ~VOID.take(code)
    if np.count_nonzero(has_end) != np.count_nonzero(is_end):
        has_end |= _closed_voids(buffer, start, is_end, elements, code)
    delta = -is_end.astype(np.int32)
    delta[elements] = has_end
    depth_after = np.cumsum(delta, dtype=np.int32)

    # The text after each token: from its end to the next token's start.
    text_start = stop[:-1].copy()
    pre = elements[_EATS_NEWLINE.take(code)]
    if pre.size:
        text_start[pre] += raw[text_start[pre]] == _NEWLINE
    texts = (start[1:] > text_start).nonzero()[0]

    # A row for each start tag, and one for the text after a token.
    rows_after = np.zeros(start.size, np.int32)
    rows_after[elements] = 1
    rows_after[texts] += 1
    np.cumsum(rows_after, out=rows_after)
    text_row = rows_after.take(texts) - 1
    row_of = rows_after - 1
    row_of[texts] -= 1
    element_row = row_of.take(elements)

    def column(of_elements: _Integers, of_texts: _Integers | int) -> IntArray:
        out: IntArray = np.empty(rows_after[-1], np.int32)
        out[element_row] = of_elements
        out[text_row] = of_texts
        return out

    tag = column(code, TEXT).astype(np.int16)
    depth = column(depth_after.take(elements) - has_end, depth_after.take(texts))
    open_start = column(start.take(elements), text_start.take(texts))
    open_stop = column(stop.take(elements), start.take(texts + 1))

    # Sorted stably by level, start and end tags alternate: each pair is one element.
    paired = delta.nonzero()[0]
    by_level = paired.take(_order_of(depth_after.take(paired) + is_end.take(paired)))
    opener, closer = by_level[0::2], by_level[1::2]
    opener_row = row_of.take(opener)
    end = np.arange(1, depth.size + 1, dtype=np.int32)
    end[opener_row] = row_of.take(closer) + 1
    close_start, close_stop = open_stop.copy(), open_stop.copy()
    close_start[opener_row] = start.take(closer)
    close_stop[opener_row] = stop.take(closer)

    parent = _parents(depth, opener_row)
    columns = (tag, parent, end, depth, open_start, open_stop, close_start, close_stop)
    for array in columns:
        array.setflags(write=False)
    return Columns(*columns)


def _order_of(level: IntArray) -> npt.NDArray[np.intp]:
    """Argsort small non-negative integers stably; 16 bits let numpy use its radix sort."""
    if level.size and level.max() <= np.iinfo(np.uint16).max:
        return np.argsort(level.astype(np.uint16), kind="stable")
    return np.argsort(level, kind="stable")


def _parents(depth: IntArray, opener_row: _Integers) -> IntArray:
    """Find each row's parent: the last row before it that opens its level.

    Rows that open a level are inserted again among the rows of that level, in document order; then
    the parent is the last opener so far.
    """
    times = np.ones(depth.size, np.int8)
    times[opener_row] = 2
    row = np.arange(depth.size, dtype=np.int32).repeat(times)
    opens = np.zeros(row.size, np.bool_)
    np.equal(row[1:], row[:-1], out=opens[1:])
    order = _order_of(depth.take(row) + opens)
    row, opens = row.take(order), opens.take(order)
    last = np.arange(row.size)
    last *= opens
    np.maximum.accumulate(last, out=last)
    children = (~opens).nonzero()[0]
    parent = np.empty(depth.size, np.int32)
    parent[row.take(children)] = row.take(last.take(children))
    parent[0] = -1
    return parent


def _closed_voids(
    buffer: bytes,
    start: npt.NDArray[np.intp],
    is_end: npt.NDArray[np.bool_],
    elements: npt.NDArray[np.intp],
    code: IntArray,
) -> npt.NDArray[np.bool_]:
    """Flag elements with a void name that do have an end tag: `<svg><link></link></svg>`."""
    ends = np.flatnonzero(is_end)
    codes = np.zeros(start.size, np.int32)
    codes[elements] = code
    codes[ends] = _tag_codes(buffer, start[ends] + 2)
    closed = np.zeros(start.size, np.bool_)
    waiting: dict[int, list[int]] = {}
    for token in watch(np.flatnonzero(VOID[codes]).tolist()):
        same_name = waiting.setdefault(int(codes[token]), [])
        if not is_end[token]:
            same_name.append(token)
        elif same_name:
            closed[same_name.pop()] = True
    return closed[elements]


def _tag_codes(buffer: bytes, name_start: npt.NDArray[np.intp]) -> IntArray:
    """Return the code of the tag name that starts at each offset."""
    packed = pack_names_at(buffer, name_start, b" >")
    place = _PLACES.take(packed.key * _SPREAD >> _SPREAD_BITS)
    is_known = (_KNOWN.low.take(place) == packed.low) & (_KNOWN.high.take(place) == packed.high)
    return np.where(is_known, _KNOWN_CODES.take(place), np.int32(OTHER))
