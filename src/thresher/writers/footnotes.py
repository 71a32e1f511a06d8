"""Footnotes: which links refer to which notes, told from the page.

A reference is a link with a short mark for its text (a number, a letter or two, a star) that leads
to a note further down. That alone could be a list of pages or a table of contents, so one more sign
is asked for: it is raised, stands in square brackets, says by a name or role that it is a
reference, or the note leads back to it. A note is the element that the link leads to or, where
that is a mere anchor, the block that begins there. Notes must be kept, and so must the references.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.tags import BLOCK, CODE_OF, TEXT, flags_of
from thresher.writers.anchors import HEADINGS, InnerLink

__all__ = ["NO_FOOTNOTES", "Footnotes", "Note", "find_footnotes", "is_bracketed"]

BoolArray = npt.NDArray[np.bool_]

_A, _DD, _DT, _SUP, _TABLE, _TR = (
    CODE_OF[name] for name in ("a", "dd", "dt", "sup", "table", "tr")
)
_NEVER: Final = HEADINGS | flags_of("article body caption html main pre listing tbody td th tr")
"""Block-level elements that are no note."""
_MARK: Final = re.compile(
    r"[\[(]?\s*((?:(?:fn|n|nb|note)\.?\s?)?\d{1,4}[a-z]?|[a-z]{1,2}|[ivxl]{1,6}|[*†‡§¶#]{1,4})\s*[\])]?",
    re.IGNORECASE,
)
"""What a reference shows."""
_NAMED: Final = re.compile(
    rb"(?i)foot-?_?note|note-?ref|end-?note|cite[_-](?:note|ref)|\bfn|ftn|#_?(?:en|note)[_-]?\d"
)
"""How references are called, in any attribute."""
_ARROWS: Final = re.compile(r"[\s\ufe0e\ufe0f^↑↩↵⏎⤴⬆☝🔙\[\]()]+")
"""What a link back shows, besides the mark."""
_ORNAMENT: Final = re.compile(r"[\s^↑\[\]().:,]+")
_UNLABELLED: Final = re.compile(r"[^0-9A-Za-z]+")
_LEVELS_UP: Final = 3
"""Elements between a reference and the `sup` around it."""


class Note(NamedTuple):
    """One note, and where it is."""

    label: str
    """The mark of its references, letters and digits only; a number where that is none, or is that
    of another note."""
    mark: str
    """The mark as the page has it, without brackets."""
    row: int
    """The element that is the note; −1 where it is just some blocks."""
    first: int
    stop: int
    """Its leaves are those from ``first`` up to ``stop``."""


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The footnotes of what is kept of a page."""

    notes: tuple[Note, ...] = ()
    """In document order."""
    references: dict[int, int] = field(default_factory=dict)
    """Row of a link → the index of the note it refers to."""
    back_links: dict[int, int] = field(default_factory=dict)
    """Row of a link → the index of the note it leads back from."""
    brackets: tuple[int, ...] = ()
    """Leaves that only put a reference into brackets."""
    arrows: tuple[int, ...] = ()
    """Leaves behind notes that would lead back if they led anywhere."""
    ornaments: tuple[int, ...] = ()
    """Leaves of notes that lead back, or repeat the mark."""


NO_FOOTNOTES: Final = Footnotes()


class _Candidate(NamedTuple):
    link: InnerLink
    mark: str
    row: int
    first: int
    stop: int


def find_footnotes(page: Page, keep: BoolArray, links: list[InnerLink]) -> Footnotes:
    """Find the footnotes among what is kept; ``links`` are those into the page, in order."""
    forward = [link for link in links if link.target > link.row]
    candidates = [found for link in forward if (found := _read_reference(page, link))]
    candidates = _settle_spans(page, candidates)
    backward = [link for link in links if 0 <= link.target <= link.row]
    candidates = _choose_notes(page, keep, candidates, backward)
    if not candidates:
        return NO_FOOTNOTES
    spans = sorted({(each.first, each.stop, each.row) for each in candidates})
    index_of = {first: index for index, (first, _, _) in enumerate(spans)}
    marks: dict[int, str] = {}
    for each in candidates:
        marks.setdefault(index_of[each.first], each.mark)
    labels = _label(marks)
    notes = tuple(
        Note(labels[index], marks[index], row, first, stop)
        for index, (first, stop, row) in enumerate(spans)
    )
    references = {each.link.row: index_of[each.first] for each in candidates}
    back_links, ornaments, arrows = _find_back_links(page, keep, notes, references, backward)
    brackets = [leaf for row in references for leaf in _brackets_around(page, row)]
    return Footnotes(
        notes=notes,
        references=references,
        back_links=back_links,
        brackets=tuple(brackets),
        arrows=tuple(arrows),
        ornaments=tuple(ornaments),
    )


