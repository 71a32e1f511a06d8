r"""Dollar signs of the text in Markdown, escaped where a reader would see a formula.

Readers that know formulas (Pandoc, GitHub, Obsidian, markdown-it) begin one at a `$` before
anything but white space, and end it at a `$` behind anything but white space and before anything
but a digit. So "from $5 to $10" is no formula, and stays as it is; "$5 or 10$" would be one. In a
block with a formula of its own, and of several dollar signs in a row, all are escaped: there the
readers differ, and one sign too many would turn formulas inside out. Jupyter's reader, which would
take the first too, is not heeded: it would make all prices ugly for all others.
"""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Element, Text

__all__ = ["DOLLAR", "mark_dollars", "replace_dollar_marks"]

DOLLAR: Final = "\U0005ffff"
"""Stands for a dollar sign of the text, a noncharacter."""
_CODE: Final = "pre, code, kbd, samp"
_RUN: Final = re.compile(f"{DOLLAR}+")
_OPENING: Final = re.compile(r"\$(?=\S)")
_CLOSING: Final = re.compile(r"(?<=\S)\$(?!\d)")


def mark_dollars(tree: Element) -> None:
    """Put a mark in the place of each dollar sign of the text outside of code, in place."""
    for text in tree.descendants:
        if isinstance(text, Text) and "$" in text.data:
            parent = text.parent
            if isinstance(parent, Element) and parent.closest(_CODE) is None:
                text.data = text.data.replace("$", DOLLAR)


def replace_dollar_marks(marked: str, formula_marks: str) -> str:
    """Replace the marks in rendered Markdown; formulas begin with one of ``formula_marks``."""
    if DOLLAR not in marked:
        return marked
    blocks = marked.split("\n\n")
    return "\n\n".join(_spell(block, formula_marks) for block in blocks)


def _spell(block: str, formula_marks: str) -> str:
    if DOLLAR not in block:
        return block
    if any(mark in block for mark in formula_marks):
        return block.replace(DOLLAR, r"\$")
    if "$" not in block and block.count(DOLLAR) == 1:
        return block.replace(DOLLAR, "$")  # there is none to end the formula
    # Addresses have dollar signs too, at which a formula could end.
    plain = block.replace(DOLLAR, "$")
    last = max((found.start() for found in _CLOSING.finditer(plain)), default=-1)

    def spell(run: re.Match[str]) -> str:
        place = run.start()
        opens = _OPENING.match(plain, place) and place + 1 < last
        n_sign = run.end() - place
        return r"\$" * n_sign if opens or n_sign > 1 else "$"

    return _RUN.sub(spell, block)
