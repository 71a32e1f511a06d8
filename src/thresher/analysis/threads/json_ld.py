"""Completion of shown posts with JSON-LD, matched by their text.

Boards describe their posts for search engines (schema.org Comment, Answer, Question,
DiscussionForumPosting, Review), with dates and votes that the page shows rounded or not at all.
Only gaps are filled: values shown on the page take precedence. A post in JSON-LD that is not shown
is ignored, and posts with equal texts are not matched.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from thresher.analysis.links import find_base, resolve_link
from thresher.analysis.metadata.dates import read_date
from thresher.analysis.metadata.evidence import type_of, values_of
from thresher.analysis.metadata.normalise import plain_text
from thresher.analysis.structured import Entity, JsonValue, find_json_ld
from thresher.analysis.threads import Post, PostDate, Thread, text_of
from thresher.analysis.threads.facts import read_number
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import Parts

_TYPES: Final = (
    "Answer Comment DiscussionForumPosting Question Review SocialMediaPosting UserReview"
).split()
_STATED: Final = re.compile(rf'"(?:https?://schema\.org/)?(?:{"|".join(_TYPES)})"')
_TYPE_ENDS: Final = tuple(f'{name}"'.encode() for name in _TYPES)
_KIND_PARTS: Final = Parts(b"ld+json")
_POSTS: Final = frozenset(map(str.lower, _TYPES))
_ROOTS: Final = frozenset(("discussionforumposting", "socialmediaposting"))
"""Types that may enclose a whole thread, see `thresher.analysis.threads.read`."""
_TEXTS: Final = ("text", "articleBody", "reviewBody", "description", "name", "headline")
_VOTES: Final = re.compile(r"(?i)(?:like|vote|upvote|agree)action")
_KEY_CHARS: Final = 60
_MIN_KEY_CHARS: Final = 8
"""Minimum letters and digits of a text that identify it."""
_FIRST_LEAVES: Final = 8
"""Texts of a post that are read for its key before it is known whether more are needed."""
_MAX_STATED: Final = 10_000


@dataclass(frozen=True, slots=True)
class _Stated:
    key: str
    author: str | None
    date: str | None
    score: int | None
    accepted: bool
    address: str | None
    parent: int
    """The post it answers, an index into all posts in JSON-LD; −1 for none."""


def complete(page: Page, threads: Sequence[Thread]) -> tuple[Thread, ...]:
    """Fill missing facts of posts from JSON-LD about the same posts."""
    if not threads or not _may_state_posts(page):
        return tuple(threads)
    stated = list(_read(find_json_ld(page)))
    if not stated:
        return tuple(threads)
    times = Counter(post.key for post in stated)
    place_of = {post.key: place for place, post in enumerate(stated) if times[post.key] == 1}
    return tuple(_complete(page, thread, stated, place_of) for thread in threads)


def _may_state_posts(page: Page) -> bool:
    """Return whether a page has JSON-LD, and a name of posts anywhere."""
    attributes = page.attributes
    if not attributes.parts_of(attributes.named("type"), _KIND_PARTS).any():
        return False
    # Plain parts are found faster than the expression.
    return any(name in page.utf8 for name in _TYPE_ENDS) and bool(_STATED.search(page.source))


def _complete(
    page: Page, thread: Thread, stated: list[_Stated], place_of: dict[str, int]
) -> Thread:
    keys = [_key_of_post(page, post) for post in watch(thread.posts)]
    times = Counter(keys)
    places = [place_of.get(key, -1) if times[key] == 1 else -1 for key in keys]
    base = find_base(page)
    posts = [
        _fill(post, stated[place], base) if place >= 0 else post
        for post, place in zip(thread.posts, places, strict=True)
    ]
    if all(post.parent is None or thread.posts[post.parent].is_question for post in posts):
        posts = _arrange(posts, places, stated)
    return replace(thread, posts=tuple(posts))


def _fill(post: Post, stated: _Stated, base: str | None) -> Post:
    date = post.date
    iso = read_date(stated.date) if stated.date else None
    if stated.date and (date is None or not date.iso):
        date = PostDate(iso, date.raw if date else stated.date)
    link = resolve_link(stated.address, base) if stated.address and base else stated.address
    return replace(
        post,
        author=post.author or stated.author,
        date=date,
        score=stated.score if post.score is None else post.score,
        accepted=post.accepted or stated.accepted,
        permalink=post.permalink or link,
    )


def _arrange(posts: list[Post], places: list[int], stated: list[_Stated]) -> list[Post]:
    """Set the parents of posts if the page shows all of them on one level."""
    index_of = {place: index for index, place in enumerate(places) if place >= 0}
    arranged: list[Post] = []
    for index, (post, place) in enumerate(zip(posts, places, strict=True)):
        parent = index_of.get(stated[place].parent, -1) if place >= 0 else -1
        above = parent if 0 <= parent < index else post.parent
        depth = 0 if above is None else arranged[above].depth + 1
        arranged.append(replace(post, parent=above, depth=depth))
    return arranged


def _read(entities: Sequence[Entity]) -> Iterator[_Stated]:
    """Yield the posts in JSON-LD, parents before replies."""
    waiting: list[tuple[JsonValue, int, bool]] = [
        (entity, -1, False) for entity in reversed(entities)
    ]
    count = 0
    while waiting and count < _MAX_STATED:
        value, above, accepted = waiting.pop()
        if isinstance(value, list):
            waiting += [(element, above, accepted) for element in reversed(value)]
        elif isinstance(value, dict):
            kind = type_of(value).lower()
            if kind in _POSTS and (post := _read_post(value, above, accepted=accepted)):
                yield post
                above = -1 if kind in _ROOTS else count
                count += 1
            parts = [(part, above, name == "acceptedAnswer") for name, part in value.items()]
            waiting += [entry for entry in reversed(parts) if isinstance(entry[0], list | dict)]


def _read_post(entity: Entity, parent: int, *, accepted: bool) -> _Stated | None:
    texts = (text for name in _TEXTS for text in values_of(entity, name) if isinstance(text, str))
    key = next(filter(None, map(_key, texts)), "")
    if not key:
        return None
    return _Stated(
        key=key,
        author=_first_text(entity, "author"),
        date=_first_text(entity, "datePublished") or _first_text(entity, "dateCreated"),
        score=_read_score(entity),
        accepted=accepted,
        address=_first_text(entity, "url"),
        parent=parent,
    )


def _first_text(entity: Entity, name: str) -> str | None:
    """Return the first value of a property that is a text, or whose name is one."""
    for value in values_of(entity, name):
        named = value.get("name") if isinstance(value, dict) else value
        if isinstance(named, str) and plain_text(named):
            return plain_text(named)
    return None


def _read_score(entity: Entity) -> int | None:
    ups, downs = _number_of(entity, "upvoteCount"), _number_of(entity, "downvoteCount")
    if ups is not None:
        return ups - (downs or 0)
    for statistic in values_of(entity, "interactionStatistic"):
        if isinstance(statistic, dict) and _VOTES.search(str(statistic.get("interactionType"))):
            return _number_of(statistic, "userInteractionCount")
    return None


def _number_of(entity: Entity, name: str) -> int | None:
    value = next(iter(values_of(entity, name)), None)
    return read_number(str(value)) if isinstance(value, int | float | str) else None


def _key_of_post(page: Page, post: Post) -> str:
    """Return the key of a post's text, of which the first leaves mostly have enough letters."""
    begin = "".join(page.leaf_texts(post.leaves[:_FIRST_LEAVES]))
    # What looks like markup may go on in the next text.
    if "&" not in begin and "<" not in begin and len(key := _key(begin)) == _KEY_CHARS:
        return key
    return _key(text_of(page, post.leaves))


def _key(text: str) -> str:
    """Return the first letters and digits of a text; "" if they are too few to identify it."""
    letters = "".join(filter(str.isalnum, plain_text(text).casefold()))
    return letters[:_KEY_CHARS] if len(letters) >= _MIN_KEY_CHARS else ""
