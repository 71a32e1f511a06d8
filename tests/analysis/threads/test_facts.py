"""Author, score and address of posts."""

from __future__ import annotations

import pytest

from thresher.analysis.threads import Post, read_threads
from thresher.analysis.threads.facts import find_quotes, read_number
from thresher.analysis.threads.hints import MarkupHints
from thresher.page.parse import parse


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12 points", 12),
        ("+3", 3),
        ("−4", -4),
        ("-4", -4),
        ("1,204", 1204),
        ("1.2k", 1200),
        ("3万", 30000),
        ("Likes: 7", 7),
        ("score hidden", None),
        ("", None),
        ("9" * 30, None),
    ],
)
def test_numbers_are_read_as_boards_write_them(text: str, number: int | None) -> None:
    """Signs, thousands and their short forms must be understood."""
    assert number == read_number(text)


def posts(body: str) -> tuple[Post, ...]:
    """Read three comments with the same inner markup, ``{}`` for their number."""
    html = "".join(
        f"<div class=comment id=c{i}>{body.replace('{}', str(i))}<p>These are words {i}.</p></div>"
        for i in (1, 2, 3)
    )
    (thread,) = read_threads(parse(html, url="https://mill.example/"))
    return thread.posts


def test_date_is_the_one_that_goes_on() -> None:
    """The date of a post must be the one that never decreases from post to post."""
    joined = {"1": "2019-01-01", "2": "2011-01-01", "3": "2003-01-01"}
    html = "".join(
        f"<div class=comment><b class=author>Ann</b><i>joined {joined[i]}</i>"
        f"<u>2021-03-0{i}</u><p>These are words {i}.</p></div>"
        for i in "123"
    )
    (thread,) = read_threads(parse(html))
    assert ["2021-03-01", "2021-03-02", "2021-03-03"] == [
        post.date.iso if post.date else None for post in thread.posts
    ]


def test_permalink_is_the_link_on_the_date() -> None:
    """The date's link is the post's, then that of its number, then its id."""
    date = "<time datetime=2021-03-04>then</time>"
    name = "<b class=author>Ann</b>"
    assert "https://mill.example/p/1" == posts(f"{name}<a href=/p/{{}}>{date}</a>")[0].permalink
    assert "https://mill.example/t#p1" == posts(f"{name}{date}<a href=/t#p1>#1</a>")[0].permalink
    assert "https://mill.example/#c1" == posts(name + date)[0].permalink


def test_quotes_are_flagged_with_all_they_hold() -> None:
    """Facts in quotations are not those of the post."""
    page = parse("<div class=bbQuote><p>x</p></div><blockquote>y</blockquote><p>z</p>")
    quoted = find_quotes(page, MarkupHints(page).names)
    assert {"x", "y"} == {page.text_of(row) for row in range(len(page)) if quoted[row]}
