"""Why a block is kept or dropped."""

from __future__ import annotations

from thresher.algorithms.learned.reasons import REASONS, Reason


def test_every_reason_has_a_text() -> None:
    """Each code of a reason has a text of its own, at its index."""
    assert list(range(len(REASONS))) == list(Reason)
    assert len(REASONS) == len(set(REASONS))
