"""The compiled steps of pages check the bounds of what arrays contain."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.helpers.compiled_steps import compiled_steps, needs_steps
from tests.helpers.trees import NASTY_PAGES
from thresher.page import scan as scanning
from thresher.page.characters import classify, code_table
from thresher.page.parse import parse
from thresher.page.tags import OTHER, TEXT, VOID

pytestmark = needs_steps


def scan_compiled(buffer: bytes, n_room: int | None = None) -> int | None:
    """Scan with room for so many rows, or as many as may be; return how many there are."""
    steps = compiled_steps()
    most = steps.count_rows_at_most(buffer)
    assert most is not None
    scanned = steps.scan_rows(
        buffer,
        scanning._WORDS,
        scanning._CODE_AT,
        VOID,
        scanning._EATS_NEWLINE,
        scanning._HASH,
        most if n_room is None else n_room,
    )
    if scanned is None:
        return None
    tag, columns = scanned
    assert (7, tag.size) == columns.shape
    return tag.size


def test_room_for_rows_is_little_more_than_rows() -> None:
    """What is counted beforehand is never less than the rows, and hardly more."""
    count = compiled_steps().count_rows_at_most
    for html in NASTY_PAGES.values():
        page = parse(html)
        n_room = count(page.buffer)
        assert n_room is not None
        assert len(page) <= n_room <= len(page) + page.buffer.count(b"<")
    wide = count(b"<html>" + b"<p>a</p>" * 10_000 + b"</html>")
    assert wide in range(20_001, 20_004)
    assert count(b"<div" + b"<" * 1000 + b"></div>") in range(10)


@pytest.mark.parametrize(
    "buffer",
    [
        b"",
        b"<",
        b"<html",
        b"<html>",
        b"</html>",
        b"a<html></html><p></p>",
        b"<html><p></html></p>",
        b"<html><svg><link></link></svg></html>",
        b"<html></html>a<",
    ],
)
def test_scan_refuses_what_is_not_canonical(buffer: bytes) -> None:
    """Tags that cross, nothing closed, two roots: numpy is asked, as for void names closed."""
    assert scan_compiled(buffer) is None


def test_scan_refuses_too_little_room() -> None:
    """Rows are never written behind the columns."""
    assert 3 == scan_compiled(b"<html><p>a</p></html>", 3)
    assert scan_compiled(b"<html><p>a</p></html>", 2) is None
    assert scan_compiled(b"<html><p>a</p></html>", 0) is None


@given(st.binary(max_size=200) | st.text('<>/ ="!ap\n&', max_size=200).map(str.encode))
def test_any_bytes_can_be_scanned(buffer: bytes) -> None:
    """Bytes that are not canonical HTML are refused or scanned without harm."""
    assert (scan_compiled(buffer) or 0) <= (compiled_steps().count_rows_at_most(buffer) or 0)


_spans = arrays(np.int32, 6, elements=st.integers(-3, 60) | st.sampled_from([-(2**31), 2**31 - 1]))


@given(st.binary(max_size=50), _spans, _spans)
def test_spans_outside_the_buffer_are_refused(
    buffer: bytes, start: npt.NDArray[np.int32], stop: npt.NDArray[np.int32]
) -> None:
    """A span that begins before the buffer, ends behind it or before itself is not read."""
    steps = compiled_steps()
    fits = bool(((start >= 0) & (start <= stop) & (stop <= len(buffer))).all())
    assert fits == (steps.pack_words(buffer, start, stop) is not None)
    tag = np.full(start.size, TEXT, np.int16)
    assert fits == (steps.measure_texts(buffer, tag, start, stop, TEXT) is not None)
    tag = np.full(start.size, OTHER, np.int16)
    name_bytes, n_room = np.zeros(2, np.int32), start.size * len(buffer)
    found = steps.find_attributes(buffer, tag, start, stop, name_bytes, n_room)
    assert fits == (found is not None)


def read_texts_compiled(buffer: bytes, n_room: int) -> int | None:
    """Read a buffer as one text; return how many bytes were joined."""
    tag, start, stop = np.zeros(1, np.int16), np.zeros(1, np.int32), np.array([len(buffer)], "i4")
    read = compiled_steps().read_texts(buffer, tag, start, stop, TEXT, code_table(), n_room)
    return read[0].size if read else None


def test_texts_without_room_are_refused() -> None:
    """Joined bytes are never written behind their array."""
    assert 3 == read_texts_compiled(b"a&amp;b", 7)
    assert read_texts_compiled(b"a&amp;b", 6) is None


@given(st.binary(max_size=50))
def test_any_bytes_can_be_read_as_text(buffer: bytes) -> None:
    """Bytes that are not UTF-8 are refused or read without harm."""
    assert (read_texts_compiled(buffer, len(buffer)) or 0) <= len(buffer)


@pytest.mark.parametrize("n_char", [0, 2, 4])
def test_codes_without_room_are_refused(n_char: int) -> None:
    """There is one code for each character, neither less nor more."""
    utf8 = "aé\N{GRINNING FACE}".encode()
    assert compiled_steps().classify(utf8, code_table(), 3) is not None
    assert compiled_steps().classify(utf8, code_table(), n_char) is None


@given(st.binary(max_size=50), st.integers(0, 60))
def test_any_bytes_can_be_coded(utf8: bytes, n_char: int) -> None:
    """Bytes that are not UTF-8 are refused or coded without harm."""
    codes = compiled_steps().classify(utf8, code_table(), n_char)
    assert codes is None or n_char == codes.size


@given(st.binary(max_size=50), _spans)
def test_names_outside_the_buffer_are_refused(
    buffer: bytes, name_start: npt.NDArray[np.int32]
) -> None:
    """A name of the wanted size is compared where it is in the buffer, and else refused."""
    start = np.minimum(name_start, 2**31 - 5) + np.int32(3)
    sized = name_start[start - name_start == 3]
    fits = bool(((sized >= 0) & (sized < len(buffer))).all())
    stop = np.array([1, 2], np.int32)
    found = compiled_steps().find_named(buffer, name_start, start, b"ab", stop)
    assert fits == (found is not None)
    if found is not None:
        for name, entries in zip((b"a", b"b"), split(*found), strict=True):
            expected = [at for at in sized.tolist() if buffer[at : at + 1] == name]
            assert expected == name_start[entries].tolist()


def split(found: npt.NDArray[np.int64], n_each: npt.NDArray[np.int64]) -> list[list[int]]:
    """Split what was found by name; every entry is that of a name."""
    assert found.size == n_each.sum()
    return [each.tolist() for each in np.split(found, n_each.cumsum()[:-1])]


@pytest.mark.parametrize("stops", [[0], [2, 2], [2, 1], [-1], [5], [3, 5], [2**31 - 1], [-(2**31)]])
def test_names_that_end_elsewhere_are_refused(stops: list[int]) -> None:
    """Each name has a byte or more, and all are within their own bytes."""
    columns = np.array([1], np.int32), np.array([4], np.int32)
    find = compiled_steps().find_named
    assert find(b" a=", *columns, b"abcd", np.array([1, 4], np.int32)) is not None
    assert find(b" a=", *columns, b"abcd", np.array(stops, np.int32)) is None


def test_many_or_long_names_are_refused() -> None:
    """The step has room for 64 names of 31 bytes."""
    columns = np.zeros(0, np.int32), np.zeros(0, np.int32)
    find = compiled_steps().find_named
    assert find(b"", *columns, b"a" * 64, np.arange(1, 65, dtype=np.int32)) is not None
    assert find(b"", *columns, b"a" * 65, np.arange(1, 66, dtype=np.int32)) is None
    assert find(b"", *columns, b"a" * 31, np.array([31], np.int32)) is not None
    assert find(b"", *columns, b"a" * 32, np.array([32], np.int32)) is None


def test_a_parent_behind_its_row_is_refused() -> None:
    """Otherwise, entries would be read before they are filled."""
    flags, parent = np.zeros(2, np.bool_), np.array([-1, 1], np.int32)
    assert compiled_steps().find_nearest(flags, parent) is None
    own = np.zeros(2, np.uint8)
    assert compiled_steps().inherit_flags(own, own, parent) is None


def can_read_leaf(tag: int = OTHER, end: int = 1, start: int = 0, parent: int = -1) -> bool:
    """Read the leaves of one row."""
    offsets = np.array([0, 1], np.int32)
    read = compiled_steps().read_leaves(
        b"x",
        np.array([tag], np.int16),
        np.array([parent], np.int32),
        np.array([end], np.int32),
        np.array([start], np.int32),
        offsets,
        offsets,
        np.zeros(1, np.bool_),
        np.full(2, 1, np.uint8),
        np.zeros(256, np.bool_),
        OTHER,
        OTHER,
    )
    return read is not None


def test_rows_of_leaves_outside_the_page_are_refused() -> None:
    """A tag beyond the table, an end or a place outside the page, a parent behind its row."""
    assert can_read_leaf()
    assert not can_read_leaf(tag=2)
    assert not can_read_leaf(tag=-1)
    assert not can_read_leaf(end=2)
    assert not can_read_leaf(end=-1)
    assert not can_read_leaf(start=1)
    assert not can_read_leaf(start=-1)
    assert not can_read_leaf(parent=0)


def test_offsets_out_of_order_are_refused() -> None:
    """Words are counted up to each offset in one pass; beyond the text there are none."""
    codes = classify("ab cd")
    for offsets in ([3, 1], [0, 6], [-1, 2]):
        assert compiled_steps().count_words(codes, np.array(offsets, np.int32)) is None
