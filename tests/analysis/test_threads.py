"""Threads are read from pages in the manner of many boards; their texts are those of the posts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import NASTY_PAGES, soups
from thresher.analysis.threads import Thread, read_threads, text_of
from thresher.page.parse import parse

FOLDER: Final = Path(__file__).parent / "threads" / "pages"
PAGES: Final = {file.stem: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.html")}
"""Pages in the manner of a board, with the one thread of each beside it, or with none."""
MANNERS: Final = sorted(file.stem for file in FOLDER.glob("*.json"))


def read(html: str) -> list[dict[str, Any]]:
    """Read the threads of a page in the form of what is expected."""
    page = parse(html, url="https://mill.example/t/1")
    return [
        {
            "kind": thread.kind.value,
            "posts": [
                {
                    "author": post.author,
                    "day": post.date.iso[:10] if post.date and post.date.iso else None,
                    "depth": post.depth,
                    "score": post.score,
                    "text": text_of(page, post.leaves),
                }
                for post in thread.posts
            ],
        }
        for thread in read_threads(page)
    ]


@pytest.mark.parametrize("manner", MANNERS)
def test_thread_is_read_when_a_board_writes_so(manner: str) -> None:
    """Every manner of writing threads must give authors, dates, depths and the texts alone."""
    expected = json.loads((FOLDER / f"{manner}.json").read_text(encoding="utf-8"))
    assert [expected] == read(PAGES[manner])


@pytest.mark.parametrize("manner", sorted(PAGES.keys() - set(MANNERS)))
def test_no_thread_is_read_when_there_is_none(manner: str) -> None:
    """Lists that only look like posts, such as a list of stories, must not be threads."""
    assert [] == read(PAGES[manner])


def test_answers_are_told_when_there_is_a_question() -> None:
    """Questions, answers and the accepted answer must be recognised."""
    (thread,) = read_threads(parse(PAGES["stack-exchange"], url="https://mill.example/q/1"))
    assert [(True, False, False), (False, True, True), (False, False, False)] == [
        (post.is_question, post.is_answer, post.accepted) for post in thread.posts
    ]
    assert [None, 0, 1] == [post.parent for post in thread.posts]


def test_permalinks_are_absolute_when_the_page_has_an_address() -> None:
    """A post's own address is that of its date's link, or of its number, or its id."""
    (thread,) = read_threads(parse(PAGES["wordpress"], url="https://mill.example/mill/"))
    assert "https://mill.example/mill/#comment-21" == thread.posts[0].permalink
    (thread,) = read_threads(parse(PAGES["phpbb"], url="https://mill.example/v"))
    assert "https://mill.example/v#p70" == thread.posts[0].permalink


def check(html: str) -> tuple[Thread, ...]:
    """Check what holds of the threads of any page, and return them."""
    page = parse(html, url="https://mill.example/")
    threads = read_threads(page)
    own = [post.leaves for thread in threads for post in thread.posts]
    joined = np.concatenate([*own, np.zeros(0, np.int32)])
    assert joined.size == np.unique(joined).size, "a leaf is of one post"
    for thread in threads:
        assert thread.posts
        assert [post.row for post in thread.posts] == sorted(post.row for post in thread.posts)
        for index, post in enumerate(thread.posts):
            assert 0 <= thread.row <= post.row < post.end <= page.end[thread.row]
            above = post.parent
            assert above is None or 0 <= above < index
            assert post.depth == (0 if above is None else thread.posts[above].depth + 1)
            assert (np.diff(post.leaves) > 0).all()
            rows = page.leaves[post.leaves]
            assert ((rows >= post.row) & (rows < post.end)).all()
    return threads


@pytest.mark.parametrize("html", NASTY_PAGES.values(), ids=list(NASTY_PAGES))
def test_threads_are_sound_when_a_page_is_nasty(html: str) -> None:
    """No page raises an error."""
    check(html)


def posts_of_soup() -> st.SearchStrategy[str]:
    """Generate parts of pages with posts, whole and cut, nested and strewn with soup."""
    cut = st.builds(
        lambda html, start, stop: html[start:stop],
        st.sampled_from([PAGES[name].partition("</h1>")[2] for name in sorted(PAGES)]),
        st.integers(0, 900),
        st.integers(0, 3000),
    )
    return st.lists(cut | soups(6), max_size=5).map("".join)


@given(st.one_of(soups(), posts_of_soup()))
def test_threads_are_sound_when_a_page_is_soup(html: str) -> None:
    """Leaves are of one post, posts in order, and depth is one more than the parent's."""
    check(html)


@pytest.mark.parametrize(
    "html",
    [
        "<div class=comment><a class=author href=/u/x>x</a><time datetime=2021-03-04>t</time>words"
        * 3000,
        "<p class=comment><b class=author>x</b><i class=date>2021-03-04</i>words " * 3000,
        "<div class='a b c'><span class=date>2021-03-04</span>words and words</div>" * 3000,
    ],
    ids=["nested", "flat", "nameless"],
)
def test_threads_are_sound_when_there_are_thousands(html: str) -> None:
    """Posts a thousand deep or a thousand in a row must be read as any others."""
    check(html)
