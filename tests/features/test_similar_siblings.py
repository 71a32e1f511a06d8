"""Grouping of equal keys."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from thresher.features.names import read_tokens
from thresher.features.siblings import find_patterns, group_equal
from thresher.page.parse import parse


@given(st.lists(st.integers(-3, 3)))
def test_alike_are_counted(keys: list[int]) -> None:
    """Equal keys share a group, with the number of equal keys before each."""
    group, before, size = group_equal(np.array(keys, np.int64))
    assert [keys[:i].count(key) for i, key in enumerate(keys)] == before.tolist()
    assert [Counter(keys)[key] for key in keys] == size[group].tolist()
    assert len(set(keys)) == len(set(zip(keys, group.tolist(), strict=True))) == size.size


def test_blocks_share_a_pattern_if_all_around_them_is_alike() -> None:
    """The first numbering looks at three elements by tag and class, the second at one parent."""
    html = (
        "<section><div class=a><p>one</p><p>two</p><p class=b>three</p></div>"
        "<div class=a><p>four</p></div></section>"
        "<div class=a><p>five</p></div>"
    )
    page = parse(html)
    anywhere, here = find_patterns(page, read_tokens(page)[1]).tolist()
    one, two, three, four, five = anywhere
    assert one == two == four
    assert len({one, three, five}) == 3
    assert here[0] == here[1]
    assert len({*here[1:]}) == 4
