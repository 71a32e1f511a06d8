"""The removed link retainer."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.filters.filtering import body_of, run
from thresher.filters.link_lists import RemovedLink, list_links

NAV: Final = "<p>five words of a text</p><nav>{}</nav>"


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
    filtered = run(NAV.format(html), link_lists="always", **switches)
    assert links == [tuple(link) for link in filtered.links]


def test_list_stands_at_the_end() -> None:
    """The list is the last thing of the body, with its title and its number."""
    html = NAV.format("<a href='/a?b&amp;c'>1 &lt; 2</a><a href=/b>b</a>")
    settings: dict[str, Any] = {"removed_links_title": "More <b>", "max_removed_links": 1}
    assert body_of(html, link_lists="always", removed_links=True, **settings).endswith(
        '</p><details data-thresher="removed-links"><summary>More &lt;b&gt; (2)</summary>'
        '<ul><li><a href="/a?b&amp;c">1 &lt; 2</a></li></ul></details>'
    )


def test_no_link_makes_no_list() -> None:
    """A page from which no link was removed must get no list of removed links."""
    assert "" == list_links([], "x", 9)
    assert "<p>a</p>" == body_of("<p>a</p>", removed_links=True, link_lists="always")


def test_list_is_as_long_as_it_may_be() -> None:
    """The title says how many there are, the list holds no more than the limit."""
    links = [RemovedLink(str(number), "/") for number in range(5)]
    assert 3 == list_links(links, "x", 3).count("<li>")


def test_no_script_is_in_the_list() -> None:
    """White space in the name of a scheme does not hide it, since browsers drop it."""
    hidden = ("jav&#9;ascript:x()", "&#1; javascript:x()", "java\nscript:x()", "/ry&#10;e")
    links = "".join(f'<a href="{address}">A field</a>' for address in hidden)
    filtered = run(NAV.format(links), link_lists="always", removed_content="all")
    assert [("A field", "/rye")] == list(filtered.links)
