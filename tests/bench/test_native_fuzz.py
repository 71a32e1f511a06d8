"""The fuzzer of the compiled steps repeats a round for the same number, and finds no errors."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bench.native_rounds import Draw, draw_arguments, play_round
from tests.helpers.compiled_steps import compiled_steps, needs_steps, with_steps
from thresher.native.table import Step, read_steps


@needs_steps
@pytest.mark.parametrize("number", range(20))
def test_rounds_find_nothing(number: int) -> None:
    """Even without sanitizers, kernels equal their definitions and accept any arguments."""
    play_round(random.Random(number))


class WrongSteps:
    """The compiled steps with one that is wrong."""

    def __init__(self) -> None:
        self.right = compiled_steps()

    def __getattr__(self, name: str) -> object:
        return getattr(self.right, name)

    def group_leaves(self, marks: bytes, edges: int) -> object:
        found = self.right.group_leaves(marks, edges)
        return None if found is None else (found[0] + 1, found[1], found[2])


@needs_steps
def test_rounds_find_a_wrong_step() -> None:
    """A step whose result differs from its definition ends the round."""
    with with_steps(WrongSteps()), pytest.raises(AssertionError, match="group_leaves"):
        for number in range(20):
            play_round(random.Random(number))


@pytest.mark.parametrize("step", read_steps(), ids=lambda step: step.name)
def test_drawn_arrays_fit_if_they_are_to(step: Step) -> None:
    """In a valid call, each size has the same value in all arrays."""
    for number in range(20):
        arguments = draw_arguments(random.Random(number), step, Draw.FITTING)
        sizes = {
            each.name: given
            for each, given in zip(step.given, arguments, strict=True)
            if each.type == "int"
        }
        for each, given in zip(step.given, arguments, strict=True):
            if each.is_array:
                assert isinstance(given, np.ndarray)
                for size, n_item in zip(each.sizes, given.shape, strict=True):
                    expected = sizes.setdefault(size.name, n_item - size.plus) if size.name else 0
                    assert expected + size.plus == n_item
