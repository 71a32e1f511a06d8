r"""Formulas that are the text of an element whose name or class says so.

`<math-renderer>$x$</math-renderer>` of GitHub, `<span class="math inline">\(x\)</span>` of Pandoc,
and the same of Sphinx, Drupal, CKEditor and Python-Markdown: their scripts are bundled or loaded
elsewhere, so that nothing else in the page tells that its dollar signs are no prices.
"""

from __future__ import annotations

from typing import Final

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray
from thresher.page.tags import TEXT, flags_of
from thresher.writers.math.tex_wrapping import unwrap_tex

__all__ = ["find_marked_texts"]

_ELEMENT: Final = b"<math-renderer"
_MATH: Final = CLASS_PARTS.bits(b"arithmatex", b"math")
_MARKED: Final = rb"(?<![\w-])(?:math|arithmatex|math-tex|mathjax-tex)(?![\w-])"
_KATEX: Final = b"katex"
"""The renderer of the texts without delimiters that Pandoc writes for it."""
_CODE: Final = flags_of("code listing pre")
_DISPLAYS: Final = ("$$", "\\[", "\\begin")
"""Beginnings of display formulas."""


def find_marked_texts(page: Page, keep: BoolArray) -> dict[int, tuple[str, bool]]:
    """Return the row of each kept text that is a marked formula → its TeX, and whether displayed.

    ``keep`` is bool[n_leaf].
    """
    rows = page.attributes.row[page.attributes.classed(_MATH, _MARKED)].tolist()
    at = page.buffer.find(_ELEMENT)
    while at >= 0:
        rows.append(int(page.open_start.searchsorted(at)))
        at = page.buffer.find(_ELEMENT, at + 1)
    found: dict[int, tuple[str, bool]] = {}
    in_code = page.within(_CODE[page.tag]) if rows else keep
    for row in watch(rows):
        leaf, stop = page.leaf_offset[[row, page.end[row]]].tolist()
        if stop - leaf != 1 or not keep[leaf] or in_code[row]:
            continue
        if page.tag[page.leaves[leaf]] != TEXT:
            continue
        text = " ".join(page.leaf_text(leaf).split())
        tex = unwrap_tex(text)
        names = set((page.attr(row, "class") or "").split())
        bare = not names.isdisjoint(("inline", "display")) and _KATEX in page.utf8
        if tex != text or text.startswith("\\begin") or bare:
            display = text.startswith(_DISPLAYS) or "display" in names
            found[int(page.leaves[leaf])] = (tex, display)
    return found
