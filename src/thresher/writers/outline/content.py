"""The content to be written: kept leaves without permalinks, and footnotes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from thresher.analysis.footnotes import Footnotes, find_footnotes
from thresher.analysis.kept_page import KeptPage, find_toggles
from thresher.analysis.links import InnerLink, find_links_within
from thresher.analysis.word_exports import find_comments, find_items
from thresher.deadline import check_deadline, watch
from thresher.page import Page
from thresher.page.blocks import GLUE
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, TEXT
from thresher.selection import Selection
from thresher.support.cached import cached_view
from thresher.writers.math.formulas import Formula, find_formulas
from thresher.writers.math.raw_tex import MixedText, find_raw_tex
from thresher.writers.math.tex import drop_tex_links
from thresher.writers.outline.boxes import (
    BoxParts,
    find_captions,
    find_cards,
    find_fields,
    find_pull_quotes,
)
from thresher.writers.outline.headings import find_permalinks
from thresher.writers.outline.lists import find_item_marks
from thresher.writers.outline.outline import Outline

_DETAILS, _SUMMARY = CODE_OF["details"], CODE_OF["summary"]
_SWITCH: Final = re.compile(r"(?:expand|open|show) ?/ ?(?:close|collapse|hide)", re.IGNORECASE)
"""What the line that opens a box says beside its label."""


@dataclass(frozen=True, slots=True)
class Content:
    """The content that all writers of a document start from."""

    keep: BoolArray
    """Flags the leaves that are written; bool[n_leaf]."""
    formulas: dict[int, Formula]
    """Row of a leaf → the formula it shows."""
    mixed_texts: dict[int, MixedText]
    """Row of a leaf → its text and formulas, where that is not its text in the page."""
    boxes: BoxParts
    joined: tuple[int, ...]
    """Leaves that continue the formula of the leaf before, or stand directly behind a comment."""
    silent: frozenset[int]
    """Leaves that stay in the layout, so that their neighbours remain separated or joined as
    before, but whose content is not written."""
    repeated: dict[int, int]
    """Silent leaf → the leaf that shows the same formula."""
    formula_wrappers: tuple[int, ...]
    """Rows of elements around several representations of one formula, with no other content."""
    footnotes: Footnotes
    unlinked: frozenset[int]
    """Rows of links that are written as plain text."""


@cached_view
def content_of(selection: Selection) -> Content:
    """Read the content of a selection, once: JSON Lines has its text and its Markdown."""
    return read_content(selection.page, selection.keep)


def read_content(page: Page, keep: BoolArray) -> Content:
    """Read the content of the kept leaves, bool[n_leaf]."""
    check_deadline()
    formulas = find_formulas(page, keep)
    keep = formulas.keep
    check_deadline()
    comments = find_comments(page)
    inner, dead = find_links_within(page, keep)
    if comments.links:
        commented = set(comments.links)
        inner = [link for link in inner if link.row not in commented]
    footnotes = find_footnotes(page, keep, inner)
    of_notes = footnotes.references | footnotes.back_links
    others = [link for link in inner if link.row not in of_notes]
    permalinks = find_permalinks(page, keep, others)
    boxes = find_boxes(page, keep)
    dropped = [*permalinks.leaves, *footnotes.arrows, *boxes.dropped]
    dropped += find_item_marks(page, keep)
    dropped += (leaf for item in find_items(page) for leaf in item.leaves)
    dropped += _leaves_in(page, comments.texts)
    if dropped:
        keep = keep.copy()
        keep[dropped] = False
    raw_tex = find_raw_tex(page, keep)
    return Content(
        keep=keep,
        formulas={row: _without_links(formula) for row, formula in formulas.tex.items()},
        mixed_texts={row: (text,) for row, text in boxes.texts.items()}
        | {
            row: tuple(
                part if isinstance(part, str) else _without_links(part) for part in mixed_text
            )
            for row, mixed_text in raw_tex.mixed_texts.items()
        },
        boxes=boxes,
        joined=(*raw_tex.joined, *_find_directly_behind(page, comments.links)),
        silent=frozenset(
            (*formulas.repeated, *footnotes.brackets, *_leaves_in(page, comments.links))
        ),
        repeated=formulas.repeated,
        formula_wrappers=formulas.wrappers,
        footnotes=footnotes,
        unlinked=permalinks.rows.union(comments.links, dead, _find_enlarging(page, others)),
    )


def find_boxes(page: Page, keep: BoolArray) -> BoxParts:
    """Find what boxes among the kept leaves, bool[n_leaf], are written as."""
    kept, parts = KeptPage(page, keep), BoxParts()
    find_cards(kept, parts)
    for box, head in find_toggles(kept).items():
        parts.tags.update({box: _DETAILS, head: _SUMMARY})
        leaves = kept.leaves_of(head)[1:]
        texts = ((leaf, page.leaf_text(leaf).strip()) for leaf in leaves)
        parts.dropped.extend(leaf for leaf, text in texts if _SWITCH.fullmatch(text))
    find_pull_quotes(kept, parts)
    find_captions(kept, parts)
    find_fields(kept, parts)
    return parts


def _find_enlarging(page: Page, inner: Sequence[InnerLink]) -> list[int]:
    """Return the rows of the links around pictures to where the page shows them, or them alone."""
    if not inner:
        return []  # as most
    before, end = page.words_before, page.end
    return [
        row
        for row, _, target in watch(inner)
        if target >= 0
        and before[row] == before[end[row]]
        and (target < row < end[target] or before[target] == before[end[target]])
    ]


def _leaves_in(page: Page, rows: list[int]) -> list[int]:
    """Return the leaves in some elements."""
    if not rows:
        return []
    leaves: list[int] = page.within(page.flag(rows))[page.leaves].nonzero()[0].tolist()
    return leaves


def _find_directly_behind(page: Page, rows: list[int]) -> list[int]:
    """Return the leaves with no white space between them and the end of some elements."""
    behind = [(row, int(page.leaf_offset[page.end[row]])) for row in rows]
    return [
        leaf
        for row, leaf in behind
        if leaf < page.leaves.size
        and not (page.tag[page.end[row] : page.leaves[leaf]] == TEXT).any()
    ]


def _without_links(formula: Formula) -> Formula:
    return formula._replace(tex=drop_tex_links(formula.tex))


def join_forms(outline: Outline, content: Content) -> None:
    """Remove the gaps in one formula, between its forms or lines, and before notes, in place."""
    kept, gaps = outline.kept, outline.gaps
    begun = [note.first for note in content.footnotes.notes if note.is_inline]
    if content.joined or begun:
        gaps[np.isin(kept, [*content.joined, *begun])] = GLUE
    if not content.repeated:
        return
    shown = np.arange(content.keep.size)
    shown[list(content.repeated)] = list(content.repeated.values())
    gaps[1:][shown[kept[1:]] == shown[kept[:-1]]] = GLUE


def find_note_runs(outline: Outline, footnotes: Footnotes) -> dict[int, int]:
    """Return run → index of its note, for runs of the notes that come after all other content."""
    note_of: dict[int, int] = {}
    for index, note in watch(enumerate(footnotes.notes)):
        if not note.is_inline:
            first, stop = (bisect_left(outline.kept, leaf) for leaf in (note.first, note.stop))
            note_of.update(dict.fromkeys(outline.runs.of_leaf[first:stop].tolist(), index))
    return note_of


def order_runs(outline: Outline, note_of: Mapping[int, int]) -> Sequence[int]:
    """Return the runs in the order in which they are written, those of notes last."""
    runs = range(len(outline.runs))
    return sorted(runs, key=lambda run: note_of.get(run, -1)) if note_of else runs
