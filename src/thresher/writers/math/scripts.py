"""Formulas in scripts, as MathJax 2 has them: the TeX, beside what shows it.

`<script type="math/tex">` holds the TeX in the place of the formula; before it may stand a preview
of it, and what MathJax has drawn. Generators of sites write such scripts, and a page saved from a
browser has all three. The parser makes the script a `math` element (`thresher.page.parse`). The
script counts: it is what the author wrote.
"""

from __future__ import annotations

import re
from typing import Final

from thresher.page import Page
from thresher.page.tags import TEXT

__all__ = ["find_forms", "is_script", "read_script"]

_TYPE: Final = "math/"
_TEX_TYPE: Final = "math/tex"
_DISPLAY: Final = re.compile(r"mode\s*=\s*display")
_CDATA: Final = re.compile(r"\s*(?:%\s*)?<!\[CDATA\[")
_CDATA_END: Final = "]]>"
"""How kramdown protects TeX from readers of XML: both may stand behind a `%`."""
_DRAWN: Final = re.compile(
    r"(?:^|\s)(?:MathJax(?:_(?:Preview|Display|CHTML|SVG|SVG_Display|MathML|PlainSource))?"
    r"|MJXc-display|mjx-chtml)(?:$|\s)"
)
"""Classes of previews, and of what the renderers of MathJax 2 draw."""


def is_script(page: Page, row: int) -> bool:
    """Say whether a `math` element was a script."""
    return (page.attr(row, "type") or "").strip().lower().startswith(_TYPE)


def read_script(page: Page, row: int) -> tuple[str, bool] | None:
    """Return the TeX of a script, and whether it stands on its own; None for other languages."""
    kind = (page.attr(row, "type") or "").strip().lower()
    if not kind.startswith(_TEX_TYPE):
        return None
    text = page.text_of(row)
    protected = _CDATA.match(text)
    if protected and (inner := text.rstrip()).endswith(_CDATA_END):
        text = inner[protected.end() : -len(_CDATA_END)].rstrip().removesuffix("%")
    tex = " ".join(text.split())
    return (tex, _DISPLAY.search(kind) is not None) if tex else None


def find_forms(page: Page, row: int) -> list[int]:
    """Return the rows of the elements right before a script that show the same formula."""
    parent, forms, at = int(page.parent[row]), [], row - 1
    while at > parent:
        while page.parent[at] != parent:
            at = int(page.parent[at])
        if page.tag[at] != TEXT:
            if not _DRAWN.search(page.attr(at, "class") or ""):
                break
            forms.append(at)
        elif page.text_of(at).strip():
            break
        at -= 1
    return forms
