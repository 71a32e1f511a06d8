"""TEI equivalents of HTML elements."""

from __future__ import annotations

import pytest

from thresher.writers.tei_body import BLOCKS, EMPTY, INLINE, NEEDED, PARTS, Kind


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in (Kind.MIXED, Kind.TEXT)])
def test_text_is_accepted_inside_needed_elements(kind: Kind) -> None:
    """From every kind, the elements needed around text must lead to one that accepts text."""
    steps = 0
    while kind not in (Kind.MIXED, Kind.TEXT):
        kind = NEEDED[kind][1]
        steps += 1
        assert steps <= len(Kind)


def test_every_part_has_a_possible_parent() -> None:
    """The required parent kind of a part must be that of some block, row or text."""
    kinds = {kind for _, kind in BLOCKS.values()} | {kind for _, _, kind in PARTS.values()}
    assert {whole for whole, _, _ in PARTS.values()} <= kinds


def test_no_element_is_of_two_kinds() -> None:
    """An element must be inline, a block or a part; those never empty must have default content."""
    assert not INLINE.keys() & BLOCKS.keys()
    assert not BLOCKS.keys() & PARTS.keys()
    assert set(NEEDED) == set(EMPTY)
