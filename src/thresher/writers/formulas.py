"""Formulas as the TeX they were made from, where that is noted in them (MathML Core, 6)."""

from __future__ import annotations

from typing import Final

from thresher.page import Page
from thresher.tags import TEXT

__all__ = ["FORMULA_TAGS", "TEX", "is_plain_formula", "tex_of"]

FORMULA_TAGS: Final = frozenset(
    (
        "annotation maction maligngroup malignmark math menclose merror mfenced mfrac mi mlabeledtr"
        " mlongdiv mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mscarries"
        " mscarry msgroup msline mspace msqrt msrow mstack mstyle msub msubsup msup mtable mtd"
        " mtext mtr munder munderover none semantics"
    ).split()
)
"""Presentation MathML 3 (section 3.1.9), and what notes the source of a formula."""
TEX: Final = "application/x-tex"
"""The `encoding` of an `annotation` that holds TeX."""


def tex_of(page: Page, row: int) -> str | None:
    """Return the TeX noted in a `math` element, None where there is none."""
    for part in range(row + 1, int(page.end[row])):
        if page.name(part) == "annotation" and page.attr(part, "encoding") == TEX:
            return " ".join(page.text_of(part).split()) or None
    return None


def is_plain_formula(page: Page, row: int) -> bool:
    """Say whether a `math` element holds only what can be shown safely, and so is written as is."""
    rows = range(row + 1, int(page.end[row]))
    return all(
        page.name(part) in FORMULA_TAGS if page.tag[part] != TEXT else page.parent[part] != row
        for part in rows
    )
