"""Readers' comments are detected by the names of their ancestors."""

from __future__ import annotations

import pytest

from thresher.algorithms.learned.comments import find_comments
from thresher.features import compute_features
from thresher.page.parse import parse

STORY = "<p>The mill grinds rye, oats and barley for nine villages around it.</p>"
REPLY = "<p>Lovely!</p>"


def flags(html: str) -> list[bool]:
    page = parse(html)
    found: list[bool] = find_comments(page, compute_features(page)).tolist()
    return found


@pytest.mark.parametrize(
    "attribute",
    [
        *("id=comments", "class=comment", "class='entry comment-list'", "class=CommentForm"),
        *("id=disqus_thread", "id=respond", "class=commentlist"),
    ],
)
def test_blocks_flagged_when_named_after_comments(attribute: str) -> None:
    """Blocks inside such an element are flagged, those before and after it are not."""
    found = flags(f"{STORY}<div {attribute}>{REPLY}<ul><li>{REPLY}</ul></div>{STORY}")
    assert [False, True, True, False] == found


@pytest.mark.parametrize(
    "html",
    [
        STORY + REPLY,
        f"{STORY}<div class='commentary uncommented' id=correspondent>{REPLY}</div>",
        f"{STORY}<div role=comments itemprop=comment>{REPLY}</div>",
    ],
)
def test_nothing_flagged_when_nothing_is_named_so(html: str) -> None:
    """Other names, of which some only begin alike, say nothing; neither do other attributes."""
    assert not any(flags(html))


@pytest.mark.parametrize("tag", ["html", "body", "main", "article"])
def test_nothing_flagged_when_the_story_is_named_so(tag: str) -> None:
    """Names such as `comments-open` on the page or article flag nothing."""
    assert not any(flags(f"<{tag} class=comments-open>{STORY}{REPLY}</{tag}>"))


def test_nothing_flagged_when_all_is_comments() -> None:
    """Nothing is flagged on a page that is mostly comments."""
    assert not any(flags(f"<h1>Replies</h1><div id=comments>{STORY * 3}</div>"))


def test_comments_flagged_when_within_others() -> None:
    """A comment among all of them is flagged, though all of them together are too many."""
    html = f"<div id=comments>{STORY}<div class=comment>{REPLY}</div></div>"
    assert [False, True] == flags(html)


def test_page_without_names() -> None:
    """A page of one text has no comments."""
    assert [False] == flags("words")


@pytest.mark.parametrize(
    "paragraph",
    [
        "<p><a class=comments_count>0</a>{}</p>",
        "<p>{}<a class='comment toggle'>3</a></p>",
        "<p><a id=comments_p_10></a>{}<a class=comments>12 comments</a></p>",
    ],
)
def test_a_paragraph_with_a_link_to_its_comments_is_the_story(paragraph: str) -> None:
    """A number of comments at either end of a paragraph does not make a comment of it."""
    text = "The mill grinds rye, oats and barley for nine villages around it."
    assert not any(flags(f"<h1>The mill</h1>{paragraph.format(text) * 3}"))
