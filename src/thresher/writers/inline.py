"""Inline elements in plain text: scripts, ruby readings, quotations, formulas, note references."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import numpy as np

from thresher.analysis.footnotes import is_bracketed
from thresher.deadline import watch
from thresher.page.blocks import GLUE, join_leaves
from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.outline.content import Content
from thresher.writers.outline.outline import Outline

_Q, _SUB, _SUP = (CODE_OF[name] for name in "q sub sup".split())


# -- quotation marks ---------------------------------------------------------------------------

_QUOTES: Final = ("Pi", "Pf")
"""Categories of opening and closing quotation marks (Unicode 16, 4.5)."""


def choose_quotation_marks(text: str, *, is_inner: bool = False) -> tuple[str, str]:
    """Return the marks before and after a quoted text: none where it has its own.

    Single ones for a quotation inside another.
    """
    first = text.strip()[:1]
    if first in ('"', "'", "„", "‚") or (first and unicodedata.category(first) in _QUOTES):
        return "", ""
    return ("‘", "’") if is_inner else ("“", "”")


# -- scripts -----------------------------------------------------------------------------------

_RAISED: Final = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED: Final = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
"""The superscript and subscript characters of Unicode that fonts have and readers know. It has a
few more letters, too few to write words."""
_ORDINAL: Final = re.compile(
    r"(?:st|nd|rd|th|er|re|ère|e|ème|d|de|nde|o|os|a|as|ª|º)\.?", re.IGNORECASE
)
"""Suffixes of numbers in English, French, Spanish, Italian and Portuguese: "1st", "2e", "3o"."""
_OPERAND: Final = re.compile(r"[^\W_]+[′']*")
_EXPRESSION: Final = re.compile(r"[\w+\-−=*/().,′'\s∞]{1,24}")
_MAX_WORD: Final = 1
"""Maximum letters; longer words are raised only for style, as in "Mme" or trade marks."""


def format_script(text: str, *, raised: bool, before: str) -> str:
    """Format a superscript or subscript that follows the character ``before``.

    Uses Unicode characters where it has all of them; otherwise "^" or "_" and the text, in
    parentheses if it is more than one operand. Ordinals, references, signs and words in
    superscript, and scripts without a base, stay plain.
    """
    shown = text.strip()
    if not shown or not (before.isalnum() or before in (")", "]", "}", "′", "'", "|", ">")):
        # "cm" and a space is not a base, but a note's number after a full stop is certainly raised.
        return text.translate(_RAISED) if raised and shown.isdecimal() and before else text
    script = shown.translate(_RAISED if raised else _LOWERED)
    changed = not any(char in script for char in shown)
    if raised and before.isdecimal() and _ORDINAL.fullmatch(shown):
        return text
    if changed:
        return text.replace(shown, script)
    is_word = shown.isalpha() and len(shown) > _MAX_WORD
    if not _EXPRESSION.fullmatch(shown) or not any(map(str.isalnum, shown)) or (raised and is_word):
        return text
    sign = "^" if raised else "_"
    return text.replace(shown, sign + (shown if _OPERAND.fullmatch(shown) else f"({shown})"))


# -- leaves ------------------------------------------------------------------------------------

INVISIBLE: Final = "\u00ad\u200b"
"""Characters that show where a word may be divided; most are no part of a text."""
_INVISIBLE: Final = re.compile(
    r"\u00ad|(?<![0-9A-Za-z\x80-\U0010ffff])\u200b+"
    r"|(?<!\u200b)\u200b++(?![0-9A-Za-z\x80-\U0010ffff])"
)
"""The space without a width may part words, or syllables of one, where both sides have letters."""

_ENCLOSED: Final = flags_of("q rt")


def format_leaves(outline: Outline, content: Content) -> dict[int, str]:
    """Return leaf → output, for leaves that are not written as their text."""
    page = outline.page
    unmarked = content.footnotes.unmarked
    texts = {int(page.leaf_offset[row]): text for row, text in unmarked.items()}
    texts |= {int(page.leaf_offset[row]): formula.tex for row, formula in content.formulas.items()}
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
    enclosed = np.flatnonzero(inline & _ENCLOSED[page.tag])
    inner = page.below(page.tag == _Q)[enclosed].tolist() if enclosed.size else []
    for row, is_inner in watch(zip(enclosed.tolist(), inner, strict=True)):
        leaves = _leaves_in(outline, row)
        marks = ("(", ")")
        if page.tag[row] == _Q:
            marks = choose_quotation_marks(page.leaf_text(leaves[0]), is_inner=is_inner)
        before.setdefault(leaves[0], []).append(marks[0])
        behind.setdefault(leaves[-1], []).append(marks[1])
    for leaf in watch(before.keys() | behind.keys()):
        text = texts.get(leaf, page.leaf_text(leaf))
        texts[leaf] = "".join([*before.get(leaf, ()), text, *reversed(behind.get(leaf, ()))])
    return texts


def _leaves_in(outline: Outline, row: int) -> list[int]:
    """Return the written leaves in a row."""
    page = outline.page
    first, stop = outline.kept.searchsorted(page.leaf_span(row))
    leaves: list[int] = outline.kept[first:stop].tolist()
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


# -- runs --------------------------------------------------------------------------------------


def drop_invisible(text: str) -> str:
    """Drop soft hyphens, and spaces without a width that part no words."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


def write_runs(outline: Outline, replaced: Mapping[int, str]) -> list[str]:
    """Return the text of each run; ``replaced`` has the texts of leaves that are not their own."""
    kept, gaps = outline.kept, outline.gaps
    texts = outline.page.leaf_texts(kept)
    if replaced:
        leaves = zip(kept.tolist(), texts, strict=True)
        texts = [replaced.get(leaf, text) for leaf, text in leaves]
    texts = list(map(drop_invisible, watch(texts)))
    spans = pairwise(outline.runs.start.tolist())
    return [join_leaves(texts[first:stop], gaps[first:stop]) for first, stop in watch(spans)]
