"""Judgements of pages, carried by selections."""

from __future__ import annotations

import dataclasses
import pickle

import pytest

from tests.helpers import judged
from thresher.page.parse import parse
from thresher.selection import Effect, Judgement

JUDGEMENT = Judgement((("article", 0.75), ("forum", 0.25)), 0.125, 0.5)


@pytest.mark.parametrize("said", [JUDGEMENT, Effect("words", 3.0, -0.5)])
def test_what_is_said_stays_when_it_travels(said: Judgement | Effect) -> None:
    """A judgement and an effect go to other processes, and cannot be changed on the way."""
    assert said == pickle.loads(pickle.dumps(said))
    with pytest.raises(dataclasses.FrozenInstanceError):
        said.__setattr__(dataclasses.fields(said)[0].name, None)


def test_selection_tells_judgement_and_effects() -> None:
    """A selection gives its method's judgement of the page and the effects on each block."""
    selection = judged.select(parse("<p>one<p>two"), judged.Params(page_type="forum"))
    assert selection.judgement is not None
    assert (("forum", 0.75), ("service", 0.25)) == selection.judgement.page_types
    assert [judged.EFFECTS] * 2 == [selection.effects(block) for block in range(2)]


def test_selection_tells_nothing_when_combined() -> None:
    """A method's judgement does not apply to combined or inverted selections."""
    one = judged.select(parse("<p>one<p>two"), judged.Params())
    for combined in (one & one, one | one, ~one):
        assert (None, ()) == (combined.judgement, combined.effects(0))
