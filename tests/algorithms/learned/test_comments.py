"""Readers' comments: by scope, and by the names of their ancestors."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.algorithms.learned.comments import excludes_comments, find_comments, includes_comments
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.features import compute_features
from thresher.page.parse import parse
from thresher.roles import SCOPES

LEFT, ASKED, UP_TO_THE_NETWORK = (True, False), (False, True), (False, False)


def decide(scope: str, forum: float, documentation: float = 0) -> tuple[bool, bool]:
    """Return whether comments are excluded, and whether they are included."""
    types = np.zeros(len(PAGE_TYPES))
    types[PAGE_TYPES.index("forum")] = forum
    types[PAGE_TYPES.index("documentation")] = documentation
    place = SCOPES.index(scope)
    return excludes_comments(place, types), includes_comments(place, types)


@pytest.mark.parametrize(
    ("scope", "forum", "decision"),
    [
        ("auto", 0.0, LEFT),
        ("auto", 0.1875, LEFT),
        ("auto", 0.2, UP_TO_THE_NETWORK),
        ("auto", 1.0, UP_TO_THE_NETWORK),
        ("article", 0.0, LEFT),
        ("article", 1.0, LEFT),
        ("thread", 0.0, ASKED),
        ("thread", 0.4375, ASKED),
        ("thread", 0.5, UP_TO_THE_NETWORK),
        ("page", 0.0, UP_TO_THE_NETWORK),
        ("page", 1.0, UP_TO_THE_NETWORK),
    ],
)
def test_comments_by_scope_and_page(scope: str, forum: float, decision: tuple[bool, bool]) -> None:
    """Forums exclude comments under `article` only; other pages include them under `thread`."""
    assert decision == decide(scope, forum)


@pytest.mark.parametrize("scope", ["auto", "article"])
def test_comments_of_manuals_are_up_to_the_network(scope: str) -> None:
    """A chapter about comments, or code with some, is no section of readers' comments."""
    assert decide(scope, forum=0, documentation=0.25) == UP_TO_THE_NETWORK
    assert decide(scope, forum=0, documentation=0.2) == LEFT


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
        *("id=disqus_thread", "id=respond", "class=commentlist", "class=commentbody"),
        *("class=commentaires", "id=box-komentarze", "class=aside-kommentare"),
    ],
)
def test_blocks_flagged_when_named_after_comments(attribute: str) -> None:
    """Blocks inside an element that is named after comments are flagged, its neighbours are not."""
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
def test_nothing_flagged_without_such_a_name(html: str) -> None:
    """Other names flag nothing, even with the same beginning; nor do other attributes."""
    assert not any(flags(html))


@pytest.mark.parametrize(
    ("html", "is_found"),
    [
        (f"<div class=comment-on-the-law>{REPLY}</div>", False),
        (f"<div class=comment>{REPLY}</div><div class=comment>{REPLY}</div>", True),
        ("<div class=comment><p><a href=/bo>Bo</a>: Lovely!</div>", True),
    ],
)
def test_single_paragraph_is_a_comment_if_it_tells_of_a_reader(html: str, is_found: bool) -> None:
    """One paragraph under such a name, without a link, a date or a field, belongs to the story."""
    assert is_found == any(flags(STORY + html + STORY))


@pytest.mark.parametrize(
    ("remark", "is_found"),
    [("15 pages", False), ("<time>9 May</time> Lovely!", True), ("<a href=/bo>Bo</a>", True)],
)
def test_cell_of_a_table_is_a_comment_if_it_tells_of_a_reader(remark: str, is_found: bool) -> None:
    """A column or a row of remarks is part of its table."""
    row = f"<tr><td class=label>Comments<td class='cell comments'>{remark}"
    assert is_found == any(flags(f"{STORY}<table>{row * 2}</table>{STORY}"))


def test_opinions_flagged_around_a_field_to_write_in() -> None:
    """A name for comments and columns alike flags what is around a field to write in, no column."""
    field = "<form><textarea></textarea></form>"
    story, reply = f"<div class=opinie>{STORY}</div>", f"<div id=stgOpinie>{REPLY}{field}</div>"
    assert [False, True, False] == flags(f"{story}{reply}{STORY}")


@pytest.mark.parametrize("tag", ["html", "body", "main", "article"])
def test_nothing_flagged_when_the_article_has_such_a_name(tag: str) -> None:
    """Names such as `comments-open` on the page or the article flag nothing."""
    assert not any(flags(f"<{tag} class=comments-open>{STORY}{REPLY}</{tag}>"))


@pytest.mark.parametrize("headline", ["The mill of nine villages", "Nine replies"])
def test_what_is_around_the_headline_is_no_comment_section(headline: str) -> None:
    """A story in an element that is named after its comments is kept, if the headline is in it."""
    html = (
        f"<title>The mill of nine villages - News</title>{STORY * 2}"
        f"<div class='story has-comments'><h1>{headline}</h1>{STORY}"
        f"<div class=comment-list>{REPLY * 2}</div></div>"
    )
    is_around = headline.startswith("The mill")
    assert [False, False, *([not is_around] * 2), True, True] == flags(html)


def test_nothing_flagged_when_most_of_the_page_is_comments() -> None:
    """On a page that consists mostly of comments nothing is flagged."""
    assert not any(flags(f"<h1>Replies</h1><div id=comments>{STORY * 3}</div>"))


def test_single_comments_flagged_when_their_container_is_not() -> None:
    """Single comments are flagged even if the element around all of them is too large."""
    html = f"<div id=comments>{STORY}<div class=comment>{REPLY}</div></div>"
    assert [False, True] == flags(html)


@pytest.mark.parametrize(
    "paragraph",
    [
        "<p><a class=comments_count>0</a>{}</p>",
        "<p>{}<a class='comment toggle'>3</a></p>",
        "<p><a id=comments_p_10></a>{}<a class=comments>12 comments</a></p>",
    ],
)
def test_paragraph_with_a_link_to_its_comments_is_not_one(paragraph: str) -> None:
    """A paragraph that begins or ends with its number of comments is not a comment."""
    text = "The mill grinds rye, oats and barley for nine villages around it."
    assert not any(flags(f"<h1>The mill</h1>{paragraph.format(text) * 3}"))
