"""Lists as they are written: none that only lays out, one for pieces, those without elements."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.word_exports import WordItem, find_items
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS, STYLE_PARTS, SYSTEM_PARTS
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import CODE_OF, HEADINGS, TEXT, flags_of
from thresher.support.late import compile_late
from thresher.support.quoting import read_whole_number
from thresher.writers.outline.headings import TagArray
from thresher.writers.outline.runs import KeptRuns, find_places

_BLOCKQUOTE, _DIV, _FIGURE, _HR, _LI, _OL, _SECTION, _UL = (
    CODE_OF[name] for name in "blockquote div figure hr li ol section ul".split()
)
_BOXES: Final = flags_of("article div section")
_CAPTIONS: Final = flags_of("figcaption")
_ITEM_TAGS: Final = flags_of("li")
_LISTS: Final = flags_of("ol ul")
_JAVADOC: Final = SYSTEM_PARTS.bits(b"blocklist")
_SECTIONS: Final = ("blockList", "blockListLast")
"""Classes of the lists in which Javadoc has the sections of a page."""
_PICTURES: Final = flags_of("amp-img figure img")
IntArray = npt.NDArray[np.integer]

# -- lists that are none -----------------------------------------------------------------------
#
# Javadoc puts every part of a class into an item, with its heading, and live blogs every entry;
# written as lists, such pages would be hard to read, and headings in them mean nothing.

_STYLED: Final = STYLE_PARTS.bits(b"list-style")
_STYLE: Final = re.compile(
    r"list-style(?:-type)?(?<![\w-]list-style)(?<![\w-]list-style-type)\s*:\s*(none|decimal)",
    re.IGNORECASE,
)
_COUNTED_NAME: Final = "wprm-recipe-instructions"
"""Class of a list whose items have no marker, as the style sheet of WP Recipe Maker counts them."""
_WHOLE: Final = ([_OL], [_UL])
_MIN_WORDS: Final = 45
"""Words of an item with a heading, on average, from which it is a text of its own.

