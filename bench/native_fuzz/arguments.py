"""Arguments of compiled steps, drawn by chance from their table: shapes that fit, and others."""

from __future__ import annotations

import random
from enum import Enum
from typing import Any, Final

import numpy as np

from thresher.native.table import Argument, Size, Step

__all__ = ["Draw", "draw_arguments"]

_MOST_ITEMS: Final = 12
_NUMPY_TYPES: Final = {
    **{"bool": "u1", "u8": "u1", "i8": "i1", "u16": "u2", "i16": "i2", "u32": "u4", "i32": "i4"},
    **{"u64": "u8", "i64": "i8", "f32": "f4", "f64": "f8"},
}
_MANY_ODD: Final = 0.1
"""Share of arrays of another type or layout, if there are to be any."""
_NUMBERS: Final = (-1, 0, 1, 2, 99, 2**31 - 1, 2**31, -(2**63))
_REALS: Final = (0.0, 0.5, -1.0, 1e300, float("inf"), float("nan"))


class Draw(Enum):
    """How arguments differ from those that a step expects."""

    FITTING = "arrays of the declared sizes and types, with any content"
    MISFIT = "arrays of any sizes"
    ODD = "arrays of the declared sizes, some of other types, layouts, or read-only"


def draw_arguments(chance: random.Random, step: Step, draw: Draw) -> list[Any]:
    """Draw the arguments of a step."""
    names = sorted({size.name for each in step.arguments for size in each.sizes if size.name})
    sizes = {name: chance.choice((0, 1, 2, chance.randrange(_MOST_ITEMS))) for name in names}
    return [_draw_argument(chance, each, sizes, draw) for each in step.given]


def _draw_argument(
    chance: random.Random, argument: Argument, sizes: dict[str, int], draw: Draw
) -> Any:
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
