"""Footnotes that stand in the sentence they belong to, as LaTeXML writes them.

`<span class="ltx_note"><sup class="ltx_note_mark">1</sup><span class="ltx_note_outer">…`: the
mark, then a box with the mark again, once or twice, and the note. Style sheets show the box in the
margin, or when the mark is pointed at.
"""

from __future__ import annotations

from typing import Final

from thresher.analysis.footnotes.model import NoteReference
from thresher.analysis.footnotes.references import read_mark
from thresher.analysis.inner_links import InnerLink
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray
from thresher.page.tags import BLOCK, CODE_OF

__all__ = ["find_inline_notes"]

_LATEXML: Final = CLASS_PARTS.bits(b"ltx_")
_OUTER: Final = rb"(?<![\w-])ltx_note_outer(?![\w-])"
_SUP: Final = CODE_OF["sup"]


def find_inline_notes(page: Page, keep: BoolArray) -> list[NoteReference]:
    """Return such notes among the kept leaves, bool[n_leaf], each with its mark as the reference.

    The row of each is the box, which also holds the leaves before the note that repeat its mark.
    """
    attributes = page.attributes
    found: list[NoteReference] = []
    of_leaf, stop = page.blocks.of_leaf, 0
    for row in watch(attributes.row[attributes.classed(_LATEXML, _OUTER)].tolist()):
        sup = int(page.parent[row]) + 1
        first, end = page.leaf_offset[[row, page.end[row]]].tolist()
        if page.tag[sup] != _SUP or BLOCK[page.tag[row]] or row < stop or first == end:
            continue
        mark = read_mark(page.text_of(sup))
        leaf = int(page.leaf_offset[sup])
        if mark is None or leaf == first or of_leaf[leaf] != of_leaf[end - 1]:
            continue
        while first < end - 1 and page.leaf_text(first).strip() == mark:
            first += 1
        if keep[leaf] and keep[first]:
            found.append(NoteReference(InnerLink(sup, "", row), mark, row, first, end))
            stop = int(page.end[row])
    return found
