"""Footnotes: detection of references and the notes that they refer to.

A reference is a link with a short mark as its text (a number, one or two letters, a star) that
leads to a note further down. As that could be a list of pages or a table of contents, it must also
be superscript, in square brackets, have the name or role of a reference, or the note links back. A
key in square brackets that leads to an entry marked up as a citation is one, too. A note is the
target or, if that is an empty anchor, the block or line that begins there. Marks need no links
where the notes end the text, each a raised mark and a line. Both must be kept.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Final

import numpy as np

from thresher.analysis.footnotes.references import (
    NO_FOOTNOTES,
    Footnotes,
    Note,
    NoteReference,
    brackets_around,
    find_inline_notes,
    find_line_span,
    find_note_span,
    find_plain_marks,
    is_bracketed,
    looks_like_reference,
    read_citation,
    read_mark,
)
from thresher.analysis.links import InnerLink, find_inner_links
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import BLOCK, CODE_OF, HEADINGS, TEXT

__all__ = ["Footnotes", "find_dropped_notes", "find_footnotes", "is_bracketed"]

_DT: Final = CODE_OF["dt"]
_UNLABELLED: Final = re.compile(r"[^0-9A-Za-z]+")


def find_footnotes(page: Page, keep: BoolArray, links: list[InnerLink]) -> Footnotes:
    """Find the footnotes of the kept content; ``links`` are the in-page links, in order."""
    forward = [link for link in links if link.target > link.row]
    candidates = [
        reference for link in watch(forward) if (reference := _read_reference(page, link))
    ]
    candidates += find_plain_marks(page, keep)
    inline = find_inline_notes(page, keep)
    if not candidates and not inline:
        return NO_FOOTNOTES
    candidates = _settle_spans(page, candidates)
    backward = [link for link in links if 0 <= link.target <= link.row]
    candidates = _choose_notes(page, keep, candidates, backward) + inline
    if not candidates:
        return NO_FOOTNOTES
    spans = sorted({(candidate.first, candidate.stop, candidate.row) for candidate in candidates})
    index_of = {first: index for index, (first, _, _) in enumerate(spans)}
    marks: dict[int, str] = {}
    for candidate in candidates:
        marks.setdefault(index_of[candidate.first], candidate.mark)
    labels = _label(marks, {index_of[note.first] for note in inline})
    notes = tuple(
        Note(labels[index], marks[index], row, first, stop, row >= 0 and not BLOCK[page.tag[row]])
        for index, (first, stop, row) in enumerate(spans)
    )
    references = {candidate.link.row: index_of[candidate.first] for candidate in candidates}
    back_links, ornaments, arrows = _find_back_links(page, keep, notes, references, backward)
    unmarked = dict(filter(None, (_cut_mark(page, keep, note, ornaments) for note in notes)))
    arrows += [
        leaf for note in inline for leaf in range(int(page.leaf_offset[note.row]), note.first)
    ]
    brackets = [leaf for row in watch(references) for leaf in brackets_around(page, row)]
    return Footnotes(
        notes=notes,
        references=references,
        back_links=back_links,
        brackets=tuple(brackets),
        arrows=tuple(arrows),
        ornaments=tuple(ornaments),
        unmarked=unmarked,
    )


def find_dropped_notes(page: Page, keep: BoolArray) -> list[Note]:
    """Return the notes of which nothing is kept, though a link to them is; keep is bool[n_leaf]."""
    links = [
        link
        for link in watch(find_inner_links(page, keep))
        if link.target > link.row and not keep[page.leaf_offset[link.target] :][:1].any()
    ]
    if not links:
        return []
    footnotes = find_footnotes(page, np.ones_like(keep), links)
    kept = {index for row, index in footnotes.references.items() if keep[page.leaf_offset[row]]}
    notes = [footnotes.notes[index] for index in sorted(kept)]
    return [note for note in notes if not keep[note.first : note.stop].any()]


def _read_reference(page: Page, link: InnerLink) -> NoteReference | None:
    row, end = link.row, int(page.end[link.row])
    text = page.text_of(row)
    mark = read_mark(text) or read_citation(page, link.target, text)
    if mark is None or BLOCK[page.tag[row:end]].any():
        return None
    span = find_note_span(page, link.target)
    if span is None or span[1] <= page.leaf_offset[row] < span[2]:
        return None
    return NoteReference(link, mark, *span)


def _settle_spans(page: Page, candidates: list[NoteReference]) -> list[NoteReference]:
    """Split elements and lines that several notes share at their anchors."""
    anchors: dict[int, set[int]] = {}
    for candidate in candidates:
        anchors.setdefault(candidate.row, set()).add(_first_leaf(page, candidate))
    sorted_anchors = {row: sorted(starts) for row, starts in anchors.items()}
    settled: list[NoteReference] = []
    for candidate in candidates:
        starts, first = sorted_anchors[candidate.row], _first_leaf(page, candidate)
        if len(starts) > 1 and candidate.row >= 0:
            stop = [*starts, candidate.stop][bisect_right(starts, first)]
            settled.append(candidate._replace(row=-1, first=first, stop=stop))
        elif first == candidate.first:
            settled.append(candidate)
        elif span := find_line_span(page, first):
            settled.append(candidate._replace(row=-1, first=first, stop=span[2]))
    starts = [*sorted({candidate.first for candidate in settled}), page.leaves.size]
    clipped: list[NoteReference] = []
    for candidate in settled:
        following = starts[bisect_right(starts, candidate.first)]
        if following >= candidate.stop:
            clipped.append(candidate)
        elif not BLOCK[page.tag[candidate.link.target]]:
            clipped.append(candidate._replace(row=-1, stop=following))
        # An element of which a note is only a part is a section.
    return clipped


def _first_leaf(page: Page, candidate: NoteReference) -> int:
    target = candidate.link.target
    return candidate.first if page.tag[target] == _DT else int(page.leaf_offset[target])


def _choose_notes(
    page: Page, keep: BoolArray, candidates: list[NoteReference], backward: list[InnerLink]
) -> list[NoteReference]:
    """Return the candidates whose note is kept and that have further evidence."""
    words = sum_before(page.leaf_words * keep)
    referring: dict[int, list[int]] = {}
    for candidate in candidates:
        referring.setdefault(candidate.first, []).append(candidate.link.row)
    places = [int(page.leaf_offset[link.row]) for link in backward]
    chosen = []
    answered: dict[int, bool] = {}
    """First leaf of a note → whether it links back to any of its references."""
    for candidate in watch(candidates):
        if candidate.first not in answered:
            inside = backward[
                bisect_left(places, candidate.first) : bisect_left(places, candidate.stop)
            ]
            rows = referring[candidate.first]
            answered[candidate.first] = any(_leads_back(page, link, rows) for link in inside)
        n_word = words[candidate.stop] - words[candidate.first]
        is_one = answered[candidate.first] or looks_like_reference(page, candidate.link.row)
        if n_word > 1 and is_one:
            chosen.append(candidate)
    return chosen


def _label(marks: dict[int, str], inline: set[int]) -> dict[int, str]:
    """Return a unique label for each note: its mark, an inline one's after "n", or a number."""
    wanted = {index: _UNLABELLED.sub("-", mark).strip("-") for index, mark in marks.items()}
    cited = {label for index, label in wanted.items() if index not in inline}
    wanted |= {index: f"n{wanted[index]}" for index in inline if wanted[index] in cited}
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


