"""Markup of footnotes in a fragment: the marks of their links, and their containers."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

import numpy as np

from thresher.analysis.footnotes import Footnotes
from thresher.page.tags import CODE_OF, NAMES
from thresher.writers.fragment.slices import Edges, format_start_tag, keep_attributes
from thresher.writers.outline.outline import Outline
from thresher.writers.outline.pieces import Pieces, Rank
from thresher.writers.outline.structure import ONE_LINE
from thresher.writers.shared.note_marks import back_link_id, note_id, reference_id

_SUP: Final = CODE_OF["sup"]


def mark_notes(outline: Outline, footnotes: Footnotes, pieces: Pieces) -> dict[int, str]:
    """Return the start tags of references, links back and notes, for rows that are written.

    A mark without a link gets one, inside its element.
    """
    page = outline.page
    labels = [note.label for note in footnotes.notes]
    tags: dict[int, str] = {}
    for rows, id_of in ((footnotes.references, reference_id), (footnotes.back_links, back_link_id)):
        for row, index in rows.items():
            tags[row] = format_start_tag("a", {"id": id_of(labels[index])})
            if page.tag[row] == _SUP and outline.holds[row]:
                tags[row] = f"<sup>{tags[row]}"
                pieces.put(page.close_start[[row]], Rank.CLOSE_LINK, b"</a>")
    for note in footnotes.notes:
        if note.row >= 0 and outline.structure[note.row]:
            name = NAMES[outline.tag[note.row]]
            attrs = keep_attributes(page, note.row, name) | {"id": note_id(note.label, note.mark)}
            tags[note.row] = format_start_tag(name, attrs)
    return tags


def wrap_notes(outline: Outline, footnotes: Footnotes, pieces: Pieces, edges: Edges) -> None:
    """Put a `div` around each note that is not a written element."""
    page, runs = outline.page, outline.runs
    container = page.nearest(outline.structure)
    begins: list[tuple[int, Rank, str]] = []
    ends: list[tuple[int, Rank]] = []
    for note in footnotes.notes:
        tag = format_start_tag("div", {"id": note_id(note.label, note.mark)})
        if note.is_inline:
            continue
        if note.row < 0:
            begin, stop = (bisect_left(outline.kept, leaf) for leaf in (note.first, note.stop))
            if begin == stop:
                continue
            first, last = runs.of_leaf[[begin, stop - 1]].tolist()
            # The end tag of a separate paragraph after them is elsewhere.
            same = outline.container[first : last + 1] == outline.container[first]
            last = first + int(np.argmin(np.append(same, False))) - 1
            ends.append((int(edges.closes[last]), Rank.GAP))
            begins.append((int(edges.opens[first]), Rank.GAP, tag))
        elif not outline.structure[note.row] and outline.holds[note.row]:
            above = int(container[note.row])
            if above < 0 or not ONE_LINE[outline.tag[above]]:
                ends.append((int(page.close_start[note.row]), Rank.SLICE))
                begins.append((int(page.open_start[note.row]), Rank.SLICE, tag))
    # One may begin where another ends.
    for place, rank in ends:
        pieces.put(np.array([place]), rank, b"</div>")
    for place, rank, tag in begins:
        pieces.put(np.array([place]), rank, tag.encode())


def move_inline_notes(outline: Outline, footnotes: Footnotes, pieces: Pieces, edges: Edges) -> None:
    """Move the notes in sentences behind the paragraph, list or table around them, each a `div`."""
    page, structure = outline.page, outline.structure
    notes = [note for note in footnotes.notes if note.is_inline and outline.holds[note.row]]
    if not notes:
        return
    rows = np.array([note.row for note in notes])
    around = page.nearest(structure & ~page.below(structure))[rows]
    run = outline.runs.of_leaf[outline.kept.searchsorted([note.first for note in notes])]
    places = np.where(around < 0, edges.closes[run], page.close_stop[around])
    spans = np.stack((page.open_start[rows], page.close_stop[rows]), axis=1)
    ids = (note_id(note.label, note.mark) for note in notes)
    openings = [f"{format_start_tag('div', {'id': value})}<p>".encode() for value in ids]
    pieces.divert(spans, places, openings, b"</p></div>")
