r"""Escaping of literal dollar signs in Markdown, where a reader would see a formula.

Readers that support formulas (Pandoc, GitHub, Obsidian, markdown-it) open one at a `$` followed by
a character other than white space, and close it at a `$` that follows such a character and is not
followed by a digit. So "from $5 to $10" contains no formula and stays unchanged, but "$5 or 10$"
would be one. In a block that contains a formula, and in runs of several dollar signs, all are
escaped: readers differ on these cases, and one unescaped sign too many would turn formulas inside
out. Jupyter's reader, which would also read the first example as a formula, is ignored: supporting
it would make all prices ugly for every other reader.
"""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Element, Text

__all__ = ["DOLLAR", "mark_dollars", "replace_dollar_marks"]

DOLLAR: Final = "\U0005ffff"
"""Placeholder for a literal dollar sign, a noncharacter."""
_CODE: Final = "pre, code, kbd, samp"
_RUN: Final = re.compile(f"{DOLLAR}+")
_OPENING: Final = re.compile(r"\$(?=\S)")
_CLOSING: Final = re.compile(r"(?<=\S)\$(?!\d)")


def mark_dollars(tree: Element) -> None:
    """Replace each literal dollar sign outside code by the placeholder, in place."""
    for text in tree.descendants:
        if isinstance(text, Text) and "$" in text.data:
            parent = text.parent
            if isinstance(parent, Element) and parent.closest(_CODE) is None:
                text.data = text.data.replace("$", DOLLAR)


def replace_dollar_marks(marked: str, formula_marks: str) -> str:
    """Replace the placeholders in rendered Markdown; ``formula_marks`` open its formulas."""
    if DOLLAR not in marked:
        return marked
    blocks = marked.split("\n\n")
    return "\n\n".join(_replace_in_block(block, formula_marks) for block in blocks)


def _replace_in_block(block: str, formula_marks: str) -> str:
    if DOLLAR not in block:
        return block
    if any(mark in block for mark in formula_marks):
        return block.replace(DOLLAR, r"\$")
    if "$" not in block and block.count(DOLLAR) == 1:
        return block.replace(DOLLAR, "$")  # nothing can close the formula
    # URLs contain dollar signs too, at which a formula could close.
    plain = block.replace(DOLLAR, "$")
    last = max((found.start() for found in _CLOSING.finditer(plain)), default=-1)

    def format_run(run: re.Match[str]) -> str:
        place = run.start()
        opens = _OPENING.match(plain, place) and place + 1 < last
        n_sign = run.end() - place
        return r"\$" * n_sign if opens or n_sign > 1 else "$"

    return _RUN.sub(format_run, block)
