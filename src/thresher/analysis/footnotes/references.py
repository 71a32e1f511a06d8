"""Marks of footnotes, with and without links, and the notes that they may refer to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from thresher.analysis.links import InnerLink
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import BLOCK, CODE_OF, HEADINGS, TEXT, flags_of
from thresher.support.late import compile_late


class Note(NamedTuple):
    """One note and its position."""

    label: str
    """The mark of its references, letters and digits only; a number if that is empty or taken by
    another note."""
    mark: str
    """The mark as the page has it, without brackets."""
    row: int
    """The element that is the note, −1 if it is only a range of lines or blocks."""
    first: int
    stop: int
    """Its leaves are the range from ``first`` up to ``stop``."""
    is_inline: bool = False
    """Whether it stands in the sentence with its reference, and is written after that."""


class NoteReference(NamedTuple):
    """A reference and the note that it may refer to."""

    link: InnerLink
    """The link; for a mark without one, its element and that of the same mark before the note."""
    mark: str
    row: int
    first: int
    stop: int
    """The row and the leaves of the note, as in `Note`."""


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The footnotes of the kept content of a page."""

    notes: tuple[Note, ...] = ()
    """In document order."""
    references: dict[int, int] = field(default_factory=dict)
    """Row of a link, or of a `sup` without one → the index of the note it refers to."""
    back_links: dict[int, int] = field(default_factory=dict)
    """Row of a link → the index of the note that it is in."""
    brackets: tuple[int, ...] = ()
    """Leaves that are only the brackets around a reference."""
    arrows: tuple[int, ...] = ()
    """Leaves of back links after notes that have no target."""
    ornaments: tuple[int, ...] = ()
    """Leaves of notes that link back or repeat the mark."""
    unmarked: dict[int, str] = field(default_factory=dict)
    """Row of a text that begins with the mark of its note → the text behind it."""

    @property
    def edges(self) -> list[int]:
        """The leaves at which notes that are no elements begin, and those behind them."""
        ends = ((note.first, note.stop) for note in self.notes if note.row < 0)
        return [leaf for pair in ends for leaf in pair]


NO_FOOTNOTES: Final = Footnotes()


# -- references ------------------------------------------------------------------------------------

_SUP: Final = CODE_OF["sup"]
_MARK: Final = compile_late(
    r"[\[(]?\s*((?:(?:anm|fn|n|nb|note)\.?\s?)?\d{1,4}[a-z]?|[a-z]{1,2}|[ivxl]{1,6}|[*†‡§¶#]{1,4})\s*[\])]?",
    re.IGNORECASE,
)
"""Text of a reference."""
_KEY: Final = re.compile(r"\[(\w[\w.+:-]{0,39})\]")
"""Text of a reference to a citation, as docutils and Sphinx write it."""
_NAMED: Final = re.compile(
    rb"(?i)foot-?_?note|note-?ref|end-?note|cite[_-](?:note|ref)|\bfn|ftn|#_?(?:en|note)[_-]?\d"
)
"""Names of references in any attribute."""
_LEVELS_UP: Final = 3
"""Ancestors of a reference in which a `sup` is looked for."""


def read_mark(text: str) -> str | None:
    """Return a text's mark without brackets; None if the text is not a mark."""
    match = _MARK.fullmatch(text.strip())
    return match[1] if match else None


def read_citation(page: Page, target: int, text: str) -> str | None:
    """Return the key in the text of a link if it leads to a citation, else None."""
    key = _KEY.fullmatch(text.strip())
    return key[1] if key and _is_citation(page, target) else None


def _is_citation(page: Page, target: int) -> bool:
    """Return whether an element, or that around a term, is marked up as a citation."""
    row = int(page.parent[target]) if page.tag[target] == _DT else target
    return "citation" in (page.attr(row, "class") or "").split()


def is_named(markup: bytes) -> bool:
    """Return whether some markup has a name of references or notes."""
    return _NAMED.search(markup) is not None


