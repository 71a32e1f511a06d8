"""What elements are in TEI."""

from __future__ import annotations

import pytest

from thresher.writers.tei.kinds import BLOCKS, EMPTY, INLINE, NEEDED, PARTS, Kind


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in (Kind.MIXED, Kind.TEXT)])
def test_text_has_a_place_wherever_it_comes(kind: Kind) -> None:
    """From every kind of element what is needed around text leads to one that takes text."""
    steps = 0
    while kind not in (Kind.MIXED, Kind.TEXT):
        kind = NEEDED[kind][1]
        steps += 1
        assert steps <= len(Kind)


def test_every_part_has_a_whole() -> None:
    """What a part must be in is a kind that some block, row or text has."""
    kinds = {kind for _, kind in BLOCKS.values()} | {kind for _, _, kind in PARTS.values()}
    assert {whole for whole, _, _ in PARTS.values()} <= kinds


def test_no_element_is_two_things() -> None:
    """An element is inline, a block or a part; and what may not be empty has something to hold."""
    assert not INLINE.keys() & BLOCKS.keys()
    assert not BLOCKS.keys() & PARTS.keys()
    assert set(NEEDED) == set(EMPTY)
