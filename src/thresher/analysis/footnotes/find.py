"""Detection of footnotes among in-page links: read candidates, settle spans, choose notes."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Final

import numpy as np

from thresher.analysis.footnotes.back_links import find_back_links, leads_back
from thresher.analysis.footnotes.inline_notes import find_inline_notes
from thresher.analysis.footnotes.model import NO_FOOTNOTES, Footnotes, Note, NoteReference
from thresher.analysis.footnotes.note_spans import find_line_span, find_note_span
from thresher.analysis.footnotes.plain_marks import find_plain_marks
from thresher.analysis.footnotes.references import brackets_around, looks_like_reference, read_mark
from thresher.analysis.inner_links import InnerLink, find_inner_links
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import BLOCK, CODE_OF

__all__ = ["find_dropped_notes", "find_footnotes"]


_DT: Final = CODE_OF["dt"]
_UNLABELLED: Final = re.compile(r"[^0-9A-Za-z]+")


def find_footnotes(page: Page, keep: BoolArray, links: list[InnerLink]) -> Footnotes:
    """Find the footnotes of the kept content; ``links`` are the in-page links, in order."""
    forward = [link for link in links if link.target > link.row]
    candidates = [found for link in watch(forward) if (found := _read_reference(page, link))]
    candidates += find_plain_marks(page, keep)
    inline = find_inline_notes(page, keep)
    if not candidates and not inline:
        return NO_FOOTNOTES
    candidates = _settle_spans(page, candidates)
    backward = [link for link in links if 0 <= link.target <= link.row]
    candidates = _choose_notes(page, keep, candidates, backward) + inline
    if not candidates:
        return NO_FOOTNOTES
    spans = sorted({(each.first, each.stop, each.row) for each in candidates})
    index_of = {first: index for index, (first, _, _) in enumerate(spans)}
    marks: dict[int, str] = {}
    for each in candidates:
        marks.setdefault(index_of[each.first], each.mark)
    labels = _label(marks, {index_of[each.first] for each in inline})
    notes = tuple(
        Note(labels[index], marks[index], row, first, stop, row >= 0 and not BLOCK[page.tag[row]])
        for index, (first, stop, row) in enumerate(spans)
    )
    references = {each.link.row: index_of[each.first] for each in candidates}
    back_links, ornaments, arrows = find_back_links(page, keep, notes, references, backward)
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
    )


def find_dropped_notes(page: Page, keep: BoolArray) -> list[Note]:
    """Return the notes of which nothing is kept, though a link to them is; keep is bool[n_leaf]."""
    links = [
        link
        for link in find_inner_links(page, keep)
        if link.target > link.row and not _begins_kept(page, keep, link.target)
    ]
    if not links:
        return []
    found = find_footnotes(page, np.ones_like(keep), links)
    kept = {index for row, index in found.references.items() if keep[page.leaf_offset[row]]}
    notes = [found.notes[index] for index in sorted(kept)]
    return [note for note in notes if not keep[note.first : note.stop].any()]


def _begins_kept(page: Page, keep: BoolArray, row: int) -> bool:
    return bool(keep[page.leaf_offset[row] :][:1].any())


def _read_reference(page: Page, link: InnerLink) -> NoteReference | None:
    row, end = link.row, int(page.end[link.row])
    mark = read_mark(page.text_of(row))
    if mark is None or BLOCK[page.tag[row:end]].any():
        return None
    span = find_note_span(page, link.target)
    if span is None or span[1] <= page.leaf_offset[row] < span[2]:
        return None
    return NoteReference(link, mark, *span)


def _settle_spans(page: Page, candidates: list[NoteReference]) -> list[NoteReference]:
    """Split elements and lines that several notes share at their anchors."""
    anchors: dict[int, set[int]] = {}
    for each in candidates:
        anchors.setdefault(each.row, set()).add(_first_leaf(page, each))
    sorted_anchors = {row: sorted(starts) for row, starts in anchors.items()}
    settled: list[NoteReference] = []
    for each in candidates:
        starts, first = sorted_anchors[each.row], _first_leaf(page, each)
        if len(starts) > 1 and each.row >= 0:
            stop = [*starts, each.stop][bisect_right(starts, first)]
            settled.append(each._replace(row=-1, first=first, stop=stop))
        elif first == each.first:
            settled.append(each)
        elif span := find_line_span(page, first):
            settled.append(each._replace(row=-1, first=first, stop=span[2]))
    starts = [*sorted({each.first for each in settled}), page.leaves.size]
    clipped: list[NoteReference] = []
    for each in settled:
        following = starts[bisect_right(starts, each.first)]
        if following >= each.stop:
            clipped.append(each)
        elif not BLOCK[page.tag[each.link.target]]:
            clipped.append(each._replace(row=-1, stop=following))
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
    for each in candidates:
        referring.setdefault(each.first, []).append(each.link.row)
    places = [int(page.leaf_offset[link.row]) for link in backward]
    chosen = []
    answered: dict[int, bool] = {}
    """First leaf of a note → whether it links back to any of its references."""
    for each in watch(candidates):
        if each.first not in answered:
            inside = backward[bisect_left(places, each.first) : bisect_left(places, each.stop)]
            rows = referring[each.first]
            answered[each.first] = any(leads_back(page, link.target, rows) for link in inside)
        n_word = words[each.stop] - words[each.first]
        is_one = answered[each.first] or looks_like_reference(page, each.link.row)
        if n_word > 1 and is_one:
            chosen.append(each)
    return chosen


def _label(marks: dict[int, str], inline: set[int]) -> dict[int, str]:
    """Return a unique label for each note: its mark if possible, else a number.

    The numbers of ``inline`` notes come after an "n" if others, those of references, have them too.
    """
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
