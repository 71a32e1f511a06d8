"""Labels of captions: "Figure 2." is the beginning of the caption, not a heading above it."""

from __future__ import annotations

from typing import Final

from thresher.page.parts import CLASS_PARTS
from thresher.page.tags import REPLACED, flags_of
from thresher.writers.outline.boxes import MAX_ROWS, BoxParts, KeptPage, unmark

__all__ = ["find_captions"]

_NAMED: Final = CLASS_PARTS.bits(b"caption")
_CAPTION: Final = rb"(?<![a-z])captions?(?![a-z])"
_BOXES: Final = flags_of("div section span")
_FIGCAPTION: Final = flags_of("figcaption")
_NO_TEXT: Final = REPLACED | flags_of(
    "blockquote details dl figure h1 h2 h3 h4 h5 h6 ol pre table ul"
)
_MAX_LABEL_WORDS: Final = 4


def find_captions(kept: KeptPage, parts: BoxParts) -> None:
    """Add the labels in blocks of their own: a few words, of which the last has a digit."""
    page = kept.page
    found = page.attributes
    classed = found.row.take(found.classed(_NAMED, _CAPTION))
    boxes = {*classed[_BOXES[page.tag[classed]]].tolist(), *page.rows_of(_FIGCAPTION).tolist()}
    for box in sorted(boxes):
        if page.end[box] - box > MAX_ROWS or not kept.count(box) or kept.blocks_of(box) == 1:
            continue
        leaves = kept.leaves_of(box)
        of_leaf = page.blocks.of_leaf
        label = [leaf for leaf in leaves if of_leaf[leaf] == of_leaf[leaves[0]]]
        words = "".join(map(page.leaf_text, label)).split()
        if not words or len(words) > _MAX_LABEL_WORDS or not any(map(str.isdigit, words[-1])):
            continue
        text = leaves[len(label)]
        row = int(page.leaves[text])
        while row > box and not _NO_TEXT[page.tag[row]]:
            row = int(page.parent[row])
        if row == box:
            unmark(page, parts, box, label[0])
            parts.continued.append(text)
