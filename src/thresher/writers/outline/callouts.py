"""Callouts: notes, tips and warnings in boxes, written as alerts."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import CELLS, CODE_OF, TEXT, flags_of

_DETAILS, _SUMMARY, _TH = (CODE_OF[name] for name in "details summary th".split())
_KIND_OF: Final = {
    **dict.fromkeys(("note", "info", "information", "abstract", "summary", "seealso"), "note"),
    **dict.fromkeys(("primary", "secondary", "question", "todo"), "note"),
    **dict.fromkeys(("tip", "hint", "success", "check", "example"), "tip"),
    "important": "important",
    **dict.fromkeys(("warning", "warn", "attention"), "warning"),
    **dict.fromkeys(("caution", "danger", "error", "bug", "failure"), "caution"),
}
"""Names of kinds in classes → the five kinds of GitHub's alerts."""
_CALLOUT_WORDS: Final = frozenset(
    "admonition admonitionblock alert archwiki attention blockquote callout confluence custom hint"
    " markdown message notice notification panel prompt".split()
)
"""Words that begin the classes of callouts of any kind."""
_OF_SYSTEMS: Final = (["kg", "callout", "card"], ["notion", "callout", "block"])
"""Words of the classes of Ghost's and Notion's callouts."""
_OF_DOKUWIKI: Final = "plugin_wrap"
"""Class of boxes of DokuWiki's Wrap plugin, beside `wrap_tip` and the like."""
_OF_SLATE: Final = (CODE_OF["aside"], ["notice"])
"""Tag and classes of the notes of Slate; its warnings have a name of their own."""
_ALONE: Final = frozenset("attention caution danger hint important note tip warning".split())
"""Classes that mean a callout without such a word; `info` may be the line of author and date."""
_BEFORE_KIND: Final = (["confluence", "information", "macro"], ["archwiki", "template", "box"])
"""Words before the kind in the classes of callouts of Confluence and ArchWiki."""
_MAX_NAME_WORDS: Final = 3
"""Words of a class of which the last is the kind, "theme-admonition-tip"; "message-info-block" and
"tabs-panel--additional_information" are parts of a forum's post and of a shop."""
_CALLOUT_PARTS: Final = CLASS_PARTS.bits(
    *(
        b"admonition alert attention callout caution danger hint important info note notice"
        b" tip warning"
    ).split(),
)
"""Parts of which one is in the class of every callout."""
_STATED: Final = ("data-callout", "data-panel-type")
"""Attributes that state the kind: Obsidian and its like, Confluence."""
_WORD: Final = re.compile(r"[a-z]+")
_SIGNS: Final = re.compile(r"[\W_]+")
_ELEMENTS: Final = flags_of("aside blockquote details div figure section")
_TITLED: Final = re.compile("title|heading|header|label|icon", re.IGNORECASE)
"""Words of which one is in the class of a callout's title."""
_BOLD: Final = (CODE_OF["b"], CODE_OF["strong"])
_MAX_TITLE_WORDS: Final = 12
_MAX_CALLOUT_SHARE: Final = 0.5
"""Share of the kept words that one callout may hold; around more, a class means something else,
unless it says "admonition" or "callout" and that of the first element in it ends with "-title"."""
_IS_CALLOUT: Final = re.compile(r"(?<![a-z])(?:admonition|callout)(?![a-z])", re.IGNORECASE)


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
    boxes = _find_candidates(page)
    if not boxes.size:
        return {}
    kept = sum_before(page.leaf_words * keep)
    n_kept = kept.take(page.leaf_offset.take(page.end.take(boxes)))
    n_kept -= kept.take(page.leaf_offset.take(boxes))
    rows: list[int] = sorted(set(boxes[n_kept > 0].tolist()))
    callouts: dict[int, Callout] = {}
    in_cell = page.within(CELLS[page.tag])
    stop = -1
    for row in rows:
        first, last = page.leaf_span(row)
        n_word = int(kept[last] - kept[first])
        if row < stop or not n_word or in_cell[row]:
            continue
        if n_word > _MAX_CALLOUT_SHARE * kept[-1] and not _begins_with_title(page, row):
            continue
        if kind := _read_kind(page, row):
            begin, sign = _skip_signs(page, keep, range(first, last))
            title = _find_callout_title(page, keep, row, begin)
            if kept[title.stop] - kept[begin] == kept[last] - kept[begin]:
                title = range(begin, begin)
            name = _SIGNS.sub(" ", "".join(map(page.leaf_text, title))).strip().lower()
            is_named = name == kind or name.replace(" ", "") == sign != ""
            label = range(begin, begin) if title else _find_label(page, begin, kind)
            unwritten = range(first, title.stop if is_named else label.stop)
            callouts[row] = Callout(kind, unwritten, bool(title) and not is_named)
            stop = int(page.end[row])
    return callouts


