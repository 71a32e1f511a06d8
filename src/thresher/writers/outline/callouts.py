"""Callouts: notes, tips and warnings in boxes, as in documentation and blogs."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import CODE_OF, flags_of

__all__ = ["Callout", "find_callouts"]

_KIND_OF: Final = {
    **dict.fromkeys(("note", "info", "information", "abstract", "summary", "seealso"), "note"),
    **dict.fromkeys(("primary", "secondary", "question", "todo"), "note"),
    **dict.fromkeys(("tip", "hint", "success", "check", "example"), "tip"),
    "important": "important",
    **dict.fromkeys(("warning", "warn", "attention"), "warning"),
    **dict.fromkeys(("caution", "danger", "error", "bug", "failure"), "caution"),
}
"""Names of kinds in classes → the five kinds of GitHub's alerts."""
_BOXES: Final = frozenset(
    "admonition admonitionblock alert blockquote callout confluence custom hint markdown message"
    " notice notification panel".split()
)
"""Words that begin the classes of callouts of any kind."""
_OF_SYSTEMS: Final = (["kg", "callout", "card"], ["notion", "callout", "block"])
"""Words of the classes of Ghost's and Notion's callouts."""
_ALONE: Final = frozenset("attention caution danger hint important note tip warning".split())
"""Classes that mean a callout without such a word; `info` may be the line of author and date."""
_CONFLUENCE: Final = ["confluence", "information", "macro"]
"""Words before the kind in the class of Confluence's callouts."""
_MAX_NAME_WORDS: Final = 3
"""Words of a class of which the last is the kind, "theme-admonition-tip"; "message-info-block" and
"tabs-panel--additional_information" are parts of a forum's post and of a shop."""
_NAMED: Final = CLASS_PARTS.bits(
    *(b"admonition", b"alert", b"attention", b"callout", b"caution", b"danger", b"hint"),
    *(b"important", b"info", b"note", b"tip", b"warning"),
)
"""Parts of which one is in the class of every callout."""
_STATED: Final = ("data-callout", "data-panel-type")
"""Attributes that state the kind: Obsidian and its like, Confluence."""
_WORD: Final = re.compile(r"[a-z]+")
_SIGNS: Final = re.compile(r"[\W_]+")
_ELEMENTS: Final = flags_of("aside blockquote details div figure section")
_CELLS: Final = flags_of("td th")
_TITLED: Final = re.compile("title|heading|header|label|icon", re.IGNORECASE)
"""Words of which one is in the class of a callout's title."""
_DETAILS, _SUMMARY = CODE_OF["details"], CODE_OF["summary"]
_MAX_TITLE_WORDS: Final = 12
_MAX_SHARE: Final = 0.5
"""Share of the kept words that one callout may hold; around more, a class means something else."""


class Callout(NamedTuple):
    """A callout."""

    kind: str
    """One of GitHub's: note, tip, important, warning, caution."""
    unwritten: range
    """The leaves that say no more than the kind: its name, or a sign."""
    is_titled: bool
    """Whether the first of the others are a title."""


def find_callouts(page: Page, keep: BoolArray) -> dict[int, Callout]:
    """Return row → callout, for those with kept leaves, bool[n_leaf]."""
    kept = sum_before(page.leaf_words * keep)
    rows = _find_candidates(page, kept)
    if not rows:
        return {}
    found: dict[int, Callout] = {}
    in_cell = page.within(_CELLS[page.tag])
    stop = -1
    for row in rows:
        first, last = page.leaf_offset[[row, page.end[row]]].tolist()
        n_word = int(kept[last] - kept[first])
        if row < stop or not n_word or n_word > _MAX_SHARE * kept[-1] or in_cell[row]:
            continue
        if kind := _read_kind(page, row):
            begin = _skip_signs(page, keep, range(first, last))
            title = _find_title(page, keep, row, begin)
            if kept[title.stop] - kept[begin] == kept[last] - kept[begin]:
                title = range(begin, begin)
            name = _SIGNS.sub(" ", "".join(map(page.leaf_text, title))).strip().lower()
            is_named = name == kind
            unwritten = range(first, title.stop if is_named else begin)
            found[row] = Callout(kind, unwritten, bool(title) and not is_named)
            stop = int(page.end[row])
    return found


def _find_candidates(page: Page, kept: npt.NDArray[np.int64]) -> list[int]:
    """Return the elements that may be callouts; ``kept`` counts kept words before each leaf."""
    found = page.attributes
    rows = found.row.take(np.concatenate((found.classed(_NAMED), *map(found.named, _STATED))))
    rows = rows[_ELEMENTS.take(page.tag.take(rows))]
    first, stop = page.leaf_offset.take(rows), page.leaf_offset.take(page.end.take(rows))
    return sorted(set(rows[kept.take(stop) > kept.take(first)].tolist()))


def _read_kind(page: Page, row: int) -> str | None:
    """Return the kind of callout that an element is; None if it is none."""
    attrs = page.attrs(row)
    if stated := next(filter(None, (attrs.get(name, "").strip().lower() for name in _STATED)), ""):
        return _KIND_OF.get(stated, "note")
    names = attrs.get("class", "").lower().split()
    words_of = [words for name in names if (words := _WORD.findall(name))]
    kinds = (
        _KIND_OF.get(words[-1])
        for words in words_of
        if len(words) <= _MAX_NAME_WORDS or words[:-1] == _CONFLUENCE
    )
    kind = next(filter(None, kinds), None)
    if any(words in _OF_SYSTEMS for words in words_of):
        return kind or "note"
    if any((first := _WORD.match(name)) and first[0] in _BOXES for name in names):
        is_any = any("admonition" in words or "callout" in words for words in words_of)
        return kind or ("note" if is_any else None)
    # Without such a word, only as a class of its own: `<div class="note">`.
    is_box = page.tag[row] == _DETAILS or any(name in _ALONE for name in names)
    return kind if is_box else None


def _skip_signs(page: Page, keep: BoolArray, leaves: range) -> int:
    """Return the first leaf after the block of a sign that begins a callout, if others follow."""
    shown = leaves.start + np.flatnonzero(keep[leaves.start : leaves.stop])
    block = page.blocks.of_leaf[shown]
    n_sign = int(np.count_nonzero(block == block[0]))
    texts = page.leaf_texts(shown[:n_sign])
    is_sign = n_sign < shown.size and all(texts) and not _SIGNS.sub("", "".join(texts))
    return int(shown[n_sign]) if is_sign else leaves.start


def _find_title(page: Page, keep: BoolArray, row: int, first: int) -> range:
    """Return the leaves of the block that begins at ``first`` if it is a title; else none."""
    last = int(page.leaf_offset[page.end[row]])
    shown = first + np.flatnonzero(keep[first:last])
    begin, stop = page.blocks.start[page.blocks.of_leaf[shown[0]] :][:2].tolist()
    title = range(max(begin, first), min(stop, last))
    above = int(page.leaves[title.start])
    if page.leaf_words[title.start : title.stop].sum() <= _MAX_TITLE_WORDS:
        while (above := int(page.parent[above])) > row:
            if page.tag[above] == _SUMMARY or _TITLED.search(page.attr(above, "class") or ""):
                return title
        name = page.text_of(int(page.leaves[title.start])).strip().rstrip(":!").lower()
        if len(title) == 1 and name in _KIND_OF:
            return title
    return range(first, first)
