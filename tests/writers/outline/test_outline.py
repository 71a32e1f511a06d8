"""Laying out the kept part of a page."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from tests.helpers.data import cases
from thresher.page.blocks import GLUE, NEWLINE, SPACE
from thresher.page.parse import parse
from thresher.page.scan import IntArray
from thresher.writers.outline.content import read_content
from thresher.writers.outline.outline import outline_page
from thresher.writers.outline.pieces import Pieces, Rank
from thresher.writers.outline.runs import group_kept
from thresher.writers.outline.styles import find_plain, find_preformatted, find_styled


@cases(__file__, "structure")
def test_structure_is_found_when_a_page_is_outlined(html: str, expected: list[str]) -> None:
    """Only elements that mean more than "a block" must be written."""
    page = parse(f"<body>{html}")
    outline = outline_page(page, np.ones(page.leaves.size, np.bool_))
    assert expected == [page.name(row) for row in np.flatnonzero(outline.structure).tolist()]


GAPS: Final[dict[str, tuple[str, list[int], list[np.uint8]]]] = {
    "nothing between": ("<p>a<b>b</b></p>", [0, 1], [GLUE, GLUE]),
    "a space": ("<p><b>a</b> <b>b</b></p>", [0, 1], [GLUE, SPACE]),
    "a line break": ("<p>a<br>b</p>", [0, 1], [GLUE, NEWLINE]),
    "something dropped": ("<p>a<b>b</b>c</p>", [0, 2], [GLUE, SPACE]),
    "something dropped before a comma": ("<p>a<b>b</b>, c</p>", [0, 2], [GLUE, GLUE]),
    "a line break and something dropped": ("<p>a<b>b</b><br>c</p>", [0, 2], [GLUE, NEWLINE]),
    "a block between": ("<p>a</p><p>b</p>", [0, 1], [GLUE, GLUE]),
}


@pytest.mark.parametrize(("html", "keep", "expected"), GAPS.values(), ids=list(GAPS))
def test_gaps_are_found_when_leaves_are_dropped(
    html: str, keep: list[int], expected: list[np.uint8]
) -> None:
    """The gap between two kept leaves must be known, with or without dropped ones between them."""
    page = parse(f"<body>{html}")
    flags = np.zeros(page.leaves.size, np.bool_)
    flags[keep] = True
    assert expected == outline_page(page, flags).gaps.tolist()


NOTE = "<p>a<sup>[<a href=#n>1</a>]</sup></p><p id=n>b c</p>"


def test_brackets_are_silent_when_a_reference_has_them() -> None:
    """The brackets around a reference must be kept in the layout but not be written."""
    page = parse(f"<body>{NOTE}")
    content = read_content(page, np.ones(page.leaves.size, np.bool_))
    assert content.keep.all()
    assert ["[", "]"] == [page.leaf_text(leaf) for leaf in sorted(content.silent)]


def test_a_formula_is_whole_when_one_form_is_kept() -> None:
    """The MathML of a formula must be written if any of its representations was kept."""
    page = parse("<body><span class=katex><math><mi>x</mi></math><b>x</b></span>")
    content = read_content(page, np.array([False, True]))
    assert [True, True] == content.keep.tolist()
    assert {1: 0} == content.repeated


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("font-weight:600", {"b"}),
        ("font-weight: bolder !important", {"b"}),
        ("font-weight:50", set()),
        ("x-font-weight:700", set()),
        ("FONT-STYLE:Italic;text-decoration-line:line-through", {"i", "s"}),
        ("text-decoration:underline;x:line-through", set()),
        ("vertical-align:sub", {"sub"}),
        ("vertical-align:super;font-weight:1000", {"b", "sup"}),
        ("vertical-align:subx", set()),
    ],
)
def test_styled_elements_are_found_by_what_they_mean(style: str, expected: set[str]) -> None:
    """Elements in a line and whole blocks must be found, not pictures nor what means it anyway."""
    whole, parted = (f"<div style='{style}'>{text}</div>" for text in ("x", "x<p>y"))
    tags = f"<span style='{style}'>x</span>{whole}{parted}<img style='{style}'>"
    page = parse(f"<body>{tags}<b style='font-weight:700'>y</b>")
    found = find_styled(page, np.ones(len(page), np.bool_))
    assert expected == found.keys()
    for name, rows in found.items():
        names = ["span"] if name.startswith("su") else ["span", "div"]
        assert names == [page.name(row) for row in rows.tolist()]


@pytest.mark.parametrize(("name", "expected"), [("doc-content", {"b", "i"}), ("content", set())])
def test_styles_of_google_docs_are_found_in_its_sheets(name: str, expected: set[str]) -> None:
    """A published document says by classes what is bold; the sheets of other pages are not read."""
    sheet = "<style>.c1{font-weight:700}.c2{color:#000;font-style:italic}</style>"
    page = parse(f"{sheet}<body class={name}><p class=c1>x<b class=c2>y</b><i class='c1 c2'>z</i>")
    found = find_styled(page, np.ones(len(page), np.bool_))
    assert expected == found.keys()
    for rows in found.values():
        assert {page.name(row) for row in rows.tolist()} <= {"b", "i"}


def test_plain_elements_are_found_when_a_style_takes_their_meaning() -> None:
    """Bold elements of normal weight are not bold; those of other kinds do not count."""
    page = parse("<body><b style='font-weight:400'>x</b><i style='font-weight:normal'>y</i>")
    found = find_plain(
        page, np.ones(len(page), np.bool_), np.arange(page.leaves.size, dtype=np.int32)
    )
    assert {"b": ["x"]} == {name: list(map(page.text_of, rows)) for name, rows in found.items()}


@cases(__file__, "code")
def test_code_is_found_when_its_white_space_is_significant(html: str, expected: list[str]) -> None:
    """The outermost elements with lines of code must be found."""
    page = parse(f"<body><p>x</p>{html}")
    kept = group_kept(page, np.ones(page.leaves.size, np.bool_), page.blocks.of_leaf)
    found = np.flatnonzero(find_preformatted(page, kept))
    assert expected == [page.name(row) for row in found.tolist()]


def at(*places: int) -> IntArray:
    return np.array(places, np.int32)


def test_pieces_are_elsewhere_when_they_are_diverted() -> None:
    """What is in a span must come at its new place, in order, between what opens and closes it."""
    pieces = Pieces()
    pieces.cut(at(0, 2, 4), at(2, 4, 6))
    pieces.put(at(3), Rank.GAP, b"-")
    pieces.put(at(6), Rank.CLOSE_RUN, b"</p>")
    pieces.divert(np.array([[2, 4], [4, 5]], np.int32), at(6, 6), [b"<i>", b"<b>"], b"</>")
    pieces.cut(at(6), at(8))
    assert b"ab</p><i>cd-</><b>ef</>gh" == pieces.join(b"abcdefgh")
