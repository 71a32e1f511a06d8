"""Superscripts and subscripts in plain text: "4²", "H₂O", "x^(n+1)"."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["format_script"]

_RAISED: Final = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED: Final = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
"""The superscript and subscript characters of Unicode that fonts have and readers know. It has a
few more letters, too few to write words."""
_ORDINAL: Final = re.compile(
    r"(?:st|nd|rd|th|er|re|ère|e|ème|d|de|nde|o|os|a|as|ª|º)\.?", re.IGNORECASE
)
"""Suffixes of numbers in English, French, Spanish, Italian and Portuguese: "1st", "2e", "3o"."""
_OPERAND: Final = re.compile(r"[^\W_]+[′']*")
_EXPRESSION: Final = re.compile(r"[\w+\-−=*/().,′'\s∞]{1,24}")
_MAX_WORD: Final = 1
"""Maximum letters; longer words are raised only for style, as in "Mme" or trade marks."""


def format_script(text: str, *, raised: bool, before: str) -> str:
    """Format a superscript or subscript that follows the character ``before``.

    Uses Unicode characters where it has all of them; otherwise "^" or "_" and the text, in
    parentheses if it is more than one operand. Ordinals, references, signs and words in
    superscript, and scripts without a base, stay plain.
    """
    shown = text.strip()
    if not shown or not (before.isalnum() or before in (")", "]", "}", "′", "'", "|", ">")):
        # "cm" and a space is not a base, but a note's number after a full stop is certainly raised.
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
