"""Choice of the groups that are threads."""

from __future__ import annotations

from thresher.analysis.threads.choose import choose_threads
from thresher.analysis.threads.evidence import RowEvidence
from thresher.analysis.threads.hints import MarkupHints
from thresher.page.parse import parse


def chosen(html: str) -> list[list[str]]:
    """Return the ids of the posts of each thread, in the order they were taken."""
    page = parse(html)
    hints = MarkupHints(page)
    evidence = RowEvidence(hints)
    threads = choose_threads(hints, evidence)
    return [[page.attrs(row).get("id", "?") for row in sorted(each.start)] for each in threads]


def comment(name: str, inner: str = "") -> str:
    return (
        f"<div class=comment id={name}><b class=author>Ann</b> <time datetime=2021-03-04>then"
        f"</time><p>some words of mine</p>{inner}</div>"
    )


def test_two_lists_are_two_threads() -> None:
    """Comments in two places of a page are threads of their own."""
    html = (
        f"<section>{comment('a1')}{comment('a2')}{comment('a3')}</section>"
        f"<section>{comment('b1').replace('comment', 'reply')}"
        f"{comment('b2').replace('comment', 'reply')}</section>"
    )
    assert [["a1", "a2", "a3"], ["b1", "b2"]] == chosen(html)


def test_comments_on_answers_join_their_thread() -> None:
    """A reply nested in a post must join the same thread if it has an author and text."""
    inner = "<div class=reply id={}><b class=author>Bob</b><p>quite so, I think</p></div>"
    html = comment("a1", inner.format("r1") + inner.format("r2")) + comment("a2") + comment("a3")
    assert [["a1", "r1", "r2", "a2", "a3"]] == chosen(html)


def test_halves_of_posts_are_not_posts() -> None:
    """A post with its author in one cell and its text in another must be one post."""
    one = (
        "<div class=post id=p{0}><div class=post-cell><a class=username href='/members/1'>Ann</a>"
        "</div><div class=post-cell><time datetime=2021-03-0{0}>then</time><p>some words here and "
        "there</p></div></div>"
    )
    assert [["p1", "p2", "p3"]] == chosen("".join(map(one.format, (1, 2, 3))))


def test_one_post_needs_a_board_around_it() -> None:
    """A lone post is a thread if it leads to its author on a board, and else a story."""
    one = (
        "<div class=post id=p1><a href='{}'>Ann</a><time datetime=2021-03-04>then</time>"
        "<p>some words of mine here</p></div>"
    )
    assert [] == chosen(one.format("/author/ann"))
    assert [] == chosen("<p>nothing here</p>")