By `python -m thresher.evaluation.fidelity` on `readability` (2026-11-24), lists of the whole page
are 69.3 without this rule, 69.2 from 45 words on and 66.3 from 20, as labels keep such lists."""


def drop_layout_lists(page: Page, tag: TagArray, holds: BoolArray) -> TagArray:
    """Return the tag that each row is written as, with layout lists and their items as `div`.

    ``holds`` flags rows that are or hold a kept leaf; bool[n_row]. Every item that is written
    holds a heading, and is the only one, nothing but a `section`, or a text of its own; or each is
    nothing but a list, by which editors indent one, or only holds pictures. Numbered lists whose
    style hides the numbers are none either, and lists whose style numbers their items are numbered.
    A quotation around lists that it only indents is none.
    """
    lists = page.rows_of(_LISTS)
    lists = lists[holds.take(lists)]
    if not lists.size:
        return tag
    tag = _read_boxes(page, _read_styles(page, tag, lists, holds), lists, holds)
    tag = _drop_galleries(page, tag, lists, holds)
    tag = _drop_indents(page, tag, lists, holds)
    if page.attributes.system_parts & _JAVADOC:
        tag = np.where(page.flag(_find_sections(page)), np.int16(_DIV), tag)
    headings = HEADINGS.take(tag) & holds
    rows = headings.nonzero()[0]
    lists = lists[rows.searchsorted(page.end.take(lists)) > rows.searchsorted(lists)]
    if not lists.size:
        return tag  # as most
    before = sum_before(headings)
    words = sum_before(page.leaf_words * holds[page.leaves])
    written = tag
    for row in lists.tolist():
        items = _find_children(page, row, holds)
        if _are_sections(page, tag, items, before, words, holds):
            written = tag.copy() if written is tag else written
            written[[row, *items]] = _DIV
    return written


def _drop_galleries(page: Page, tag: TagArray, lists: IntArray, holds: BoolArray) -> TagArray:
    """Return the tags, with lists whose items only hold pictures and captions as `div`."""
    pictures = page.rows_of(_PICTURES)
    if not pictures.size:
        return tag
    # Linked ones outside of figures are a list of links.
    pictures = pictures[
        holds.take(pictures) & ((page.tag.take(pictures) == _FIGURE) | ~page.in_link.take(pictures))
    ]
    ends = page.end.take(lists)
    lists = lists[pictures.searchsorted(ends) > pictures.searchsorted(lists)]
    if not lists.size:
        return tag  # as most
    captions, words = page.rows_of(_CAPTIONS), page.words_before
    captioned = sum_before(words.take(page.end.take(captions)) - words.take(captions))
    ends = page.end.take(lists)
    shown = captioned.take(captions.searchsorted(ends)) - captioned.take(
        captions.searchsorted(lists)
    )
    wordless = (shown == words.take(ends) - words.take(lists)) & (tag.take(lists) == _UL)
    written = tag
    for row in watch(lists[wordless].tolist()):
        items = _find_children(page, row, holds)
        stops = page.end.take(items)
        has_picture = pictures.searchsorted(stops) > pictures.searchsorted(items)
        if has_picture.all() and (tag.take(items) == _LI).all():
            written = tag.copy() if written is tag else written
            written[[row, *items]] = _DIV
    return written


def _read_styles(page: Page, tag: TagArray, lists: IntArray, holds: BoolArray) -> TagArray:
    """Return the tags of lists and items as their styles show them: with numbers, or as neither."""
    values = page.attributes.values_of(page.attributes.styled(_STYLED))
    rows: dict[str, list[int]] = {"none": [], "decimal": []}
    for row, value in values.items():
        for shown in {style.lower() for style in _STYLE.findall(value)}:
            rows[shown].append(row)
    bare, numbered = (np.array(rows[shown], np.intp) for shown in ("none", "decimal"))
    if not (bare.size or numbered.size):
        return tag  # as most
    tag = tag.copy()
    is_ordered = page.tag.take(lists) == _OL
    unnumbered = np.intersect1d(lists[is_ordered], bare)
    tag[unnumbered] = _DIV
    tag[np.isin(page.parent, unnumbered) & (page.tag == _LI)] = _DIV
    counted = [
        row
        for row in np.unique(page.parent.take(bare)).tolist()
        if _COUNTED_NAME in (page.attr(row, "class") or "")
    ]
    around = np.concatenate((numbered, page.parent.take(numbered), np.array(counted, np.intp)))
    tag[np.intersect1d(lists[~is_ordered], around)] = _OL
    tag[_find_wrappers(page, np.intersect1d(page.parent.take(lists), bare), holds)] = _DIV
    return tag


def _read_boxes(page: Page, tag: TagArray, lists: IntArray, holds: BoolArray) -> TagArray:
    """Return the tags, with boxes that are all of a list as its items; one alone makes no list."""
    boxes = page.rows_of(_BOXES)
    around = page.parent.take(boxes[holds.take(boxes)])
    lists = np.intersect1d(lists, around)
    if not lists.size:
        return tag  # as most
    items = page.nearest(_LISTS[page.tag], page.rows_of(_ITEM_TAGS))
    written = tag
    for row in watch(np.setdiff1d(lists, items).tolist()):
        children = _find_children(page, row, holds)
        if _BOXES[page.tag[children]].all():
            written = tag.copy() if written is tag else written
            if len(children) > 1:
                written[children] = _LI
            else:
                written[row] = _DIV
    return written


def _find_sections(page: Page) -> IntArray:
    """Find the lists and items of Javadoc that hold sections of its pages, without bullets."""
    classes = page.attributes.distinct("class")
    rows: IntArray = np.concatenate([classes.rows_with_word(name) for name in _SECTIONS])
    sections: IntArray = rows[(_LISTS | _ITEM_TAGS)[page.tag[rows]]]
    return sections


def _drop_indents(page: Page, tag: TagArray, lists: IntArray, holds: BoolArray) -> TagArray:
    """Return the tags, with quotations as `div` that only indent lists: docutils puts these in one.

    Documents of Sphinx have them wherever a list was indented.
    """
    boxes = np.unique(page.parent.take(lists))
    boxes = boxes[page.tag.take(boxes) == _DIV]
    boxes = boxes[tag.take(page.parent.take(boxes)) == _BLOCKQUOTE]
    written = tag
    for box in boxes.tolist():
        quotation = int(page.parent[box])
        children = _find_children(page, box, holds)
        if _LISTS[page.tag[children]].all() and _find_children(page, quotation, holds) == [box]:
            written = tag.copy() if written is tag else written
            written[quotation] = _DIV
    return written


def _find_wrappers(page: Page, items: IntArray, holds: BoolArray) -> IntArray:
    """Find the lists by which editors only indent another, which has no bullet, and their items.

    ``items`` are the parents of lists without a bullet.
    """
    items = items[page.tag.take(items) == _LI]
    outer, n_wrapping = np.unique(page.parent.take(items), return_counts=True)
    siblings = page.parent.take(((page.tag == _LI) & holds).nonzero()[0])
    n_item = np.bincount(siblings, minlength=len(page)).take(outer)
    wrappers = outer[(n_item == n_wrapping) & (page.tag.take(outer) == _UL)]
    items = items[np.isin(page.parent.take(items), wrappers)]
    if not all(_find_tags(page, row, holds) in _WHOLE for row in items.tolist()):
        return items[:0]
    return np.append(wrappers, items)


def _are_sections(  # noqa: PLR0917
    page: Page,
    tag: TagArray,
    items: list[int],
    before: IntArray,
    words: IntArray,
    holds: BoolArray,
) -> bool:
    """Return whether all items have headings, and enough else.

    ``tag`` is what each row is written as, int16[n_row]; ``before`` counts the headings before each
    row, ``words`` the kept words before each leaf.
    """
    if not items or any(
        tag[item] != _LI or before[page.end[item]] == before[item] for item in items
    ):
        return False
    first, stop = page.leaf_offset[items[0]], page.leaf_offset[page.end[items[-1]]]
    n_word = words[stop] - words[first]
    return (
        len(items) == 1
        or bool(n_word >= _MIN_WORDS * len(items))
        or all(_find_tags(page, item, holds) == [_SECTION] for item in items)
    )


def _find_tags(page: Page, row: int, holds: BoolArray) -> list[int]:
    tags: list[int] = page.tag[_find_children(page, row, holds)].tolist()
    return tags


def _find_children(page: Page, row: int, holds: BoolArray) -> list[int]:
    """Return the child elements and texts of a row that hold kept leaves."""
    children: list[int] = []
    child = row + 1
    while child < page.end[row]:
        if holds[child]:
            children.append(child)
        child = int(page.end[child])
    return children


# -- lists in pieces ---------------------------------------------------------------------------
#
# A numbered list continues the one before if nothing is between and its `start` is the next
# number; one without numbers, if each of the two has a single item and both have the same class.


def find_continued(
    page: Page, tag: TagArray, kept: KeptRuns, structure: BoolArray
) -> dict[int, int]:
    """Return row of a list → row of the list that it continues, in order.

    ``tag`` is what each row is written as, int16[n_row]; ``structure`` flags those that are,
    bool[n_row].
    """
    if not (kept.tags & _LISTS).any():
        return {}
    is_list = structure & _LISTS[tag]
    lists = is_list.nonzero()[0]
    begins, stops = find_places(page, kept.leaves, lists)
    if lists.size < 2 or not np.isin(begins[1:], stops).any():
        return {}
    around = page.nearest(is_list)
    items = (structure & (tag == _LI)).nonzero()[0]
    n_item = np.bincount(around[items] + 1, minlength=len(page) + 1)[1:]
    valued = {int(around[row]) for row in page.attributes.values("value") if tag[row] == _LI}
    above = page.nearest(structure)[page.parent[lists]]
    continued: dict[int, int] = {}
    ended: dict[int, tuple[int, int]] = {}
    """Structure around → the last list in it, and where that ends."""
    columns = zip(lists.tolist(), above.tolist(), begins.tolist(), stops.tolist(), strict=True)
    for row, container, begin, stop in columns:
        before, end = ended.get(container, (-1, -1))
        ended[container] = row, stop
        if begin == end and tag[row] == tag[before] and before not in valued:
            counts = int(n_item[before]), int(n_item[row])
            is_apart = (page.tag[page.end[before] : row] == _HR).any()
            if not is_apart and _continues(page, before, row, counts):
                continued[row] = before
    return continued


def _continues(page: Page, before: int, row: int, n_item: tuple[int, int]) -> bool:
    """Return whether a list continues the one before, given how many items each has."""
    first, second = page.attrs(before), page.attrs(row)
    if page.tag[row] != _OL:
        return n_item == (1, 1) and first.get("class") == second.get("class")
    if "reversed" in first or "reversed" in second or first.get("type") != second.get("type"):
        return False
    start = read_whole_number(first.get("start", "1"))
    return start is not None and read_whole_number(second.get("start", "")) == start + n_item[0]


# -- lists without elements --------------------------------------------------------------------

_COUNTED: Final = compile_late(r"[(\[（]?(?:\d{1,4}\.)*(\d{1,9})[.)\]）:、]*")
_LETTERED: Final = compile_late(r"[(\[（]?(\w{1,7})[.)\]）、]+")


class ParagraphItem(NamedTuple):
    """How an item is written."""

    level: int
    """Lists that it is in."""
    number: str
    """Its number as the page shows it, "" for a bullet."""
    first: int
    """The first item of all lists around."""
    start: str
    """What begins it in markup."""
    stop: str
    """What ends it, and the items and lists that end with it."""


def read_paragraph_items(page: Page, kept: KeptRuns) -> dict[int, ParagraphItem]:
    """Return row of a paragraph → how it is written as an item, in order."""
    items = [item for item in find_items(page) if kept.holds[item.row]]
    if not items:
        return {}
    rows = np.array([item.row for item in items], np.intp)
    begins, stops = find_places(page, kept.leaves, rows)
    parents = page.parent[rows]
    cuts = np.flatnonzero((begins[1:] != stops[:-1]) | (parents[1:] != parents[:-1])) + 1
    read: dict[int, ParagraphItem] = {}
    for first, stop in pairwise((0, *cuts.tolist(), len(items))):
        read |= _read_group(items[first:stop])
    return read


class _OpenList(NamedTuple):
    level: int
    tag: str
    number: int
    """Of the item that is open."""


def _read_group(items: list[WordItem]) -> dict[int, ParagraphItem]:
    opened: list[_OpenList] = []
    starts: list[str] = []
    stops: list[str] = []
    read: list[tuple[int, str]] = []
    for item in items:
        number, shown = _read_marker(item.marker)
        tag = "ol" if shown else "ul"
        ended = ""
        while opened and opened[-1].level > item.level:
            ended += f"</li></{opened.pop().tag}>"
        if opened and opened[-1].level == item.level:
            ended += "</li>"
            if opened[-1].tag != tag:
                ended += f"</{opened.pop().tag}>"
        stops.append(ended)
        if opened and opened[-1].level == item.level:
            expected = opened.pop().number + 1
            number = number or expected
            starts.append("<li>" if number == expected or not shown else f'<li value="{number}">')
        else:
            number = 1 if number is None else number
            start = f' start="{number}"' if shown and number != 1 else ""
            starts.append(f"<{tag}{start}><li>")
        opened.append(_OpenList(item.level, tag, number))
        read.append((len(opened), shown))
    stops.append("".join(f"</li></{open_list.tag}>" for open_list in reversed(opened)))
    return {
        item.row: ParagraphItem(level, shown, items[0].row, start, stop)
        for item, (level, shown), start, stop in zip(items, read, starts, stops[1:], strict=True)
    }


def _read_marker(marker: str) -> tuple[int | None, str]:
    """Return the number of a marker, None if it is not in digits, and how it is shown."""
    if counted := _COUNTED.fullmatch(marker):
        return int(counted[1]), counted[1]
    lettered = _LETTERED.fullmatch(marker)
    return None, lettered[1] if lettered else ""


# -- marks that are written out ----------------------------------------------------------------
#
# The list has marks of its own in every output, and a number beside a displayed formula would be
# a paragraph.

_BULLET: Final = re.compile(r"\s*[•◦▪▫●○■□‣⁃∙·–—-]\s*")
_NUMBER: Final = re.compile(r"\s*\(?([0-9]{1,4})[.)]?\s*")
_MAX_MARK_CHARS: Final = 6
"""Characters of a mark, without white space."""
_LATEXML: Final = CLASS_PARTS.bits(b"ltx_")
_EQUATION: Final = rb"(?<![\w-])ltx_tag_equation(?![\w-])"


def find_item_marks(page: Page, keep: BoolArray) -> list[int]:
    """Return the kept leaves, bool[n_leaf], that only show the mark of an item or of a formula.

    A bullet begins an item of an unordered list, its number one of an ordered list; it is the only
    text of an element, and more follows.
    """
    attributes = page.attributes
    marks: list[int] = []
    for row in attributes.rows_classed(_LATEXML, _EQUATION).tolist():
        marks += range(*page.leaf_span(row))
    items = page.rows_of(_ITEM_TAGS)
    if not items.size:
        return marks
    first, stop = page.leaf_offset.take(items), page.leaf_offset.take(page.end.take(items))
    holds = stop - first > 1
    leaf = first[holds]
    is_short = (page.leaf_chars.take(leaf) <= _MAX_MARK_CHARS) & keep.take(leaf)
    short = set(items[holds][is_short & (page.tag.take(page.leaves.take(leaf)) == TEXT)].tolist())
    if not short:
        return marks
    count: Counter[int] = Counter()
    for item, around in watch(zip(items.tolist(), page.parent.take(items).tolist(), strict=True)):
        count[around] += 1
        if item in short and _begins_with_mark(page, item, around, count[around]):
            marks.append(int(page.leaf_offset[item]))
    return marks


def _begins_with_mark(page: Page, item: int, around: int, place: int) -> bool:
    """Return whether the first text of an item is its mark; ``place`` is its number in the list."""
    leaf = int(page.leaf_offset[item])
    element = int(page.parent[page.leaves[leaf]])
    if element == item or page.leaf_offset[page.end[element]] - leaf > 1:
        return False
    text = page.leaf_text(leaf)
    if page.tag[around] == _UL:
        return _BULLET.fullmatch(text) is not None
    number = _NUMBER.fullmatch(text)
    if page.tag[around] != _OL or not number:
        return False
    start = read_whole_number(page.attr(around, "start") or "")
    return int(number[1]) == (1 if start is None else start) + place - 1
