"""Rounds of `bench.native_fuzz`: kernels compared on a page, and steps called with any arguments.

Pages are drawn by chance. Arguments are those of the calls of compiled steps while a page is
extracted, altered by chance, or drawn from the table of steps: shapes that fit, and others.
"""

from __future__ import annotations

import math
import random
from contextlib import suppress
from enum import Enum
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import thresher
from tests.helpers.compiled_steps import compiled_steps, with_steps
from tests.helpers.drawn_markup import draw_markup
from tests.helpers.hostile import SHAPES
from tests.helpers.kernel_comparison import compare_page, compare_writing
from tests.helpers.token_soup import RAW, page_of
from thresher.algorithms import MethodName
from thresher.native.table import Argument, Size, Step, read_steps
from thresher.page.parse import parse

_MAX_BYTES: Final = 4096
_MOST_ITEMS: Final = 12
_NUMPY_TYPES: Final = {
    **{"bool": "u1", "u8": "u1", "i8": "i1", "u16": "u2", "i16": "i2", "u32": "u4", "i32": "i4"},
    **{"u64": "u8", "i64": "i8", "f32": "f4", "f64": "f8"},
}
_MANY_ODD: Final = 0.1
"""Share of arrays of another type or layout, if there are to be any."""
_NUMBERS: Final = (-1, 0, 1, 2, 99, 2**31 - 1, 2**31, -(2**63))
_REALS: Final = (0.0, 0.5, -1.0, 1e300, float("inf"), float("nan"))
_WRITTEN: Final = 0.1
"""Share of the pages whose content is extracted too, which takes longer than all else."""
_N_DRAWN: Final = 40
"""Calls of steps with drawn arguments."""


def draw_page(chance: random.Random) -> str:
    """Draw a page of soup, of markup that is misplaced, now and then of a hostile shape."""
    if chance.random() < 0.3:
        return draw_markup(chance)
    if chance.random() < 0.2:
        shape = SHAPES[chance.choice(list(SHAPES))]
        return shape.build(chance.randrange(1, 40))[:_MAX_BYTES]
    return page_of(bytes([RAW]) + chance.randbytes(chance.randrange(120))).decode(errors="replace")


def _break_bytes(chance: random.Random, buffer: bytes) -> bytes:
    """Change, leave out and put in bytes; now and then all of them."""
    if chance.random() < 0.1:
        return chance.randbytes(chance.randrange(300))
    if chance.random() < 0.1:
        return bytes(chance.choices(b'<>/ ="!&;ap\n', k=chance.randrange(300)))
    broken = bytearray(buffer)
    for _ in range(chance.randrange(8)):
        at = chance.randrange(len(broken) + 1)
        size = chance.choice((0, 1, 1, 2, 40))
        broken[at : at + size] = bytes(
            chance.choices(b'<>/ ="!&;ap\n\xff', k=chance.choice((0, 1, 1, 3)))
        )
    return bytes(broken)


def _alter(chance: random.Random, given: Any) -> Any:
    """Copy an argument, and now and then change some of its numbers or bytes, or its size."""
    if isinstance(given, int):
        return given if chance.random() < 0.9 else chance.choice((-1, 0, given - 1, given + 1, 99))
    if isinstance(given, bytes):
        return given if chance.random() < 0.7 else _break_bytes(chance, given)
    if callable(given):
        return given
    if isinstance(given, float):
        return given if chance.random() < 0.9 else chance.choice((-1.0, 0.0, 1e300, math.nan))
    array = np.array(given)
    if chance.random() < 0.02 and array.ndim:
        array = array.ravel()[: chance.randrange(array.size + 1)].copy()
    if chance.random() < 0.3 and array.size:
        flat = array.reshape(-1)
        for _ in range(chance.choice((1, 1, 3, 20))):
            at = chance.randrange(flat.size)
            flat[at : at + 1].view(np.uint8)[:] = _odd_bytes(chance, flat.itemsize)
    return array


def _odd_bytes(chance: random.Random, size: int) -> npt.NDArray[np.uint8]:
    """Draw the bytes of a number: small, around zero, at an end, or any."""
    number = chance.choice((chance.randrange(300), -1, -2, 2 ** (8 * size - 1) - 1))
    if chance.random() < 0.2:
        number = chance.getrandbits(8 * size - 1)
    drawn = (number % 2 ** (8 * size)).to_bytes(size, "little")
    return np.frombuffer(drawn, np.uint8)


class Draw(Enum):
    """How arguments differ from those that a step expects."""

    FITTING = "arrays of the declared sizes and types, with any content"
    MISFIT = "arrays of any sizes"
    ODD = "arrays of the declared sizes, some of other types, layouts, or read-only"


