"""The kept part of a page as HTML: slices of the page's buffer, in document order.

Nothing is written twice and nothing moves: each kept leaf is one slice, and each element around
it that is written is one slice for its start tag and one for its end tag. What the markup lacks is
put between: paragraphs around bare text, spaces between words that only style sheets kept apart.
Slices that lie side by side in the buffer are cut as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.blocks import GLUE, NEWLINE
from thresher.deadline import check_deadline, watch
from thresher.document import Document, WriteOptions
from thresher.links import find_base
from thresher.page import Page
from thresher.scan import IntArray
from thresher.tags import CODE_OF, NAMES, REPLACED, TEXT, flags_of
from thresher.writers.code import find_language
from thresher.writers.code_lines import preformatted_texts
from thresher.writers.content import Content, join_forms, read_content
from thresher.writers.formulas import is_plain_formula, markup_of
from thresher.writers.images import find_images
from thresher.writers.layout import mark_runs
from thresher.writers.math_scripts import is_script
from thresher.writers.media import MEDIA, link_media
from thresher.writers.note_places import mark_notes, wrap_notes
from thresher.writers.outline import Outline, outline_page, runs_in_preformatted
from thresher.writers.permalinks import HEADINGS
from thresher.writers.pieces import Pieces, Rank
from thresher.writers.runs import place_runs, write_runs
from thresher.writers.settings import set_languages
from thresher.writers.start_tags import (
    flag_rows,
    has_long_tag,
    keep_attributes,
    put_start_tags,
    spell_start_tag,
)
from thresher.writers.tasks import find_boxes

__all__ = ["outline_fragment", "write_fragment"]

_A, _DL, _HR, _MATH, _SPAN = (CODE_OF[name] for name in ("a", "dl", "hr", "math", "span"))
_INLINE: Final = flags_of(
    "a abbr acronym b bdi bdo cite code del dfn em i ins kbd mark q rb rt rtc ruby s samp small"
    " strike strong sub sup time tt u var"
)
"""Inline elements that say something of their text."""
_SAME: Final = tuple(
    map(flags_of, ("b strong", "cite dfn em i var", "code kbd samp tt", "s strike del"))
)
"""Groups of which one inside another adds nothing."""
_BOLD, _CODE = _SAME[0], _SAME[2]
_FLOW: Final = flags_of("blockquote dd details figcaption li")
"""Structure in which a rule can stand."""

_WHITE: Final = np.isin(np.arange(256), list(b" \t\n\r\f"))


def outline_fragment(
    document: Document, options: WriteOptions, *, for_markdown: bool = False
) -> Outline | None:
    """Return how the fragment of a document is laid out; None where it is empty."""
    page = document.page
    content = read_content(page, document.selection.keep)
    keep, _ = _choose_leaves(page, content, options, for_markdown=for_markdown)
    return outline_page(page, keep) if keep.any() else None


def write_fragment(
    document: Document, options: WriteOptions, mark: str = "", *, for_markdown: bool = False
) -> str:
    """Return the kept part of a document's page as an HTML fragment, not yet made safe.

    ``mark``, if there is one, stands before each run. ``for_markdown`` writes formulas as their
    TeX, and notes without their links back; languages and directions it leaves out.
    """
    page = document.page
    content = read_content(page, document.selection.keep)
    keep, literals = _choose_leaves(page, content, options, for_markdown=for_markdown)
    if not keep.any():
        return ""
    outline = outline_page(page, keep)
    join_forms(outline, content)
    tags = mark_notes(outline, content.footnotes)
    pieces = Pieces()
    if mark:
        mark_runs(outline, pieces, mark)
    for row, markup in literals.items():
        pieces.put(page.open_start[[row]], Rank.SLICE, markup.encode())
    opens, closes = place_runs(outline)
    wrap_notes(outline, content.footnotes, pieces, opens, closes)
    if not for_markdown:
        tags |= set_languages(outline, pieces)
    _write_structure(outline, pieces, tags)
    _write_texts(outline, pieces, literals)
    write_runs(outline, pieces, opens, closes, links=options.links)
    links = (page.tag == _A) & options.links
    links[list(content.footnotes.references)] = True
    links[list(content.unlinked)] = False
    _write_inline(outline, pieces, links, tags, content.wholes)
    _write_preformatted(outline, pieces)
    for item, box in find_boxes(outline).items():
        pieces.put(page.open_stop[[item]], Rank.CLOSE_LINK, box.encode())
    _write_rules(outline, pieces, document.selection.keep)
    check_deadline()
    return pieces.join(page.buffer).decode()


def _choose_leaves(
    page: Page, content: Content, options: WriteOptions, *, for_markdown: bool
) -> tuple[npt.NDArray[np.bool_], dict[int, str]]:
    """Return the leaves that can be written, and the markup of those that are not as in the page.

    Drawings, canvases, and pictures and films without an address have nothing to be written.
    """
    tag = page.tag[page.leaves]
    keep = content.keep
    if for_markdown and content.footnotes.ornaments:
        keep = keep.copy()
        keep[list(content.footnotes.ornaments)] = False
    literals: dict[int, str] = {}
    if options.images:
        for row, place in find_images(page, page.leaves[keep]).items():
            literals[row] = _image(page.attrs(row), place)
    if options.links:
        in_link = page.in_link[page.leaves]
        base = find_base(page)
        for row in page.leaves[keep & MEDIA[tag] & ~in_link].tolist():
            if link := link_media(page, row, base):
                literals[row] = link
    literals |= dict.fromkeys(page.leaves[list(content.silent)].tolist(), "")
    for row, formula in content.formulas.items():
        if for_markdown or page.tag[row] == TEXT or is_script(page, row):
            literals[row] = markup_of(formula, shown=not for_markdown)
    for row, passage in content.passages.items():
        literals[row] = "".join(
            escape(part) if isinstance(part, str) else markup_of(part, shown=not for_markdown)
            for part in passage
        )
    writable = ~REPLACED[tag] | (tag == _MATH)
    writable |= flag_rows(page, literals)[page.leaves]
    return keep & writable, literals


def _image(attrs: dict[str, str], place: str) -> str:
    shown = {"src": place} | {
        name: attrs[name] for name in ("alt", "title", "width", "height") if attrs.get(name)
    }
    return spell_start_tag("img", shown)


def _write_structure(outline: Outline, pieces: Pieces, tags: dict[int, str]) -> None:
    page = outline.page
    rows = np.flatnonzero(outline.structure)
    pre = rows[outline.preformatted[rows]]
    rows = rows[~outline.preformatted[rows]]
    renamed = rows[outline.tag[rows] != page.tag[rows]]
    spelled: dict[int, str] = {}
    for row in watch(renamed.tolist()):
        name = NAMES[outline.tag[row]]
        spelled[row] = spell_start_tag(name, keep_attributes(page, row, name))
        pieces.put(page.close_start[[row]], Rank.SLICE, f"</{name}>".encode())
    put_start_tags(page, pieces, rows, page.open_start[rows], Rank.SLICE, spelled | tags)
    rows = rows[outline.tag[rows] == page.tag[rows]]
    pieces.cut(page.close_start[rows], page.close_stop[rows])
    pieces.put(page.close_start[pre], Rank.SLICE, b"</code></pre>")
    for row in watch(pre.tolist()):
        language = find_language(page, row)
        named = f' class="language-{language}"' if language else ""
        pieces.put(page.open_start[[row]], Rank.SLICE, f"<pre><code{named}>".encode())


def _write_texts(outline: Outline, pieces: Pieces, literals: Mapping[int, str]) -> None:
    """Write text leaves and formulas, the spaces between them, and line breaks."""
    page = outline.page
    rows = page.leaves[outline.kept]
    in_pre = runs_in_preformatted(outline)[outline.runs.of_leaf]
    written = flag_rows(page, literals)[rows]
    text = rows[(page.tag[rows] == TEXT) & ~in_pre & ~written]
    pieces.cut(page.open_start[text], page.open_stop[text])
    for row in rows[(page.tag[rows] == _MATH) & ~written].tolist():
        place = page.open_start[[row]]
        if is_plain_formula(page, row) and not has_long_tag(page, row):
            pieces.cut(place, page.close_stop[[row]])
        else:
            pieces.put(place, Rank.SLICE, escape(page.text_of(row)).encode())

    raw = np.frombuffer(page.buffer, np.uint8)
    between = np.flatnonzero(~in_pre & (outline.gaps != GLUE))
    before, after = rows[between - 1], rows[between]
    places = page.open_start[_highest_between(page, before, after)]
    breaks = outline.gaps[between] == NEWLINE
    pieces.put(places[breaks], Rank.GAP, b"<br>")
    spaced = _WHITE[raw[page.open_stop[before] - 1]] | _WHITE[raw[page.open_start[after]]]
    pieces.put(places[~breaks & ~spaced], Rank.GAP, b" ")


def _highest_between(page: Page, before: IntArray, after: IntArray) -> npt.NDArray[np.int64]:
    """Return the first of the highest rows from behind one row to another, for pairs of rows.

    Before it all elements that end between the two have ended, and none that starts has started.
    So no space or line break put there is at the edge of an inline element, where Markdown could
    not have it.
    """
    if not before.size:
        return before.astype(np.int64)
    n_row = len(page)
    ranked = np.append(page.depth.astype(np.int64) * n_row + np.arange(n_row), 0)
    edges = np.stack((before + 1, after + 1), axis=1).ravel()
    return np.minimum.reduceat(ranked, edges)[::2] % n_row


def _write_inline(
    outline: Outline,
    pieces: Pieces,
    links: npt.NDArray[np.bool_],
    tags: Mapping[int, str],
    wholes: tuple[int, ...],
) -> None:
    """Write inline elements that say something, none inside another that says the same.

    ``links`` flags the links among them, ``tags`` has the start tags that are not the page's.
    Nothing in ``wholes`` is written.
    """
    page = outline.page
    rows = _INLINE[page.tag]
    rows[[row for row in tags if page.tag[row] == _SPAN]] = True
    rows &= ~outline.crossing
    for same in _SAME:
        alike = rows & same[page.tag]
        if alike.any():
            rows &= ~(alike & page.below(alike))
    rows &= ~(_BOLD[page.tag] & page.below(outline.structure & HEADINGS[outline.tag]))
    rows &= ~(_CODE[page.tag] & page.within(outline.preformatted))
    rows &= (page.tag != _A) | links
    if wholes:
        inside = np.zeros(len(page), np.bool_)
        inside[list(wholes)] = True
        rows &= ~page.below(inside)
    rows &= outline.holds
    written = np.flatnonzero(rows)
    put_start_tags(page, pieces, written, page.open_start[written], Rank.SLICE, tags)
    pieces.cut(page.close_start[written], page.close_stop[written])


def _write_preformatted(outline: Outline, pieces: Pieces) -> None:
    page = outline.page
    leaves = np.zeros(len(page), np.bool_)
    leaves[page.leaves[outline.kept]] = True
    texts = [
        text
        for pre in np.flatnonzero(outline.preformatted).tolist()
        for text in preformatted_texts(page, leaves, outline.gutters, pre)
    ]
    rows = np.array([text.row for text in texts if text.is_exact], np.intp)
    pieces.cut(page.open_start[rows], page.open_stop[rows])
    ends = np.array([text.row for text in texts if text.is_end], np.intp)
    pieces.put(page.open_start[ends], Rank.GAP, b"\n")
    for text in texts:
        if not (text.is_exact or text.is_end):
            pieces.put(page.open_start[[text.row]], Rank.SLICE, escape(text.text).encode())


def _write_rules(outline: Outline, pieces: Pieces, keep: npt.NDArray[np.bool_]) -> None:
    """Write the rules between two leaves that are both kept."""
    page = outline.page
    rows = np.flatnonzero(page.tag == _HR)
    leaf = page.leaf_offset[rows]
    inside = (leaf > 0) & (leaf < keep.size)
    rows, leaf = rows[inside], leaf[inside]
    rows = rows[keep[leaf] & keep[leaf - 1]]
    if not rows.size:
        return
    above = page.nearest(outline.structure, rows)
    rows = rows[(above < 0) | _FLOW[page.tag[above]]]
    pieces.put(page.open_start[rows], Rank.SLICE, b"<hr>")
