"""TeX in `script` elements, as MathJax 2 uses them, next to the rendered formula.

`<script type="math/tex">` holds the TeX in the place of the formula; a preview and MathJax's
rendering may precede it. Site generators write such scripts, and a page saved from a browser has
all three. The parser turns the script into a `math` element (`thresher.page.parse`). The script
takes precedence: it is what the author wrote.
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
"""How kramdown protects TeX from XML parsers: both delimiters may follow a `%`."""
_DRAWN: Final = re.compile(
    r"(?:^|\s)(?:MathJax(?:_(?:Preview|Display|CHTML|SVG|SVG_Display|MathML|PlainSource))?"
    r"|MJXc-display|mjx-chtml)(?:$|\s)"
)
"""Classes of previews, and of the output of MathJax 2's renderers."""


def is_script(page: Page, row: int) -> bool:
    """Return whether a `math` element was a script."""
    return (page.attr(row, "type") or "").strip().lower().startswith(_TYPE)


def read_script(page: Page, row: int) -> tuple[str, bool] | None:
    """Return the TeX of a script and whether it is a display formula; None for other languages."""
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
    """Return the rows of the elements directly before a script that show the same formula."""
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
