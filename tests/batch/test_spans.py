"""Sets of positions as spans."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from thresher.batch.spans import PositionSet


@given(st.lists(st.integers(0, 60)))
def test_spans_are_a_set(positions: list[int]) -> None:
    """Positions are stored once each, in disjoint, non-adjacent spans."""
    spans = PositionSet()
    fresh = [spans.add(position) for position in positions]
    assert {*positions} == {position for position in range(61) if position in spans}
    assert len({*positions}) == len(spans) == sum(fresh)
    pairs = spans.pairs()
    assert all(one[1] < other[0] for one, other in pairwise(pairs))
    assert pairs == PositionSet(pairs).pairs()
    assert len(spans) == len(PositionSet(pairs))


def test_positions_in_order_are_one_span() -> None:
    """Consecutive positions form one span."""
    spans = PositionSet((position, position + 1) for position in range(1000))
    assert [[0, 1000]] == spans.pairs()
