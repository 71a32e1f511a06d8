"""Sets of positions as spans."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from thresher.batch.spans import PositionSet


@given(st.lists(st.integers(0, 60)))
def test_spans_are_a_set(positions: list[int]) -> None:
    """They hold what was added, each once, in spans that do not touch."""
    spans = PositionSet()
    fresh = [spans.add(position) for position in positions]
    assert {*positions} == {position for position in range(61) if position in spans}
    assert len({*positions}) == len(spans) == sum(fresh)
    pairs = spans.pairs()
    assert all(one[1] < other[0] for one, other in pairwise(pairs))
    assert pairs == PositionSet(pairs).pairs()
    assert len(spans) == len(PositionSet(pairs))


def test_positions_in_order_are_one_span() -> None:
    """Millions in order take no more room than one."""
    spans = PositionSet((position, position + 1) for position in range(1000))
    assert [[0, 1000]] == spans.pairs()
