"""Labels begin what they name: "Figure 2." its caption, "Date:" the date beside or below it."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from thresher.analysis.kept_page import KeptPage
from thresher.page.parts import CLASS_PARTS
from thresher.page.tags import REPLACED, flags_of
from thresher.writers.outline.boxes import MAX_ROWS, BoxParts, unmark

__all__ = ["find_captions", "find_fields"]

_NAMED: Final = CLASS_PARTS.bits(b"caption")
_CAPTION: Final = rb"(?<![a-z])captions?(?![a-z])"
_BOXES: Final = flags_of("div section span")
_FIGCAPTION: Final = flags_of("figcaption")
_NO_TEXT: Final = REPLACED | flags_of(
    "blockquote details dl figure h1 h2 h3 h4 h5 h6 ol pre table ul"
)
_MAX_LABEL_WORDS: Final = 4
_VALUES: Final = CLASS_PARTS.bits(b"value")
_VALUE: Final = rb"(?<![a-z])value(?![a-z])"
_NAME: Final = re.compile(r"(?<![a-z])(?:key|label|name|term|title)(?![a-z])", re.IGNORECASE)
"""Words in the classes of a value, and of its label."""
_FIELDS: Final = flags_of("article div li p section")
_NOT_FIELDS: Final = _NO_TEXT | flags_of("caption dt figcaption summary th")
_EXACT: Final = flags_of("code pre samp")
_MIN_FIELDS: Final = 2
_ENDS: Final = frozenset(":?!.…：？！。")
"""Signs at the end of a label that needs no colon."""


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


def find_fields(kept: KeptPage, parts: BoxParts) -> None:
    """Put a colon between the label and the value of fields, of which there are some alike.

    Style sheets set the two apart, but their markup has nothing between them.
    """
    page = kept.page
    entries = page.attributes.classed(_VALUES, _VALUE)
    if entries.size < _MIN_FIELDS:
        return
    names = page.attributes.values_of(entries)
    fields = {row: name for row, name in names.items() if _is_value(kept, row)}
    alike = Counter(fields.values())
    if not alike:
        return
    is_exact = page.within(_EXACT[page.tag])
    for row in (row for row, name in fields.items() if alike[name] >= _MIN_FIELDS):
        if is_exact[row]:
            continue
        box = int(page.parent[row])
        label, value = kept.leaves[kept.before[row] - 1 : kept.before[row] + 1].tolist()
        for leaf in (label, value):
            unmark(page, parts, box, leaf)
        text = page.leaf_text(label).rstrip()
        parts.texts[int(page.leaves[label])] = text + ":" * (text[-1:] not in _ENDS)
        parts.continued.append(value)


def _is_value(kept: KeptPage, value: int) -> bool:
    """Return whether an element is all that is kept beside a label in the element around it."""
    page = kept.page
    box, n_own = int(page.parent[value]), kept.count(value)
    if box <= 0 or not n_own or page.end[box] - box > MAX_ROWS:
        return False
    label = box + 1
    while label < value and not kept.count(label):
        label = int(page.end[label])
    if label >= value or kept.count(label) + n_own != kept.count(box):
        return False
    if not _NAME.search(page.attr(label, "class") or ""):
        return False
    if not _FIELDS[page.tag[box]] or _NOT_FIELDS[page.tag[[label, value]]].any():
        return False
    is_plain = kept.blocks_of(label) == kept.blocks_of(value) == 1
    is_short = 0 < kept.count(label, kept.words) <= _MAX_LABEL_WORDS
    return is_plain and is_short and any(map(str.isalpha, page.text_of(label)))
