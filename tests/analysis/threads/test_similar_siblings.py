"""Groups of similar rows, and the weights of their names."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.compiled_steps import needs_steps
from tests.helpers.kernel_comparison import comparing_kernels
from tests.helpers.parts import find_parts_in
from tests.helpers.trees import soups
from thresher.analysis.threads import siblings as similar_siblings
from thresher.analysis.threads.hints import MarkupHints
from thresher.analysis.threads.siblings import (
    RowGroups,
    find_namesakes,
    find_post_namesakes,
    find_siblings,
    weigh_name,
)
from thresher.native import REFUSALS
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
    assert [
        (b"schema", ["b", "c"]),
        (b"post", ["b"]),
        (b"article", ["a", "c"]),
    ] == namesakes(html)


def test_names_of_other_things_can_be_left_out() -> None:
    """Only names that speak for posts are read where others could not be posts."""
    html = "<p class='odd post'>a</p><custom-post>b</custom-post><p class='odd even'>c</p>"
    found = find_post_namesakes(MarkupHints(parse(html)))
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
    assert listed(found.flagged(found.weights > 0)) == listed(find_post_namesakes(hints))


@given(st.from_regex(rb"[a-zA-Z0-9 #_-]{0,3}([pP]o5?st|cmt|h7?[-E]ntry)[a-zA-Z0-9 _-]{0,6}"))
def test_no_name_of_posts_is_left_out(value: bytes) -> None:
    """The quick test of a value must not rule out a name with a weight."""
    if any(weigh_name(stem) for stem in similar_siblings._stems_of(value)):
        bare = value.translate(None, b"0123456789")
        assert find_parts_in([bare], similar_siblings._POST_PARTS)[0]


def test_siblings_share_tag_and_parent() -> None:
    """Children are alike where they are of one tag."""
    html = "<ul><li>a<li>b</ul><ul><li>c</ul>"
    assert [(b"", ["a", "b"]), (b"", ["c"])] == texts(html, find_siblings(parse(html)))


def test_flagged_rows_are_counted_by_group() -> None:
    """A row counts in each group it is in."""
    found = find_namesakes(MarkupHints(parse("<p class='x y'>a</p><p class=x>b</p>")))
    flags = np.zeros(6, np.bool_)
    flags[found.rows[0]] = True
    assert [1, 1] == found.count(flags).tolist()


@pytest.mark.parametrize("pattern", [similar_siblings._STRONG, similar_siblings._LIKELY])
@given(data=st.data())
def test_what_is_looked_for_first_is_in_all_names(
    pattern: re.Pattern[bytes], data: st.DataObject
) -> None:
    """The quick test must not rule out a name of posts."""
    name = data.draw(st.from_regex(pattern))
    assert any(part in name for part in similar_siblings._POST_PARTS.texts)


@pytest.mark.parametrize(
    ("name", "weight"),
    [
        (b"schema", 3.0),
        (b"comment", 1.5),
        (b"#comment", 1.5),
        (b"<shreddit-comment", 1.5),
        (b"post", 0.75),
        (b"postbody", 0.75),
        (b"row", 0.0),
        (b"comment-list", 0.0),
        (b"comments-count", 0.0),
    ],
)
def test_names_weigh_by_what_they_say(name: bytes, weight: float) -> None:
    """Names of posts count, names of what is around them do not."""
    assert weight == weigh_name(name)


@needs_steps
@given(soups())
def test_namesakes_are_those_of_the_definition(html: str) -> None:
    """The compiled step groups the same on whatever page, names written like those of ids too."""
    more = (
        "<article class='article x1'>a</article><p class='#x <a-b' id=x2>b</p><a-b class=x>c</a-b>"
    )
    page = parse(more + html + more)
    name = "thresher.analysis.threads.siblings.group_stems"
    refused = REFUSALS[name]
    with comparing_kernels() as comparison:
        find_namesakes(MarkupHints(page))
    assert (1, refused) == (comparison.calls[name], REFUSALS[name])
