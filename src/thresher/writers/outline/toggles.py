"""Toggles without `details`: a line that opens what follows."""

from __future__ import annotations

import re
from typing import Final

from thresher.page.parts import CLASS_PARTS
from thresher.page.tags import BLOCK, CODE_OF, flags_of
from thresher.writers.outline.boxes import BoxParts, KeptPage

__all__ = ["find_toggles"]

_NAMED: Final = CLASS_PARTS.bits(b"accordion", b"expand", b"toggle")
_BOX: Final = rb"(?<![a-z])(?:accordion|expand(?:able|er)?|toggle)(?![a-z])"
_HEAD: Final = re.compile(
    r"(?<![a-z])(?:button|control|head(?:er|ing)?|question|summary|title|trigger)(?![a-z])",
    re.IGNORECASE,
)
"""Words in the classes of a toggle, and of the line that opens it."""
_BOXES: Final = flags_of("article div section")
_HEADS: Final = BLOCK & ~flags_of("dd details dt figure h1 h2 h3 h4 h5 h6 li ol table td th tr ul")
_NOT_INSIDE: Final = flags_of(
    "blockquote details dl figure h1 h2 h3 h4 h5 h6 ol pre summary table ul"
)
_NOT_AROUND: Final = flags_of("h1 h2 h3 h4 h5 h6 pre summary td th")
_DETAILS, _SUMMARY = CODE_OF["details"], CODE_OF["summary"]
_MAX_HEAD_WORDS: Final = 30
_TAB: Final = "tab"


def find_toggles(kept: KeptPage, parts: BoxParts) -> None:
    """Add the boxes whose first line opens the rest: by `aria-expanded`, or by their classes."""
    page = kept.page
    found = page.attributes
    heads = {
        kept.widen(row)
        for row in found.row.take(found.named("aria-expanded")).tolist()
        if row > 0 and kept.count(row) and page.attr(row, "role") != _TAB
    }
    boxes = {int(page.parent[head]): head for head in sorted(heads, reverse=True)}
    for box in found.row.take(found.classed(_NAMED, _BOX)).tolist():
        head = _find_first(kept, box)
        if head is not None and _HEAD.search(page.attr(head, "class") or ""):
            boxes.setdefault(box, head)
    if not boxes:
        return
    is_inside = page.subtree_sums(_NOT_INSIDE[page.tag])
    is_within = page.within(_NOT_AROUND[page.tag])
    for box, head in boxes.items():
        if (
            _BOXES[page.tag[box]]
            and _HEADS[page.tag[head]]
            and head == _find_first(kept, box)
            and 0 < kept.count(head, kept.words) <= _MAX_HEAD_WORDS
            and kept.count(head) < kept.count(box)
            and kept.blocks_of(head) == 1
            and not is_inside[head]
            and not is_within[box]
            and not _recurs(kept, box, head)
        ):
            parts.tags.update({box: _DETAILS, head: _SUMMARY})


def _recurs(kept: KeptPage, box: int, head: int) -> bool:
    """Return whether another child of a box is like the first: there are several toggles in it."""
    page = kept.page
    name = page.attr(head, "class")
    child = int(page.end[head])
    while child < page.end[box]:
        if page.tag[child] == page.tag[head]:
            attrs = page.attrs(child)
            if name == attrs.get("class") and (name or "aria-expanded" in attrs):
                return True
        child = int(page.end[child])
    return False


def _find_first(kept: KeptPage, box: int) -> int | None:
    """Return the child of a box in which its kept leaves begin, if it is not the only one."""
    n_kept = kept.count(box)
    if not n_kept:
        return None
    child = box + 1
    while not kept.count(child):
        child = int(kept.page.end[child])
    return child if kept.count(child) < n_kept else None
