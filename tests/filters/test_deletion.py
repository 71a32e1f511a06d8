"""The order of the filters."""

from __future__ import annotations

from typing import Any

from tests.filters.filtering import ADS, URL, body_of, only, run, strip_body
from thresher.filters import filter_page
from thresher.filters.deletion import STEPS
from thresher.filters.filter_context import Forced
from thresher.page.parse import parse
from thresher.sites.apply import match_rules
from thresher.sites.rulebook import Rules


def test_outermost_element_settles_what_is_in_it() -> None:
    """An element that a filter took is not looked at again, so what is in it counts for that."""
    html = "<form><img src=x></form><img src=y>"
    assert {"images": 1, "forms": 1} == dict(run(html, images=True, forms=True).removed)


def test_first_filter_takes_an_element_of_two() -> None:
    """An element that two filters match must be counted for the first in the table."""
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
    """The number of characters and the tags that count as substance must be settings."""
    html = "<p>a</p><table><tr><td>12 34</table>"
    assert "<p>a</p>" == body_of(html, empty_tables=True, min_table_chars=5)
    assert body_of(html) == body_of(html, empty_tables=True, min_table_chars=4)
    html = "<p>a</p><table><tr><td>12<input></table>"
    assert body_of(html) == body_of(html, empty_tables=True, min_table_chars=5)
    bare: dict[str, Any] = {"min_table_chars": 5, "substance_tags": []}
    assert "<input>" not in body_of(html, empty_tables=True, **bare)


def test_table_that_came_empty_stays() -> None:
    """A script may fill it."""
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