def looks_like_reference(page: Page, row: int) -> bool:
    """Return whether a link with a mark has further evidence of being a reference."""
    raised = (page.tag[row : page.end[row]] == _SUP).any()
    above, tags = row, page.buffer[page.open_start[row] : page.open_stop[row]]
    for _ in range(_LEVELS_UP):
        above = max(int(page.parent[above]), 0)
        raised |= page.tag[above] == _SUP
        if not BLOCK[page.tag[above]]:
            tags += page.buffer[page.open_start[above] : page.open_stop[above]]
    bracketed = page.text_of(row).strip().startswith("[") or is_bracketed(page, row)
    return bool(raised or bracketed or b'doc-noteref"' in tags or is_named(tags))


def is_bracketed(page: Page, row: int) -> bool:
    """Return whether a link is in square brackets, whatever texts they are part of."""
    first, stop = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
    if not 0 < first < stop < page.leaves.size:
        return False
    before, after = page.leaf_text(first - 1), page.leaf_text(stop)
    return before.endswith("[") and after.startswith("]")


def brackets_around(page: Page, row: int) -> tuple[int, ...]:
    """Return the two leaves that are only the brackets around a link."""
    first, stop = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
    if not 0 < first < stop < page.leaves.size:
        return ()
    if page.leaf_text(first - 1).strip() in ("[", "(") and page.leaf_text(stop).strip() in "])":
        return (first - 1, stop)
    return ()


# -- the notes that links lead to ------------------------------------------------------------------

_DD, _DT, _P, _TABLE, _TR = (CODE_OF[name] for name in ("dd", "dt", "p", "table", "tr"))
_PARTS: Final = flags_of("article body caption html main pre listing tbody td th tr")
"""Block-level elements that cannot be a note, nor can headings."""
_ONE_LINE: Final = HEADINGS | flags_of("caption listing pre td th")
"""Elements whose lines are no notes."""
_WAYS_BACK: Final = re.compile(r"(?<=\S)\s*\(\d+(?:,\s*\d+)+\)\s*$")
"""Links to several references, behind a mark."""


def find_note_span(page: Page, target: int) -> tuple[int, int, int] | None:
    """Return the row and the leaves of the note that begins at a target; None if it is not one.

    The row is −1 for a note below a heading that shows its mark, as Texinfo writes them, and for
    the lines from an anchor to the end of its block.
    """
    tag, start = page.tag[target], target
    if tag == _DT:
        text = _WAYS_BACK.sub("", page.text_of(target))
        is_mark = read_mark(text) is not None or _is_citation(page, target)
        target = int(page.end[target])
        while target < len(page) and page.tag[target] == TEXT:
            target += 1
        if target == len(page) or page.tag[target] != _DD or not is_mark:
            return None
    elif not BLOCK[tag]:
        leaf, start = int(page.leaf_offset[target]), _block_at(page, target)
        if start < 0 or _PARTS[page.tag[start]]:
            return find_line_span(page, leaf)
        target = start
    elif tag == _TABLE and np.count_nonzero(page.tag[target : page.end[target]] == _TR) > 1:
        return None
    if HEADINGS[page.tag[target]] and read_mark(page.text_of(target)):
        return _span_below(page, target)
    inside = slice(target, page.end[target])
    if _PARTS[page.tag[target]] or HEADINGS[page.tag[inside]].any():
        return None
    first, stop = int(page.leaf_offset[start]), int(page.leaf_offset[page.end[target]])
    return (target, first, stop) if stop > first else None


def find_line_span(page: Page, leaf: int) -> tuple[int, int, int] | None:
    """Return the lines from a leaf that begins one to the end of its block."""
    if leaf == page.leaves.size or page.lines.start[page.lines.of_leaf[leaf]] != leaf:
        return None
    block = int(page.blocks.of_leaf[leaf])
    if _ONE_LINE[page.tag[page.block_row[block]]]:
        return None
    return -1, leaf, int(page.blocks.start[block + 1])


def _span_below(page: Page, heading: int) -> tuple[int, int, int] | None:
    """Return the leaves of a heading and of the paragraph directly after it."""
    note = int(page.end[heading])
    while note < len(page) and page.tag[note] == TEXT:
        note += 1
    if note == len(page) or page.tag[note] != _P:
        return None
    return -1, int(page.leaf_offset[heading]), int(page.leaf_offset[page.end[note]])