def draw_arguments(chance: random.Random, step: Step, draw: Draw) -> list[Any]:
    """Draw the arguments of a step."""
    names = sorted(
        {size.name for argument in step.arguments for size in argument.sizes if size.name}
    )
    sizes = {name: chance.choice((0, 1, 2, chance.randrange(_MOST_ITEMS))) for name in names}
    return [_draw_argument(chance, argument, sizes, draw) for argument in step.given]


def _draw_argument(
    chance: random.Random, argument: Argument, sizes: dict[str, int], draw: Draw
) -> Any:
    if argument.type == "clock":
        return _tick
    if argument.type == "float":
        return chance.choice((*_REALS, chance.random()))
    if argument.type == "int":
        size = sizes.get(argument.name)
        if size is not None and draw is not Draw.MISFIT:
            return size
        return chance.choice((*_NUMBERS, *range(-2, _MOST_ITEMS)))
    shape = [_draw_size(chance, size, sizes, draw) for size in argument.sizes]
    array = _draw_array(chance, argument.type, shape, max(sizes.values(), default=0))
    return _make_odd(chance, array) if draw is Draw.ODD and chance.random() < _MANY_ODD else array


def _tick() -> None:
    """Look at no clock: there is time left."""


def _draw_size(chance: random.Random, size: Size, sizes: dict[str, int], draw: Draw) -> int:
    fitting = sizes[size.name] + size.plus if size.name else size.plus
    if draw is Draw.MISFIT:
        return chance.choice((0, 1, fitting, fitting, fitting + 1, max(fitting - 1, 0)))
    return fitting


def _draw_array(chance: random.Random, kind: str, shape: list[int], usual: int) -> np.ndarray:
    """Draw an array, of any content or of numbers that could be offsets or rows."""
    dtype = np.dtype(_NUMPY_TYPES[kind])
    n_item = int(np.prod(shape))
    if chance.random() < 0.3:
        return np.frombuffer(chance.randbytes(n_item * dtype.itemsize), dtype).reshape(shape).copy()
    low = 0 if chance.random() < 0.7 or dtype.kind == "u" else -2
    values = [chance.randrange(low, usual + 2) for _ in range(n_item)]
    if chance.random() < 0.5:
        values.sort()
    return np.array(values, dtype).reshape(shape)


def _make_odd(chance: random.Random, array: np.ndarray) -> Any:
    odd = chance.randrange(6)
    if odd == 0:
        with np.errstate(all="ignore"):
            return array.astype(chance.choice(sorted(set(_NUMPY_TYPES.values()))))
    if odd == 1:
        return np.repeat(array, 2)[::2]
    if odd == 2:
        return array.reshape(-1)[::-1]
    if odd == 3:
        return array.tobytes()
    if odd == 4:
        return array.astype(array.dtype.newbyteorder())
    array.setflags(write=False)
    return array


def _repeat_altered(chance: random.Random, html: str) -> None:
    """Extract a page, and call each step again as it was called, with altered arguments."""
    spy = _Spy()
    methods: list[MethodName] = ["learned", "keep_all"]
    with with_steps(spy):
        document = thresher.document_of(thresher.select(parse(html), chance.choice(methods)))
        document.write(chance.choice(thresher.FORMATS[:3]))
    for name, given in spy.calls:
        arguments = [_alter(chance, argument) for argument in given]
        with suppress(ValueError, BufferError, OverflowError):
            getattr(compiled_steps(), name)(*arguments)


class _Spy:
    """Stands in for the compiled steps, and records their calls."""

    def __init__(self) -> None:
        self.steps = compiled_steps()
        self.calls: list[tuple[str, tuple[Any, ...]]] = []

    def __getattr__(self, name: str) -> Any:
        step = getattr(self.steps, name)

        def call(*args: Any) -> Any:
            self.calls.append((name, args))
            return step(*args)

        return call


def play_round(chance: random.Random) -> None:
    """Compare kernels on one page, and call steps with altered and with drawn arguments."""
    html = draw_page(chance)
    compare_page(html)
    if chance.random() < _WRITTEN:
        compare_writing(html, chance.choice(("learned", "keep_all")))
    if chance.random() < _WRITTEN:
        _repeat_altered(chance, html)
    for step in chance.choices(read_steps(), k=_N_DRAWN):
        arguments = draw_arguments(chance, step, chance.choice(tuple(Draw)))
        with suppress(ValueError, BufferError):
            getattr(compiled_steps(), step.name)(*arguments)
