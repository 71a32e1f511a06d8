"""Groups of similar rows, the posts around them, and those that are threads."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.known import known
from tests.helpers.parts import find_parts_in
from thresher.analysis.threads import siblings
from thresher.analysis.threads.choose import PostGroup, choose_threads, find_groups
from thresher.analysis.threads.evidence import RowEvidence
from thresher.analysis.threads.hints import MarkupHints
from thresher.analysis.threads.post_spans import NO_SPAN, PostSpans
from thresher.analysis.threads.siblings import (
    RowGroups,
    find_namesakes,
    find_siblings,
    weigh_name,
)
from thresher.page.parse import parse


def texts(html: str, found: RowGroups) -> list[tuple[bytes, list[str]]]:
    """Return the groups, each with the texts of its rows."""
    page = parse(html)
    return [(name, [page.text_of(row) for row in rows]) for name, _, rows in listed(found)]


def listed(found: RowGroups) -> list[tuple[bytes, float, list[int]]]:
    """Return name, weight and rows of each group."""
    spans = zip(found.start.tolist(), found.stop.tolist(), strict=True)
    rows = [found.rows[start:stop].tolist() for start, stop in spans]
    return list(zip(found.names, found.weights.tolist(), rows, strict=True))


def namesakes(html: str) -> list[tuple[bytes, list[str]]]:
    """Return the rows of a page that share a name."""
    return texts(html, find_namesakes(MarkupHints(parse(html))))


def test_names_are_those_of_rows_of_one_tag() -> None:
    """Names come in the order of the page, numbers in them do not count, and tags differ."""
    html = (
        "<p class='post-1 odd'>a</p><p id=x7 class='post-2'>b</p><b class=odd>c</b><p id=x8>d</p>"
    )
    assert [
        (b"post", ["a", "b"]),
        (b"odd", ["a"]),
        (b"#x", ["b", "d"]),
        (b"odd", ["c"]),
    ] == namesakes(html)


def test_schema_posts_come_first_and_articles_last() -> None:
    """Posts of schema.org are alike whatever their tag; articles are named by their tag."""
    html = (
        "<article>a</article><p class=post itemtype='https://schema.org/Comment'>b</p>"
        "<article itemtype='https://schema.org/Review'>c</article>"
    )
    assert [(b"schema", ["b", "c"]), (b"post", ["b"]), (b"article", ["a", "c"])] == namesakes(html)


def test_an_article_of_that_class_is_in_its_group_once() -> None:
    """Its tag and its class give it one name."""
    html = "<article class='article'>a</article><article>b</article><article class=x>c</article>"
    assert [(b"article", ["a", "b", "c"]), (b"x", ["c"])] == namesakes(html)


def test_names_of_other_things_can_be_left_out() -> None:
    """Only names that speak for posts are read where others could not be posts."""
    html = "<p class='odd post'>a</p><custom-post>b</custom-post><p class='odd even'>c</p>"
    found = find_namesakes(MarkupHints(parse(html)), of_posts=True)
    assert [(b"post", ["a"]), (b"<custom-post", ["b"])] == texts(html, found)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["p", "b", "x-post"]),
            st.lists(st.sampled_from("post-1 post post-2 odd reply comment-3".split()), max_size=3),
            st.sampled_from(["", "post-1", "post-2", "x"]),
            st.sampled_from(["", "https://schema.org/Comment"]),
        ),
        max_size=9,
    )
)
def test_namesakes_with_names_of_posts_are_those_of_all(
    elements: list[tuple[str, list[str], str, str]],
) -> None:
    """Groups with names of posts are the same, and in the same order, where only they are read."""
    page = parse(
        "".join(
            f"<{tag} id='{name}' class='{' '.join(names)}' itemtype='{kind}'>a</{tag}>"
            for tag, names, name, kind in elements
        )
    )
    hints = MarkupHints(page)
    found = find_namesakes(hints)
    assert listed(found.flagged(found.weights > 0)) == listed(find_namesakes(hints, of_posts=True))


@given(st.from_regex(rb"[a-zA-Z0-9 #_-]{0,3}([pP]o5?st|cmt|h7?[-E]ntry)[a-zA-Z0-9 _-]{0,6}"))
def test_no_name_of_posts_is_left_out(value: bytes) -> None:
    """The quick test of a value must not rule out a name with a weight."""
    if any(weigh_name(stem) for stem in siblings._stems_of(value)):
        bare = value.translate(None, b"0123456789")
        assert find_parts_in([bare], siblings._POST_PARTS)[0]


def test_siblings_share_tag_and_parent() -> None:
    """Children are alike where they are of one tag."""
    html = "<ul><li>a<li>b</ul><ul><li>c</ul>"
    assert [(b"", ["a", "b"]), (b"", ["c"])] == texts(html, find_siblings(parse(html)))


@pytest.mark.parametrize("pattern", [siblings._STRONG, siblings._LIKELY])
@given(data=st.data())
def test_what_is_looked_for_first_is_in_all_names(
    pattern: re.Pattern[bytes], data: st.DataObject
) -> None:
    """The quick test must not rule out a name of posts."""
    name = data.draw(st.from_regex(pattern))
    assert any(part in name for part in siblings._POST_PARTS.texts)


@pytest.mark.parametrize(
    ("name", "weight"),
    [
        (b"schema", 3.0),
        (b"comment", 1.5),
        (b"<shreddit-comment", 1.5),
        (b"post", 0.75),
        (b"postbody", 0.75),
        (b"row", 0.0),
        (b"comment-list", 0.0),
    ],
)
def test_names_weigh_by_what_they_say(name: bytes, weight: float) -> None:
    """Names of posts count, names of what is around them do not."""
    assert weight == weigh_name(name)


def groups(html: str) -> list[tuple[PostGroup, list[str]]]:
    """Return the groups of a page, each with the texts of its members."""
    page = parse(html)
    hints = MarkupHints(page)
    evidence = RowEvidence(hints)
    found = []
    for group in find_groups(hints, evidence):
        pairs = zip(group.spans.start.tolist(), group.spans.stop.tolist(), strict=True)
        texts = [page.text[page.text_offset[a] : page.text_offset[b]] for a, b in pairs]
        found.append((group, texts))
    return found


@pytest.mark.parametrize("name", [b"post-head", b"post-text"])
def test_members_are_taken_up_to_what_holds_one_each(name: bytes) -> None:
    """Heads and bodies of posts lead to the posts, and the name that says most of these counts."""
    one = f"<div><p>2021-03-04</p><div><p class={name.decode()}>some words</p></div></div>"
    assert [["2021-03-04some words"] * 7] == [
        texts for group, texts in groups(one * 7) if group.name == name
    ]


def test_heads_reach_to_the_next_head_when_bodies_stand_beside() -> None:
    """A head and the body that follows it as a sibling must form one post."""
    one = "<p class=post-head><b class=author>Ann</b></p><p>words of a post</p>"
    assert ["Annwords of a post"] * 7 in [texts for _, texts in groups(one * 7)]


def test_nested_members_stay_as_they_are() -> None:
    """A group whose members hold each other is not taken up."""
    html = "<div><li class=comment>2021-03-04<ul><li class=comment>2021-03-05</li></ul></li></div>"
    (found,) = [group for group, _ in groups(html) if group.name == b"comment"]
    assert [NO_SPAN, 0] == found.spans.above.tolist()
    assert 2 == len(found.spans)


def test_groups_that_say_nothing_need_dates_and_authors() -> None:
    """Rows with a name of nothing are a group where the page has dates and authors for many."""
    one = "<div class=x><b class=author>Ann</b> 2021-03-04 words of a post</div>"
    assert not [group for group, _ in groups(one * 6) if group.name == b"x"]
    assert [7] == [len(group.spans) for group, _ in groups(one * 7) if group.name == b"x"]


def test_rows_without_facts_are_no_group() -> None:
    """Half of the rows must be able to have a date or an author."""
    one, bare = "<p class=comment>2021-03-04 words</p>", "<p class=comment>words</p>"
    assert [4] == [len(group.spans) for group, _ in groups(2 * one + 2 * bare)]
    assert [] == groups(one + 3 * bare)


def test_few_plain_rows_need_links_of_boards() -> None:
    """A few rows with a weak name are no group, unless something on the page is of a board."""
    one = "<div class=post><b class=author>Ann</b> 2021-03-04 words</div>"
    board = "<a href='member.php?u=1'>Ann</a>"
    assert [] == groups(one * 3)
    assert b"post" in [group.name for group, _ in groups(one * 3 + board)]


def test_one_post_without_a_date_or_an_author_begins_nothing() -> None:
    """A page whose groups have one row each has none if no date is in them, or no author."""
    comment = "<p class=comment><b class=author>Ann</b> writes{}</p>"
    assert [] == groups(f"<p>2021-03-04</p>{comment.format('')}")
    assert [] == groups("<p class=comment>Ann writes 2021-03-04</p>")
    assert [b"comment"] == [group.name for group, _ in groups(comment.format(" 2021-03-04"))]


def spans_of(*pairs: tuple[int, int]) -> PostSpans | None:
    """Make spans of pairs of rows."""
    start, stop = np.array(pairs, np.int64).reshape(-1, 2).T
    return PostSpans.of(start, stop)


def test_spans_are_ordered_when_made() -> None:
    """Outer spans come before inner ones, and each knows its enclosing span."""
    spans = known(spans_of((3, 5), (0, 2), (2, 9), (4, 5)))
    assert [0, 2, 3, 4] == spans.start.tolist()
    assert [NO_SPAN, NO_SPAN, 1, 2] == spans.above.tolist()


def test_there_are_no_spans_when_they_cross() -> None:
    """Spans that cross, are equal or are empty are rejected."""
    assert spans_of((0, 3), (2, 5)) is None
    assert spans_of((0, 3), (0, 3)) is None
    assert spans_of((1, 1)) is None


def test_sums_are_without_inner_spans() -> None:
    """Sums exclude the rows of inner spans."""
    assert [4, 2] == known(spans_of((0, 6), (2, 4))).exclusive_sums(np.arange(9)).tolist()


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=12))
def test_owner_is_the_innermost_span(pairs: list[tuple[int, int]]) -> None:
    """Each row belongs to the shortest span around it."""
    spans = spans_of(*pairs)
    if spans is None:
        return
    found = list(zip(spans.start.tolist(), spans.stop.tolist(), strict=True))
    expected = [
        min(
            (stop - start, index)
            for index, (start, stop) in [(NO_SPAN, (-99, 99)), *enumerate(found)]
            if start <= row < stop
        )[1]
        for row in range(22)
    ]
    assert expected == spans.innermost(22).tolist()


def chosen(html: str) -> list[list[str]]:
    """Return the ids of the posts of each thread, in the order they were taken."""
    page = parse(html)
    hints = MarkupHints(page)
    evidence = RowEvidence(hints)
    threads = choose_threads(hints, evidence)
    return [[page.attrs(row).get("id", "?") for row in sorted(each.start)] for each in threads]


def comment(name: str, inner: str = "") -> str:
    return (
        f"<div class=comment id={name}><b class=author>Ann</b> <time datetime=2021-03-04>then"
        f"</time><p>some words of mine</p>{inner}</div>"
    )


def test_two_lists_are_two_threads() -> None:
    """Comments in two places of a page are threads of their own."""
    html = (
        f"<section>{comment('a1')}{comment('a2')}{comment('a3')}</section>"
        f"<section>{comment('b1').replace('comment', 'reply')}"
        f"{comment('b2').replace('comment', 'reply')}</section>"
    )
    assert [["a1", "a2", "a3"], ["b1", "b2"]] == chosen(html)


def test_comments_on_answers_join_their_thread() -> None:
    """A reply nested in a post must join the same thread if it has an author and text."""
    inner = "<div class=reply id={}><b class=author>Bob</b><p>quite so, I think</p></div>"
    html = comment("a1", inner.format("r1") + inner.format("r2")) + comment("a2") + comment("a3")
    assert [["a1", "r1", "r2", "a2", "a3"]] == chosen(html)


def test_answers_join_where_most_posts_are_comments_on_some_of_them() -> None:
    """Answers around comments are posts of their own, not the same ones as the comments."""
    c1, c2, c3, c4 = map(comment, ("c1", "c2", "c3", "c4"))
    answers = comment("a1", c1 + c2 + c3), comment("a2", c4), comment("a3")
    html = "".join(answer.replace("comment", "answer", 1) for answer in answers)
    assert [["a1", "c1", "c2", "c3", "a2", "c4", "a3"]] == chosen(html)


def test_halves_of_posts_are_not_posts() -> None:
    """A post with its author in one cell and its text in another must be one post."""
    one = (
        "<div class=post id=p{0}><div class=post-cell><a class=username href='/members/1'>Ann</a>"
        "</div><div class=post-cell><time datetime=2021-03-0{0}>then</time><p>some words here and "
        "there</p></div></div>"
    )
    assert [["p1", "p2", "p3"]] == chosen("".join(map(one.format, (1, 2, 3))))


def test_one_post_needs_a_board_around_it() -> None:
    """A lone post is a thread if it leads to its author on a board, and else a story."""
    one = (
        "<div class=post id=p1><a href='{}'>Ann</a><time datetime=2021-03-04>then</time>"
        "<p>some words of mine here</p></div>"
    )
    assert [] == chosen(one.format("/author/ann"))
    assert [] == chosen("<p>nothing here</p>")


SIGNED = "<div><b class=author>Ann</b> <i class=date>2021-03-04</i> words of a post</div>"


def evidence_of(html: str) -> RowEvidence:
    """Return the evidence of a page."""
    return RowEvidence(MarkupHints(parse(html)))


def test_facts_are_counted_before_each_row() -> None:
    """Totals of dates, authors and the words beside them are those before each row."""
    evidence = evidence_of(SIGNED * 2)
    ends = [int(each[-1]) for each in (evidence.dates, evidence.authors, evidence.words)]
    assert [2, 2, 8] == ends


@pytest.mark.parametrize(
    ("html", "is_plain"),
    [
        ("<a href=/news>a</a><p class=post>b</p>", True),
        ("<a href='member.php?u=1'>a</a>", False),
        ("<a href='/thread#p12'>a</a>", False),
        ("<p class=user-review>a</p>", False),
    ],
)
def test_boards_and_reviews_are_not_plain(html: str, is_plain: bool) -> None:
    """A link to a member or a numbered post, or a name of reviews, is told from other pages."""
    assert is_plain == evidence_of(html).is_plain


@pytest.mark.parametrize(
    ("html", "may_be"),
    [
        (SIGNED * 2, False),
        (SIGNED * 4, False),
        (SIGNED * 5, True),
        (SIGNED * 3 + "<a href='member.php?u=1'>Ann</a>", True),
        ("<b class=author>Ann</b>" * 7, False),
        ("<i class=date>2021-03-04</i>" * 7, False),
    ],
)
def test_posts_without_a_name_need_both_facts(html: str, may_be: bool) -> None:
    """Few dates or few authors rule out posts without a name, fewer where a board is likely."""
    assert may_be == evidence_of(html).may_be_nameless
