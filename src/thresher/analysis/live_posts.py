"""Posts of a live blog: articles in one place, each with the time of day that it is of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, SUBHEADINGS, flags_of
from thresher.support.cached import cached_view

_ARTICLE: Final = flags_of("article")
_LI, _TIME = CODE_OF["li"], CODE_OF["time"]
_PARTS: Final = SUBHEADINGS | flags_of("blockquote figure ol p time ul")
_OTHERS: Final = flags_of("aside button footer form nav")
_CLOCK: Final = re.compile(r"\d{1,2}[:.h]\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?(?: [A-Z]{2,5}| Uhr)?")
_MINUTES: Final = len("2026-03-14T14:20")
_MIN_POSTS: Final = 3
_MAX_SPAN: Final = timedelta(days=2)
_MAX_WORDS_BEFORE: Final = 15
"""Words between the beginning of a post and its time: a heading."""
_MAX_LABEL_WORDS: Final = 4
_MAX_TIME_WORDS: Final = 4


class LivePosts(NamedTuple):
    """What the posts of a live blog consist of."""

    parts: BoolArray
    """Flags the elements of their text; bool[n_row]."""
    labels: list[int]
    """Rows of what stands between and around them: a label, a button for more."""
    clocks: list[int]
    """The times with nothing else in their lines, in order."""


@cached_view
def find_live_posts(page: Page) -> LivePosts | None:
    """Find three or more posts in order of time; None on other pages.

    Their times are those of the clock alone, within two days; headings that link are teasers.
    """
    articles = page.rows_of(_ARTICLE)
    if articles.size < _MIN_POSTS:
        return None
    groups = [group for group in _group(page, articles) if _are_in_order(page, [*group.values()])]
    if not groups:
        return None
    posts = page.flag([row for group in groups for row in group])
    words, linked = page.subtree_words, np.diff(page.link_words_before)
    parts = page.within(posts) & _PARTS[page.tag] & ~page.within(_OTHERS[page.tag])
    parts &= 2 * page.subtree_sums(linked) <= words
    n_post = page.subtree_sums(posts)
    around = {_around(page, next(iter(group))) for group in groups}
    labels = [
        row
        for parent in around
        for row in _children(page, parent)
        if not n_post[row] and not _PARTS[page.tag[row]] and 0 < words[row] <= _MAX_LABEL_WORDS
    ]
    times = sorted(time for group in groups for time in group.values())
    return LivePosts(parts, labels, [time for time in times if _is_alone(page, time)])


def _group(page: Page, articles: npt.NDArray[np.int64]) -> Iterable[dict[int, int]]:
    """Return the articles that may be posts, each with its time, by place and class."""
    times = page.attributes.rows_named("datetime")
    times = times[page.tag[times] == _TIME]
    headings = page.rows_of(SUBHEADINGS)
    linked = page.link_words_before
    teasers = headings[linked[page.end[headings]] > linked[headings]]
    groups: dict[tuple[int, str], dict[int, int]] = {}
    for row in watch(articles[~page.in_link[articles]].tolist()):
        end = page.end[row]
        own_times = times[slice(*times.searchsorted((row, end)))][:1].tolist()
        is_teaser = np.diff(teasers.searchsorted((row, end)))[0] > 0
        if own_times and not is_teaser and _begins_with(page, row, own_times[0]):
            kind = _around(page, row), page.attr(row, "class") or ""
            groups.setdefault(kind, {})[row] = own_times[0]
    return groups.values()


def _begins_with(page: Page, row: int, time: int) -> bool:
    """Return whether an element begins with a time, which is one of the clock."""
    before = page.words_before
    if before[time] - before[row] > _MAX_WORDS_BEFORE or page.subtree_words[time] > _MAX_TIME_WORDS:
        return False
    return _CLOCK.fullmatch(page.text_of(time).strip()) is not None


def _are_in_order(page: Page, times: list[int]) -> bool:
    """Return whether times rise or fall, within the longest span of a live blog."""
    if len(times) < _MIN_POSTS:
        return False
    stated = [(page.attr(row, "datetime") or "").strip()[:_MINUTES] for row in times]
    try:
        said = [datetime.fromisoformat(text) for text in stated]
    except ValueError:
        return False
    in_order = said in (sorted(said), sorted(said, reverse=True))
    return in_order and max(said) - min(said) <= _MAX_SPAN


def _is_alone(page: Page, row: int) -> bool:
    first, stop = page.leaf_offset[[row, page.end[row]]].tolist()
    block = page.blocks.of_leaf[first]
    return bool(page.blocks.start[block] == first and page.blocks.start[block + 1] == stop)


def _around(page: Page, row: int) -> int:
    """Return the row of the element in which posts are, also as items of a list."""
    above = int(page.parent[row])
    return int(page.parent[above]) if page.tag[above] == _LI else above


def _children(page: Page, row: int) -> Iterator[int]:
    child = row + 1
    while child < page.end[row]:
        yield child
        child = int(page.end[child])
