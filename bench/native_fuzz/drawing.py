"""Pages drawn by chance, and arguments of compiled steps altered by chance."""

from __future__ import annotations

import math
import random
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tests.helpers.drawn_markup import draw_markup
from tests.helpers.hostile import SHAPES
from tests.helpers.token_soup import RAW, page_of

__all__ = ["alter", "draw_page"]

_MAX_BYTES: Final = 4096


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
        marks = bytes(chance.choices(b'<>/ ="!&;ap\n', k=chance.randrange(300)))
        return marks
    broken = bytearray(buffer)
    for _ in range(chance.randrange(8)):
        at = chance.randrange(len(broken) + 1)
        size = chance.choice((0, 1, 1, 2, 40))
        broken[at : at + size] = bytes(
            chance.choices(b'<>/ ="!&;ap\n\xff', k=chance.choice((0, 1, 1, 3)))
        )
    return bytes(broken)


def alter(chance: random.Random, given: Any) -> Any:
    """Copy an argument, and now and then change some of its numbers or bytes, or its size."""
    if isinstance(given, int):
        return given if chance.random() < 0.9 else chance.choice((-1, 0, given - 1, given + 1, 99))
    if isinstance(given, bytes):
        return given if chance.random() < 0.7 else _break_bytes(chance, given)
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
