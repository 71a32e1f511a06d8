"""Signs that no text shows: numbers of items, boxes of tasks, ticks of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final

import numpy as np

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.hidden import Hidden
from thresher.page.parts import CLASS_PARTS
from thresher.page.tags import CELLS, CODE_OF, TEXT, flags_of
from thresher.writers.outline.outline import Outline
from thresher.writers.outline.structure import LISTS

_I, _LI, _OL = (CODE_OF[name] for name in "i li ol".split())
_INPUTS: Final = flags_of("input")

# -- numbers -----------------------------------------------------------------------------------

_ROMAN: Final = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_MAX_ROMAN: Final = 3999
_MAX_DIGITS: Final = 9
"""Maximum digits of a list's first number, as in CommonMark."""


def number_items(outline: Outline) -> dict[int, str]:
    """Return row → number for the items of ordered lists; only written items count."""
    page = outline.page
    numbers = {row: item.number for row, item in outline.items.items() if item.number}
    ordered = outline.structure & (outline.tag == _OL)
    if not ordered.any():
        return numbers
    items = np.flatnonzero(outline.structure & (outline.tag == _LI))
    around = page.nearest(outline.structure & LISTS[outline.tag])[items]
    values = page.attributes.values("value")
    count = np.bincount(around[around >= 0], minlength=len(page))
    following: dict[int, tuple[int, int, str]] = {}
    """Row of a list → the number of its next item, the step, the kind."""
    for item, row in zip(items.tolist(), around.tolist(), strict=True):
        if row < 0 or not ordered[row]:
            continue
        if row not in following:
            attrs = page.attrs(row)
            is_reversed = "reversed" in attrs
            first = _read_number(attrs.get("start"))
            if first is None:
                first = int(count[row]) if is_reversed else 1
            following[row] = (first, -1 if is_reversed else 1, attrs.get("type", "1"))
        number, step, kind = following[row]
        stated = _read_number(values.get(item))
        number = number if stated is None else stated
        numbers[item] = format_number(number, kind)
        following[row] = (number + step, step, kind)
    return numbers


def format_number(number: int, kind: str = "1") -> str:
    """Format a number as a list of this `type` shows it: 1, a, A, i or I."""
    if kind in ("a", "A") and number > 0:
        letters = ""
        while number:
            number, place = divmod(number - 1, 26)
            letters = chr(ord(kind) + place) + letters
        return letters
    if kind in ("i", "I") and 0 < number <= _MAX_ROMAN:
        numeral = ""
        for value, sign in _ROMAN:
            times, number = divmod(number, value)
            numeral += sign * times
        return numeral if kind == "i" else numeral.upper()
    return str(number)


def _read_number(value: str | None) -> int | None:
    digits = (value or "").strip()
    unsigned = digits.removeprefix("-")
    if not (unsigned.isascii() and unsigned.isdigit()) or len(unsigned) > _MAX_DIGITS:
        return None
    return int(digits)


# -- ticks in tables ---------------------------------------------------------------------------

_SIGN: Final = re.compile(
    r"(?<![\w-])(?:bi|dashicons|fa|glyphicon|icon|mdi|ti)-(?:(?:circle|square)-)?"
    r"(?:(check|checkmark|ok|tick|yes)|close|cross|no|remove|times|x|xmark)2?"
    r"(?:-(?:alt|bold|circle|fill|lg|o|outline|sign|square|thick))*(?![\w-])"
)
"""Classes of icons that mean yes or no: Bootstrap, WordPress, Font Awesome, Material, Tabler."""
_LABELS: Final = ("aria-label", "title")
_GLYPHS: Final = {
    **dict.fromkeys(("check", "check_circle", "done"), "✓"),
    **dict.fromkeys(("cancel", "clear", "close"), "✗"),
}
"""Names of Google's icons that mean yes or no."""
_MAX_ROWS: Final = 8
"""Elements and texts in a cell of an icon alone."""
_SVG: Final = CODE_OF["svg"]
_SPOKEN, _UNSEEN = np.uint8(Hidden.SPOKEN), np.uint8(Hidden.UNSEEN)


def find_ticks(outline: Outline) -> dict[int, str]:
    """Return row of a cell → its content as markup, for cells whose only content is an icon.

    That is what the icon is labelled as, or screen readers say in its place, else a sign.
    """
    page = outline.page
    # Only cells of tables are written though nothing in them is kept.
    cells = (outline.structure > outline.holds).nonzero()[0]
    words, ticks = page.words_before, dict[int, str]()
    for cell in watch(cells.tolist()):
        inside = range(cell + 1, int(page.end[cell]))
        if len(inside) > _MAX_ROWS or not CELLS[outline.tag[cell]]:
            continue
        text = " ".join(page.text_of(cell).split())
        worded = [row for row in inside if page.tag[row] == TEXT and words[row + 1] > words[row]]
        if all(page.hidden[row] & _SPOKEN for row in worded):
            label = text if worded else _read_icon(page, inside)
        else:
            is_glyph = all(page.hidden[row] & _UNSEEN for row in worded)
            label = _GLYPHS.get(text, "") if is_glyph else ""
        if label:
            ticks[cell] = escape(label)
    return ticks


