"""Threads as Markdown."""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.fixture_pages import document_keeping
from thresher import Document, WriteOptions
from thresher.writers import markdown, thread

COMMENT = (
    "<div class=comment id={0}><p><b class=author>{1}</b> <time datetime='2021-03-0{2}T08:30:00Z'>"
    "then</time> <i class=score>{2}</i></p><div class=content>{3}</div><button>Reply</button>{4}"
    "</div>"
)


def comments() -> str:
    """Return a page of four comments; the second answers the first, the third the second."""
    third = COMMENT.format("c3", "Clovis", 3, "<p>Third, with <a href='/x'>a link</a>.</p>", "")
    second = COMMENT.format("c2", "Be*rthe", 2, "<ul><li>one item</li><li>and two</li></ul>", third)
    return (
        "<title>Sails</title><h1>Sails</h1><p>The story of the sails.</p>"
        + COMMENT.format("c1", "Anselm", 1, "<p>First of <em>all</em> words.</p>", second)
        + COMMENT.format("c4", "Dagny", 4, "<p>Fourth words here.</p>", "")
        + "<p>All rights kept.</p>"
    )


WRITTEN = """\
# Sails

The story of the sails.

## Anselm · 2021-03-01 08:30 · +1

First of *all* words.

> ## Be\\*rthe · 2021-03-02 08:30 · +2
>
> - one item
> - and two
>
> > ## Clovis · 2021-03-03 08:30 · +3
> >
> > Third, with [a link](https://tidewater.example/x).

## Dagny · 2021-03-04 08:30 · +4

Fourth words here.

All rights kept.
"""


def document(*keep: str) -> Document:
    return document_keeping(comments(), keep or ("body",), url="https://tidewater.example/t")


def test_posts_are_written_under_their_authors() -> None:
    """Each post must be under its author and date, replies in quotes, the rest around them."""
    assert WRITTEN.strip() == document().write("thread").strip()


def test_posts_are_written_only_when_kept() -> None:
    """The selection must decide which posts are shown, and the title is put first."""
    written = document("#c4").write("thread")
    assert "# Sails\n\n## Dagny · 2021-03-04 08:30 · +4\n\nFourth words here." == written.strip()


def test_kept_text_between_posts_stays_there() -> None:
    """Text between posts that belongs to none must be written where it stands."""
    fourth = "<div class=comment id=c4>"
    html = comments().replace(fourth, f"<p>Two <i>are</i> hidden.</p>{fourth}")
    written = document_keeping(html, url="https://tidewater.example/t").write("thread")
    assert WRITTEN.replace("## Dagny", "Two *are* hidden.\n\n## Dagny").strip() == written.strip()


def test_page_without_posts_is_markdown() -> None:
    """Without a thread, or without a kept post, the page must be written as Markdown."""
    for each in (document_keeping("<p>a <b>b</b></p>"), document("h1")):
        assert markdown.write(each, WriteOptions()) == thread.write(each, WriteOptions())


def test_options_are_those_of_markdown() -> None:
    """Links can be omitted and metadata put first; the posts stay the same."""
    written = document().write("thread", WriteOptions(links=False, metadata=True))
    assert written.startswith('---\ntitle: "Sails"')
    assert "Third, with a link." in written
    assert 4 == written.count("## ")


def test_limits_apply_to_the_whole() -> None:
    """A limit must cut the conversation, not the page."""
    assert len(document().write("thread", WriteOptions(max_chars=200))) <= 200


@given(st.integers(0, 2**12))
def test_shown_text_is_kept_text(seed: int) -> None:
    """No dropped word of a post may be written, and every kept one of its own text must."""
    whole = document()
    keep = np.random.default_rng(seed).random(whole.page.leaves.size) < 0.5
    some = dataclasses.replace(whole, selection=dataclasses.replace(whole.selection, keep=keep))
    written = some.write("thread")
    for each in some.threads[0].posts:
        for leaf in each.leaves[whole.page.leaf_words[each.leaves] > 0].tolist():
            assert bool(keep[leaf]) == (whole.page.leaf_text(leaf).strip() in written)