def _block_at(page: Page, anchor: int) -> int:
    """Return the block-level element that begins with an anchor, −1 for none."""
    leaf = int(page.leaf_offset[anchor])
    if leaf == page.leaves.size or page.blocks.start[page.blocks.of_leaf[leaf]] != leaf:
        return -1
    row = int(page.block_row[page.blocks.of_leaf[leaf]])
    above = int(page.parent[row])
    # A container of all paragraphs of a note has a name of notes.
    while above > 0 and page.leaf_offset[above] == leaf and _names_note(page, above):
        row, above = above, int(page.parent[above])
    return row


def _names_note(page: Page, row: int) -> bool:
    attrs = page.attrs(row)
    return is_named(f"#{attrs.get('id', '')} {attrs.get('class', '')}".encode())


# -- marks without links ---------------------------------------------------------------------------

_Span = tuple[int, int, int]
"""Row and leaves of a note."""

_RULES, _NUMBERED_LISTS, _RAISED = (flags_of(name) for name in ("hr", "ol", "sup"))
_A, _LI = CODE_OF["a"], CODE_OF["li"]
_MIN_NUMBERED: Final = 2
"""Notes that a list has at least; one item may be anything."""
_EXPONENT: Final = re.compile(r"(?:^|[\s(\d/·.-])[^\W\d_]{1,2}$|\d$")
"""End of a text before a number that is no mark: that of a unit or variable, or of a number."""
_NUMBERED: Final = re.compile(r"\s*[\[(]?([0-9]{1,3})(?:[\]).:](?!\S)|\s*$)")
"""Beginning of a note: a number in brackets or before a sign, or alone."""
_MIN_BEFORE: Final = 4
"""Words before the notes, at least, for each one after them, as in a footer."""
_MAX_CHARS: Final = 8
"""Characters of a mark with the white space around it."""
_BEFORE: Final = 16
"""Characters before a mark that are looked at."""


def find_plain_marks(page: Page, keep: BoolArray) -> list[NoteReference]:
    """Find notes without links, and the references to them, among the kept leaves, bool[n_leaf].

    Each raised mark that begins a line must be that of a note, and have a reference before the
    first note. Without any, the notes are the items of the last numbered list, or the lines below
    the last rule, if they have the numbers that the text has, from one on. Little text follows the
    notes.
    """
    rows = page.rows_of(_RAISED)
    if rows.size < 2 or not page.leaves.size:
        return []
    first = page.leaf_offset.take(rows)
    last = np.minimum(page.leaf_offset.take(page.end.take(rows)), page.leaves.size - 1)
    rows = rows[(first < last) & keep.take(first, mode="clip")]
    referring: dict[str, list[int]] = {}
    notes: dict[str, tuple[int, _Span]] = {}
    highest = 0
    for row in watch(rows.tolist()):
        if _has_link(page, row) or (mark := _read_plain_mark(page, row)) is None:
            continue
        leaf = int(page.leaf_offset[row])
        if leaf == page.lines.start[page.lines.of_leaf[leaf]]:
            span = find_line_span(page, leaf)
            if span is None or mark in notes or mark not in referring:
                return []
            notes[mark] = (row, span)
        elif not notes and _follows_word(page, row, mark):
            is_next = mark.isdecimal() and mark not in referring
            if not is_next or int(mark) > highest:
                referring.setdefault(mark, []).append(row)
                highest = int(mark) if is_next else highest
    if not notes:
        notes = _find_numbered(page, keep, referring)
    if not notes:
        return []
    words = sum_before(page.leaf_words * keep)
    spans = [span for _, span in notes.values()]
    if words[spans[0][1]] < _MIN_BEFORE * (words[-1] - words[spans[-1][2]]):
        return []
    return [
        NoteReference(InnerLink(row, "", target), mark, *span)
        for mark, (target, span) in notes.items()
        for row in referring[mark]
    ]


