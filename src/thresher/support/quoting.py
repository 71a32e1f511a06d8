"""Foreign text in messages: on one line, in plain quotation marks and not too long."""

from __future__ import annotations

from typing import Final

__all__ = ["one_line", "quote"]

_MAX_CHARS: Final = 120
"""Characters of a value that a message repeats."""


def one_line(text: str) -> str:
    r"""Escape what must not reach a terminal (line breaks, control codes, bad bytes), as ``\n``."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def quote(value: object) -> str:
    """Return a value as it was typed, in quotation marks; a long one is cut."""
    text = str(value)
    shown = one_line(text[:_MAX_CHARS]) + ("…" if len(text) > _MAX_CHARS else "")
    return f'"{shown}"'
