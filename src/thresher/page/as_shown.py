"""Canonical HTML as browsers show it, where that differs from the order and names in the markup.

What is in a shadow tree's slots, the page in a frame's `srcdoc`, lines kept by `white-space`, lines
of verse in boxes of their own, an initial in a box before its word, notes in the margin, and the
mark of a note between paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from thresher.deadline import watch
from thresher.page.attributes import read_attributes
from thresher.page.canonical import canonicalise
from thresher.page.rearranging import Markup, Moved, Rewrite, rearrange
from thresher.page.rows import find_nearest, flag_within, sum_before
from thresher.page.scan import Columns, IntArray, scan, start_tag
from thresher.page.shadow_roots import assign_slots
from thresher.page.tags import BLOCK, CODE_OF, TEXT, flags_of
from thresher.page.text import unescape_bytes

__all__ = ["show"]

_BODY, _BR, _DIV, _IFRAME = (CODE_OF[name] for name in ("body", "br", "div", "iframe"))
_NEW: Final = -1
_STYLE: Final = re.compile(rb' style="[^"]*?(?<![\w-])white-space\s*:\s*([\w-]+)')
_KEEPING: Final = frozenset((b"break-spaces", b"pre", b"pre-line", b"pre-wrap"))
"""Values of `white-space` that keep line breaks."""
_EXACT: Final = flags_of("listing pre textarea xmp")
_HOLDS_LINES: Final = re.compile(rb' class="(?:[^"]* )?(?:line-block|stanza)[ "]')
"""Classes around lines of verse: docutils, and Project Gutenberg and most others."""
_NOTE: Final = re.compile(rb' class="(?:[^"]* )?(?:margin|side)note[ "]')
"""Classes of notes in the margin: Tufte CSS, which many follow."""
_VERSES: Final = (b"line-block", b"stanza")
_NOTES: Final = (b"marginnote", b"sidenote")
_FOOTNOTE: Final = b' class="ltx_note '
"""What the notes of LaTeXML begin with."""
_INITIAL: Final = re.compile(r'["“„«¿¡‘\']?(\w)')
_ENDS: Final = frozenset(".!?…。！？)]")
_SPAN_END: Final = (Markup(b"</span>"),)
_REACH: Final = 16
"""Rows at the end of a note among which its last text is."""
_BOXES: Final = flags_of("div p")
_INITIAL_BYTES: Final = 16
"""Bytes of an initial with a quotation mark, and white space."""


def show(buffer: bytes, columns: Columns) -> tuple[bytes, IntArray] | None:
    """Return the buffer rearranged, and where its elements come from; None if nothing is."""
    rewrites: list[Rewrite] = []
    if b' shadowrootmode="' in buffer:
        rewrites += assign_slots(buffer, columns)
    if b' srcdoc="' in buffer:
        rewrites += _open_frames(buffer, columns)
    if b"white-space" in buffer:
        rewrites += _break_lines(buffer, columns)
    if any(part in buffer for part in _VERSES):
        rewrites += _join_verses(buffer, columns)
    if any(part in buffer for part in _NOTES):
        rewrites += _set_off_notes(buffer, columns)
    if _FOOTNOTE in buffer:
        rewrites += _move_marks(buffer, columns)
    rewrites += _join_initials(buffer, columns)
    if not rewrites:
        return None
    return rearrange(buffer, columns.open_start[columns.tag != TEXT], rewrites)


def _open_frames(buffer: bytes, columns: Columns) -> Iterator[Rewrite]:
    """Put in the place of each frame the page that its `srcdoc` is."""
    for row in watch(np.flatnonzero(columns.tag == _IFRAME).tolist()):
        start, stop = columns.open_start.item(row), columns.open_stop.item(row)
        srcdoc = read_attributes(buffer[start:stop]).get("srcdoc", "")
        if not srcdoc.strip():
            continue
        html = canonicalise(srcdoc.encode()).html
        inner = scan(html)
        for body in np.flatnonzero(inner.tag == _BODY)[:1].tolist():
            content = html[inner.open_stop[body] : inner.close_start[body]]
            n_new = int(np.count_nonzero(inner.tag[body + 1 : inner.end[body]] != TEXT))
            added = Markup(b"<div>%s</div>" % content, (start, *[_NEW] * n_new))
            yield Rewrite(start, columns.close_stop.item(row), (added,))


def _break_lines(buffer: bytes, columns: Columns) -> Iterator[Rewrite]:
    """Put a line break at each newline in texts of which a style keeps them."""
    said = {
        row: value[1].lower() in _KEEPING
        for row in _find_tags(buffer, columns, b"white-space")
        if (value := _STYLE.search(start_tag(buffer, columns, row)))
    }
    if not any(said.values()):
        return
    styled = np.zeros(columns.tag.size, np.bool_)
    styled[list(said)] = True
    texts = (columns.tag == TEXT) & ~flag_within(_EXACT.take(columns.tag), columns.end)
    rows = np.flatnonzero(texts)
    nearest = find_nearest(styled, columns.parent, columns.end, rows)
    for row, by in watch(zip(rows.tolist(), nearest.tolist(), strict=True)):
        if not said.get(by):
            continue
        at, stop = columns.open_start.item(row), columns.open_stop.item(row)
        while (at := buffer.find(b"\n", at, stop)) >= 0:
            yield Rewrite(at, at + 1, (Markup(b"<br>", (_NEW,)),))
            at += 1


def _join_verses(buffer: bytes, columns: Columns) -> Iterator[Rewrite]:
    """Make lines of verse, each in a box of its own, lines of one block."""
    tag, end = columns.tag, columns.end
    found = {row for part in _VERSES for row in _find_tags(buffer, columns, part)}
    holders = [row for row in sorted(found) if _HOLDS_LINES.search(start_tag(buffer, columns, row))]
    if not holders:
        return
    n_block = sum_before(BLOCK.take(tag))
    is_line = (tag == _DIV) & (n_block[end] - n_block[:-1] == 1)
    for parent in watch(holders):
        previous, row = False, parent + 1
        while row < end[parent]:
            if is_line[row]:
                yield _rename(buffer, columns, row, b"<br>" if previous else b"")
                yield Rewrite(
                    columns.close_start.item(row), columns.close_stop.item(row), _SPAN_END
                )
            is_open = is_line[row] and tag[end[row] - 1] != _BR
            previous = is_open or (previous and _skip_white(buffer, columns, row) > row)
            row = end.item(row)


def _join_initials(buffer: bytes, columns: Columns) -> Iterator[Rewrite]:
    """Put an initial in a box of its own at the beginning of the paragraph that goes on with it.

    The two are all in an element, and the initial is not that of the next word, as in a glossary.
    """
    tag, end = columns.tag, columns.end
    boxes = np.flatnonzero(_BOXES.take(tag))
    boxes = boxes[end.take(boxes) == boxes + 2]  # with a single row in it
    texts = boxes + 1
    size = columns.open_stop.take(texts) - columns.open_start.take(texts)
    is_short = (tag.take(texts) == TEXT) & (size <= _INITIAL_BYTES)
    texts, boxes = texts[is_short], boxes[is_short]
    arounds = columns.parent.take(boxes)
    rests = end.take(boxes)
    # White space may be before, between and after the two.
    is_near = (boxes <= arounds + 2) & (rests < end.take(arounds))
    rests += is_near & (tag.take(rests, mode="clip") == TEXT)
    is_near &= (rests < end.take(arounds)) & _BOXES[tag.take(rests, mode="clip")]
    is_near &= end.take(arounds) <= end.take(rests, mode="clip") + 1
    found = np.stack((texts, boxes, arounds, rests), axis=1)[is_near]
    for text, box, around, rest in watch(found.tolist()):
        initial = _INITIAL.fullmatch(_text_at(buffer, columns, text).strip())
        if not (
            initial
            and initial[1].isupper()
            and _skip_white(buffer, columns, around + 1) == box
            and _skip_white(buffer, columns, end.item(box)) == rest
            and _skip_white(buffer, columns, end.item(rest)) == end[around]
        ):
            continue
        first = rest + 1
        while first < end[rest] and tag[first] != TEXT and not BLOCK[tag[first]]:
            first += 1
        word = _text_at(buffer, columns, first)[:1] if first < end[rest] else ""
        if word.islower() and word != initial[1].lower():
            at, part = columns.open_stop.item(rest), _span_of(columns, box)
            yield Rewrite(*part)
            yield _rename(buffer, columns, box)
            yield Rewrite(columns.close_start.item(box), part.stop, _SPAN_END)
            yield Rewrite(at, at, (part,))


def _set_off_notes(buffer: bytes, columns: Columns) -> Iterator[Rewrite]:
    """Put what is in the margin in brackets, unless it is a sentence between others."""
    n_block = sum_before(BLOCK.take(columns.tag))
    found = {row for part in _NOTES for row in _find_tags(buffer, columns, part)}
    for row in sorted(found):
        stop = columns.end.item(row)
        tag = start_tag(buffer, columns, row)
        if not _NOTE.search(tag) or n_block[stop] > n_block[row]:
            continue
        rows = range(stop - 1, row, -1)[:_REACH]
        texts = (
            _text_at(buffer, columns, each).strip() for each in rows if columns.tag[each] == TEXT
        )
        if not (last := next(filter(None, texts), "")):
            continue
        before, after = (b" ", b"") if last[-1] in _ENDS else (b" (", b")")
        start, close = columns.open_start.item(row), columns.close_start.item(row)
        yield Rewrite(start, start + len(tag), (Markup(before + tag, (start,)),))
        end = columns.close_stop.item(row)
        yield Rewrite(close, end, (Markup(buffer[close:end] + after),))


def _move_marks(buffer: bytes, columns: Columns) -> Iterator[Rewrite]:
    """Put a note that stands between blocks, with its mark, behind the text before it."""
    tag, end, parent = columns.tag, columns.end, columns.parent
    for row in _find_tags(buffer, columns, _FOOTNOTE):
        behind, above = _skip_white(buffer, columns, end.item(row)), parent[row]
        if behind < end[above] and not BLOCK[tag[behind]]:
            continue
        rows = range(row - 1, max(above, row - _REACH), -1)
        texts = (r for r in rows if tag[r] == TEXT and _text_at(buffer, columns, r).strip())
        text = box = next(texts, 0)
        while box > 0 and parent[box] > above:
            box = parent.item(box)
        if text and box > above and BLOCK[tag[box]]:
            part, at = _span_of(columns, row), columns.open_stop.item(text)
            yield Rewrite(*part)
            yield Rewrite(at, at, (part,))


def _rename(buffer: bytes, columns: Columns, row: int, before: bytes = b"") -> Rewrite:
    """Make a start tag that of a `span`, with a line break before it if given."""
    start, stop = columns.open_start.item(row), columns.open_stop.item(row)
    _, space, attributes = buffer[start:stop].partition(b" ")
    tag = before + b"<span" + (space + attributes or b">")
    return Rewrite(start, stop, (Markup(tag, (*[_NEW] * bool(before), start)),))


def _skip_white(buffer: bytes, columns: Columns, row: int) -> int:
    """Return a row, or the next if it is a text of white space."""
    is_text = row < columns.tag.size and columns.tag[row] == TEXT
    return row + (is_text and not _text_at(buffer, columns, row).strip())


def _span_of(columns: Columns, row: int) -> Moved:
    return Moved(columns.open_start.item(row), columns.close_stop.item(row))


def _find_tags(buffer: bytes, columns: Columns, part: bytes) -> list[int]:
    """Return the rows whose start tags have a text in them; in order."""
    found: list[int] = []
    at = buffer.find(part)
    while at >= 0:
        row = int(columns.open_start.searchsorted(at, side="right")) - 1
        if columns.tag[row] != TEXT and at < columns.open_stop[row]:
            found.append(row)
        # Also beyond an end tag that has it.
        at = buffer.find(part, max(columns.open_stop.item(row), at + len(part)))
    return found


def _text_at(buffer: bytes, columns: Columns, row: int) -> str:
    return unescape_bytes(buffer[columns.open_start[row] : columns.open_stop[row]]).decode()
