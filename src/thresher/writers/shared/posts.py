"""Posts of a forum that are shown one by one, and the line that introduces each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thresher.document import Document

if TYPE_CHECKING:
    from thresher.analysis.threads import Post

__all__ = ["MIN_POSTS", "MIN_SHARE", "describe_post", "find_shown_posts"]

_BETWEEN: Final = " · "
_ACCEPTED: Final = "✓"
_SECONDS_AT: Final = len("2024-05-03T10:20")
"""Where seconds begin in a date."""
_FORUM: Final = "forum"
"""The type of pages whose posts are the content."""
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
    parts = [
        post.author,
        date,
        None if post.score is None else f"{post.score:+d}",
        _ACCEPTED if post.accepted else None,
    ]
    return _BETWEEN.join(part for part in parts if part)


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