def _find_numbered(
    page: Page, keep: BoolArray, referring: dict[str, list[int]]
) -> dict[str, tuple[int, _Span]]:
    """Return the items of the last list, or the lines below a rule, numbered as the references."""
    numbers = [str(number) for number in range(1, len(referring) + 1)]
    if len(numbers) < _MIN_NUMBERED or numbers != list(referring):
        return {}
    behind = int(page.leaf_offset[referring[numbers[-1]][-1]]) + 1
    lists, rules = page.rows_of(_NUMBERED_LISTS), page.rows_of(_RULES)
    lists = lists[page.leaf_offset[lists] >= behind]
    if lists.size:
        last = int(lists[-1])
        items = np.flatnonzero(page.parent[last : page.end[last]] == last) + last
        items = items[page.tag[items] == _LI]
        first, stop = page.leaf_offset[items].tolist(), page.leaf_offset[page.end[items]].tolist()
        if items.size == len(numbers) and keep[first].all():
            spans = zip(items.tolist(), first, stop, strict=True)
            return {mark: (span[0], span) for mark, span in zip(numbers, spans, strict=True)}
    if rules.size and page.leaf_offset[rules[-1]] >= behind:
        return _find_numbered_lines(page, numbers, int(page.leaf_offset[rules[-1]]))
    return {}


def _find_numbered_lines(page: Page, numbers: list[str], leaf: int) -> dict[str, tuple[int, _Span]]:
    """Return the lines from a leaf on, which begin with numbers, if all do."""
    lines: dict[str, tuple[int, _Span]] = {}
    starts = page.lines.start
    for mark in numbers:
        span = find_line_span(page, leaf)
        number = _NUMBERED.match(page.leaf_text(leaf))
        if span is None or number is None or number[1] != mark:
            return {}
        lines[mark] = (int(page.leaves[leaf]), span)
        leaf = int(starts[page.lines.of_leaf[leaf] + 1])
    return lines


def _has_link(page: Page, row: int) -> bool:
    inside = page.tag[row : page.end[row]]
    return bool(page.in_link[row] or (inside == _A).any())


def _read_plain_mark(page: Page, row: int) -> str | None:
    if page.text_offset[page.end[row]] - page.text_offset[row] > _MAX_CHARS:
        return None
    mark = read_mark(page.text_of(row))
    return None if mark is None or mark.isalpha() else mark


def _follows_word(page: Page, row: int, mark: str) -> bool:
    """Return whether a mark directly follows a word or sentence, and is not an exponent."""
    start = int(page.text_offset[row])
    before = page.text[max(start - _BEFORE, 0) : start]
    if not before or before[-1].isspace():
        return False
    return not (mark.isdecimal() and _EXPONENT.search(before))


# -- notes in the sentence -------------------------------------------------------------------------

# As LaTeXML writes them: `<span class="ltx_note"><sup class="ltx_note_mark">1</sup><span
# class="ltx_note_outer">…`: the mark, then a box with the mark again, once or twice, and the note.
# Style sheets show the box in the margin, or when the mark is pointed at.

_LATEXML: Final = CLASS_PARTS.bits(b"ltx_")
_OUTER: Final = rb"(?<![\w-])ltx_note_outer(?![\w-])"


def find_inline_notes(page: Page, keep: BoolArray) -> list[NoteReference]:
    """Return the notes in sentences among the kept leaves, each with its mark as the reference.

    ``keep`` is bool[n_leaf]. The row of each is the box, which also holds the leaves before the
    note that repeat its mark.
    """
    attributes = page.attributes
    notes: list[NoteReference] = []
    of_leaf, stop = page.blocks.of_leaf, 0
    for row in watch(attributes.rows_classed(_LATEXML, _OUTER).tolist()):
        sup = int(page.parent[row]) + 1
        first, end = page.leaf_offset[[row, page.end[row]]].tolist()
        if page.tag[sup] != _SUP or BLOCK[page.tag[row]] or row < stop or first == end:
            continue
        mark = read_mark(page.text_of(sup))
        leaf = int(page.leaf_offset[sup])
        if mark is None or leaf == first or of_leaf[leaf] != of_leaf[end - 1]:
            continue
        while first < end - 1 and page.leaf_text(first).strip() == mark:
            first += 1
        if keep[leaf] and keep[first]:
            notes.append(NoteReference(InnerLink(sup, "", row), mark, row, first, end))
            stop = int(page.end[row])
    return notes
