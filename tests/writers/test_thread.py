"""Threads as Markdown."""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.fixture_pages import document_keeping
from tests.helpers.trees import soups
from thresher import Document, WriteOptions, extract
from thresher.page import Page
from thresher.page.parse import parse
from thresher.writers import markdown, thread
from thresher.writers.thread import MAX_LEVELS, Excerpt, assemble_page, find_excerpts, rearrange

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


POST = (
    "<div class=comment><b class=author>{0}</b> <time>2026-11-0{1}</time><p>{0} says so.</p></div>"
)
POSTS = POST.format("Ada", 1) + POST.format("Bo", 2)
PAGE = f"<title>Rye</title><h1>Rye</h1><p>Before.</p>{POSTS}<p>End."


def test_excerpts_are_what_is_before_the_posts_and_the_rest() -> None:
    """Only the excerpts of posts must have a heading, which the caller provides."""
    document = extract(PAGE, method="keep_all")
    found = find_excerpts(document, lambda post, number: f"{number} {post.author}")
    assert [None, "1 Ada", "2 Bo", None] == [each.heading for each in found]
    assert [] == list(find_excerpts(extract("<p>Rye."), lambda post, number: ""))


def test_a_rearranged_document_knows_what_the_page_said() -> None:
    """Metadata, verdict and confidence are those of the original."""
    document = extract(PAGE, method="keep_all", url="https://mill.example/")
    found = rearrange(document, find_excerpts(document, lambda post, number: "A post"))
    assert document.metadata == found.metadata
    assert document.verdict == found.verdict
    assert 2 == found.html.count("<h2>A post</h2>")


def test_relative_links_keep_their_base() -> None:
    """A base in the head, which no excerpt contains, still holds."""
    html = PAGE.replace("says so", "<a href=x>says so</a>").replace("<h1>", "<base href=/old/><h1>")
    document = extract(html, method="keep_all", url="https://mill.example/")
    assert 2 == document.write("thread").count("(https://mill.example/old/x)")


def excerpt(
    page: Page, row: int, *holes: int, heading: str | None = None, level: int = 0
) -> Excerpt:
    """Make an excerpt of an element without some elements inside, all leaves shown."""
    start, stop = row, int(page.end[row])
    without = [(hole, int(page.end[hole])) for hole in holes]
    leaves = [
        leaf
        for leaf, at in enumerate(page.leaves.tolist())
        if start <= at < stop and not any(a <= at < b for a, b in without)
    ]
    return Excerpt(heading, level, start, stop, without, np.array(leaves, np.int32))


def shown_texts(told: Page, shown: np.ndarray) -> list[str]:
    return [told.leaf_text(leaf).strip() for leaf in np.flatnonzero(shown).tolist()]


def rows_named(page: Page, name: str) -> list[int]:
    return [row for row in range(len(page)) if page.name(row) == name]


def check_table(page: Page) -> None:
    """Check that a page's columns form a tree, and that its buffer matches its rows."""
    for row in range(len(page)):
        parent = int(page.parent[row])
        assert parent < row < page.end[row] <= len(page)
        if parent >= 0:
            assert page.end[row] <= page.end[parent]
            assert page.depth[row] == page.depth[parent] + 1
            assert page.open_stop[parent] <= page.open_start[row]
            assert page.close_stop[row] <= page.close_start[parent]
        if page.name(row) != "#text":
            assert page.buffer[page.open_start[row] : page.open_start[row] + 1] == b"<"


def test_reply_comes_after_the_post_around_it() -> None:
    """A post around its reply must come first, whole, with an empty element where the reply was."""
    page = parse("<article>a<article>b</article>c</article>")
    outer, inner = rows_named(page, "article")
    told, shown = assemble_page(
        page,
        [
            excerpt(page, outer, inner, heading="One & two"),
            excerpt(page, inner, heading="Three", level=1),
        ],
    )
    check_table(told)
    assert ["One & two", "a", "c", "Three", "b"] == shown_texts(told, shown)
    assert (
        b"<html><body><h2>One &amp; two</h2><article>a<article></article>c</article>"
        b"<blockquote><h2>Three</h2><article>b</article></blockquote></body></html>"
    ) == told.buffer


def test_quotes_have_a_maximum_depth() -> None:
    """Very deep replies must be in the last quote, and the next one continues from there."""
    page = parse("<p>a</p>")
    (row,) = rows_named(page, "p")
    told, _ = assemble_page(page, [excerpt(page, row, level=level) for level in (0, 2, 99, 1)])
    check_table(told)
    assert MAX_LEVELS == told.buffer.count(b"<blockquote>")
    assert told.buffer.endswith(b"<p>a</p></blockquote></body></html>")


def test_siblings_are_shown_together() -> None:
    """An excerpt can be several sibling elements, with a gap of several."""
    page = parse("<div><p>a</p><p>b</p><p>c</p><p>d</p></div>")
    rows = rows_named(page, "p")
    div = rows_named(page, "div")[0]
    run = Excerpt(None, 0, rows[1], rows[3], [], np.array([1, 2], np.int32))
    rest = Excerpt(
        None, 0, div, int(page.end[div]), [(rows[1], rows[3])], np.array([0, 3], np.int32)
    )
    told, shown = assemble_page(page, [run, rest])
    check_table(told)
    assert ["b", "c", "a", "d"] == shown_texts(told, shown)


@given(soups(), st.integers(0, 30), st.integers(0, 30))
def test_any_element_can_be_an_excerpt(html: str, outer: int, inner: int) -> None:
    """The shown leaves of any excerpt must be written with their texts, in order."""
    page = parse(html)
    elements = np.flatnonzero(page.tag != 0).tolist()
    row = elements[outer % len(elements)]
    below = [each for each in elements if row < each < page.end[row]]
    holes = [below[inner % len(below)]] if below else []
    part = excerpt(page, row, *holes)
    told, shown = assemble_page(page, [part, *(excerpt(page, hole, level=1) for hole in holes)])
    check_table(told)
    expected = [page.leaf_text(leaf).strip() for leaf in part.leaves.tolist()]
    leaves = [page.leaf_text(leaf).strip() for hole in holes
              for leaf in excerpt(page, hole).leaves.tolist()]  # fmt: skip
    assert [*expected, *leaves] == shown_texts(told, shown)
