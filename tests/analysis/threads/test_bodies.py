"""Texts of posts."""

from __future__ import annotations

import pytest

from thresher.analysis.threads import read_threads, text_of
from thresher.page.parse import parse

HEAD = "<b class=author>Ann{0}</b> <time datetime=2021-03-0{0}>then</time>"
WORDS = "Words number {0} that were posted here."


def texts(markup: str) -> list[str]:
    """Return the texts of three comments of the same markup, ``{0}`` for their number."""
    html = "".join(f"<div class=comment>{markup.format(i)}</div>" for i in (1, 2, 3))
    page = parse(html)
    (thread,) = read_threads(page)
    return [text_of(page, post.leaves) for post in thread.posts]


@pytest.mark.parametrize(
    "markup",
    [
        f"<p>{HEAD}</p><p>{WORDS}</p>",
        f"<p>{HEAD} wrote:</p><div class=content>{WORDS}</div><p>Like this post or not</p>",
        f"<p>{HEAD}</p><p>{WORDS}</p><button>Reply</button>",
        f"<p>{HEAD}</p><p>{WORDS}</p><p><a href=/r>Reply</a></p>",
        f"<p>{HEAD}</p><p>{WORDS}</p><div class=signature>My mill, my rules, all day long.</div>",
        f"<p>{HEAD}</p><p>Posts: {{0}}</p><p>{WORDS}</p>",
        f"<p>{HEAD}</p><form class=usertext><div class=md>{WORDS}</div></form>",
        f"<p>{WORDS}<i> – </i>{HEAD}</p>",
    ],
)
def test_text_is_what_was_posted(markup: str) -> None:
    """Names, buttons, labels and signatures are no text of a post."""
    assert [WORDS.format(i) for i in (1, 2, 3)] == texts(markup)


def test_post_of_one_word_keeps_it() -> None:
    """A post may be shorter than the line above it."""
    assert ["Yes 1"] == texts(f"<p>{HEAD}</p><p>{WORDS}</p>".replace(WORDS, "Yes {0}"))[:1]


def test_pictures_are_text_of_a_post() -> None:
    """A post can be a picture."""
    page = parse("".join(
        f"<div class=comment>{HEAD.format(i)}<div class=content>{body}</div></div>"
        for i, body in enumerate(("<p>some words here</p>", "<img src=x.png>", "<p>and more</p>"))
    ))  # fmt: skip
    (thread,) = read_threads(page)
    rows = page.leaves[thread.posts[1].leaves]
    assert ["img"] == [page.name(row) for row in rows.tolist()]
