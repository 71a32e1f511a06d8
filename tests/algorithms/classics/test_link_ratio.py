"""Elsts 2008, checked against figures worked out by hand from its two passes."""

from __future__ import annotations

import pytest

import thresher
from tests.algorithms.kept import kept
from thresher import Selection
from thresher.page.parse import parse


def select(html: str, **params: object) -> Selection:
    return thresher.select(parse(html), "link_ratio", params)


# Worked example. Unlinked text outside <title> is none; text blocks are the elements with text of
# their own that are not links: #menu (", "), #story and #note.
#   links: 2;  unlinked words: 0 + 8 + 2 = 10  → limit 2 / 10 × 1.30 = 0.26
#   characters: 2 + 39 + 7 = 48 over 3 blocks  → least 16
#   #menu   2 links, 0 words: ratio 1          → too many links
#   #story  0 links, 8 words, 39 characters    → kept
#   #note   0 links, 2 words, 7 characters     → too short
WORKED = (
    '<div id="menu"><a href="/a">one</a>, <a href="/b">two</a></div>'
    '<div id="story">A story of eight words goes right here.</div>'
    '<div id="note">too few</div>'
)


def test_thresholds_are_page_averages_when_not_set() -> None:
    """The limits are 1.30 × links per word, from which scores count, and the average length."""
    selection = select(WORKED)
    assert ["A story of eight words goes right here."] == kept(selection)
    assert [
        "more than 0.260 links a word",
        "enough text and few links",
        "less than 16 characters of text",
    ] == [selection.reason(block) for block in range(3)]
    assert [-0.74, 0.26, 0.26] == pytest.approx(selection.score.tolist(), abs=1e-6)


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"max_link_ratio": 1.0, "min_chars": 0}, ["one, two", "story", "too few"]),
        ({"max_link_ratio": 0.26, "min_chars": 0}, ["story", "too few"]),
        ({"max_link_ratio": 1.0, "min_chars": 8}, ["story"]),
        ({"min_chars": 0, "min_words": 3}, ["story"]),
        ({"ratio_factor": 5.0, "min_chars": 0}, ["one, two", "story", "too few"]),
        ({"min_chars": 0, "container_tags": "p"}, ["one, two", "story", "too few"]),
        ({"ignore_length_tags": "span,div"}, ["story", "too few"]),
        ({"min_chars": 0, "phrases": "EIGHT words"}, ["too few"]),
    ],
)
def test_parameters_take_effect_when_set(params: dict[str, object], expected: list[str]) -> None:
    """Each parameter has the effect that its help describes."""
    story = "A story of eight words goes right here."
    assert expected == [text.replace(story, "story") for text in kept(select(WORKED, **params))]


def test_length_of_deleted_child_does_not_count_when_parent_is_measured() -> None:
    """The second pass adds links and words of a deleted child to its parent, but not its length."""
    html = "<div><div><a href=#>a long link text</a></div>1 2 3 4</div>"
    # The inner div has ratio 1 and goes; the outer has 1 link for 4 words, 7 characters of its own.
    assert ["1 2 3 4"] == kept(select(html, max_link_ratio=0.5, min_chars=7))
    assert [] == kept(select(html, max_link_ratio=0.5, min_chars=8))
    assert [] == kept(select(html, max_link_ratio=0.24, min_chars=7))


def test_removed_tags_go_with_their_contents_when_text_is_long() -> None:
    """The contents of a removed tag are neither kept nor counted."""
    text = "plenty of words in a form that nobody came to read " * 5
    selection = select(f"<form><p>{text}</p></form><div>kept words</div>", min_chars=0)
    assert ["kept words"] == kept(selection)
    assert "inside a tag that is always removed" == selection.reason(0)


def test_images_kept_when_they_count_as_words() -> None:
    """Images are kept if `image_words` is set, and otherwise removed as in the author's code."""
    page = parse("<div><a href=#><img src=a.png></a> <img src=b.png></div>")
    params = {"max_link_ratio": 0.5, "min_chars": 0}
    assert [False, False] == thresher.select(page, "link_ratio", params).keep.tolist()
    params["image_words"] = 10
    assert [True, True] == thresher.select(page, "link_ratio", params).keep.tolist()


@pytest.mark.parametrize(
    ("html", "params", "expected"),
    [
        ("<div><span> … </span></div>", {"max_link_ratio": 0.99, "min_chars": 0}, []),
        ("bare text", {"min_chars": 1000}, ["bare text"]),
        (
            "<a href=#><div>five words in a card</div></a>",
            {"max_link_ratio": 0.1, "min_chars": 0},
            ["five words in a card"],
        ),
    ],
)
def test_containers_without_words_links_around_and_the_root(
    html: str, params: dict[str, object], expected: list[str]
) -> None:
    """Without words the ratio is 1, the root is never deleted, and links around do not count."""
    assert expected == kept(select(html, **params))
