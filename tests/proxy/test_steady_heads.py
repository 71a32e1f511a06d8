"""Hosts with unchanged heads."""

from __future__ import annotations

from thresher.proxy.steady_heads import SteadyHeads


def test_once_changed_never_again() -> None:
    """A single changed head disqualifies a host."""
    heads = SteadyHeads()
    assert "mill.example" not in heads
    heads.note("mill.example", keeps_head=True)
    assert "mill.example" in heads
    heads.note("mill.example", keeps_head=False)
    heads.note("mill.example", keeps_head=True)
    assert "mill.example" not in heads


def test_it_is_bounded() -> None:
    """The number of hosts is bounded."""
    heads = SteadyHeads()
    for number in range(10_001):
        heads.note(f"{number}.example", keeps_head=True)
    assert "0.example" not in heads
    assert "1.example" in heads