def _read_reference(page: Page, link: InnerLink) -> _Candidate | None:
    row, end = link.row, int(page.end[link.row])
    found = _MARK.fullmatch(page.text_of(row).strip())
    if not found or BLOCK[page.tag[row:end]].any():
        return None
    span = _span_of(page, link.target)
    if span is None or span[1] <= page.leaf_offset[row] < span[2]:
        return None
    return _Candidate(link, found[1], *span)


def _span_of(page: Page, target: int) -> tuple[int, int, int] | None:
    """Return the row of the note that begins at a target, and its leaves; None for no note."""
    tag, start = page.tag[target], target
    if tag == _DT:
        is_mark = _MARK.fullmatch(page.text_of(target).strip())
        target = int(page.end[target])
        while target < len(page) and page.tag[target] == TEXT:
            target += 1
        if target == len(page) or page.tag[target] != _DD or not is_mark:
            return None
    elif not BLOCK[tag]:
        start = target = _block_at(page, target)
        if target < 0:
            return None
    elif tag == _TABLE and np.count_nonzero(page.tag[target : page.end[target]] == _TR) > 1:
        return None
    inside = slice(target, page.end[target])
    if _NEVER[page.tag[target]] or HEADINGS[page.tag[inside]].any():
        return None
    first, stop = int(page.leaf_offset[start]), int(page.leaf_offset[page.end[target]])
    return (target, first, stop) if stop > first else None


def _block_at(page: Page, anchor: int) -> int:
    """Return the block-level element that begins with an anchor, −1 where none does."""
    leaf = int(page.leaf_offset[anchor])
    if leaf == page.leaves.size or page.blocks.start[page.blocks.of_leaf[leaf]] != leaf:
        return -1
    row = int(page.block_row[page.blocks.of_leaf[leaf]])
    above = int(page.parent[row])
    # The whole of a note in several paragraphs is named like the anchor.
    while above > 0 and page.leaf_offset[above] == leaf and _is_named(page, above):
        row, above = above, int(page.parent[above])
    return row


def _is_named(page: Page, row: int) -> bool:
    attrs = page.attrs(row)
    return bool(_NAMED.search(f"#{attrs.get('id', '')} {attrs.get('class', '')}".encode()))


def _settle_spans(page: Page, candidates: list[_Candidate]) -> list[_Candidate]:
    """Give notes that share an element the blocks from their own anchor to the next one's."""
    anchors: dict[int, set[int]] = {}
    for each in candidates:
        anchors.setdefault(each.row, set()).add(_first_leaf(page, each))
    sorted_anchors = {row: sorted(starts) for row, starts in anchors.items()}
    settled: list[_Candidate] = []
    for each in candidates:
        starts, first = sorted_anchors[each.row], _first_leaf(page, each)
        if len(starts) > 1:
            stop = [*starts, each.stop][bisect_right(starts, first)]
            settled.append(each._replace(row=-1, first=first, stop=stop))
        elif first == each.first:
            settled.append(each)
    # One note cannot hold another: then it is a section.
    starts = [*sorted({each.first for each in settled}), page.leaves.size]
    return [each for each in settled if starts[bisect_right(starts, each.first)] >= each.stop]


def _first_leaf(page: Page, candidate: _Candidate) -> int:
    target = candidate.link.target
    return candidate.first if page.tag[target] == _DT else int(page.leaf_offset[target])


def _choose_notes(
    page: Page, keep: BoolArray, candidates: list[_Candidate], backward: list[InnerLink]
) -> list[_Candidate]:
    """Leave those of which the note is kept, and one more sign tells that it is one."""
    words = np.concatenate(([0], np.cumsum(page.leaf_words * keep)))
    referring: dict[int, list[int]] = {}
    for each in candidates:
        referring.setdefault(each.first, []).append(each.link.row)
    places = [int(page.leaf_offset[link.row]) for link in backward]
    chosen = []
    answered: dict[int, bool] = {}
    """Whether a note, by its first leaf, leads back to any of its references."""
    for each in candidates:
        if each.first not in answered:
            inside = backward[bisect_left(places, each.first) : bisect_left(places, each.stop)]
            rows = referring[each.first]
            answered[each.first] = any(_leads_back(page, link.target, rows) for link in inside)
        n_word = words[each.stop] - words[each.first]
        is_one = answered[each.first] or _looks_like_reference(page, each.link.row)
        if n_word > 1 and is_one:
            chosen.append(each)
    return chosen


