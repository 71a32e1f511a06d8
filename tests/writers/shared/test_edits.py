"""The canonical HTML that an edited page must have."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest
from hypothesis import given

from tests.helpers.trees import NASTY_PAGES, soups
from thresher.page import Page
from thresher.page.canonical import canonicalise
from thresher.page.parse import pair_elements, parse
from thresher.page.tags import CODE_OF
from thresher.writers.shared.editing import (
    Edits,
    edit_canonical,
    parse_source,
    remove_rows,
    serialise_source,
)

_NOTHING: Final = np.array([], np.int64)


def _row(page: Page, tag: str) -> int:
    """Return the first row of a tag."""
    return int(np.flatnonzero(page.tag == CODE_OF[tag])[0])


def _content(page: Page, **edits: object) -> str:
    """Return the content of the body after edits."""
    edited = edit_canonical(page, Edits(**{"removed": _NOTHING, **edits}))  # type: ignore[arg-type]
    assert edited is not None
    return edited.decode().partition("<body>")[2].removesuffix("</body></html>")


def test_removed_rows_leave_no_trace() -> None:
    """Elements and texts are cut out with all they hold, and what is around them stays."""
    page = parse("<p>a</p><div>b<i>c</i>d</div><p>e<img src=f>")
    removed = np.array([_row(page, "p"), _row(page, "i"), _row(page, "img")])
    assert _content(page, removed=removed) == "<div>bd</div><p>e</p>"


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"id": "b"}, '<p id="b" title="x id=y">t</p>'),
        ({"id": None}, '<p title="x id=y">t</p>'),
        ({"hidden": ""}, '<p id="a" title="x id=y" hidden="">t</p>'),
        ({"id": None, "x": "<'\"&>"}, '<p title="x id=y" x="&lt;\'&quot;&amp;&gt;">t</p>'),
        ({"lang": None}, '<p id="a" title="x id=y">t</p>'),
    ],
)
def test_attributes_are_set_added_and_removed(
    attributes: dict[str, str | None], expected: str
) -> None:
    """Attributes keep their places, new ones come last, and values are escaped as parsers do."""
    page = parse("<p id=a title='x id=y'>t</p>")
    assert _content(page, attributes={_row(page, "p"): attributes}) == expected


def test_unwrapped_replaced_and_appended_rows() -> None:
    """Tags go without their content, text takes an element's place, and markup ends the body."""
    page = parse("<div><b>x</b></div><img src=i><p>y</p>")
    edits = {
        "unwrapped": (_row(page, "div"),),
        "replaced": {_row(page, "img"): "1 < 2\xa0& 3"},
        "appended": "<ul><li>z</ul>",
    }
    expected = "<b>x</b>1 &lt; 2&nbsp;&amp; 3<p>y</p><ul><li>z</li></ul>"
    assert _content(page, **edits) == expected


def test_overlapping_edits_have_no_canonical_html() -> None:
    """Rows inside of one another are left to the tree."""
    page = parse("<div><b>x</b></div>")
    removed = np.array([_row(page, "div"), _row(page, "b")])
    assert edit_canonical(page, Edits(removed)) is None


def _check_each_removal(html: str) -> None:
    page = parse(html)
    for row in range(1, page.n_own_row):
        edited = edit_canonical(page, Edits(np.array([row])))
        if edited is None or canonicalise(edited).html != edited:
            continue  # read as another page, so equal to no canonical HTML
        tree = parse_source(page)
        remove_rows(page, pair_elements(page, tree), np.array([row]))
        written = serialise_source(tree).encode("utf-8", "replace")
        assert canonicalise(written).html == edited


@pytest.mark.parametrize("html", NASTY_PAGES)
def test_removal_agrees_with_a_tree_on_difficult_pages(html: str) -> None:
    """Canonical HTML that reads as itself is that of the tree without the row."""
    _check_each_removal(html)


@given(soups())
def test_removal_agrees_with_a_tree(html: str) -> None:
    """Canonical HTML that reads as itself is that of the tree without the row."""
    _check_each_removal(html)
