"""Tags and words in the order of the source, checked against places counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tests.helpers.trees import soups
from thresher.algorithms.classics.sequence import (
    SequenceLayout,
    lay_out,
    mean_over,
    tag_places,
    tags_before,
)
from thresher.page import Page
from thresher.page.parse import parse


def row_of(page: Page, text: str) -> int:
    return next(
        row for row in range(len(page)) if page.name(row) == "#text" and text in page.text_of(row)
    )


# <html> <head> </head> <body> <p> one two <b> three </b> <br> </p> four </body> </html>
# 0      1      2       3      4   5   6   7   8     9    10   11   12   13      14
PAGE = "<p>one two<b>three</b><br></p>four"


def test_tags_before_when_counted_by_hand() -> None:
    """Start tags and end tags before a row are counted; a void element has a single tag."""
    page = parse(PAGE)
    before = tags_before(page)
    assert [5, 6, 9] == [int(before[row_of(page, text)]) for text in ("one", "three", "four")]
    assert 11 == before[-1]


def test_tokens_laid_out_when_counted_by_hand() -> None:
    """Counted in tokens, each tag and each word takes one position."""
    page = parse(PAGE)
    layout = lay_out(page, tokens=True)
    rows = [row_of(page, text) for text in ("one", "three", "four")]
    assert [5, 8, 12] == layout.start[rows].tolist()
    assert [7, 9, 13] == layout.stop[rows].tolist()
    assert 15 == layout.length


def test_characters_laid_out_when_counted_by_hand() -> None:
    """Counted in characters, markup takes its length in bytes, and white space takes nothing."""
    page = parse(PAGE)
    layout = lay_out(page)
    rows = [row_of(page, text) for text in ("one", "three", "four")]
    code = len("<html><head></head><body><p>")
    assert [code, code + 6 + 3, code + 6 + 3 + 5 + 12] == layout.start[rows].tolist()
    assert [6, 5, 4] == (layout.stop - layout.start)[rows].tolist()
    assert len(page.buffer) - len(" ") == layout.length


def test_ignored_tags_take_no_position() -> None:
    """Texts on both sides of an ignored tag form one run."""
    page = parse(PAGE)
    layout = lay_out(page, ignored=page.tagged(["b"]))
    one, three = row_of(page, "one"), row_of(page, "three")
    assert layout.stop[one] == layout.start[three]


def test_tag_places_when_counted_by_hand() -> None:
    """Each start tag and end tag has a position among tags and words."""
    page = parse(PAGE)
    start, end = tag_places(page)
    names = ["html", "head", "body", "p", "b", "br"]
    rows = [next(row for row in range(len(page)) if page.name(row) == name) for name in names]
    assert [0, 1, 3, 4, 7, 10] == start[rows].tolist()
    assert [14, 2, 13, 11, 9, -1] == end[rows].tolist()


@given(html=soups())
def test_every_token_has_its_own_position(html: str) -> None:
    """Start tags, end tags and words fill the sequence without gaps or overlaps."""
    page = parse(html)
    layout = lay_out(page, tokens=True)
    start, end = tag_places(page)
    taken = np.concatenate((start[start >= 0], end[end >= 0])).tolist()
    for first, last in zip(layout.start.tolist(), layout.stop.tolist(), strict=True):
        taken += range(first, last)
    assert list(range(layout.length)) == sorted(taken)


def test_mean_weighs_cells_by_overlap_when_text_spans_several() -> None:
    """A text has the mean over its positions, a row without text the value at its position."""
    layout = SequenceLayout(np.array([0, 3, 9]), np.array([6, 3, 9]), length=10)
    # Cells of 4: places 0–3, 4–7 and 8–9. The text takes 4 places of the first, 2 of the second.
    means = mean_over(np.array([1.0, 0.4, 0.0]), layout, 4)
    assert [(4 * 1.0 + 2 * 0.4) / 6, 1.0, 0.0] == pytest.approx(means.tolist())
