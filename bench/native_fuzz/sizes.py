"""The steps, each handed arrays of any size: what does not fit is told by sizes alone."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np

__all__ = ["KINDS", "draw_arguments", "try_sizes"]

_SOURCES: Final = Path(__file__).parents[2] / "src/thresher/native"
_STEP: Final = re.compile(r"^STEP\((\w+), ([^)]*)\)", re.MULTILINE)
_CHOSEN: Final = re.compile(r"#define CHOSEN (.*)")
_ITEM_BYTES: Final = {
    **dict(zip("1248", (1, 2, 4, 8), strict=True)),
    "b": 1,
    "h": 2,
    "i": 4,
    "q": 8,
}
"""Of each kind of array; the letters are those that are written to (native/step.h)."""
_MOST_ITEMS: Final = 12
"""Sizes of steps are small sums and products of one another: of few numbers many pairs fit."""
_MOST_ODD: Final = 0.02
"""Share of arrays with another size of item, or that are read-only."""


def _read_kinds() -> dict[str, str]:
    found: dict[str, str] = {}
    for file in sorted(_SOURCES.glob("*.c")):
        text = file.read_text(encoding="utf-8")
        chosen = _CHOSEN.search(text)
        for name, kinds in _STEP.findall(text):
            spelled = kinds.replace("CHOSEN", chosen[1] if chosen else "")
            found[name] = "".join(re.findall(r'"(\w*)"', spelled))
    return found


KINDS: Final[Mapping[str, str]] = _read_kinds()
"""The kinds of each step's arguments, as the C source spells them."""


def draw_arguments(chance: random.Random, kinds: str) -> list[Any]:
    """Draw arguments of the kinds: arrays of few items each, often empty, and small numbers."""
    usual = chance.randrange(_MOST_ITEMS)
    return [
        chance.choice((-1, 0, 1, 2, usual)) if kind == "n" else _draw_array(chance, kind, usual)
        for kind in kinds
    ]


def _draw_array(chance: random.Random, kind: str, usual: int) -> np.ndarray:
    n_item = chance.choice((0, 1, usual, usual, usual + 1, 2 * usual, 3 * usual, 8, 256))
    n_byte = _ITEM_BYTES[kind]
    if chance.random() < _MOST_ODD:
        n_byte = chance.choice((1, 2, 4, 8))
    values = np.frombuffer(chance.randbytes(n_byte * n_item), f"u{n_byte}")
    if chance.random() < 0.5:
        values = values % max(usual, 1)
    # What is made of bytes cannot be written to.
    odd = chance.random() < _MOST_ODD
    return values if odd else np.array(values, f"u{n_byte}")


def try_sizes(chance: random.Random, _buffer: bytes, compiled: Any) -> None:
    """Hand some steps what is drawn; they refuse it, or make something of it."""
    for name in chance.choices(list(KINDS), k=20):
        arguments = draw_arguments(chance, KINDS[name])
        if name != "has_way":
            with suppress(ValueError, BufferError):
                getattr(compiled, name)(*arguments)
