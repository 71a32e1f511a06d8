"""Canonical HTML as browsers show it, where that differs from the order and names in the markup.

What is in a shadow tree's slots, the page in a frame's `srcdoc`, what is streamed, hidden
addresses, lines kept by `white-space`, the line above a quotation, lines of verse in boxes of their
own, an initial in a box before its word, notes in the margin, the mark of a note between
paragraphs, the colon before a type, and the lines of a converted PDF.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.deadline import watch
from thresher.page.canonical import canonicalise
from thresher.page.parts import CLASS_PARTS, STYLE_PARTS
from thresher.page.rearranging import Markup, Moved, Rewrite, rearrange
from thresher.page.rows import sum_before
from thresher.page.scan import IntArray, scan
from thresher.page.shadow_roots import assign_slots
from thresher.page.stand_ins import place_streamed, reveal_addresses, show_players
from thresher.page.tags import BLOCK, CODE_OF, TEXT, flags_of

if TYPE_CHECKING:
    from thresher.page.page import Page

_BLOCKQUOTE, _BODY, _BR, _DIV, _INPUT, _LABEL = (
    CODE_OF[name] for name in "blockquote body br div input label".split()
)
_CITE, _IFRAME = flags_of("cite"), flags_of("iframe")
_NEW: Final = -1
_WHITE_SPACE: Final = STYLE_PARTS.bits(b"white-space")
_DECLARATION: Final = re.compile(r"(?<![\w-])white-space\s*:\s*([\w-]+)", re.IGNORECASE)
_KEEPING: Final = frozenset(("break-spaces", "pre", "pre-line", "pre-wrap"))
"""Values of `white-space` that keep line breaks."""
_SPACED: Final = CLASS_PARTS.bits(b"whitespace-")
_KEEPS_LINES: Final = rb"(?<![^\s\0])whitespace-(?:break-spaces|pre(?:-line|-wrap)?)(?![^\s\0])"
"""Classes of Tailwind that keep line breaks."""
_EXACT: Final = flags_of("listing pre textarea xmp")
_VERSES: Final = CLASS_PARTS.bits(b"line", b"stanza")
_HOLDS_LINES: Final = rb"(?<![^\s\0])(?:line-block|stanza)(?![^\s\0])"
"""Classes around lines of verse: docutils, and Project Gutenberg and most others."""
_NOTES: Final = CLASS_PARTS.bits(b"marginnote", b"sidenote")
_NOTE: Final = rb"(?<![^\s\0])(?:margin|side)note(?![^\s\0])"
"""Classes of notes in the margin: Tufte CSS, which many follow."""
_LATEXML: Final = CLASS_PARTS.bits(b"ltx_")
_FOOTNOTE: Final = rb"(?<![^\s\0])ltx_note(?![^\s\0])"
"""The class of a note of LaTeXML with its mark."""
_CLASSIFIERS: Final = CLASS_PARTS.bits(b"classifier")
_CLASSIFIER: Final = rb"(?<![^\s\0])classifier(?![^\s\0])"
"""The class of a type behind its term (docutils), before which style sheets put a colon."""
_CAPTION: Final = flags_of("figcaption")
_CREDIT: Final = re.compile(r"author|copyright|credit|source", re.IGNORECASE)
"""In the classes of whose a picture is."""
_WHITE: Final = b" \t\n\f\r"
_INITIAL: Final = re.compile(r'["“„«¿¡‘\']?(\w)')
_ENDS: Final = frozenset(".!?…。！？)]")
_SPAN_END: Final = (Markup(b"</span>"),)
_REACH: Final = 16
"""Rows at the end of a note among which its last text is."""
_LABEL_CHARS: Final = 4
"""Characters before a type among which a colon is one before it."""
_BOXES: Final = flags_of("div p")
_INITIAL_BYTES: Final = 16
"""Bytes of an initial with a quotation mark, and white space."""


def show(page: Page) -> tuple[bytes, IntArray] | None:
    """Return the buffer rearranged, and where its elements come from; None if nothing is."""
    attributes = page.attributes
    rewrites: list[Rewrite] = []
    if attributes.named("shadowrootmode").size:
        rewrites += assign_slots(page)
    if attributes.named("srcdoc").size:
        rewrites += _open_frames(page)
    rewrites += place_streamed(page)
    rewrites += reveal_addresses(page)
    rewrites += show_players(page)
    rewrites += _break_lines(page)
    rewrites += _part_sources(page)
    rewrites += _part_credits(page)
    rewrites += _join_verses(page)
    rewrites += _set_off_notes(page)
    rewrites += _part_types(page)
    rewrites += _move_marks(page)
    rewrites += _join_initials(page)
    if attributes.named("data-page-no").size:
        from thresher.page.pdf_lines import join_lines  # few pages

        rewrites += join_lines(page)
    if not rewrites:
        return None
    return rearrange(page.buffer, page.open_start[page.tag != TEXT], rewrites)


def _open_frames(page: Page) -> Iterator[Rewrite]:
    """Put in the place of each frame the page that its `srcdoc` is."""
    for row in watch(page.rows_of(_IFRAME).tolist()):
        start = page.open_start.item(row)
        srcdoc = page.attrs(row).get("srcdoc", "")
        if not srcdoc.strip():
            continue
        html = canonicalise(srcdoc.encode()).html
        inner = scan(html)
        for body in np.flatnonzero(inner.tag == _BODY)[:1].tolist():
            content = html[inner.open_stop[body] : inner.close_start[body]]
            n_new = int(np.count_nonzero(inner.tag[body + 1 : inner.end[body]] != TEXT))
            added = Markup(b"<div>%s</div>" % content, (start, *[_NEW] * n_new))
            yield Rewrite(start, page.close_stop.item(row), (added,))


def _break_lines(page: Page) -> Iterator[Rewrite]:
    """Put a line break at each newline in texts of which a style keeps them."""
    values = page.attributes.values_of(page.attributes.styled(_WHITE_SPACE))
    said = {
        row: declared[1].lower() in _KEEPING
        for row, value in values.items()
        if (declared := _DECLARATION.search(value))
    }
    said = dict.fromkeys(page.attributes.rows_classed(_SPACED, _KEEPS_LINES).tolist(), True) | said
    if not any(said.values()):
        return
    styled = page.flag(list(said))
    texts = (page.tag == TEXT) & ~page.within(_EXACT.take(page.tag))
    rows = np.flatnonzero(texts)
    nearest = page.nearest(styled, rows)
    for row, by in watch(zip(rows.tolist(), nearest.tolist(), strict=True)):
        if not said.get(by):
            continue
        at, stop = page.open_start.item(row), page.open_stop.item(row)
        while (at := page.buffer.find(b"\n", at, stop)) >= 0:
            yield Rewrite(at, at + 1, (Markup(b"<br>", (_NEW,)),))
            at += 1


def _part_sources(page: Page) -> Iterator[Rewrite]:
    """Put a line break behind who is quoted, where that stands above the quotation."""
    tag, end, parent = page.tag, page.end, page.parent
    for row in watch(page.rows_of(_CITE).tolist()):
        above = parent.item(row)
        around = parent.item(above) if tag[above] == _DIV else above
        behind = _skip_white(page, end.item(row))
        if (
            tag[around] == _BLOCKQUOTE
            and _skip_white(page, above + 1) == row
            and behind < end[above]
            and not BLOCK[tag[behind]]
        ):
            last = end.item(row) - 1
            part = parent.item(last) if tag[last] == TEXT else last
            begin = page.open_start.item(part)
            if parent[part] == row and page.buffer[begin - 1 : begin] == b">":
                yield Rewrite(begin, begin, (Markup(b" "),))  # a box at the end of the line
            at = page.close_stop.item(row)
            yield Rewrite(at, at, (Markup(b"<br>", (_NEW,)),))


def _part_credits(page: Page) -> Iterator[Rewrite]:
    """Put a space before whose a picture is, where that stands directly behind its caption."""
    for caption in page.rows_of(_CAPTION).tolist():
        for row in watch(range(caption + 2, page.end.item(caption))):
            begin = page.open_start.item(row)
            if (
                page.tag[row] != TEXT
                and not BLOCK[page.tag[row]]
                and page.parent[row] < row - 1
                and page.buffer[begin - 1] not in _WHITE
                and _CREDIT.search(page.attr(row, "class") or "")
            ):
                yield Rewrite(begin, begin, (Markup(b" "),))


def _join_verses(page: Page) -> Iterator[Rewrite]:
    """Make lines of verse, each in a box of its own, lines of one block."""
    holders = page.attributes.rows_classed(_VERSES, _HOLDS_LINES).tolist()
    if not holders:
        return
    tag, end = page.tag, page.end
    n_block = sum_before(BLOCK.take(tag))
    is_line = (tag == _DIV) & (n_block[end] - n_block[:-1] == 1)
    for parent in watch(holders):
        previous, row = False, parent + 1
        while row < end[parent]:
            if is_line[row]:
                yield _rename(page, row, b"<br>" if previous else b"")
                yield Rewrite(page.close_start.item(row), page.close_stop.item(row), _SPAN_END)
            is_open = is_line[row] and tag[end[row] - 1] != _BR
            previous = is_open or (previous and _skip_white(page, row) > row)
            row = end.item(row)


def _join_initials(page: Page) -> Iterator[Rewrite]:
    """Put an initial in a box of its own at the beginning of the paragraph that goes on with it.

    The two are all in an element, and the initial is not that of the next word, as in a glossary.
    """
    tag, end = page.tag, page.end
    boxes = page.rows_of(_BOXES)
    boxes = boxes[end.take(boxes) == boxes + 2]  # with a single row in it
    texts = boxes + 1
    size = page.open_stop.take(texts) - page.open_start.take(texts)
    is_short = (tag.take(texts) == TEXT) & (size <= _INITIAL_BYTES)
    texts, boxes = texts[is_short], boxes[is_short]
    if not boxes.size:
        return
    arounds = page.parent.take(boxes)
    rests = end.take(boxes)
    # White space may be before, between and after the two.
    is_near = (boxes <= arounds + 2) & (rests < end.take(arounds))
    rests += is_near & (tag.take(rests, mode="clip") == TEXT)
    is_near &= (rests < end.take(arounds)) & _BOXES[tag.take(rests, mode="clip")]
    is_near &= end.take(arounds) <= end.take(rests, mode="clip") + 1
    candidates = np.stack((texts, boxes, arounds, rests), axis=1)[is_near]
    for text, box, around, rest in watch(candidates.tolist()):
        initial = _INITIAL.fullmatch(page.text_of(text).strip())
        if not (
            initial
            and initial[1].isupper()
            and _skip_white(page, around + 1) == box
            and _skip_white(page, end.item(box)) == rest
            and _skip_white(page, end.item(rest)) >= end[around]
        ):
            continue
        first = rest + 1
        while first < end[rest] and tag[first] != TEXT and not BLOCK[tag[first]]:
            first += 1
        word = page.text_of(first)[:1] if first < end[rest] else ""
        if word.islower() and word != initial[1].lower():
            at, part = page.open_stop.item(rest), _span_of(page, box)
            yield Rewrite(*part)
            yield _rename(page, box)
            yield Rewrite(page.close_start.item(box), part.stop, _SPAN_END)
            yield Rewrite(at, at, (part,))


def _set_off_notes(page: Page) -> Iterator[Rewrite]:
    """Put what is in the margin in brackets, unless it is a sentence between others."""
    notes = page.attributes.rows_classed(_NOTES, _NOTE).tolist()
    if not notes:
        return
    n_block = sum_before(BLOCK.take(page.tag))
    for row in notes:
        stop = page.end.item(row)
        tag = page.start_tag(row)
        if n_block[stop] > n_block[row]:
            continue
        rows = range(stop - 1, row, -1)[:_REACH]
        texts = (page.text_of(leaf).strip() for leaf in rows if page.tag[leaf] == TEXT)
        if not (last := next(filter(None, texts), "")):
            continue
        before, after = (b" ", b" ") if last[-1] in _ENDS else (b" (", b")")
        start, close = page.open_start.item(row), page.close_start.item(row)
        yield Rewrite(start, start + len(tag), (Markup(before + tag, (start,)),))
        end = page.close_stop.item(row)
        yield Rewrite(close, end, (Markup(page.buffer[close:end] + after),))
        label = _find_label(page, row)
        if label:
            yield Rewrite(page.open_stop.item(label), page.close_start.item(label))


def _part_types(page: Page) -> Iterator[Rewrite]:
    """Put a colon between a term and its type."""
    for row in watch(page.attributes.rows_classed(_CLASSIFIERS, _CLASSIFIER).tolist()):
        at = page.text_offset.item(row)
        if page.text[max(0, at - _LABEL_CHARS) : at].rstrip().endswith(":"):
            continue
        start, tag = page.open_start.item(row), page.start_tag(row)
        yield Rewrite(start, start + len(tag), (Markup(b" : " + tag, (start,)),))


def _find_label(page: Page, note: int) -> int:
    """Return the label of the box before a note that shows it on narrow screens by a sign; or 0."""
    box = note - 1
    if page.tag[box] != _INPUT or not (name := page.attr(box, "id")):
        return 0
    label = box - 1 - (page.tag[box - 1] == TEXT)
    is_one = page.tag[label] == _LABEL and page.attr(label, "for") == name
    return label if is_one and not any(map(str.isalnum, page.text_of(label))) else 0


def _move_marks(page: Page) -> Iterator[Rewrite]:
    """Put a note that stands between blocks, with its mark, behind the text before it."""
    tag, end, parent = page.tag, page.end, page.parent
    for row in page.attributes.rows_classed(_LATEXML, _FOOTNOTE).tolist():
        behind, above = _skip_white(page, end.item(row)), parent.item(row)
        if BLOCK[tag[row]] or (behind < end[above] and not BLOCK[tag[behind]]):
            continue
        rows = range(row - 1, max(above, row - _REACH), -1)
        texts = (leaf for leaf in rows if tag[leaf] == TEXT and page.text_of(leaf).strip())
        text = box = next(texts, 0)
        while box and parent[box] > above:
            box = parent.item(box)
        if box and BLOCK[tag[box]]:
            part, at = _span_of(page, row), page.open_stop.item(text)
            yield Rewrite(*part)
            yield Rewrite(at, at, (part,))


def _rename(page: Page, row: int, before: bytes = b"") -> Rewrite:
    """Make a start tag that of a `span`, with a line break before it if given."""
    start, stop = page.open_start.item(row), page.open_stop.item(row)
    _, space, attributes = page.buffer[start:stop].partition(b" ")
    tag = before + b"<span" + (space + attributes or b">")
    return Rewrite(start, stop, (Markup(tag, (*[_NEW] * bool(before), start)),))


def _skip_white(page: Page, row: int) -> int:
    """Return a row, or the next if it is a text of white space."""
    is_text = row < page.tag.size and page.tag[row] == TEXT
    return row + (is_text and not page.text_of(row).strip())


def _span_of(page: Page, row: int) -> Moved:
    return Moved(page.open_start.item(row), page.close_stop.item(row))
