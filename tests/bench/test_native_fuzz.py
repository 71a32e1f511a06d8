"""The fuzzer of the compiled steps draws the same round for the same number, and finds nothing."""

from __future__ import annotations

import random

import pytest

from bench.native_fuzz.rounds import play_round
from thresher.native import compiled


@pytest.mark.skipif(compiled is None, reason="the steps are not compiled")
@pytest.mark.parametrize("number", range(20))
def test_rounds_find_nothing(number: int) -> None:
    """Without sanitizers too: every step agrees with its twin, and bears broken arrays."""
    play_round(random.Random(number))


@pytest.mark.skipif(compiled is None, reason="the steps are not compiled")
def test_rounds_tell_a_step_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A twin that says something else ends the round."""
    wrong = "bench.native_fuzz.comparing.count_coded_words_arrays"
    monkeypatch.setattr(wrong, lambda codes, offsets: (offsets,))
    with pytest.raises(AssertionError):
        for number in range(20):
            play_round(random.Random(number))
