"""Authors of posts."""

from __future__ import annotations

import pytest

from thresher.analysis.threads import Post, read_threads
from thresher.page.parse import parse


def posts(body: str) -> tuple[Post, ...]:
    """Read three comments with the same inner markup, ``{}`` for their number."""
    html = "".join(
        f"<div class=comment id=c{i}>{body.replace('{}', str(i))}<p>These are words {i}.</p></div>"
        for i in (1, 2, 3)
    )
    (thread,) = read_threads(parse(html, url="https://mill.example/"))
    return thread.posts


@pytest.mark.parametrize(
    ("markup", "author"),
    [
        ("<b class=author>Ann</b>", "Ann"),
        ("<b class=author>by Ann Wheel</b>", "Ann Wheel"),
        ("<a class=avatar href=/user/x>A</a><a href=/user/x>Ann</a>", "Ann"),
        ("<b class=user>Member</b><i class=username>Ann</i>", "Ann"),
        ("<div class=author><a href=/u/x>Ann</a>, <i>miller</i></div>", "Ann"),
        ("<blockquote><b class=author>Bob</b></blockquote><a href=/user/x>Ann</a>", "Ann"),
    ],
)
def test_author_is_the_one_who_is_called_so(markup: str, author: str) -> None:
    """Marked names come before links, names before letters, and those of quotes never."""
    assert [author] * 3 == [
        post.author for post in posts(f"{markup}<time datetime=2021-03-0{{}}>then</time>")
    ]


def test_name_is_found_without_any_mark() -> None:
    """A short text at one place of all posts that differs is a name."""
    found = posts("<dl><dt>miller{}x</dt><dd>Member</dd></dl><time datetime=2021-03-04>t</time>")
    assert ["miller1x", "miller2x", "miller3x"] == [post.author for post in found]