def _looks_like_reference(page: Page, row: int) -> bool:
    raised = (page.tag[row : page.end[row]] == _SUP).any()
    above, tags = row, page.buffer[page.open_start[row] : page.open_stop[row]]
    for _ in range(_LEVELS_UP):
        above = max(int(page.parent[above]), 0)
        raised |= page.tag[above] == _SUP
        if not BLOCK[page.tag[above]]:
            tags += page.buffer[page.open_start[above] : page.open_stop[above]]
    bracketed = page.text_of(row).strip().startswith("[") or is_bracketed(page, row)
    return bool(raised or bracketed or b'doc-noteref"' in tags or _NAMED.search(tags))


def _leads_back(page: Page, target: int, references: list[int]) -> bool:
    """Say whether a target is the place of one of some references, given in order.

    It is the link itself, an element around it, or an anchor right before it.
    """
    after = references[bisect_left(references, target) :][:1]
    leaf = page.leaf_offset[target]
    if after and (after[0] < page.end[target] or page.leaf_offset[after[0]] - leaf in (0, 1)):
        return True
    before = references[: bisect_left(references, target)][-1:]
    return bool(before) and target < page.end[before[0]]


def is_bracketed(page: Page, row: int) -> bool:
    """Say whether a link stands in square brackets, of whatever texts they are part."""
    first, stop = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
    if not 0 < first < stop < page.leaves.size:
        return False
    before, after = page.leaf_text(first - 1), page.leaf_text(stop)
    return before.endswith("[") and after.startswith("]")


def _brackets_around(page: Page, row: int) -> tuple[int, ...]:
    """Return the two leaves that put a link into brackets, and do nothing else."""
    first, stop = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
    if not 0 < first < stop < page.leaves.size:
        return ()
    if page.leaf_text(first - 1).strip() in ("[", "(") and page.leaf_text(stop).strip() in "])":
        return (first - 1, stop)
    return ()


def _label(marks: dict[int, str]) -> dict[int, str]:
    """Return a label of its own for each note: its mark if that can be one, else a number."""
    wanted = {index: _UNLABELLED.sub("-", mark).strip("-") for index, mark in marks.items()}
    taken = set(wanted.values())
    labels: dict[int, str] = {}
    given: set[str] = set()
    number = 0
    for index, label in sorted(wanted.items()):
        own = label
        while not own or own in given:
            number += 1
            own = str(number) if str(number) not in taken else ""
        labels[index] = own
        given.add(own)
    return labels


def _find_back_links(
    page: Page,
    keep: BoolArray,
    notes: tuple[Note, ...],
    references: dict[int, int],
    backward: list[InnerLink],
) -> tuple[dict[int, int], list[int], list[int]]:
    """Return the links back, row → note, and the leaves of notes that lead back or repeat marks.

    The last are those of arrows that lead nowhere.
    """
    referring: dict[int, list[int]] = {}
    for row, index in references.items():
        referring.setdefault(index, []).append(row)
    starts = [note.first for note in notes]
    back: dict[int, int] = {}
    for link in backward:
        leaf = int(page.leaf_offset[link.row])
        index = bisect_right(starts, leaf) - 1
        is_inside = index >= 0 and leaf < notes[index].stop
        if is_inside and _leads_back(page, link.target, referring[index]):
            back[link.row] = index
    ornaments: list[int] = []
    arrows: list[int] = []
    for note in notes:
        known: set[int] = set()
        # A link around the note's first leaf begins before that.
        begin = max(int(page.leaves[note.first]) - _LEVELS_UP, 0)
        links = np.flatnonzero(page.tag[begin : page.leaves[note.stop - 1]] == _A) + begin
        for row in links.tolist():
            inside = range(int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]]))
            if inside.start < note.first:
                continue
            if row in back:
                known.update(inside)
            elif _ARROWS.fullmatch(page.text_of(row)):
                arrows.extend(inside)
        known.update(_leading_ornaments(page, keep, note, known))
        ornaments.extend(sorted(known))
    return back, ornaments, arrows


def _leading_ornaments(page: Page, keep: BoolArray, note: Note, known: set[int]) -> list[int]:
    """Return the leaves before a note's first word that are signs, or the mark once more."""
    found: list[int] = []
    after_mark = False
    for leaf in range(note.first, note.stop):
        if leaf in known:
            after_mark = True
            continue
        text = page.leaf_text(leaf).strip()
        is_mark = not after_mark and text.strip("[]().:") == note.mark
        is_sign = text in ("^", "↑") or (text in ("[", "(") and leaf + 1 in known)
        if keep[leaf]:
            if not (is_mark or is_sign or (after_mark and _ORNAMENT.fullmatch(text))):
                break
            found.append(leaf)
        after_mark |= is_mark
    return found
