"""The content to be written: kept leaves without permalinks and doubled words, and footnotes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.analysis.footnotes import NO_FOOTNOTES, Footnotes, find_footnotes
from thresher.analysis.inner_links import find_inner_links
from thresher.deadline import check_deadline
from thresher.page import Page
from thresher.page.blocks import GLUE
from thresher.page.rows import BoolArray
from thresher.selection import Selection
from thresher.support.cached import cached_view
from thresher.writers.math.formulas import Formula, find_formulas
from thresher.writers.math.raw_tex import MixedText, find_raw_tex
from thresher.writers.math.tex_links import drop_tex_links
from thresher.writers.outline.boxes import BoxParts, KeptPage
from thresher.writers.outline.captions import find_captions
from thresher.writers.outline.cards import find_cards
from thresher.writers.outline.outline import Outline
from thresher.writers.outline.permalinks import find_permalinks
from thresher.writers.outline.spoken import find_spoken
from thresher.writers.outline.toggles import find_toggles

__all__ = ["Content", "content_of", "find_boxes", "join_forms", "moves_notes", "read_content"]


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
    """Leaves that continue the formula of the leaf before."""
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
    inner = find_inner_links(page, keep)
    footnotes = find_footnotes(page, keep, inner) if inner else NO_FOOTNOTES
    others = [link for link in inner if link.row not in footnotes.references]
    permalinks = find_permalinks(page, keep, others)
    boxes = find_boxes(page, keep)
    dropped = [*permalinks.leaves.tolist(), *footnotes.arrows, *find_spoken(page, keep)]
    dropped += boxes.dropped
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
        joined=raw_tex.joined,
        silent=frozenset((*formulas.repeated, *footnotes.brackets)),
        repeated=formulas.repeated,
        formula_wrappers=formulas.wrappers,
        footnotes=footnotes,
        unlinked=permalinks.rows,
    )


def find_boxes(page: Page, keep: BoolArray) -> BoxParts:
    """Find what cards, toggles and captions among the kept leaves, bool[n_leaf], are written as."""
    kept, parts = KeptPage(page, keep), BoxParts()
    for find in (find_cards, find_toggles, find_captions):
        find(kept, parts)
    return parts


def _without_links(formula: Formula) -> Formula:
    return formula._replace(tex=drop_tex_links(formula.tex))


def join_forms(outline: Outline, content: Content) -> None:
    """Remove the gaps between the representations, or the lines, of one formula, in place."""
    kept, gaps = outline.kept, outline.gaps
    if content.joined:
        gaps[np.isin(kept, content.joined)] = GLUE
    if not content.repeated:
        return
    shown = np.arange(content.keep.size)
    shown[list(content.repeated)] = list(content.repeated.values())
    gaps[1:][shown[kept[1:]] == shown[kept[:-1]]] = GLUE


def moves_notes(content: Content) -> bool:
    """Return whether notes precede other content, so that listing them at the end moves them."""
    notes = content.footnotes.notes
    others = content.keep.copy()
    for note in notes:
        others[note.first : note.stop] = False
    return bool(notes) and bool(others[notes[0].first :].any())