def _read_icon(page: Page, rows: range) -> str:
    """Return what an icon among some rows is labelled as, or means; "" for none."""
    for row in rows:
        attrs = page.attrs(row) if page.tag[row] != TEXT else {}
        sign = _SIGN.search(attrs.get("class", ""))
        if sign or page.tag[row] == _SVG:
            labels = (attrs.get(name, "").strip() for name in _LABELS)
            meaning = ("✓" if sign[1] else "✗") if sign else ""
            return next(filter(None, labels), meaning)
    return ""


# -- tasks -------------------------------------------------------------------------------------

_BOX: Final = '<input type="checkbox" disabled{}> '
"""In the form GitHub uses: a disabled checkbox."""
_STATES: Final = ("aria-checked", "data-checked", "data-list", "data-task-state")
"""Attributes that say whether a task is done: those of ARIA, Tiptap, Quill and Atlassian."""
_IS_DONE: Final = {
    **dict.fromkeys(("checked", "done", "true"), True),
    **dict.fromkeys(("false", "todo", "unchecked"), False),
}
_TICKED: Final = CLASS_PARTS.bits(b"checkbox-o")
_TASKS: Final = CLASS_PARTS.bits(b"inline-task-list")
_NOTION: Final = rb"(?<![\w-])checkbox-o(?:n|ff)(?![\w-])"
_CONFLUENCE: Final = rb"(?<![\w-])inline-task-list(?![\w-])"
"""The class of a list of tasks, of which those that are done have the class `checked`."""
_MARKED: Final = CLASS_PARTS.bits(b"task-list-item")
_GITHUB: Final = rb"(?<![\w-])task-list-item(?![\w-])"
"""The class of a task of GitHub, whose box blogs replace with an icon of Font Awesome."""
_ICON: Final = re.compile(r"(?<![\w-])fa-(?:check-)?(?:circle|square)(?![\w-])")
_TASK: Final = "task"
"""What is in the classes of boxes that readers of Markdown write to be ticked."""


def find_checkboxes(outline: Outline) -> dict[int, str]:
    """Return row of an item → checkbox markup, for items that begin with a checkbox.

    An item that its attributes make a task counts as beginning with one.
    """
    page = outline.page
    is_item = outline.structure & (outline.tag == _LI)
    states = dict(_find_states(page)) if is_item.any() else {}
    if not states:
        return {}
    rows = np.array(sorted(states))
    items = page.nearest(is_item)[rows]
    # A box of which the text is dropped is none; one may have no text but a list inside.
    texts = page.leaves[page.tag.take(page.leaves) == TEXT]
    emptied = set(page.nearest(is_item, texts).tolist())
    emptied.difference_update(page.nearest(is_item, page.leaves[outline.kept]).tolist())
    boxes: dict[int, str] = {}
    for row, item in zip(rows[items >= 0].tolist(), items[items >= 0].tolist(), strict=True):
        first = np.searchsorted(outline.kept, page.leaf_offset[[item, row]])
        if first[0] == first[1] and item not in boxes and item not in emptied:
            boxes[item] = _BOX.format(" checked" if states[row] else "")
    return boxes


def _find_states(page: Page) -> Iterator[tuple[int, bool]]:
    """Yield the rows of tasks and their boxes, and whether they are done; rows may repeat.

    Boxes of which none is ticked, but all can be, are those of a form, or of a shopping list.
    """
    attributes = page.attributes
    for name in _STATES:
        for row, state in attributes.values(name).items():
            if name != "aria-checked" or page.attr(row, "role") == "checkbox":
                is_done = _IS_DONE.get(state.strip().lower())
                if is_done is not None:
                    yield row, is_done
    for row, names in attributes.values_of(attributes.classed(_TICKED, _NOTION)).items():
        yield row, "checkbox-on" in names.lower().split()
    lists = attributes.rows_classed(_TASKS, _CONFLUENCE)
    if lists.size:
        for row in ((page.tag == _LI) & np.isin(page.parent, lists)).nonzero()[0].tolist():
            yield row, "checked" in (page.attr(row, "class") or "").split()
    for item in attributes.rows_classed(_MARKED, _GITHUB).tolist():
        names = page.attr(item + 1, "class") or "" if page.tag[item + 1] == _I else ""
        if icon := _ICON.search(names):
            yield item + 1, "check" in icon[0]
    fields = {
        row: attrs
        for row in page.rows_of(_INPUTS).tolist()
        if (attrs := page.attrs(row)).get("type", "").lower() == "checkbox"
    }
    is_list = any("checked" in attrs for attrs in fields.values())
    for row, attrs in fields.items():
        if is_list or "disabled" in attrs or _TASK in attrs.get("class", "").lower():
            yield row, "checked" in attrs
