"""The fuzzer of the compiled steps draws the same round for the same number, and finds nothing."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from bench.native_fuzz.rounds import play_round
from bench.native_fuzz.sizes import KINDS, draw_arguments
from thresher.native import compiled


@pytest.mark.skipif(compiled is None, reason="the steps are not compiled")
@pytest.mark.parametrize("number", range(20))
def test_rounds_find_nothing(number: int) -> None:
    """Without sanitizers too: every step agrees with its twin, and bears broken arrays."""
    play_round(random.Random(number))


@pytest.mark.skipif(compiled is None, reason="the steps are not compiled")
def test_rounds_tell_a_step_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A twin that says something else ends the round."""
    wrong = "tests.helpers.compiled_comparison.count_coded_words_arrays"
    monkeypatch.setattr(wrong, lambda codes, offsets: (offsets,))
    with pytest.raises(AssertionError):
        for number in range(20):
            play_round(random.Random(number))


@pytest.mark.skipif(compiled is None, reason="the steps are not compiled")
def test_kinds_are_known_of_every_step() -> None:
    """What is read from the C sources are the steps of the module, each with its arguments."""
    steps = {name for name in vars(compiled) if not name.startswith("_")}
    assert steps == set(KINDS)
    assert "2441" == KINDS["find_gaps"][:3] + KINDS["find_gaps"][6]


@pytest.mark.skipif(compiled is None, reason="the steps are not compiled")
@pytest.mark.parametrize("step", KINDS)
def test_steps_look_at_sizes_before_all_else(step: str) -> None:
    """Empty arrays, and arrays of any size, are refused or taken; nothing is read beyond them."""
    for number in range(200):
        chance = random.Random(number)
        arguments = draw_arguments(chance, KINDS[step])
        if number < 2:
            arguments = [each if isinstance(each, int) else each[:number] for each in arguments]
        with suppress(ValueError, BufferError):
            assert isinstance(getattr(compiled, step)(*arguments), int)
