"""Leaves in blocks and lines, and the text a reader sees of them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.data import cases
from tests.helpers.kernel_comparison import call_both
from thresher.page.blocks import (
    GLUE,
    NEWLINE,
    SPACE,
    Runs,
    find_gaps,
    group_leaves,
    join_leaves,
)
from thresher.page.leaves import GapMark, continue_text, find_leaves, mark_gaps
from thresher.page.parse import parse


@cases(__file__, "texts")
def test_block_texts(html: str, expected: list[str]) -> None:
    """Blocks end at visible edges, and their text is that shown by a browser."""
    page = parse(html)
    assert expected == [page.block_text(block) for block in range(len(page.blocks))]


@pytest.mark.parametrize(
    ("html", "n_block", "n_line"),
    [
        ("", 0, 0),
        ("a", 1, 1),
        ("a<br>b", 1, 2),
        ("a<br><br>b", 2, 2),
        ("<p>a<br>b<br>c<p>d", 2, 4),
        ("<br><br>a", 1, 1),
        ("a<hr>b<br>c", 2, 3),
    ],
)
def test_lines_cut_blocks(html: str, n_block: int, n_line: int) -> None:
    """A line ends with its block, and at every line break."""
    page = parse(html)
    assert (n_block, n_line) == (len(page.blocks), len(page.lines))


def test_block_text_of_kept_leaves() -> None:
    """Only kept leaves are written, with the gap before each."""
    page = parse("<p>a <b>b</b> <i>c</i><p>d")
    assert "a c" == page.block_text(0, np.array([True, False, True, False]))
    assert not page.block_text(1, np.array([True, True, True, False]))


def test_block_row_is_the_innermost_block_element() -> None:
    """A block belongs to the block-level element around it, not to formatting."""
    page = parse("<div>a<p><b>b</b></p></div><span>c</span>")
    assert ["div", "p", "body"] == [page.name(row) for row in page.block_row.tolist()]


def test_block_leaf_and_offset_say_where_blocks_begin() -> None:
    """A block begins at its first leaf; offsets count the blocks that begin before each row."""
    page = parse("<p>a<b>b</b></p><p>c</p>")
    rows = [row for row in range(len(page)) if page.name(row) in ("p", "#text")]
    assert [rows[1], rows[4]] == page.block_leaf.tolist()
    assert [0, 0, 1, 1, 1, 2] == page.block_offset[[*rows, len(page)]].tolist()


def group(n_leaf: int, edges: list[int]) -> Runs:
    """Group leaves, by both ways; an edge k lies between the leaves k - 1 and k."""
    marks = np.zeros(n_leaf + 1, np.uint8)
    marks[edges] = GapMark.EDGE
    return call_both(group_leaves, marks, GapMark.EDGE)


@pytest.mark.parametrize(
    ("n_leaf", "edges", "start", "of_leaf"),
    [(4, [2, 0, 4, 2], [0, 2, 4], [0, 0, 1, 1]), (0, [0, 0], [0], [])],
)
def test_leaves_are_grouped_by_edges(
    n_leaf: int, edges: list[int], start: list[int], of_leaf: list[int]
) -> None:
    """Edges at both ends change nothing, and without leaves there is no group."""
    runs = group(n_leaf, edges)
    assert (start, of_leaf) == (runs.start.tolist(), runs.of_leaf.tolist())


def test_group_by_some_marks() -> None:
    """Marks that are not selected do not end a group."""
    marks = np.array([0, GapMark.BROKEN, GapMark.EDGE, GapMark.WHITE, 0], np.uint8)
    for edges, start in ((GapMark.EDGE, [0, 2, 4]), (GapMark.EDGE | GapMark.BROKEN, [0, 1, 2, 4])):
        assert start == call_both(group_leaves, marks, edges).start.tolist()


def test_runs_sum_and_any() -> None:
    """Values and flags of leaves are gathered by group."""
    runs = group(4, [1])
    assert [5, 24] == runs.sums(np.array([5, 7, 8, 9])).tolist()
    assert [False, True] == runs.any(np.array([False, False, True, False])).tolist()


def test_gaps_take_the_strongest() -> None:
    """A line break beats a space, a space beats nothing; an end alone or a start alone is none."""
    marks = np.zeros(6, np.uint8)
    for places, mark in (
        ([1, 4], GapMark.WHITE),
        ([2, 3], GapMark.CLOSED),
        ([2, 4], GapMark.OPENED),
        ([4], GapMark.BROKEN),
    ):
        marks[places] |= mark
    gaps = find_gaps(marks)
    assert [GLUE, SPACE, SPACE, GLUE, NEWLINE] == gaps.tolist()


def test_join_leaves_collapses_white_space() -> None:
    """White space collapses across leaves, and vanishes around line breaks and at both ends."""
    gaps = np.array([SPACE, SPACE, NEWLINE, GLUE], np.uint8)
    assert "a b\ncd" == join_leaves([" a \n", "  b ", " c", "d "], gaps)


MARKS = [
    ("neighbours", "<p>a<b>b</b>", [GapMark.EDGE, 0, GapMark.EDGE]),
    ("a line break", "<p>a<br>b", [GapMark.EDGE, GapMark.BROKEN, GapMark.EDGE]),
    ("two of them", "<p>a<br><br>b", [GapMark.EDGE, GapMark.BROKEN | GapMark.EDGE, GapMark.EDGE]),
    ("white space", "<p>a<b> </b>b", [GapMark.EDGE, GapMark.WHITE, GapMark.EDGE]),
    ("a link", "<p>a<a>b</a>c", [GapMark.EDGE, GapMark.OPENED, GapMark.CLOSED, GapMark.EDGE]),
    ("what goes on", "<p>a<a>, b</a>c", [GapMark.EDGE, 0, GapMark.CLOSED, GapMark.EDGE]),
    (
        "a drawing's parts",
        "<p>a<svg><a>b</a></svg>c",
        [GapMark.EDGE, GapMark.OPENED, GapMark.CLOSED, GapMark.EDGE],
    ),
]


@pytest.mark.parametrize(
    ("html", "marks"), [case[1:] for case in MARKS], ids=[case[0] for case in MARKS]
)
def test_marks_say_what_is_between(html: str, marks: list[int]) -> None:
    """Each gap between leaves has the marks of all that is in it."""
    page = parse(html)
    leaves = find_leaves(page.tag, page.end, page.chars_before, np.zeros(len(page), np.bool_))
    columns = (page.buffer, page.tag, page.end, page.open_start, page.chars_before)
    assert marks == mark_gaps(*columns, leaves).tolist()


def test_what_goes_on_is_told_by_its_first_byte() -> None:
    """A comma continues a text, an opening bracket does not."""
    starts = np.array([0, 1, 2], np.int32)
    assert [True, False, False] == continue_text(b",(a", starts).tolist()
