"""The link list remover and the removed link retainer."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from tests.filters.filtering import ADS, body_of, only, run
from tests.helpers.data import cases
from thresher.filters import filter_page
from thresher.page.parse import parse


@cases(__file__)
def test_link_lists_are_removed(values: dict[str, Any], html: str, expected: str | None) -> None:
    """Each case must leave what its table says; None is the page as it came."""
    filtered = body_of(html, link_lists="always", **values)
    assert (body_of(html) if expected is None else expected) == filtered


def test_portal_is_left_alone() -> None:
    """A page that consists only of links must stay whole unless keep_portals is off."""
    html = "<h1>Start</h1><ul><li><a href=/a>a</a><li><a href=/b>b</a></ul>"
    whole = body_of(html)
    assert whole == body_of(html, link_lists="always", keep_portals=True)
    assert "<h1>Start</h1>" == body_of(html, link_lists="always")


@pytest.mark.parametrize(("mode", "stays"), [("auto", True), ("always", False)])
def test_method_knows_better(mode: str, stays: bool) -> None:
    """A list in which a method chose content stays, unless lists are always to go."""
    page = parse("<p>a</p><ul><li><a href=/b>b</a></ul>")
    keep = np.ones(page.leaves.size, np.bool_)
    filtered = filter_page(page, only(link_lists=mode), ADS, keep=keep)
    assert stays == ("<a " in filtered.html)


LINKS: Final = "<p>five words of a text</p><nav>{}</nav>"


@pytest.mark.parametrize(
    ("html", "links"),
    [
        ("<a href=/a> a\n b </a><a href='//x.example/?utm_source=y'>c</a>",
         [("a b", "/a"), ("c", "//x.example/")]),
        ("<a href=/a>a</a><a href=/a>a</a><a href=/b>a</a>", [("a", "/a"), ("a", "/b")]),
        ("<a href=#a>a</a><a href=javascript:f()>b</a><a href=mailto:x>c</a><a href=>d</a>", []),
        ("<a href=/a><img src=x></a><a name=b>b</a>", []),
        ("<a href=//ads.example/>a</a><a href=/b>b</a>", [("b", "/b")]),

    ],
)  # fmt: skip
def test_removed_links_are_kept_track_of(html: str, links: list[tuple[str, str]]) -> None:
    """Text links that lead to other pages are listed once, but for advertisements'."""
    switches: dict[str, Any] = {"ads": True, "removed_content": "all", "tracking_parameters": True}
    filtered = run(LINKS.format(html), link_lists="always", **switches)
    assert links == [tuple(link) for link in filtered.links]


def test_list_stands_at_the_end() -> None:
    """The list is the last thing of the body, with its title and number, if it has any links."""
    html = LINKS.format("<a href='/a?b&amp;c'>1 &lt; 2</a><a href=/b>b</a>")
    settings: dict[str, Any] = {"removed_links_title": "More <b>", "max_removed_links": 1}
    assert body_of(html, link_lists="always", removed_links=True, **settings).endswith(
        '</p><details data-thresher="removed-links"><summary>More &lt;b&gt; (2)</summary>'
        '<ul><li><a href="/a?b&amp;c">1 &lt; 2</a></li></ul></details>'
    )
    assert "<p>a</p>" == body_of("<p>a</p>", removed_links=True, link_lists="always")


def test_no_script_is_in_the_list() -> None:
    """White space in the name of a scheme does not hide it, since browsers drop it."""
    hidden = ("jav&#9;ascript:x()", "&#1; javascript:x()", "java\nscript:x()", "/ry&#10;e")
    links = "".join(f'<a href="{address}">A field</a>' for address in hidden)
    filtered = run(LINKS.format(links), link_lists="always", removed_content="all")
    assert [("A field", "/rye")] == list(filtered.links)
