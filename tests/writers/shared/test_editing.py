"""A page's own source with rows removed or changed."""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.data import cases
from tests.helpers.trees import NASTY_PAGES, rows_of, soups
from thresher.page import Page
from thresher.page.canonical import canonicalise
from thresher.page.parse import pair_elements, parse
from thresher.writers.shared.editing import (
    Edits,
    apply_replacements,
    edit_canonical,
    edit_page,
    parse_source,
    remove_rows,
    serialise_source,
)

_NOTHING: Final = np.array([], np.int64)
HTML: Final = "<body><div id=a>x<b>y</b>z</div><!-- c --><img src=i><noscript><i>n</i></noscript>"


def edit(html: str, **edits: object) -> str:
    """Return the body of an edited page."""
    written = edit_page(parse(html), Edits(**{"removed": _NOTHING, **edits}))  # type: ignore[arg-type]
    return written.partition("<body>")[2].removesuffix("</body></html>")


def row_of(page: Page, name: str) -> int:
    """Return the row of the first element of a name, or the first text for ``#text``."""
    return [row.name for row in rows_of(page)].index(name)


def test_all_edits_are_done() -> None:
    """Every kind of edit must be applied: removal, attributes, unwrapping and so on."""
    page = parse(HTML)
    div, text, image, noscript = (row_of(page, n) for n in ("div", "#text", "img", "noscript"))
    written = edit(
        HTML,
        removed=np.array([text]),
        attributes={div: {"id": None, "class": 'p "q"', "style": None}},
        unwrapped=(noscript,),
        replaced={image: "<alt>"},
        appended="<p>end</p>",
    )
    expected = '<div class="p &quot;q&quot;"><b>y</b>z</div><!-- c -->&lt;alt&gt;<i>n</i><p>end</p>'
    assert expected == written


def test_frameset_page_gets_nothing_appended() -> None:
    """A page without a body must get nothing appended."""
    page = parse("<frameset><frame src=a></frameset>")
    assert "end" not in edit_page(page, Edits(_NOTHING, appended="<p>end</p>"))


@pytest.mark.parametrize(
    "doctype",
    [
        "",
        "<!DOCTYPE html>",
        '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">',
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://x.example/strict.dtd">',
        '<!DOCTYPE html SYSTEM "about:legacy-compat">',
        "<!DOCTYPE html PUBLIC 'a\"b'>",
    ],
)
def test_doctype_keeps_its_identifiers(doctype: str) -> None:
    """Doctypes decide whether a browser lays a page out in quirks mode."""
    html = f"{doctype}<html><head></head><body>a</body></html>"
    assert html == serialise_source(parse_source(parse(html)))


@given(soups())
def test_source_is_serialised_as_the_parser_does(html: str) -> None:
    """Except for doctypes with identifiers, which soups do not have, nothing may differ."""
    tree = parse_source(parse(html))
    assert tree.html == serialise_source(tree)


@cases(__file__, "kept")
def test_what_is_kept_is_the_same_to_the_character(html: str, name: str, kept: str) -> None:
    """An element or text goes, and nothing else changes."""
    page = parse(html)
    assert edit_page(page, Edits(np.array([row_of(page, name)]))).endswith(kept)
    assert html == edit_page(page, Edits(_NOTHING))


def test_attributes_are_edited_in_place() -> None:
    """Attributes are replaced, removed with the space before them, and added before the end."""
    page = parse("<p ID=a  hidden Title='x'>a</p><img SRC=b />")
    attributes: dict[int, dict[str, str | None]] = {
        row_of(page, "p"): {"id": None, "title": '"&"', "class": "c"},
        row_of(page, "img"): {"alt": "d"},
    }
    expected = '<p  hidden title="&quot;&amp;&quot;" class="c">a</p><img SRC=b  alt="d"/>'
    assert expected == edit_page(page, Edits(_NOTHING, attributes))


def test_misplaced_content_is_serialised() -> None:
    """Content that the parser moved must be written where the tree has it."""
    page = parse("<table><p>a<tr><td>b</table>c")
    written = edit_page(page, Edits(np.array([row_of(page, "table")])))
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


def _content(page: Page, **edits: object) -> str:
    """Return the content of the body after edits."""
    edited = edit_canonical(page, Edits(**{"removed": _NOTHING, **edits}))  # type: ignore[arg-type]
    assert edited is not None
    return edited.decode().partition("<body>")[2].removesuffix("</body></html>")


def test_removed_rows_leave_no_trace() -> None:
    """Elements and texts are cut out with all they hold, and what is around them stays."""
    page = parse("<p>a</p><div>b<i>c</i>d</div><p>e<img src=f>")
    removed = np.array([row_of(page, "p"), row_of(page, "i"), row_of(page, "img")])
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
    assert _content(page, attributes={row_of(page, "p"): attributes}) == expected


def test_unwrapped_replaced_and_appended_rows() -> None:
    """Tags go without their content, text takes an element's place, and markup ends the body."""
    page = parse("<div><b>x</b></div><img src=i><p>y</p>")
    edits = {
        "unwrapped": (row_of(page, "div"),),
        "replaced": {row_of(page, "img"): "1 < 2\xa0& 3"},
        "appended": "<ul><li>z</ul>",
    }
    expected = "<b>x</b>1 &lt; 2&nbsp;&amp; 3<p>y</p><ul><li>z</li></ul>"
    assert _content(page, **edits) == expected


def test_overlapping_edits_have_no_canonical_html() -> None:
    """Rows inside of one another are left to the tree."""
    page = parse("<div><b>x</b></div>")
    removed = np.array([row_of(page, "div"), row_of(page, "b")])
    assert edit_canonical(page, Edits(removed)) is None


def _check_each_removal(html: str) -> None:
    page = parse(html)
    for row in range(1, min(page.n_own_row, 40)):
        tree = parse_source(page)
        remove_rows(page, pair_elements(page, tree), np.array([row]))
        edited = edit_canonical(page, Edits(np.array([row])))
        if edited is None or canonicalise(edited).html != edited:
            continue  # read as another page, so equal to no canonical HTML
        written = serialise_source(tree).encode("utf-8", "replace")
        assert canonicalise(written).html == edited


DIFFICULT = {name: html for name, html in NASTY_PAGES.items() if "<?" not in html}
"""Beside a processing instruction, a tree keeps a text as long as that on the other side stays."""


@pytest.mark.parametrize("html", DIFFICULT.values(), ids=DIFFICULT)
def test_removal_agrees_with_a_tree_on_difficult_pages(html: str) -> None:
    """Canonical HTML that reads as itself is that of the tree without the row."""
    _check_each_removal(html)


@given(soups())
def test_removal_agrees_with_a_tree(html: str) -> None:
    """Canonical HTML that reads as itself is that of the tree without the row."""
    _check_each_removal(html)
