"""Spaces between fields that touch in the markup: repetition tells them from the parts of a word.

`<div><span>2 cups</span><span class=name>rye</span></div>` is two words where a flex box sets its
children apart, and `<p><span>mil</span><i class=n>ler</i></p>` is one. Only the former occurs again
and again with the same classes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from thresher.deadline import watch
from thresher.page.abutting import EXACT, Around, is_code, is_wide
from thresher.page.blocks import Blocks
from thresher.page.leaves import GapMark
from thresher.page.rows import freeze
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, TEXT

if TYPE_CHECKING:
    from thresher.page.page import Page

_SPAN: Final = CODE_OF["span"]
_MIN_TIMES: Final = 3
"""Minimum times that fields of the same classes touch; twice, the runs of Word do, within words."""
_TOUCHING: Final = np.arange(32) & (GapMark.EDGE | GapMark.BROKEN | GapMark.WHITE) == 0
"""Whether nothing is between two leaves but edges of inline elements, for each gap mark."""
_ENDS: Final = np.array([bytes((byte,)).isalnum() or byte >= 0x80 for byte in range(256)])
"""Bytes at the end of a word in UTF-8."""
_STARTS: Final = _ENDS & ~np.isin(np.arange(256), (*range(0xE2, 0xEA), 0xEF, 0xF0))
"""Bytes at its start; not those of signs, and of scripts without spaces."""
_CLASS: Final = re.compile(rb' class="([^"]*)"')
_TORN: Final = re.compile(rb"(?<![\w-])(?:invisible|(?:Normal)?TextRun|m[ino]|mord|mop)(?![\w-])")
"""Classes of the parts of a word or a formula: Mastodon, Word, MathJax and KaTeX."""
_NUMBERED: Final = re.compile(rb"[a-z]{1,2}[0-9]+(?: [a-z]{1,2}[0-9]+)*")
"""The class of a run of text, as word processors export one: "c12"."""
_ENDING: Final = re.compile(r"(?:e|er|ers?|nd|rd|st|th)\b")
"""Letters after a number, part of it."""


_Key = tuple[int, bytes, int, bytes]
"""Tag and class of both elements that touch."""
_NONE: Final = freeze(np.zeros(0, np.int32))


class _Touch(NamedTuple):
    """Where two children of an element touch: the second leaf, the element, and both texts."""

    place: int
    around: int
    before: str
    after: str


def find_fields(page: Page, blocks: Blocks) -> IntArray:
    """Return the leaves, by their places, that are fields apart from the leaf before."""
    leaves = blocks.leaves
    places = _TOUCHING.take(blocks.marks[:-1]).nonzero()[0]
    raw = np.frombuffer(page.buffer, np.uint8)
    places = places[_STARTS.take(raw.take(page.open_start.take(leaves.take(places))))]
    if places.size < _MIN_TIMES:
        return _NONE
    ends = page.open_stop.take(leaves.take(places - 1))
    places = places[_ENDS.take(raw.take(ends - 1))]
    if places.size < _MIN_TIMES:
        return _NONE  # as on most pages
    around = Around(page)
    of_key = _find_touches(page, around, leaves, places)
    often = {
        key: same for key, same in of_key.items() if len(same) >= _MIN_TIMES and not _are_runs(key)
    }
    if not often:
        return _NONE
    has_text = page.flag(page.parent.take(leaves[page.tag.take(leaves) == TEXT]))
    is_exact = page.within(EXACT.take(page.tag))
    fields: list[int] = []
    for key, same in watch(often.items()):
        with_text = TEXT in {key[0], key[2]}
        fitting = [
            touch
            for touch in same
            if (with_text or not has_text[touch.around])
            and not is_exact[pair := leaves[touch.place - 1 : touch.place + 1]].any()
            and not is_code(around, *pair.tolist())
        ]
        if _are_fields(fitting, with_text):
            fields += [touch.place for touch in fitting]
    return np.array(sorted(fields), np.int32)


def _find_touches(
    page: Page, around: Around, leaves: IntArray, places: IntArray
) -> dict[_Key, list[_Touch]]:
    """Find where children of different tags or classes touch, given leaves that do."""
    tag_of, text_of = page.tag.item, page.text_of
    touches: defaultdict[_Key, list[_Touch]] = defaultdict(list)
    for place in watch(places.tolist()):
        first, second = leaves.item(place - 1), leaves.item(place)
        before, after = text_of(first), text_of(second)
        if not _may_part(before, after):
            continue
        outer = around.find_outermost(first, second)
        other = around.find_outermost(second, first)
        key = (tag_of(outer), _class_of(page, outer), tag_of(other), _class_of(page, other))
        may_touch = key[:2] != key[2:]
        if TEXT in {key[0], key[2]}:
            may_touch &= _SPAN in {key[0], key[2]} or bool(key[1] or key[3])
            may_touch &= _changes_case(before, after)
        if may_touch:
            touches[key].append(_Touch(place, page.parent.item(outer), before, after))
    return touches


def _class_of(page: Page, row: int) -> bytes:
    value = None if page.tag[row] == TEXT else _CLASS.search(page.start_tag(row))
    return value[1] if value else b""


def _may_part(before: str, after: str) -> bool:
    """Return whether two texts end and start with words, neither of them an initial."""
    left, right = before[-1], after[0]
    if not (left.isalnum() and right.isalnum()) or is_wide(left) or is_wide(right):
        return False
    is_initial = (left.isupper() and not before[-2:-1].isalnum()) or before.strip() == left
    if is_initial and left.isalpha() and not (right.isupper() and after[1:2].islower()):
        return False
    if left.isdigit() and _ENDING.match(after):
        return False
    return len(after.strip()) > 1 or not right.islower()


def _changes_case(before: str, after: str) -> bool:
    """Return whether two words do not look like one: "News|Oats", "fat|2 g", "12|Mills"."""
    left, right = before[-1], after[0]
    if right.isupper():
        return (left.islower() or left.isdigit()) and after[1:2].islower()
    return left.islower() and right.isdigit()


def _are_runs(key: _Key) -> bool:
    """Return whether two classes are those of text in which words are cut."""
    tag, name, next_tag, next_name = key
    if _TORN.search(name) or _TORN.search(next_name):
        return True
    are_numbered = _NUMBERED.fullmatch(name) and _NUMBERED.fullmatch(next_name)
    return tag == next_tag == _SPAN and bool(are_numbered)


def _are_fields(touches: list[_Touch], with_text: bool) -> bool:
    """Return whether there are enough of the same classes, and with more than letters of words.

    With a text of the element's own on one side, these must be different words.
    """
    if with_text:
        return len({touch[2:] for touch in touches}) >= _MIN_TIMES
    return sum(_has_field(touch.before, touch.after) for touch in touches) >= _MIN_TIMES


def _has_field(before: str, after: str) -> bool:
    """Return whether two texts are not simply two halves of a word in small letters."""
    chars = before + after
    return after[0].isupper() or any(char.isspace() or char.isdigit() for char in chars)
