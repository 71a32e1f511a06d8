"""Posts of a forum are told apart in Markdown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import thresher
from thresher.analysis.threads import Post, PostDate
from thresher.roles import ROLES
from thresher.selection import Judgement, KnownRoles
from thresher.writers.fragment.posts import describe_post, find_shown_posts, flag_unstated
from thresher.writers.shared.added import MissingTitle, find_missing_title

TEXT = "The grain was wet when we brought it in, and the drum clogged twice before noon. " * 2
STEPS = "<ul><li>Dry the grain</li><li>Clean the drum</li></ul>"


def forum(
    *,
    wrapper: str = "{}",
    item: str = "{}",
    heading: str = "<h1>Wet grain</h1>",
    title: str = "",
) -> thresher.Document:
    """Extract a page of three posts, of which the second begins with a list."""
    posts = [
        f'<div class="post" id="p{number}"><div class="meta">'
        f'<a class="author" href="/u/{number}">Ada{number}</a>'
        f'<time datetime="2024-05-0{number}T10:20">May {number}, 2024</time>'
        f'<a href="#p{number}">#{number}</a></div>{title}'
        f'<div class="body">{STEPS if number == 2 else ""}<p>{TEXT}</p></div></div>'
        for number in (1, 2, 3)
    ]
    body = wrapper.format("".join(map(item.format, posts)))
    html = f"<title>Wet grain - Forum</title><body>{heading}{body}"
    document = thresher.extract(html, url="https://forum.example/t/1")
    page, keep = document.page, document.selection.keep.copy()
    for post in document.threads[0].posts:
        keep[slice(*page.leaf_span(post.row))] = True
    told = {"Ada": "byline", "Wet": "title"}
    roles = [ROLES.index(told.get(text[:3], "body")) for text in page.block_texts()]
    known = KnownRoles(np.array(roles, np.int8))
    judgement = Judgement((("forum", 1.0),), 0.0, 1.0)
    selection = replace(document.selection, keep=keep, predict_roles=known, judgement=judgement)
    return thresher.Document(page, selection)


def test_the_line_of_a_post_replaces_its_names() -> None:
    """The page's own line with author and date is not written beside it."""
    markdown = forum().markdown
    assert 2 == markdown.count("\n\n---\n\n**Ada")
    assert 3 == markdown.count("Ada")
    assert "May" not in markdown


def texts_beside(document: thresher.Document, posts: list[Post]) -> set[str]:
    """Return the texts that are left out beside some posts."""
    flags = flag_unstated(document, posts)
    return set(document.page.leaf_texts(np.flatnonzero(flags)))


def test_names_stay_where_their_line_would_lack_something() -> None:
    """Nothing beside the text of a post is left out if its date is unknown, or that is text too."""
    document = forum()
    posts = list(document.threads[0].posts)
    assert {"Ada1", "May 1, 2024", "#1"} <= texts_beside(document, posts)
    assert not texts_beside(document, [replace(post, date=None) for post in posts])
    comments = np.full(len(document.page.blocks), ROLES.index("comment"), np.int8)
    selection = replace(document.selection, predict_roles=KnownRoles(comments))
    assert not texts_beside(thresher.Document(document.page, selection), posts)
    selection = replace(document.selection, predict_roles=None)
    assert not texts_beside(thresher.Document(document.page, selection), posts)


def test_what_stands_between_replies_stays() -> None:
    """Replies inside a post end what is beside its own text: the heading above them is theirs."""
    document = forum()
    posts = document.threads[0].posts
    around = replace(posts[0], end=posts[-1].end)
    texts = texts_beside(document, [around, posts[2]])
    assert {"Ada1", "Ada3"} <= texts
    assert "Ada2" not in texts


def test_the_title_of_a_post_is_not_that_of_the_page() -> None:
    """The page's title is written if the only heading that says the same is left out."""
    document = forum(title="<h3>Wet grain</h3>", heading="")
    unwritten = flag_unstated(document, document.threads[0].posts)
    assert find_missing_title(document) is None
    assert MissingTitle("Wet grain", 3) == find_missing_title(document, unwritten=unwritten)


def test_posts_without_kept_names_get_author_and_date() -> None:
    """Before all of the post, even if that begins with a list; nothing else changes."""
    document = forum()
    page, keep = document.page, document.selection.keep.copy()
    for post in document.threads[0].posts:
        keep[page.leaf_offset[post.row] : post.leaves[0]] = False
    shown = thresher.Document(page, replace(document.selection, keep=keep)).markdown
    assert "\n\n---\n\n**Ada2 · 2024-05-02 10:20**\n\n- Dry the grain\n" in shown


def test_posts_in_a_list_are_its_items() -> None:
    """They need no rule."""
    markdown = forum(wrapper="<ol>{}</ol>", item="<li>{}</li>").markdown
    assert "\n\n2. **Ada2 " in markdown
    assert "---" not in markdown


def test_other_pages_have_no_borders() -> None:
    """Comments below an article are not its content."""
    html = f"<article><h1>Wet grain</h1><p>{TEXT}</p><p>{TEXT}</p></article>"
    assert "---" not in thresher.extract(html).markdown


def test_chunks_are_parts_of_the_markdown() -> None:
    """Offsets count the borders."""
    document = forum()
    chunks = document.chunks(200)
    assert len(chunks) > 2
    assert all(document.markdown[each.start : each.stop] == each.text for each in chunks)


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
