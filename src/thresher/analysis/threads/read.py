"""Reading of a page's threads: choose the posts, then read each and the post that it answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from thresher.analysis.metadata.dates import find_date
from thresher.analysis.threads import Post, PostDate, Thread, ThreadKind
from thresher.analysis.threads.bodies import own_leaves
from thresher.analysis.threads.choose import choose_threads
from thresher.analysis.threads.evidence import RowEvidence, settle_order
from thresher.analysis.threads.facts import FactReader, PostFacts, find_quotes
from thresher.analysis.threads.hints import MarkupHints
from thresher.analysis.threads.json_ld import complete
from thresher.analysis.threads.names import ACCEPTED, ANSWER, QUESTION
from thresher.analysis.threads.post_spans import PostSpans
from thresher.analysis.threads.siblings import weigh_name
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import Parts
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF

MAX_ROWS: Final = 12
"""First rows of a post examined for a stated depth or an indentation."""
MAX_AROUND: Final = 2
"""Ancestors of a post without other posts, examined for the same."""
MAX_WRAPS: Final = 3
"""Ancestors of a post that may contain its replies too."""
_ATTRIBUTES: Final = ("depth", "data-depth", "data-level", "aria-level", "data-nesting", "indent",
                      "data-indent", "data-nest-level")  # fmt: skip
_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:depth|level|indent|nest(?:ing|ed)?|lvl|tier|indentation)[_-]?(\d{1,3})(?=$|\s)",
    re.IGNORECASE,
)
_STYLE: Final = re.compile(
    r"(?:margin|padding)-(?:left|inline-start)\s*:\s*(\d{1,5}(?:\.\d{1,3})?)\s*(?:px|em|rem|%|pt)?"
)
_LEVEL_PARTS: Final = Parts(b"depth", b"level", b"indent", b"nest", b"lvl", b"tier")
"""Every class with a depth has one of these in it."""
_STYLE_PARTS: Final = Parts(
    *b"margin-left padding-left margin-inline-start padding-inline-start".split()
)
"""Every indentation has one of these in it."""
_WIDTH: Final = re.compile(r"\d{1,4}")
_SPACER: Final = re.compile(r"(?:^|/)(?:s|spacer|blank|pixel|clear|trans\w*|dot)\.(?:gif|png)")
_IMG: Final = CODE_OF["img"]


def find_parents(
    hints: MarkupHints, start: Sequence[int], stop: Sequence[int], above: Sequence[int]
) -> list[int]:
    """Return for each post the index of the one it answers, −1 for none.

    ``start:stop`` are the rows of each, ``above`` the index of the enclosing post or −1. A stated
    depth takes precedence, then nesting, then indentation.
    """
    page = hints.page
    for read, rows in ((_stated, _rows_with_depths(hints)), (_style, _rows_with_styles(page))):
        if not rows:
            continue  # as on most pages
        levels = [
            _read_level(page, first, last, read, rows)
            for first, last in watch(zip(start, stop, strict=True))
        ]
        given = [level for level in levels if level is not None]
        if len(set(given)) > 1 and 2 * len(given) >= len(levels):
            if read is _style and any(outer >= 0 for outer in above):
                continue
            return _from_levels([0.0 if level is None else level for level in levels])
    if any(outer >= 0 for outer in above):
        return list(above)
    return _from_wraps(page, start)


def _from_levels(levels: Sequence[float]) -> list[int]:
    """Make the last preceding post with a smaller level the parent of each post."""
    parents = []
    path: list[int] = []
    for index, level in enumerate(levels):
        while path and levels[path[-1]] >= level:
            path.pop()
        parents.append(path[-1] if path else -1)
        path.append(index)
    return parents


def _rows_with_depths(hints: MarkupHints) -> set[int]:
    attributes, names = hints.page.attributes, hints.names
    rows = set(attributes.rows_named(*_ATTRIBUTES).tolist())
    is_level = np.zeros(names.start.size, np.bool_)
    is_level[names.find(_LEVEL_PARTS)] = True
    return rows.union(names.row[is_level.take(names.value)].tolist())


def _rows_with_styles(page: Page) -> set[int]:
    attributes = page.attributes
    widths = attributes.rows_named("width")
    rows = set(widths[page.tag.take(widths) == _IMG].tolist())
    styles = attributes.named("style")
    indented = styles[attributes.parts_of(styles, _STYLE_PARTS) != 0]
    return rows.union(attributes.row[indented].tolist())


def _read_level(
    page: Page, start: int, stop: int, read: Callable[[Page, int], float | None], readable: Set[int]
) -> float | None:
    """Read the level of a post from the first of the readable rows that has one."""
    rows = list(range(start, min(stop, start + MAX_ROWS)))
    around = int(page.parent[start])
    for _ in range(MAX_AROUND):
        # The indented element may be a wrapper of this post alone.
        if around < 0 or page.end[around] > stop + 1:
            break
        rows.append(around)
        around = int(page.parent[around])
    levels = (read(page, row) for row in rows if row in readable)
    return next((level for level in levels if level is not None), None)


def _stated(page: Page, row: int) -> float | None:
    attrs = page.attrs(row)
    for name in _ATTRIBUTES:
        value = attrs.get(name, "") if attrs.get("role") != "heading" else ""
        if value.isascii() and value.isdigit() and len(value) <= 3:
            return float(value)
    match = _CLASS.search(attrs.get("class", ""))
    return float(match[1]) if match else None


def _style(page: Page, row: int) -> float | None:
    attrs = page.attrs(row)
    match = _STYLE.search(attrs.get("style", "").lower())
    if match:
        return float(match[1])
    width = attrs.get("width", "")
    if page.tag[row] == _IMG and _WIDTH.fullmatch(width):
        thin = attrs.get("height", "") in ("0", "1")
        return float(width) if thin or _SPACER.search(attrs.get("src", "")) else None
    return None


def _from_wraps(page: Page, start: Sequence[int]) -> list[int]:
    """Make the last shallower post the parent whose wrapper contains a post, and none before."""
    parents: list[int] = []
    path: list[int] = []
    depth = page.depth
    for index, row in enumerate(watch(start)):
        while path and depth[start[path[-1]]] >= depth[row]:
            path.pop()
        above = reversed(path[-MAX_WRAPS:])
        parents.append(next((place for place in above if _wraps(page, start, place, row)), -1))
        path.append(index)
    return parents


def _wraps(page: Page, start: Sequence[int], candidate: int, row: int) -> bool:
    wrapper = int(page.parent[start[candidate]])
    for _ in range(MAX_WRAPS):
        if wrapper < 0 or (candidate and start[candidate - 1] >= wrapper):
            return False
        if page.end[wrapper] > row:
            # The container of all posts is not a wrapper of the first.
            return bool(candidate or page.end[wrapper] <= start[-1])
        wrapper = int(page.parent[wrapper])
    return False


# -- the whole -------------------------------------------------------------------------------------

MIN_ARTICLE_WORDS: Final = 60
"""Minimum words before the first post if posts are comments on them."""
MIN_BLOCK_WORDS: Final = 15
"""Minimum words of a block that is text rather than a menu."""
_REVIEW: Final = re.compile(rb"review|testimonial")
_FORUM_TYPES: Final = frozenset(("discussionforumposting", "socialmediaposting"))
"""They may enclose a whole thread without being a post that the others answer."""


@dataclass(frozen=True, slots=True)
class _Role:
    is_question: bool
    is_answer: bool
    accepted: bool


def read(page: Page) -> tuple[Thread, ...]:
    """Return the threads of a page in document order."""
    hints = MarkupHints(page)
    evidence = RowEvidence(hints)
    chosen = choose_threads(hints, evidence)
    if not chosen:
        return ()
    start = np.array([row for thread in chosen for row in thread.start], np.int64)
    stop = np.array([row for thread in chosen for row in thread.stop], np.int64)
    spans = PostSpans.of(start, stop)
    if spans is None:
        return ()
    post_of_row = spans.innermost(len(page))
    quoted = find_quotes(page, hints.names)
    facts = FactReader(hints, evidence.date_of, post_of_row, spans.start).read(quoted)
    leaves = own_leaves(hints, spans, post_of_row, facts, quoted)
    pairs = zip(spans.start.tolist(), spans.stop.tolist(), strict=True)
    place = {span: index for index, span in enumerate(pairs)}
    threads = []
    for thread in chosen:
        members = [place[span] for span in zip(thread.start, thread.stop, strict=True)]
        names = dict(zip(members, thread.names, strict=True))
        threads.append(_build(hints, spans, facts, leaves, names))
    return complete(page, sorted(threads, key=lambda thread: thread.posts[0].row))


def _build(
    hints: MarkupHints,
    spans: PostSpans,
    facts: list[PostFacts],
    leaves: list[IntArray],
    names: dict[int, bytes],
) -> Thread:
    """Build the thread of some of a page's posts; ``names`` are those of their groups."""
    page = hints.page
    members = sorted(names)
    place = {member: index for index, member in enumerate(members)}
    start, stop = spans.start[members].tolist(), spans.stop[members].tolist()
    above = [place.get(int(spans.above[member]), -1) for member in members]
    roles = [_role_of(hints, row) for row in watch(start)]
    if hints.schema.get(start[0]) in _FORUM_TYPES and len(start) > 1:
        above = [-1 if outer == 0 else outer for outer in above]
    parents = find_parents(hints, start, stop, above)
    kind = _kind_of(hints, start, [names[member] for member in members], roles)
    if kind is ThreadKind.QA:
        question = next((i for i, role in enumerate(roles) if role.is_question), None)
        if question is not None:
            parents = [
                question if parent < 0 and index > question else parent
                for index, parent in enumerate(parents)
            ]
    depths: list[int] = []
    for parent in parents:
        depths.append(0 if parent < 0 else depths[parent] + 1)
    dates = _settle([facts[member].date for member in members])
    posts = tuple(
        Post(
            row=start[i],
            end=stop[i],
            author=facts[member].author,
            date=dates[i],
            depth=depths[i],
            parent=parents[i] if parents[i] >= 0 else None,
            score=facts[member].score,
            is_question=roles[i].is_question,
            is_answer=roles[i].is_answer,
            accepted=roles[i].accepted,
            permalink=facts[member].permalink,
            leaves=leaves[member],
            fact_rows=facts[member].rows,
        )
        for i, member in enumerate(members)
    )
    return Thread(kind, _row_around(page, start[0], max(stop)), posts)