_A: Final = CODE_OF["a"]
_ARROWS: Final = re.compile(r"[\s\ufe0e\ufe0f^↑↩↵⏎⤴⬆☝🔙\[\]()]+")
"""Text of a back link other than the mark."""
_ORNAMENT: Final = re.compile(r"[\s^↑\[\]().:,]+")
_BEGIN: Final = re.compile(
    r"\s*(?P<opened>[\[(]?)(?P<mark>\w{1,6}|[*†‡§¶#]{1,4})(?P<sign>[\])]?[.:]?)\s+"
)
"""The mark of a note before its text."""
_LEVELS_UP: Final = 3
"""Elements between a note's first leaf and a link around it."""


def _leads_back(page: Page, link: InnerLink, references: list[int]) -> bool:
    """Return whether a link leads to a reference, an ancestor of one, or an anchor right before it.

    A word that leads to the section around a reference is one of the note's text.
    """
    target = link.target
    after = references[bisect_left(references, target) :][:1]
    leaf = page.leaf_offset[target]
    if after and after[0] < page.end[target]:
        text = page.text_of(link.row)
        is_section = bool(HEADINGS[page.tag[target : page.end[target]]].any())
        return not is_section or read_mark(text) is not None or bool(_ARROWS.fullmatch(text))
    if after and page.leaf_offset[after[0]] - leaf in (0, 1):
        return True
    before = references[: bisect_left(references, target)][-1:]
    return bool(before) and target < page.end[before[0]]


