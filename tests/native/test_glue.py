"""The glue opens arrays, compares sizes, allocates results, and never crashes."""

from __future__ import annotations

import random
import sys
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from bench.native_rounds import Draw, draw_arguments
from tests.helpers.compiled_steps import compiled_steps, needs_steps
from thresher.native.table import Step, read_steps

pytestmark = needs_steps

FLAGS, ENDS = np.array([True, False, True]), np.array([2, 2, 3], np.int32)
STEPS = pytest.mark.parametrize("step", read_steps(), ids=lambda step: step.name)


def flag_within(*arguments: Any) -> Any:
    """Call a step with any arguments."""
    return compiled_steps().flag_within(*arguments)


def test_results_are_new_arrays() -> None:
    """They have the declared type, and can be written to."""
    inside = flag_within(FLAGS, ENDS)
    assert [True, True, True] == inside.tolist()
    assert (np.dtype(np.bool_), True) == (inside.dtype, inside.flags.writeable)


def test_counted_results_are_cut() -> None:
    """Only the returned number of entries is kept, in the last dimension of each."""
    steps, html = compiled_steps(), b'<p a="b" c="d">'
    tag, start, stop = np.ones(1, np.int16), np.zeros(1, np.int32), np.array([len(html)], np.int32)
    found = steps.find_attributes(html, tag, start, stop, np.ones(2, np.int32), 9)
    assert found is not None
    assert (4, 2) == found.shape


@pytest.mark.parametrize("n", [0, 1])
def test_arrays_may_be_empty(n: int) -> None:
    """A size of 0 is a size."""
    assert n == flag_within(np.zeros(n, np.bool_), np.ones(n, np.int32)).size


def test_arrays_of_other_sizes_are_errors() -> None:
    """Before anything is read."""
    with pytest.raises(ValueError, match="do not fit together"):
        flag_within(FLAGS, ENDS[:2])


@pytest.mark.parametrize(
    "ends",
    [
        *(ENDS.astype(kind) for kind in (np.int64, np.int8, np.float32)),
        *(ENDS.view("V4"), memoryview(ENDS.tobytes()).cast("i")),
        ENDS.astype(ENDS.dtype.newbyteorder()),
    ],
)
def test_arrays_of_other_types_are_refused(ends: Any) -> None:
    """Numpy computes them, whatever they contain; items of the other byte order, too."""
    assert flag_within(FLAGS, ends) is None


@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.longlong, np.ulonglong])
def test_arrays_of_equal_types_and_other_signs_are_taken(kind: type[np.integer]) -> None:
    """A type may have several names, and callers need not convert signs."""
    symbols, start, stop = np.arange(9, dtype=np.uint8), np.array([0, 2]), np.array([2, 9])
    expected = compiled_steps().hash_runs(symbols, start, stop)
    found = compiled_steps().hash_runs(symbols, start.astype(kind), stop.astype(kind))
    assert expected is not None
    assert found is not None
    assert expected.tolist() == found.tolist()


def test_misaligned_arrays_are_refused() -> None:
    """Items that do not begin at multiples of their size are never read."""
    raw = np.zeros(13, np.uint8)
    at = next(at for at in (0, 1) if (raw.ctypes.data + at) % 4)
    assert flag_within(FLAGS, raw[at : at + 12].view(np.int32)) is None


def test_arrays_may_have_strides() -> None:
    """A contiguous copy is made of them; they may be read-only, as the columns of a page are."""
    rows, ends = np.repeat(FLAGS, 2)[::2], np.repeat(ENDS, 3)[::3]
    rows.setflags(write=False)
    assert flag_within(FLAGS, ENDS).tolist() == flag_within(rows, ends).tolist()
    assert flag_within(FLAGS, ENDS).tolist() == flag_within(FLAGS[::-1][::-1], ENDS).tolist()


@pytest.mark.parametrize("arguments", [(), (FLAGS,), (FLAGS, ENDS, 1), (None, ENDS), ([1], ENDS)])
def test_other_arguments_are_type_errors(arguments: tuple[Any, ...]) -> None:
    """Too few, too many, or no arrays."""
    with pytest.raises(TypeError):
        flag_within(*arguments)


@pytest.mark.parametrize("room", [-1, 2**31, 2**63 - 1])
def test_sizes_out_of_range_are_errors(room: int) -> None:
    """Offsets have 32 bits."""
    with pytest.raises(ValueError, match="do not fit together"):
        compiled_steps().canonicalise(b"<p>", room, 9, 0)


@pytest.mark.parametrize("room", [2**63, -(2**80), 1.5, None, "9"])
def test_sizes_that_are_no_integers_are_errors(room: Any) -> None:
    """Neither is a number beyond 64 bits."""
    with pytest.raises((OverflowError, TypeError)):
        compiled_steps().canonicalise(b"<p>", room, 9, 0)


def code_blocks(code: Any, summary: Any) -> Any:
    """Call a step that writes into arrays."""
    empty = np.zeros(0, np.float32)
    whole, names = np.zeros(0, np.int16), np.zeros(0, np.int8)
    dims = np.zeros(8, np.int32)
    inputs = (dims, whole, names, empty, whole, whole, whole)
    return compiled_steps().code_blocks(*inputs, code, summary, 0, 0, 0)


def test_arrays_that_are_written_to_must_be_writable() -> None:
    """And contiguous: what is written to a copy would be lost."""
    room = np.zeros(4, np.uint8)
    frozen = room.copy()
    frozen.setflags(write=False)
    for wrong in (frozen, room[::2], b"abcd"):
        with pytest.raises((BufferError, ValueError)):
            code_blocks(wrong, room)
        with pytest.raises((BufferError, ValueError)):
            code_blocks(room, wrong)


def test_a_clock_is_a_function() -> None:
    """Anything else is a TypeError."""
    (step,) = (each for each in read_steps() if each.name == "describe_context")
    arguments = draw_arguments(random.Random(0), step, Draw.FITTING)
    place = [each.type for each in step.given].index("clock")
    arguments[place] = None
    with pytest.raises(TypeError, match="the clock is not a function"):
        compiled_steps().describe_context(*arguments)


@STEPS
def test_too_few_arguments_are_an_error(step: Step) -> None:
    """Every step says how many it takes."""
    with pytest.raises(TypeError, match=f"0 arguments instead of {len(step.given)}"):
        getattr(compiled_steps(), step.name)()


@STEPS
@pytest.mark.parametrize("draw", Draw)
def test_any_arguments_are_refused_or_computed(step: Step, draw: Draw) -> None:
    """Arrays of any size, type and layout do no harm, and results have the declared types."""
    for number in range(60):
        arguments = draw_arguments(random.Random(number), step, draw)
        with suppress(ValueError, BufferError):
            returned = getattr(compiled_steps(), step.name)(*arguments)
            results = returned if isinstance(returned, tuple) else (returned,)
            if returned is not None:
                assert len(step.results) == len(results)
                assert [each.is_array for each in step.results] == [
                    isinstance(each, np.ndarray) for each in results
                ]


@STEPS
def test_no_reference_is_kept(step: Step) -> None:
    """After any outcome the arguments are referred to as often as before."""
    for number, draw in enumerate((*Draw, *Draw)):
        arguments = draw_arguments(random.Random(number), step, draw)
        arrays = [each for each in arguments if isinstance(each, np.ndarray)]
        before = [sys.getrefcount(each) for each in arrays]
        with suppress(ValueError, BufferError):
            getattr(compiled_steps(), step.name)(*arguments)
        assert before == [sys.getrefcount(each) for each in arrays]
