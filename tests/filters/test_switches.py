"""Filters of single sites."""

from __future__ import annotations

import pytest

from thresher.errors import UsageError
from thresher.filters.settings import SWITCHES, Filters, is_on, switch_filters


@pytest.mark.parametrize("name", [each.name for each in SWITCHES])
def test_every_filter_can_be_switched(name: str) -> None:
    """Each goes off and on again, and nothing else changes."""
    off = switch_filters(Filters(), [(name, False)])
    on = switch_filters(off, [(name, True)])
    assert (False, True) == (is_on(off, name), is_on(on, name))
    before = is_on(Filters(), name)
    assert Filters() == (on if before else off)


def test_a_level_stays_when_the_filter_is_on_already() -> None:
    """Who removes link lists always keeps that level."""
    always = Filters(link_lists="always")
    assert always == switch_filters(always, [("link_lists", True)])
    assert "off" == switch_filters(always, [("link_lists", False)]).link_lists


def test_an_unknown_name_is_reported() -> None:
    """A number is no switch, and a typing error is not ignored."""
    for name in ("pixel_size", "adds"):
        with pytest.raises(UsageError, match=name):
            switch_filters(Filters(), [(name, False)])
