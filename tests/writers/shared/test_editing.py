"""A page's own source with rows removed or changed."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest
from hypothesis import given

from tests.helpers.trees import NASTY_PAGES, rows_of, soups
from thresher.page.parse import pair_elements, parse
from thresher.writers.shared.editing import (
    Edits,
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


def row_of(html: str, name: str) -> int:
    """Return the row of the first element of a name, or the first text for ``#text``."""
    return [row.name for row in rows_of(parse(html))].index(name)


def test_all_edits_are_done() -> None:
    """Every kind of edit must be applied: removal, attributes, unwrapping and so on."""
    div, text, image, noscript = (row_of(HTML, n) for n in ("div", "#text", "img", "noscript"))
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


@pytest.mark.parametrize("name", NASTY_PAGES)
def test_every_row_can_be_removed(name: str) -> None:
    """Rows must pair with elements on any page, so that each text and element can be removed."""
    page = parse(NASTY_PAGES[name])
    for row in range(1, min(len(page), 40)):
        tree = parse_source(page)
        remove_rows(page, pair_elements(page, tree), np.array([row]))
        assert len(serialise_source(tree)) <= len(serialise_source(parse_source(page)))
