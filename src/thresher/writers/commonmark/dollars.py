r"""Escaping of literal dollar signs in Markdown, where a reader would see a formula.

Readers that support formulas (Pandoc, GitHub, Obsidian, markdown-it) open one at a `$` followed by
a character other than white space, and close it at a `$` that follows such a character and is not
followed by a digit. So "from $5 to $10" contains no formula and stays unchanged, but "$5 or 10$"
would be one. In a paragraph that contains a formula, and in runs of several dollar signs, all are
escaped: readers differ on these cases, and one unescaped sign too many would turn formulas inside
out. Jupyter's reader, which would also read the first example as a formula, is ignored: supporting
it would make all prices ugly for every other reader.
"""

from __future__ import annotations

import re
from typing import Final

from thresher.writers.stream.marks import DOLLAR

__all__ = ["escape_dollars"]

_RUN: Final = re.compile(f"{DOLLAR}+")
_OPENING: Final = re.compile(r"\$(?=\S)")
_CLOSING: Final = re.compile(r"(?<=\S)\$(?!\d)")


def escape_dollars(text: str, *, has_formula: bool) -> str:
    """Replace the marks of literal dollar signs in a paragraph, escaped where that is needed."""
    if has_formula:
        return text.replace(DOLLAR, r"\$")
    if "$" not in text and text.count(DOLLAR) == 1:
        return text.replace(DOLLAR, "$")  # nothing can close the formula
    # URLs contain dollar signs too, at which a formula could close.
    plain = text.replace(DOLLAR, "$")
    last = max((found.start() for found in _CLOSING.finditer(plain)), default=-1)

    def format_run(run: re.Match[str]) -> str:
        place = run.start()
        opens = _OPENING.match(plain, place) and place + 1 < last
        n_sign = run.end() - place
        return r"\$" * n_sign if opens or n_sign > 1 else "$"

    return _RUN.sub(format_run, text)
