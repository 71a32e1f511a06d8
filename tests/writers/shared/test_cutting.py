"""Edits in the source text itself."""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import rows_of, soups
from thresher.page.parse import parse
from thresher.writers.shared.editing import Edits, apply_replacements, edit_page

_NOTHING: Final = np.array([], np.int64)
CASES: Final = {
    "quotes, case and spaces": (
        "<DIV Class=a ><P>x</P >&nbsp;</DIV>",
        "p",
        "<DIV Class=a >&nbsp;</DIV>",
    ),
    "no end tag": ("<ul><li>a<li>b</ul>c", "li", "<li>b</ul>c"),
    "a missing end tag before its parent's": ("<div><p>a</div>b", "p", "<div></div>b"),
    "a void element": ("a<BR/>b", "br", "ab"),
    "line breaks of two characters": (
        "a\r\n<p>b</p>\r\n<i>c</i>\r\n",
        "p",
        "a\r\n\r\n<i>c</i>\r\n",
    ),
    "a text among comments": ("<p><!--1-->a<!--2--></p>", "#text", "<p><!--1--><!--2--></p>"),
    "an empty tag of XML": ("<script src=a /><p>a</p>b", "p", "<script src=a />b"),
    "implied tags": ("<table><tr><td>a<b>x</b></table>", "b", "<table><tr><td>a</table>"),
}


@pytest.mark.parametrize(("html", "name", "kept"), CASES.values(), ids=list(CASES))
def test_what_is_kept_is_the_same_to_the_character(html: str, name: str, kept: str) -> None:
    """An element or text goes, and nothing else changes."""
    page = parse(html)
    row = [each.name for each in rows_of(page)].index(name)
    assert edit_page(page, Edits(np.array([row]))).endswith(kept)
    assert html == edit_page(page, Edits(_NOTHING))


def test_attributes_are_edited_in_place() -> None:
    """Attributes are replaced, removed with the space before them, and added before the end."""
    page = parse("<p ID=a  hidden Title='x'>a</p><img SRC=b />")
    rows = [each.name for each in rows_of(page)]
    attributes: dict[int, dict[str, str | None]] = {
        rows.index("p"): {"id": None, "title": '"&"', "class": "c"},
        rows.index("img"): {"alt": "d"},
    }
    expected = '<p  hidden title="&quot;&amp;&quot;" class="c">a</p><img SRC=b  alt="d"/>'
    assert expected == edit_page(page, Edits(_NOTHING, attributes))


def test_misplaced_content_is_serialised() -> None:
    """Content that the parser moved must be written where the tree has it."""
    page = parse("<table><p>a<tr><td>b</table>c")
    row = [each.name for each in rows_of(page)].index("table")
    written = edit_page(page, Edits(np.array([row])))
    assert "<p>a</p>" in written
    assert "b" not in written.partition("<body>")[2].replace("</body>", "")


def test_replacements_that_overlap() -> None:
    """Ranges that overlap cannot both be right."""
    assert "a-d" == apply_replacements("abcd", [(1, 3, "-")])
    assert "abXYcd" == apply_replacements("abcd", [(2, 2, "X"), (2, 2, "Y")])
    assert apply_replacements("abcd", [(1, 3, ""), (2, 4, "")]) is None


@given(soups(8), st.data())
def test_any_page_is_cut_as_its_tree_is(html: str, data: st.DataObject) -> None:
    """Cutting elements from any page must not add text to it."""
    page = parse(html)
    rows = data.draw(st.sets(st.integers(1, max(1, len(page) - 1)), max_size=3))
    chosen = [row for row in rows if row < page.n_own_row and page.parent[row] > 0]
    outermost = [row for row in chosen if not any(o < row < page.end[o] for o in chosen)]
    written = edit_page(page, Edits(np.array(outermost, np.int64)))
    assert Counter(parse(written).text) <= Counter(page.text)
