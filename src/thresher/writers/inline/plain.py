"""Inline elements in plain text: scripts, ruby readings, quotations, formulas, note references."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

import numpy as np

from thresher.analysis.footnotes import is_bracketed
from thresher.deadline import watch
from thresher.page.blocks import GLUE
from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.inline.quotes import choose_quotation_marks
from thresher.writers.inline.scripts import format_script
from thresher.writers.outline.content import Content
from thresher.writers.outline.outline import Outline

__all__ = ["SOFT_HYPHEN", "format_leaves"]

SOFT_HYPHEN: Final = "\u00ad"
"""Character that shows where a word may be divided; not part of it."""

_Q, _SUB, _SUP = (CODE_OF[name] for name in ("q", "sub", "sup"))
_ENCLOSED: Final = flags_of("q rt")


def format_leaves(outline: Outline, content: Content) -> dict[int, str]:
    """Return leaf → output, for leaves that are not written as their text."""
    page = outline.page
    texts = {int(page.leaf_offset[row]): formula.tex for row, formula in content.formulas.items()}
    for row, mixed_text in content.mixed_texts.items():
        parts = (part if isinstance(part, str) else part.tex for part in mixed_text)
        texts[int(page.leaf_offset[row])] = "".join(parts)
    texts |= dict.fromkeys(content.silent, "")
    for row, index in watch(content.footnotes.references.items()):
        if not (inside := _leaves_in(outline, row)):
            continue
        texts.update(dict.fromkeys(inside, ""))
        label = content.footnotes.notes[index].label
        has_brackets = is_bracketed(page, row) and inside[0] - 1 not in content.silent
        texts.update(dict.fromkeys(inside[:1], label if has_brackets else f"[{label}]"))
    inline = outline.holds & ~outline.crossing
    raised, lowered = inline & (page.tag == _SUP), inline & (page.tag == _SUB)
    for name, flags in (("sup", raised), ("sub", lowered)):
        if name in outline.styled:
            flags[outline.styled[name]] = inline[outline.styled[name]]
    scripts = raised | lowered
    if scripts.any():
        starts = frozenset(outline.runs.start.tolist())
        for row in watch(np.flatnonzero(scripts & ~page.below(scripts)).tolist()):
            _replace_script(outline, row, texts, starts, is_raised=bool(raised[row]))
    before: dict[int, list[str]] = {}
    behind: dict[int, list[str]] = {}
    for row in watch(np.flatnonzero(inline & _ENCLOSED[page.tag]).tolist()):
        leaves = _leaves_in(outline, row)
        marks = ("(", ")")
        if page.tag[row] == _Q:
            marks = choose_quotation_marks(page.leaf_text(leaves[0]))
        before.setdefault(leaves[0], []).append(marks[0])
        behind.setdefault(leaves[-1], []).append(marks[1])
    for leaf in watch(before.keys() | behind.keys()):
        text = texts.get(leaf, page.leaf_text(leaf))
        texts[leaf] = "".join([*before.get(leaf, ()), text, *reversed(behind.get(leaf, ()))])
    return texts


def _leaves_in(outline: Outline, row: int) -> list[int]:
    """Return the written leaves in a row."""
    page = outline.page
    ends = np.searchsorted(outline.kept, (page.leaf_offset[row], page.leaf_offset[page.end[row]]))
    leaves: list[int] = outline.kept[ends[0] : ends[1]].tolist()
    return leaves


def _replace_script(
    outline: Outline, row: int, texts: dict[int, str], starts: frozenset[int], *, is_raised: bool
) -> None:
    """Format a script in its leaves' texts; ``starts`` are the places at which runs begin."""
    page = outline.page
    leaves = _leaves_in(outline, row)
    place = bisect_left(outline.kept, leaves[0])
    last = ""
    if place and outline.gaps[place] == GLUE and place not in starts:
        neighbour = int(outline.kept[place - 1])
        last = texts.get(neighbour, page.leaf_text(neighbour))[-1:]
    shown = "".join(texts.get(leaf, page.leaf_text(leaf)) for leaf in leaves)
    formatted = format_script(shown, raised=is_raised, before=last)
    if formatted != shown:
        texts.update(dict.fromkeys(leaves, ""))
        texts[leaves[0]] = formatted
