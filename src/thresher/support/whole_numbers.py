"""Whole numbers in texts that anybody may have written, such as the attributes of a page."""

from __future__ import annotations

from typing import Final

__all__ = ["read_whole_number"]

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