def _settle(dates: list[PostDate | None]) -> list[PostDate | None]:
    """Resolve ambiguous dates by the other dates of the thread."""
    if all(date is None or date.iso for date in dates):
        return dates
    order = settle_order(dates)
    if order is None:
        return dates
    return [
        replace(date, iso=find_date(date.raw, order)) if date and not date.iso else date
        for date in dates
    ]


def _role_of(hints: MarkupHints, row: int) -> _Role:
    bits, schema = int(hints.bits[row]), hints.schema.get(row)
    if schema:
        is_question, is_answer = schema == "question", schema == "answer"
    else:
        is_question, is_answer = bool(bits & QUESTION), bool(bits & ANSWER)
    return _Role(is_question and not is_answer, is_answer, bool(bits & ACCEPTED))


def _kind_of(
    hints: MarkupHints, start: list[int], names: list[bytes], roles: list[_Role]
) -> ThreadKind:
    types = [hints.schema.get(row) for row in start]
    if any(role.is_answer for role in roles) or "question" in types:
        return ThreadKind.QA
    n_review = sum(kind in ("review", "userreview") for kind in types)
    n_review += sum(bool(_REVIEW.search(name)) for name in names)
    if 2 * n_review >= len(start):
        return ThreadKind.REVIEWS
    if any(kind in _FORUM_TYPES for kind in types) or (
        b"question" in names[0] or names[0].startswith(b"<")
    ):
        return ThreadKind.FORUM
    n_comment = sum(weigh_name(name) > 1 for name in names)
    are_comments = 2 * n_comment > len(start)
    if are_comments and _words_before(hints.page, start[0]) >= MIN_ARTICLE_WORDS:
        return ThreadKind.COMMENTS
    return ThreadKind.FORUM


def _words_before(page: Page, row: int) -> int:
    """Count the words outside links in long blocks before a row."""
    stop = int(page.leaf_offset[row])
    block = int(page.blocks.of_leaf[stop - 1]) if stop else 0
    plain = page.blocks.sums(page.leaf_words - page.leaf_link_words)[: block + 1]
    return int(plain[plain >= MIN_BLOCK_WORDS].sum())


def _row_around(page: Page, start: int, stop: int) -> int:
    row = int(page.parent[start])
    while row > 0 and page.end[row] < stop:
        row = int(page.parent[row])
    return max(row, 0)
