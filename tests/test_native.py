"""The compiled steps agree with numpy, and check the bounds of their arguments."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.helpers.compiled_comparison import compare
from tests.helpers.fixture_pages import PAGES
from tests.helpers.hostile import SHAPES
from tests.helpers.trees import NASTY_PAGES, soups
from thresher.native import REFUSED, Compiled, compiled
from thresher.page import scan as scanning
from thresher.page.characters import classify, code_table
from thresher.page.parse import parse
from thresher.page.tags import OTHER, TEXT, VOID

pytestmark = pytest.mark.skipif(compiled is None, reason="the steps are not compiled")

SMALL = 40


def steps() -> Compiled:
    """Return the compiled steps; these tests run only if they are available."""
    assert compiled is not None
    return compiled


def scan_compiled(buffer: bytes, n_room: int | None = None) -> int:
    """Scan with room for so many rows, or as many as may be; return how many there are."""
    n_room = steps().count_rows_at_most(buffer) if n_room is None else n_room
    return steps().scan_rows(
        buffer,
        scanning._WORDS,
        scanning._CODE_AT,
        VOID,
        scanning._EATS_NEWLINE,
        scanning._HASH,
        np.empty(n_room, np.int16),
        np.empty((7, n_room), np.int32),
    )


@given(soups())
def test_steps_agree_on_soup(html: str) -> None:
    """Columns, attributes, names, text and words are those of numpy for any tag soup."""
    compare(parse(html))


@pytest.mark.parametrize("html", NASTY_PAGES.values(), ids=NASTY_PAGES)
def test_steps_agree_on_nasty_pages(html: str) -> None:
    """And on pages made to trip a scanner."""
    compare(parse(html))


@pytest.mark.parametrize("name", SHAPES)
def test_steps_agree_on_hostile_shapes(name: str) -> None:
    """And on pages made to hurt."""
    compare(parse(SHAPES[name].build(SMALL)))


@pytest.mark.parametrize("slug", PAGES)
def test_steps_agree_on_whole_pages(slug: str) -> None:
    """And on whole pages, none of which the scan refuses."""
    page = PAGES[slug].document().page
    compare(page)
    assert len(page) == scan_compiled(page.buffer)


def test_room_for_rows_is_little_more_than_rows() -> None:
    """What is counted beforehand is never less than the rows, and hardly more."""
    for html in NASTY_PAGES.values():
        page = parse(html)
        n_room = steps().count_rows_at_most(page.buffer)
        assert len(page) <= n_room <= len(page) + page.buffer.count(b"<")
    wide = b"<html>" + b"<p>a</p>" * 10_000 + b"</html>"
    assert 20_001 <= steps().count_rows_at_most(wide) <= 20_003
    assert steps().count_rows_at_most(b"<div" + b"<" * 1000 + b"></div>") < 10


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
    assert REFUSED == scan_compiled(buffer)


def test_scan_refuses_too_little_room() -> None:
    """Rows are never written behind the columns."""
    assert 3 == scan_compiled(b"<html><p>a</p></html>", 3)
    assert REFUSED == scan_compiled(b"<html><p>a</p></html>", 2)
    assert REFUSED == scan_compiled(b"<html><p>a</p></html>", 0)


@given(st.binary(max_size=200) | st.text('<>/ ="!ap\n&', max_size=200).map(str.encode))
def test_any_bytes_can_be_scanned(buffer: bytes) -> None:
    """Bytes that are not canonical HTML are refused or scanned without harm."""
    assert REFUSED <= scan_compiled(buffer) <= steps().count_rows_at_most(buffer)


_spans = arrays(np.int32, 6, elements=st.integers(-3, 60) | st.sampled_from([-(2**31), 2**31 - 1]))


@given(st.binary(max_size=50), _spans, _spans)
def test_spans_outside_the_buffer_are_refused(
    buffer: bytes, start: npt.NDArray[np.int32], stop: npt.NDArray[np.int32]
) -> None:
    """A span that begins before the buffer, ends behind it or before itself is not read."""
    fits = bool(((start >= 0) & (start <= stop) & (stop <= len(buffer))).all())
    low, high = np.empty((2, start.size), np.uint64)
    assert fits == (steps().pack_words(buffer, start, stop, low, high) != REFUSED)
    texts = (buffer, np.full(start.size, TEXT, np.int16), start, stop, TEXT)
    assert fits == (steps().measure_texts(*texts) != REFUSED)
    tag = np.full(start.size, OTHER, np.int16)
    found = np.empty((4, start.size * len(buffer)), np.int32)
    name_bytes = np.zeros(2, np.int32)
    count = steps().find_attributes(buffer, tag, start, stop, name_bytes, found)
    assert fits == (count != REFUSED)


def read_texts_compiled(buffer: bytes, n_room: int) -> int:
    """Read a buffer as one text; return how many bytes were joined, or REFUSED."""
    tag, start, stop = np.zeros(1, np.int16), np.zeros(1, np.int32), np.full(1, len(buffer))
    rows = (buffer, tag, start, stop.astype(np.int32), TEXT)
    joined, counts = np.empty(n_room, np.uint8), np.empty((3, 2), np.int32)
    return steps().read_texts(*rows, code_table(), joined, counts)


def test_texts_without_room_are_refused() -> None:
    """Joined bytes are never written behind their array."""
    assert 3 == read_texts_compiled(b"a&amp;b", 7)
    assert REFUSED == read_texts_compiled(b"a&amp;b", 6)


@given(st.binary(max_size=50))
def test_any_bytes_can_be_read_as_text(buffer: bytes) -> None:
    """Bytes that are not UTF-8 are refused or read without harm."""
    assert REFUSED <= read_texts_compiled(buffer, len(buffer)) <= len(buffer)


@pytest.mark.parametrize("n_char", [0, 2, 4])
def test_codes_without_room_are_refused(n_char: int) -> None:
    """There is one code for each character, neither less nor more."""
    utf8 = "aé\N{GRINNING FACE}".encode()
    assert 0 == steps().classify(utf8, code_table(), np.empty(3, np.uint16))
    assert REFUSED == steps().classify(utf8, code_table(), np.empty(n_char, np.uint16))


@given(st.binary(max_size=50), st.integers(0, 60))
def test_any_bytes_can_be_coded(utf8: bytes, n_char: int) -> None:
    """Bytes that are not UTF-8 are refused or coded without harm."""
    codes = np.empty(n_char, np.uint16)
    assert steps().classify(utf8, code_table(), codes) in (0, REFUSED)


@given(st.binary(max_size=50), _spans)
def test_names_outside_the_buffer_are_refused(
    buffer: bytes, name_start: npt.NDArray[np.int32]
) -> None:
    """A name of the wanted size is compared where it is in the buffer, and else refused."""
    start = np.minimum(name_start, 2**31 - 5) + np.int32(3)
    found = np.empty(start.size, np.int64)
    sized = name_start[start - name_start == 3]
    fits = bool(((sized >= 0) & (sized < len(buffer))).all())
    n_found = steps().find_named(buffer, name_start, start, b"a", found)
    assert fits == (n_found != REFUSED)
    if fits:
        assert [at for at in sized.tolist() if buffer[at : at + 1] == b"a"] == (
            name_start[found[:n_found]].tolist()
        )


def test_a_parent_behind_its_row_is_refused() -> None:
    """Otherwise, entries would be read before they are filled."""
    flags, parent = np.zeros(2, np.bool_), np.array([-1, 1], np.int32)
    assert REFUSED == steps().find_nearest(flags, parent, np.empty(2, np.int32))
    own = np.zeros(2, np.uint8)
    assert REFUSED == steps().inherit_flags(own, own, parent, np.empty(2, np.uint8))


def read_leaf(tag: int = OTHER, end: int = 1, start: int = 0, parent: int = -1) -> int:
    """Read the leaves of one row; return 0, or REFUSED."""
    offsets = np.array([0, 1], np.int32)
    rows: tuple[Any, ...] = (
        *(b"x", np.array([tag], np.int16), *np.array([[parent], [end], [start]], np.int32)),
        *(offsets, offsets, np.full(2, 1, np.uint8), np.zeros(256, np.bool_)),
        *(np.empty((2, 1), np.bool_), np.empty((3, 2), np.int32), np.empty((6, 1), np.int32)),
        *(np.empty((3, 2), np.int32), np.empty(2, np.uint8), np.empty(1, np.int32)),
        *(np.empty(2, np.int64), OTHER, OTHER),
    )
    return steps().read_leaves(*rows)


def test_rows_of_leaves_outside_the_page_are_refused() -> None:
    """A tag beyond the table, an end or a place outside the page, a parent behind its row."""
    assert 0 == read_leaf()
    assert REFUSED == read_leaf(tag=2)
    assert REFUSED == read_leaf(tag=-1)
    assert REFUSED == read_leaf(end=2)
    assert REFUSED == read_leaf(end=-1)
    assert REFUSED == read_leaf(start=1)
    assert REFUSED == read_leaf(start=-1)
    assert REFUSED == read_leaf(parent=0)


def test_offsets_out_of_order_are_refused() -> None:
    """Words are counted up to each offset in one pass; beyond the text there are none."""
    codes = classify("ab cd")
    for offsets in ([3, 1], [0, 6], [-1, 2]):
        array = np.array(offsets, np.int32)
        assert REFUSED == steps().count_words(codes, array, array.copy(), array.copy())


def test_arrays_that_do_not_fit_are_errors() -> None:
    """Of the wrong size, kind or order in memory: an error, before anything is read."""
    rows, flags = np.zeros(4, np.int32), np.zeros(4, np.bool_)
    with pytest.raises(ValueError, match="fit together"):
        steps().flag_within(flags, rows[:3], np.empty(4, np.bool_))
    with pytest.raises(ValueError, match="items of 4 bytes"):
        steps().flag_within(flags, np.zeros(4, np.int8), np.empty(4, np.bool_))
    with pytest.raises(ValueError, match="contiguous"):
        steps().flag_within(flags[::2], rows[:2], np.empty(2, np.bool_))
    frozen = np.zeros(4, np.bool_)
    frozen.setflags(write=False)
    with pytest.raises((BufferError, ValueError), match="read-only"):
        steps().flag_within(flags, rows, frozen)
    with pytest.raises(TypeError, match="missing"):
        steps().flag_within(flags, rows)  # type: ignore[call-arg]


def test_steps_can_be_left_unused() -> None:
    """With THRESHER_NATIVE=0 in the environment, numpy does everything."""
    code = (
        "from thresher.native import compiled; from thresher import extract;"
        "assert compiled is None; print(extract('<p>The town built a wall.').text)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "THRESHER_NATIVE": "0"},
        capture_output=True,
        check=True,
        text=True,
    )
    assert "The town built a wall." == done.stdout.strip()


SMALLEST_STACK_BYTES = 128 * 1024
"""Default stack size of a thread with musl."""


def test_extraction_does_with_the_stack_of_small_threads() -> None:
    """A page is read, chosen from and written in every format in a thread with little stack."""
    program = f"""
import threading, thresher
page = open({str(PAGES["news-article"].folder / "page.html")!r}, "rb").read()
done = []
def work():
    document = thresher.extract(page)
    done.append([document.write(format) for format in thresher.FORMATS])
threading.stack_size({SMALLEST_STACK_BYTES})
thread = threading.Thread(target=work)
thread.start()
thread.join()
assert done and all(done[0])
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
