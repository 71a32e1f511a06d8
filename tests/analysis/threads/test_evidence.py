"""Evidence for posts in each row."""

from __future__ import annotations

import pytest

from thresher.analysis.threads.evidence import RowEvidence
from thresher.analysis.threads.hints import MarkupHints
from thresher.page.parse import parse

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