def _find_candidates(page: Page) -> npt.NDArray[np.int32]:
    """Return the elements that may be callouts; rows may repeat."""
    attributes = page.attributes
    rows = attributes.row.take(
        np.concatenate((attributes.classed(_CALLOUT_PARTS), *map(attributes.named, _STATED)))
    )
    boxes: npt.NDArray[np.int32] = rows[_ELEMENTS.take(page.tag.take(rows))]
    return boxes


def _begins_with_title(page: Page, row: int) -> bool:
    """Return whether a box is called a callout, and its first element the title of one."""
    if not _IS_CALLOUT.search(page.attr(row, "class") or ""):
        return False
    first = row + 1 + int(page.tag[row + 1] == TEXT)
    names = (page.attr(first, "class") or "") if first < page.end[row] else ""
    return any(name.endswith("-title") for name in names.split())


def _read_kind(page: Page, row: int) -> str | None:
    """Return the kind of callout that an element is; None if it is none."""
    attrs = page.attrs(row)
    if stated := next(filter(None, (attrs.get(name, "").strip().lower() for name in _STATED)), ""):
        return _KIND_OF.get(stated, "note")
    names = attrs.get("class", "").lower().split()
    words_of = [words for name in names if (words := _WORD.findall(name))]
    named = (
        _KIND_OF.get(words[-1])
        for words in words_of
        if len(words) <= _MAX_NAME_WORDS or words[:-1] in _BEFORE_KIND
    )
    kinds = [kind for kind in named if kind]
    # DITA's are notes of a kind: `note warning note_warning`.
    kind = next((kind for kind in kinds if kind != "note"), kinds[0] if kinds else None)
    if any(words in _OF_SYSTEMS for words in words_of) or (page.tag[row], names) == _OF_SLATE:
        return kind or "note"
    if _OF_DOKUWIKI in names:
        return kind
    if any((first := _WORD.match(name)) and first[0] in _CALLOUT_WORDS for name in names):
        is_any = any("admonition" in words or "callout" in words for words in words_of)
        return kind or ("note" if is_any else None)
    # Without such a word, only as a class of its own: `<div class="note">`.
    is_box = page.tag[row] == _DETAILS or any(name in _ALONE for name in names)
    return kind if is_box else None


def _skip_signs(page: Page, keep: BoolArray, leaves: range) -> tuple[int, str]:
    """Return the first leaf after the block of a sign that begins a callout, and what that says.

    A picture is a sign if it stands for the name of a kind, or for what the next block says.
    """
    shown = leaves.start + np.flatnonzero(keep[leaves.start : leaves.stop])
    block = page.blocks.of_leaf[shown]
    n_sign = int(np.count_nonzero(block == block[0]))
    rows = page.leaves[shown[:n_sign]].tolist()
    texts = page.leaf_texts(shown[:n_sign])
    pairs = zip(rows, texts, strict=True)
    said = [_SIGNS.sub("", text or page.attr(row, "alt") or "") for row, text in pairs]
    if n_sign == shown.size:
        return leaves.start, ""
    following = page.leaf_texts(shown[n_sign:][block[n_sign:] == block[n_sign]])
    words = "".join(said).lower()
    is_said_again = bool(words) and words == _SIGNS.sub("", "".join(following)).lower()
    is_name = words in _KIND_OF or is_said_again
    is_sign = not any(said) if all(texts) else not any(texts) and is_name
    return (int(shown[n_sign]), words) if is_sign else (leaves.start, "")


def _find_label(page: Page, first: int, kind: str) -> range:
    """Return the leaf that begins a callout's text if it only is its kind, "**Note:** …".

    Without a colon a sentence must follow: "**Note** that …" is the beginning of one.
    """
    row = int(page.leaves[first])
    word, colon, rest = page.text_of(row).strip().lower().partition(":")
    following = page.leaf_text(first + 1).lstrip() if first + 1 < page.leaves.size else ""
    is_label = word == kind and not rest and (bool(colon) or following[:1].isupper())
    return range(first, first + (is_label and page.tag[page.parent[row]] in _BOLD))


def _find_callout_title(page: Page, keep: BoolArray, row: int, first: int) -> range:
    """Return the leaves of the block that begins at ``first`` if it is a title; else none."""
    last = int(page.leaf_offset[page.end[row]])
    shown = first + np.flatnonzero(keep[first:last])
    begin, stop = page.blocks.start[page.blocks.of_leaf[shown[0]] :][:2].tolist()
    title = range(max(begin, first), min(stop, last))
    above = int(page.leaves[title.start])
    if page.leaf_words[title.start : title.stop].sum() <= _MAX_TITLE_WORDS:
        while (above := int(page.parent[above])) > row:
            if page.tag[above] in (_SUMMARY, _TH) or _TITLED.search(
                page.attr(above, "class") or ""
            ):
                return title
        name = page.text_of(int(page.leaves[title.start])).strip().rstrip(":!").lower()
        if len(title) == 1 and name in _KIND_OF:
            return title
    return range(first, first)
