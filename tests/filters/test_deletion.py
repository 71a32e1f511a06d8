"""The order of the filters, the boxes that they leave empty, and controls of the content."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.filters.filtering import ADS, URL, body_of, keep_a, only, run, strip_body
from tests.helpers.data import cases
from thresher.filters import filter_page
from thresher.filters.apply import keep_controls
from thresher.filters.deletion import STEPS
from thresher.filters.filter_context import Forced
from thresher.page.parse import parse
from thresher.sites.apply import match_rules
from thresher.sites.rulebook import Rules


def test_outermost_element_settles_what_is_in_it() -> None:
    """An element counts for the first filter that takes it, and what is in it for the same."""
    html = "<form><img src=x></form><img src=y>"
    assert {"images": 1, "forms": 1} == dict(run(html, images=True, forms=True).removed)
    assert STEPS[0].setting == "ads"
    assert {"ads": 1} == dict(run("a<img src=//ads.example>", ads=True, images=True).removed)


def test_empty_tables_come_last() -> None:
    """A table is judged by what the others left in it, inner tables before outer ones."""
    inner = "<table><tr><td><img src=x></table>"
    table = f"<p>a</p><table><tr><td>{inner}</table>"
    assert "<p>a</p>" == body_of(table, images=True, empty_tables=True)
    assert {"images": 1, "empty_tables": 1} == dict(
        run(table, images=True, empty_tables=True).removed
    )


def test_small_tables_are_empty_by_setting() -> None:
    """Number of characters and tags of substance are settings; a table that came empty stays."""
    html = "<p>a</p><table><tr><td>12 34</table>"
    assert "<p>a</p>" == body_of(html, empty_tables=True, min_table_chars=5)
    assert body_of(html) == body_of(html, empty_tables=True, min_table_chars=4)
    html = "<p>a</p><table><tr><td>12<input></table>"
    assert body_of(html) == body_of(html, empty_tables=True, min_table_chars=5)
    bare: dict[str, Any] = {"min_table_chars": 5, "substance_tags": []}
    assert "<input>" not in body_of(html, empty_tables=True, **bare)
    html = "<p>a</p><table id=x><tbody></tbody></table>"
    assert '<p>a</p><table id="x"><tbody></tbody></table>' == body_of(html, empty_tables=True)


def force(html: str, keep: str = "", drop: str = "", **values: Any) -> str:
    """Return the body of a page that was filtered by rules too."""
    page = parse(f"<body>{html}", url=URL)
    rules = Rules(tuple(keep.split()), tuple(drop.split()))
    forced = Forced(*match_rules(page, rules))
    return strip_body(filter_page(page, only(**values), ADS, forced=forced).html)


def test_rules_decide_on_elements() -> None:
    """What a rule drops goes without any filter; what one keeps stays whole against the filter."""
    box = '<div class="box"><a href="//ads.example/a"><img src="//ads.example/i.png"></a></div>'
    html = f"<p>a</p>{box}<p class=b>c</p>"
    assert "<p>a</p>" == force(html, drop=".b", ads=True)
    assert f'<p>a</p>{box}<p class="b">c</p>' == force(html, keep="a", ads=True)
    # A rule for what is around an advertisement does not keep that.
    assert '<p>a</p><p class="b">c</p>' == force(html, keep=".box", ads=True)
    # Nor does it keep what a rule drops, and within that nothing is kept.
    assert '<p>a</p><p class="b">c</p>' == force(html, keep="a", drop=".box")
    outer = '<section class="cookie-consent" style="position:fixed"><p>Cookies</p></section>'
    assert outer == force(outer, keep="p", consent=True)


@cases(__file__, "emptied_boxes")
def test_no_hole_is_left(values: dict[str, Any], html: str, expected: str) -> None:
    """A box left empty must be removed too, unless a script or the column layout may need it."""
    assert expected == body_of(html, **values)


@cases(__file__, "selections")
def test_only_what_was_chosen_stays(html: str, expected: str) -> None:
    """With a selection of `a` alone and no filter on, all other visible content must go."""
    page = parse(f"<body>{html}")
    filtered = filter_page(page, only(), ADS, keep=keep_a(page))
    assert expected == strip_body(filtered.html)


TABS = (
    "<div><input id=t1 type=radio><div><label for=t1>x</label></div><p>kept</p></div>"
    "<div><input id=t2 type=radio><label for=t2>dropped</label><p>y</p></div>"
)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (TABS, {"x", "kept"}),
        ("<button aria-controls='a b'>x</button><p id=b>kept</p>", {"x", "kept"}),
        ("<button aria-controls=menu>x</button><p id=menu>y</p><p>kept</p>", {"kept"}),
        ("<a role=tab href=#b>x</a><a href=#b>y</a><p id=b>kept</p>", {"x", "kept"}),
        ("<details><summary>x</summary><p>kept</p></details>", {"x", "kept"}),
        ("<details><summary>x</summary><p>y</p></details><p>kept</p>", {"kept"}),
        ("<p>kept</p>z<details><summary>x</summary>y</details>", {"kept", "x", "y"}),
        (
            "<div><p>kept</p></div><details><summary>x</summary></details> <details>y</details>",
            {"kept", "x", "y"},
        ),
        ("<p>kept</p><details><summary>x</summary><a href=/>y y</a></details>", {"kept"}),
        ("<nav><p>kept</p><details><summary>x</summary>y</details></nav>", {"kept"}),
        ("<p>kept</p><p>z</p><details><summary>x</summary>y</details>", {"kept"}),
        ("<input id=t type=checkbox><label for=t>x</label><p>kept</p>", {"kept"}),
        ("<div><input id=t><label for=t>x</label><p>kept</p></div>", {"kept"}),
        ("<label for=no>x</label><p>kept</p>", {"kept"}),
    ],
)
def test_controls_of_what_is_kept(html: str, expected: set[str]) -> None:
    """They stay if something that they show stays, and only then."""
    page = parse(f"<body>{html}")
    texts = [page.leaf_text(leaf) for leaf in range(page.leaves.size)]
    keep = np.array([text == "kept" for text in texts])
    kept = keep_controls(page, keep)
    assert expected == {text for text, is_kept in zip(texts, kept, strict=True) if is_kept}


def test_the_way_to_the_next_page_stays() -> None:
    """The row of page numbers is kept with the content, other links are not."""
    pager = '<ul class="pagination"><li>1</li><li><a href="?page=2">2</a></li></ul>'
    html = f'<article><p>Rye is sown in autumn.</p></article><p><a href="/a2">Oats</a></p>{pager}'
    page = parse(html, url="https://a.example/rye")
    keep = np.asarray([page.leaf_text(leaf).startswith("Rye") for leaf in range(page.leaves.size)])
    kept = keep_controls(page, keep)
    texts = [page.leaf_text(leaf) for leaf in np.flatnonzero(kept).tolist()]
    assert ["Rye is sown in autumn.", "1", "2"] == [text.strip() for text in texts]
