"""Texts that anybody may have written: quoted in messages, in names, and read as whole numbers.

In a message they are on one line, in plain quotation marks and not too long.
"""

from __future__ import annotations

import re
from typing import Final

_MAX_CHARS: Final = 120
"""Characters of a value that a message repeats."""
_CONTROLS: Final = re.compile("(?!\r\n)[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Controls (ECMA-48, C0 and C1) but tab and line breaks, and those that reorder text (UAX 9)."""


def without_controls(text: str) -> str:
    r"""Return a text of many lines whose control characters are visible, as ``\x1b``.

    A terminal obeys them: it may hide text, show another one, or type into the shell.
    """
    return _CONTROLS.sub(lambda match: _escape(match[0]), text)


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def one_line(text: str) -> str:
    r"""Escape what must not reach a terminal (line breaks, control codes, bad bytes), as ``\n``."""
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def quote(value: object) -> str:
    """Return a value as it was typed, in quotation marks; a long one is cut."""
    text = str(value)
    shown = one_line(text[:_MAX_CHARS]) + ("…" if len(text) > _MAX_CHARS else "")
    return f'"{shown}"'


_UNSAFE: Final = re.compile(r"[^\w.-]+")
_MAX_STEM_CHARS: Final = 60
"""Characters. File systems allow 255 bytes: four per character, and a number against clashes."""


def safe_stem(text: str) -> str:
    """Return a text as the stem of a file's name, without unsafe characters; ``page`` for none."""
    return _UNSAFE.sub("-", text).strip("-.")[:_MAX_STEM_CHARS] or "page"


_MAX_DIGITS: Final = 18
"""Digits that count; Python refuses to convert some thousands (`sys.set_int_max_str_digits`)."""


def read_whole_number(text: str) -> int | None:
    """Return a number in ASCII digits, with white space around it or not; None for anything else.

    Larger ones are cut to 18 digits, which is still more than any limit.
    """
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()):
        return None
    return int(digits.lstrip("0")[:_MAX_DIGITS] or "0")
