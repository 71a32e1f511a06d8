"""Posts of a forum that are shown one by one, each with a rule and a line of author and date."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from thresher.document import Document
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import SUBHEADINGS, flags_of
from thresher.roles import ROLES
from thresher.support.cached import cached_view
from thresher.writers.fragment.slices import Edges
from thresher.writers.outline.outline import Outline
from thresher.writers.outline.pieces import Pieces, Rank

if TYPE_CHECKING:
    from thresher.analysis.threads import Post

# -- lines -------------------------------------------------------------------------------------

_SECONDS_AT: Final = len("2024-05-03T10:20")
"""Where seconds begin in a date."""
_FORUM: Final = "forum"
"""The type of pages whose posts are the content."""
_TITLE: Final = flags_of("h1")
_BESIDE: Final = [
    ROLES.index(role)
    for role in ("advertisement", "byline", "date", "legal", "navigation", "other", "title")
]
"""Roles of what is no text of a post."""
MIN_POSTS: Final = 2
"""Number of shown posts that make a thread."""
MIN_SHARE: Final = 0.6
"""Share of the kept words that the posts must have: the others are names, dates and buttons.
Otherwise the thread was not read correctly."""


def describe_post(post: Post) -> str:
    """Return the author, date, score and acceptance of a post, as far as they are known."""
    date = post.date and (post.date.iso or post.date.raw)
    if post.date and post.date.iso:
        date = post.date.iso[:_SECONDS_AT].replace("T", " ")
    score = f"{post.score:+d}" if post.score else None
    parts = (post.author, date, score, "✓" if post.accepted else None)
    return " · ".join(part for part in parts if part)


@cached_view
def find_shown_posts(document: Document) -> tuple[Post, ...]:
    """Return the posts with kept text of a forum page; none if its threads seem to be misread."""
    if document.page_type is None or document.page_type.name != _FORUM:
        return ()
    page, keep = document.page, document.selection.keep
    posts = [post for thread in document.threads for post in thread.posts]
    n_word = [int(page.leaf_words[post.leaves[keep[post.leaves]]].sum()) for post in posts]
    shown = tuple(post for post, n in zip(posts, n_word, strict=True) if n)
    is_read = len(shown) >= MIN_POSTS and sum(n_word) >= MIN_SHARE * document.selection.words
    return shown if is_read else ()


@cached_view
def find_unstated(document: Document) -> BoolArray | None:
    """Return `flag_unstated` of the posts that are shown; None on a page that shows none."""
    posts = find_shown_posts(document)
    return flag_unstated(document, posts) if posts else None


def flag_unstated(document: Document, posts: Sequence[Post]) -> BoolArray:
    """Flag the kept leaves beside a post's own text that the line before it replaces; bool[n_leaf].

    They are names and dates, a profile and buttons, by their roles, and a heading above the text;
    from the text on pictures only if they are links. None of a post whose author or date is
    unknown. What follows the text of a post with replies in it is theirs.
    """
    page, selection = document.page, document.selection
    roles = selection.role_code
    beside = np.zeros(page.leaves.size, np.bool_)
    if roles is None:
        return beside
    above = np.zeros(page.leaves.size, np.bool_)
    rows = [*(post.row for post in posts[1:]), len(page)]
    for post, following in zip(posts, rows, strict=True):
        if post.author and post.date:
            first, stop = page.leaf_offset[[post.row, post.end]].tolist()
            if following < post.end:
                stop = int(post.leaves.max(initial=first - 1)) + 1
            beside[first:stop] = True
            above[first : post.leaves.min(initial=stop)] = True
    for post in posts:
        beside[post.leaves] = False
    of_leaf = roles.take(page.blocks.of_leaf)
    in_heading = page.nearest(SUBHEADINGS.take(page.tag), page.leaves) >= 0
    may_go = above | (page.leaf_words > 0) | page.in_link.take(page.leaves)
    by_role = np.isin(of_leaf, _BESIDE) & may_go
    beside &= selection.keep & ((above & in_heading) | by_role)
    return beside & (page.nearest(_TITLE.take(page.tag), page.leaves) < 0)


# -- borders -----------------------------------------------------------------------------------

_ITEMS: Final = flags_of("dd dt li")
"""Elements that a border is put into, because nothing can stand between two of them."""
_TABLE_PARTS: Final = flags_of("caption tbody td tfoot th thead tr")
"""Elements that get no border: the posts are rows of data."""


class _PostBorder(NamedTuple):
    """A rule, and a line with author and date, written before a post."""

    run: int
    """The run of the outline that begins the post."""
    head: str
    """Author and date; empty if the page's own line with them is kept."""
    has_rule: bool
    above: int
    """The outermost written element that begins with the run; −1 if it is in none."""


def find_post_borders(
    outline: Outline, keep: BoolArray, posts: Sequence[Post]
) -> tuple[_PostBorder, ...]:
    """Find the borders of posts of which leaves are kept, bool[n_leaf]."""
    page = outline.page
    borders: dict[int, _PostBorder] = {}
    for post in posts:
        place = int(np.searchsorted(outline.kept, page.leaf_offset[post.row]))
        if place == outline.kept.size or outline.kept[place] >= page.leaf_offset[post.end]:
            continue
        run = int(outline.runs.of_leaf[place])
        container = int(outline.container[run])
        in_code = container >= 0 and outline.preformatted[container]
        if outline.runs.start[run] != place or run in borders or in_code:
            continue  # the text before goes on here
        above = _find_outermost(outline, run, post)
        if above >= 0 and _TABLE_PARTS[outline.tag[above]]:
            continue
        in_list = above >= 0 and bool(_ITEMS[outline.tag[above]])
        head = "" if _shows_author(page, keep, post) else describe_post(post)
        borders[run] = _PostBorder(run, head, bool(borders) and not in_list, above)
    return tuple(borders.values())


def _find_outermost(outline: Outline, run: int, post: Post) -> int:
    """Find the outermost written element in a post that begins with a run; −1 if it is in none."""
    page, outermost = outline.page, -1
    leaf = outline.kept[outline.runs.start[run]]
    row = int(outline.container[run])
    while row >= post.row:
        first = outline.kept[np.searchsorted(outline.kept, page.leaf_offset[row])]
        if first != leaf:
            break
        if outline.structure[row]:
            outermost = row
        row = int(page.parent[row])
    return outermost


def _shows_author(page: Page, keep: BoolArray, post: Post) -> bool:
    """Return whether the author's name is kept before the text of a post."""
    own = post.leaves[keep[post.leaves]]
    if not post.author or not own.size:
        return False
    first = int(page.leaf_offset[post.row])
    leaves = first + np.flatnonzero(keep[first : int(own[0])])
    return post.author in " ".join(" ".join(page.leaf_texts(leaves.astype(np.int32))).split())


def put_post_borders(
    outline: Outline, pieces: Pieces, edges: Edges, borders: Sequence[_PostBorder], mark: str
) -> None:
    """Put the borders into a fragment; ``mark``, if any, before each author and date."""
    page = outline.page
    for border in borders:
        markup = "<hr>" if border.has_rule else ""
        if border.head:
            markup += f"<p>{mark}<strong>{escape(border.head)}</strong></p>"
        if border.above < 0:
            place = edges.opens[border.run]
        elif _ITEMS[page.tag[border.above]]:
            place = page.open_stop[border.above]
        else:
            place = page.open_start[border.above]
        pieces.put(place.reshape(1), Rank.GAP, markup.encode())
