"""Raised and lowered text where there is only plain text: "4²", "H₂O", "x^(n+1)"."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["format_script"]

_RAISED: Final = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED: Final = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
"""The characters of Unicode for scripts that fonts have and readers know. It has some letters more,
too few to spell words."""
_ORDINAL: Final = re.compile(
    r"(?:st|nd|rd|th|er|re|ère|e|ème|d|de|nde|o|os|a|as|ª|º)\.?", re.IGNORECASE
)
"""What follows a number in English, French, Spanish, Italian and Portuguese: "1st", "2e", "3o"."""
_OPERAND: Final = re.compile(r"[^\W_]+[′']*")
_EXPRESSION: Final = re.compile(r"[\w+\-−=*/().,′'\s∞]{1,24}")
_MAX_WORD: Final = 1
"""Letters; longer words are raised for looks, as in "Mme" or trade marks."""


def format_script(text: str, *, raised: bool, before: str) -> str:
    """Return what stands for a raised or lowered text behind the character ``before``.

    Characters of Unicode where it has all of them; else "^" or "_" and the text, in parentheses if
    it is more than one operand. Ordinals, references, signs and words that are raised, and what has
    nothing before it stay plain.
    """
    shown = text.strip()
    if not shown or not (before.isalnum() or before in (")", "]", "}", "′", "'", "|", ">")):
        # "cm" and a space is no base, but a note's number behind a full stop is raised for sure.
        return text.translate(_RAISED) if raised and shown.isdecimal() and before else text
    script = shown.translate(_RAISED if raised else _LOWERED)
    changed = not any(char in script for char in shown)
    if raised and before.isdecimal() and _ORDINAL.fullmatch(shown):
        return text
    if changed:
        return text.replace(shown, script)
    is_word = shown.isalpha() and len(shown) > _MAX_WORD
    if not _EXPRESSION.fullmatch(shown) or not any(map(str.isalnum, shown)) or (raised and is_word):
        return text
    sign = "^" if raised else "_"
    return text.replace(shown, sign + (shown if _OPERAND.fullmatch(shown) else f"({shown})"))
