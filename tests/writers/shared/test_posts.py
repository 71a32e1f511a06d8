"""Posts are described by what is known of them, and shown on forums only."""

from __future__ import annotations

from dataclasses import replace

import pytest

import thresher
from tests.writers.fragment.test_post_borders import forum
from thresher.analysis.threads import PostDate
from thresher.writers.fragment.posts import describe_post, find_shown_posts


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "Ada1 · 2024-05-01 10:20"),
        ({"score": 3, "accepted": True}, "Ada1 · 2024-05-01 10:20 · +3 · ✓"),
        ({"author": None, "date": PostDate(None, "yesterday")}, "yesterday"),
        ({"author": None, "date": None}, ""),
    ],
)
def test_unknown_parts_are_left_out(changes: dict[str, object], expected: str) -> None:
    """The date is that of the page if it has no other."""
    post = forum().threads[0].posts[0]
    assert expected == describe_post(replace(post, **changes))  # type: ignore[arg-type]


def test_posts_of_a_forum_are_shown() -> None:
    """All that have kept text, in order."""
    document = forum()
    assert document.threads[0].posts == find_shown_posts(document)


def test_methods_without_page_types_show_no_posts() -> None:
    """Only the learned method knows what a forum is."""
    page = forum().page
    document = thresher.Document(page, thresher.select(page, "keep_all"))
    assert () == find_shown_posts(document)
