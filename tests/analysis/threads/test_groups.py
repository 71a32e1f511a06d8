"""Groups of similar rows."""

from __future__ import annotations

from thresher.analysis.threads.choose import PostGroup, find_groups
from thresher.analysis.threads.evidence import RowEvidence
from thresher.analysis.threads.hints import MarkupHints
from thresher.page.parse import parse


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


def test_members_are_taken_up_to_what_holds_one_each() -> None:
    """The bodies of posts lead to the posts."""
    one = "<div><p>2021-03-04</p><p class=post-text>some words</p></div>"
    assert [["2021-03-04some words"] * 7] == [
        texts for group, texts in groups(one * 7) if group.name == b"post-text"
    ]


def test_heads_reach_to_the_next_head_when_bodies_stand_beside() -> None:
    """A head and the body that follows it as a sibling must form one post."""
    one = "<p class=post-head><b class=author>Ann</b></p><p>words of a post</p>"
    assert ["Annwords of a post"] * 7 in [texts for _, texts in groups(one * 7)]


def test_nested_members_stay_as_they_are() -> None:
    """A group whose members hold each other is not taken up."""
    html = "<div><li class=comment>2021-03-04<ul><li class=comment>2021-03-05</li></ul></li></div>"
    (found,) = [group for group, _ in groups(html) if group.name == b"comment"]
    assert found.spans.is_nested
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