def _find_back_links(
    page: Page,
    keep: BoolArray,
    notes: tuple[Note, ...],
    references: dict[int, int],
    backward: list[InnerLink],
) -> tuple[dict[int, int], list[int], list[int]]:
    """Return `back_links`, `ornaments` and `arrows` of `Footnotes`; ``backward`` links go up."""
    referring: dict[int, list[int]] = {}
    for row, index in references.items():
        referring.setdefault(index, []).append(row)
    starts = [note.first for note in notes]
    back: dict[int, int] = {}
    for link in watch(backward):
        leaf = int(page.leaf_offset[link.row])
        index = bisect_right(starts, leaf) - 1
        is_inside = index >= 0 and leaf < notes[index].stop
        if is_inside and _leads_back(page, link, referring[index]):
            back[link.row] = index
    ornaments: list[int] = []
    arrows: list[int] = []
    for note in watch(notes):
        note_ornaments: set[int] = set()
        # A link around the note's first leaf begins before that.
        begin = max(int(page.leaves[note.first]) - _LEVELS_UP, 0)
        links = np.flatnonzero(page.tag[begin : page.leaves[note.stop - 1]] == _A) + begin
        for row in links.tolist():
            inside = range(int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]]))
            if inside.start < note.first:
                continue
            if row in back:
                note_ornaments.update(inside)
            elif _ARROWS.fullmatch(page.text_of(row)):
                arrows.extend(inside)
        note_ornaments.update(_leading_ornaments(page, keep, note, note_ornaments))
        ornaments.extend(sorted(note_ornaments))
    return back, ornaments, arrows


def _leading_ornaments(page: Page, keep: BoolArray, note: Note, back: set[int]) -> list[int]:
    """Return the leaves before a note's first word that are symbols or repeat the mark.

    Of several links back, some may lead to what is not kept.
    """
    ornaments: list[int] = []
    after_mark = False
    for leaf in watch(range(note.first, note.stop)):
        if leaf in back:
            after_mark = True
            continue
        text = page.leaf_text(leaf).strip()
        is_mark = not after_mark and text.strip("[]().:") == note.mark
        if keep[leaf]:
            is_link = bool(after_mark and back and page.in_link[page.leaves[leaf]])
            is_other = is_link and read_mark(text) is not None
            if not (is_mark or is_other or _ORNAMENT.fullmatch(text)):
                break
            ornaments.append(leaf)
        after_mark |= is_mark
    if not after_mark:
        return [leaf for leaf in ornaments if page.leaf_text(leaf).strip() in ("^", "↑")]
    # What is left open belongs to the text.
    while (
        ornaments
        and ornaments[-1] + 1 not in back
        and page.leaf_text(ornaments[-1]).strip() in "[("
    ):
        ornaments.pop()
    return ornaments


def _cut_mark(
    page: Page, keep: BoolArray, note: Note, ornaments: list[int]
) -> tuple[int, str] | None:
    """Return the row of a note's first text and what it says behind the note's mark, if any."""
    first = next((leaf for leaf in range(note.first, note.stop) if keep[leaf]), None)
    if first is None or first in ornaments or page.tag[page.leaves[first]] != TEXT:
        return None
    begun = _BEGIN.match(text := page.leaf_text(first))
    if not begun or begun["mark"] != note.mark or not text[begun.end() :].strip():
        return None
    if note.mark.isalpha() and not (begun["opened"] or begun["sign"]):
        return None  # "a" may be a word
    return int(page.leaves[first]), text[begun.end() :]
