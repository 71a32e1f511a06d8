"""Members of groups are raised to the posts around them."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from tests.helpers.compiled_steps import needs_steps
from tests.helpers.kernel_comparison import comparing_kernels
from tests.helpers.trees import soups
from thresher.analysis.threads import siblings as raising
from thresher.analysis.threads.hints import MarkupHints
from thresher.analysis.threads.siblings import GroupMembers, find_namesakes, find_siblings
from thresher.page import Page
from thresher.page.parse import parse

ONE = "<div><p class=head>a</p><div><p class=text>b</p></div></div>"


def raise_named(page: Page, name: bytes, member: list[bool] | None = None) -> GroupMembers:
    """Return the members of the group of a name."""
    groups = find_namesakes(MarkupHints(page))
    flags = np.ones(len(page), np.bool_) if member is None else np.array(member)
    return raising.raise_groups(page, groups, flags)[groups.names.index(name)]


def test_members_are_raised_to_the_rows_that_hold_one_each() -> None:
    """Head and text of the same posts lead to the same rows."""
    page = parse(ONE * 3)
    head, text = raise_named(page, b"head"), raise_named(page, b"text")
    assert head.raised.tolist() == text.raised.tolist()
    assert ["ab"] * 3 == [page.text_of(row) for row in head.raised.tolist()]
    assert ["a"] * 3 == [page.text_of(row) for row in head.rows.tolist()]


def test_members_inside_one_another_are_not_raised() -> None:
    """Nor is a single one; rows that are not flagged are no members."""
    page = parse("<ul><li class=a>1<ul><li class=a>2</ul></ul>" + ONE * 2)
    nested = raise_named(page, b"a")
    assert not nested.is_beside
    assert nested.rows.tolist() == nested.raised.tolist()
    rows = raise_named(page, b"head").rows
    alone = raise_named(page, b"head", [row == rows[1] for row in range(len(page))])
    assert (rows[1:].tolist(), rows[1:].tolist(), False) == (
        alone.rows.tolist(),
        alone.raised.tolist(),
        alone.is_beside,
    )


@needs_steps
@given(soups())
def test_members_are_those_of_the_definition(html: str) -> None:
    """The compiled step raises the same on whatever page."""
    page = parse(html + ONE * 2)
    member = np.arange(len(page)) % 5 > 0
    with comparing_kernels() as comparison:
        for groups in (find_siblings(page), find_namesakes(MarkupHints(page))):
            raising.raise_groups(page, groups, member)
    assert 2 == comparison.calls["thresher.analysis.threads.siblings.raise_groups"]
