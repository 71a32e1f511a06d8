"""Declarations of a style that hide an element; native/page/hidden.c has the same."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["hides", "shrinks"]

_DECLARATION: Final = re.compile(rb"(?<![\w-])([\w-]+)\s*:(?=\s*(.{0,64}))", re.DOTALL)
_FAR: Final = rb"-(?:[0-9]{5}|[5-9][0-9]{3}|999(?![0-9]))"
_ZERO: Final = rb"0(?:\.0*)?(?![0-9.])"
_SAYS: Final = {
    name: tuple((word, re.compile(pattern)) for word, pattern in words.items())
    for names, words in (
        ("display", {"gone": rb"none"}),
        ("visibility content-visibility", {"unseen": rb"hidden|collapse"}),
        ("opacity", {"clear": _ZERO}),
        ("font-size", {"tiny": _ZERO}),
        ("position", {"placed": rb"absolute|fixed"}),
        ("overflow", {"cut": rb"hidden"}),
        ("width", {"narrow": rb"1px"}),
        ("height max-height", {"low": rb"1px", "flat": _ZERO}),
        ("clip", {"gone": rb"rect\([01px ,%]*\)"}),
        ("clip-path", {"gone": rb"inset\((?:50|100)%"}),
        ("left top right text-indent margin-left", {"gone": _FAR}),
    )
    for name in names.encode().split()
}
"""Property → what it says, and of which values; some hide only together."""
_MOVES: Final = (b"trans", b"anim", b"will-change", b"-webkit-trans", b"-webkit-anim")
"""Properties of what a script lets appear when it is scrolled to."""


def hides(style: bytes) -> bool:
    """Return whether declarations hide an element for everyone who looks at it."""
    said = _read(style)
    return (
        "gone" in said
        or ("unseen" in said and "moves" not in said)
        or ({"clear", "placed"} <= said and "moves" not in said)
        or {"narrow", "low", "cut"} <= said
        or ({"flat", "cut"} <= said and said.isdisjoint(("moves", "padded")))
    )


def shrinks(style: bytes) -> bool:
    """Return whether declarations make letters invisibly small."""
    return "tiny" in _read(style)


def _read(style: bytes) -> set[str]:
    """Return what the declarations of a style say."""
    said: set[str] = set()
    for name, value in _DECLARATION.findall(style.lower()):
        said.update(word for word, pattern in _SAYS.get(name, ()) if pattern.match(value))
        if name.startswith(_MOVES):
            said.add("moves")
        elif name.startswith(b"padding"):
            said.add("padded")
    return said
