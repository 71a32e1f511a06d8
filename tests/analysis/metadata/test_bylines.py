"""Detection of a page's byline."""

from __future__ import annotations

import pytest

from thresher.analysis.metadata.shown_facts import (
    find_likely_bylines,
    find_marked_bylines,
    find_signed_lines,
)
from thresher.analysis.metadata.visible import VisibleEvidence
from thresher.page.parse import parse

MARKED: tuple[tuple[str, list[str]], ...] = (
    ("<span itemprop=author>Ada Roth</span>", ["Ada Roth"]),
    ("<a rel=author href=/x>Ada Roth</a>", ["Ada Roth"]),
    ("<p><a rel=author>Ada Roth</a> and <a rel=author>Tom Beck</a></p>", ["Ada Roth", "Tom Beck"]),
    ("<div itemprop=author><p>Ada Roth</p><p>Ada writes about rye.</p></div>", ["Ada Roth"]),
    ("<div itemprop=author>By <a href=/author/ada>Ada Roth</a>, editor</div>", ["Ada Roth"]),
    ("<div itemprop=author><span itemprop='author name'>Ada Roth</span></div>", ["Ada Roth"]),
    (f"<div itemprop=author>{'long ' * 100}</div>", []),
    ("<p class=byline>Ada Roth</p>", []),
    ("<nav><a rel=author>Ada Roth</a></nav>", []),
)

LIKELY: tuple[tuple[str, list[str]], ...] = (
    ("<p class=byline>By Ada Roth</p>", ["By Ada Roth"]),
    ("<p class='post-meta author-name'>Ada Roth</p>", ["Ada Roth"]),
    ("<p class=articleAuthor>Ada Roth</p>", ["Ada Roth"]),
    ("<p id=byline>Ada Roth</p>", ["Ada Roth"]),
    ("<div class=byline><p>By</p><p>Ada Roth</p><p>May 3</p></div>", ["Ada Roth"]),
    ("<p>See <a href=/authors/ada>Ada Roth</a></p>", ["Ada Roth"]),
    ("<p class=authority>The ministry</p>", []),
    ("<dl class=author><dt>Favourite places</dt><dd>The mill</dd></dl>", []),
    ("<dl class=byline><dt>By</dt><dd>Ada Roth</dd></dl>", ["Ada Roth"]),
    ("<select name=author id=author><option>All of them</select>", []),
    ("<div role=menu><a href=/profile/ada>Ada Roth</a></div>", []),
    ("<p><a href=/account/profile/my_info>Konto</a></p>", []),
    ("<div class=comment-list><p class=author>Reader</p></div>", []),
)


def show(html: str) -> VisibleEvidence:
    return VisibleEvidence(parse("<h1>Rye is back</h1>" + html))


@pytest.mark.parametrize(("html", "expected"), MARKED)
def test_find_marked_bylines(html: str, expected: list[str]) -> None:
    """Authors must be read from author markup, not from elements that only look like bylines."""
    assert expected == list(find_marked_bylines(show(html)))


@pytest.mark.parametrize(("html", "expected"), LIKELY)
def test_find_likely_bylines_when_there_is_one(html: str, expected: list[str]) -> None:
    """Classes, ids and addresses of authors' pages are signs; other people's are not."""
    assert expected == list(find_likely_bylines(show(html)))[:1]


def test_find_marked_bylines_when_teasers_are_signed_too_takes_the_nearest() -> None:
    """The byline is the one by the headline; a list of teasers has others."""
    teasers = "<ul>" + "<li><p><a rel=author>Tom Beck</a></p></li>" * 20 + "</ul>"
    html = f"<p><a rel=author>Ada Roth</a></p>{teasers}"
    assert ["Ada Roth"] == list(find_marked_bylines(show(html)))


def test_find_marked_bylines_when_one_container_signs_a_dozen_takes_the_first() -> None:
    """A container with a dozen authors is a list of articles."""
    html = "<div>" + "".join(f"<p><a rel=author>Ada {n}</a></p>" for n in "abcdefghijkl") + "</div>"
    assert ["Ada a"] == list(find_marked_bylines(show(html)))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>By Ada Roth, May 3</p>", ["By Ada Roth, May 3"]),
        ("<p>Von Ada Roth</p>", ["Von Ada Roth"]),
        ("<p>作者 By 王小明</p>", []),
        ("<p>By the end of the day it rained</p>", []),
        ("<p>Byron writes</p>", []),
    ],
)
def test_find_signed_lines(html: str, expected: list[str]) -> None:
    """A short line that begins with By and a capital letter signs the page."""
    assert expected == list(find_signed_lines(show(html)))
