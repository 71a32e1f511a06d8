"""The kept part of a page as HTML: slices of the page's buffer, in document order.

Nothing is duplicated, and only notes in sentences are moved: each kept leaf is one slice, and each
ancestor that is written is one slice for its start tag and one for its end tag. What the markup
lacks is inserted: paragraphs around bare text, and spaces between words that only style sheets
separated. Adjacent slices of the buffer are copied as one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.companions import FRAMES
from thresher.analysis.footnotes.references import NO_FOOTNOTES
from thresher.chunking import OutputLayout
from thresher.deadline import check_deadline, watch
from thresher.document import Document, WriteOptions
from thresher.page import Page
from thresher.page.tags import CODE_OF, NAMES, REPLACED, TEXT, flags_of
from thresher.writers.code.gutters import find_language
from thresher.writers.code.lines import read_code
from thresher.writers.fragment.images import find_images
from thresher.writers.fragment.inline import (
    find_emphasis,
    flag_link_pieces,
    set_languages,
    write_crossing_links,
    write_emphasis,
)
from thresher.writers.fragment.notes import mark_notes, move_inline_notes, wrap_notes
from thresher.writers.fragment.players import link_media
from thresher.writers.fragment.posts import (
    find_post_borders,
    find_shown_posts,
    find_unstated,
    put_post_borders,
)
from thresher.writers.fragment.repeats import find_repeats
from thresher.writers.fragment.slices import (
    RowFlag,
    find_bounds,
    format_start_tag,
    has_long_tag,
    keep_attributes,
    put_plain_pieces,
)
from thresher.writers.math.formulas import format_mathml, format_parts, is_plain_formula
from thresher.writers.math.tex import is_script
from thresher.writers.outline.callouts import Callout, find_callouts
from thresher.writers.outline.content import Content, content_of, join_forms
from thresher.writers.outline.hollow import find_empty_heads, find_hollow_items
from thresher.writers.outline.items import find_checkboxes, find_ticks
from thresher.writers.outline.layout import (
    choose_mark,
    lay_out,
    mark_runs,
    split_at_marks,
)
from thresher.writers.outline.outline import Outline, outline_page
from thresher.writers.outline.pieces import Pieces, Rank
from thresher.writers.shared.added import (
    MissingTitle,
    find_missing_title,
    list_as_markup,
    list_links,
)

_CODE, _MATH, _SPAN = (CODE_OF[name] for name in "code math span".split())
_RULES: Final = flags_of("hr")
_WRITABLE: Final = ~REPLACED | flags_of("math")
"""Leaves that can be written unchanged."""
_MAX_TITLE_CHARS: Final = 100
"""Characters of a picture's title; longer ones are for those who share it, or search for it."""
_CELLS: Final = ("td", "th")
_ALIGNED: Final = "data-align"
_SPANS: Final = ("colspan", "rowspan")
"""Attributes of cells that a declared cell has as `aria-…`."""
_FLOW: Final = flags_of("blockquote dd details figcaption li")
"""Structure that may contain a rule."""


class _Fragment(NamedTuple):
    """The kept part of a page as markup, and what it was written from."""

    markup: bytes
    """HTML in UTF-8, not yet sanitised."""
    outline: Outline | None
    """None if the fragment is empty."""
    content: Content


def write_fragment(
    document: Document, options: WriteOptions, mark: str = "", *, for_markdown: bool = False
) -> _Fragment:
    """Write the kept part of a document's page as an HTML fragment.

    ``mark``, if any, is put before each run. With ``for_markdown`` formulas are written as their
    TeX and notes without links back, and the posts of a forum have borders; languages and
    directions are omitted.
    """
    page = document.page
    content = content_of(document.selection)
    keep, literals = _choose_leaves(page, content, options, for_markdown=for_markdown)
    callouts = find_callouts(page, keep) if for_markdown and options.alerts else {}
    posts = find_shown_posts(document) if for_markdown else ()
    unstated = find_unstated(document) if for_markdown else None
    if callouts or unstated is not None:
        unwritten = np.zeros(keep.size, np.bool_) if unstated is None else keep & unstated
        for callout in callouts.values():
            unwritten[callout.unwritten] = True
        keep &= ~unwritten
        for row in page.leaves[unwritten].tolist():
            literals.pop(row, None)
    if not keep.any():
        return _Fragment(b"", None, content)
    outline = outline_page(page, keep, content.boxes, callouts, content.footnotes.edges)
    join_forms(outline, content)
    pieces = Pieces()
    tags = mark_notes(outline, content.footnotes, pieces)
    tags |= {row: _format_callout(callout) for row, callout in callouts.items()}
    if page.attributes.named(_ALIGNED).size:
        tags |= _format_aligned_cells(outline)
    tags |= {
        row: format_start_tag("a", {"href": url}) for row, url in content.boxes.links.items() if url
    }
    borders = find_post_borders(outline, keep, posts) if posts else ()
    if mark:
        mark_runs(outline, pieces, mark, [border.run for border in borders if border.head])
    if literals:
        places = page.open_start[list(literals)]
        pieces.put_each(places, Rank.SLICE, [markup.encode() for markup in literals.values()])
    if content.footnotes.notes:
        edges = find_bounds(outline, outline.first_row, outline.last_row)
        wrap_notes(outline, content.footnotes, pieces, edges)
    if not for_markdown:
        tags |= set_languages(outline, pieces)
    row_flags = _flag_rows(outline, content, literals, tags)
    signs = find_checkboxes(outline) | find_ticks(outline)
    if for_markdown:
        _write_hollow(outline, pieces, row_flags, signs)
    marks, unmarked = find_emphasis(outline, row_flags)
    row_flags[unmarked] |= int(RowFlag.UNMARKED)
    edges = put_plain_pieces(outline, pieces, row_flags, tags, links=options.links)
    put_post_borders(outline, pieces, edges, borders, mark)
    _write_renamed(outline, pieces, tags)
    _write_formulas(outline, pieces, row_flags)
    if options.links:
        write_crossing_links(outline, pieces, edges, row_flags, tags)
    write_emphasis(marks, pieces)
    _write_preformatted(outline, pieces)
    for row, sign in signs.items():
        pieces.put(page.open_stop[[row]], Rank.CLOSE_LINK, sign.encode())
    _write_rules(outline, pieces, keep if posts else document.selection.keep)
    move_inline_notes(outline, content.footnotes, pieces, edges)
    check_deadline()
    return _Fragment(pieces.join(page.buffer), outline, content)


def _choose_leaves(
    page: Page, content: Content, options: WriteOptions, *, for_markdown: bool
) -> tuple[npt.NDArray[np.bool_], dict[int, str]]:
    """Return the leaves that can be written, and the markup of those not written as they are."""
    tag = page.tag[page.leaves]
    keep = content.keep
    if for_markdown and content.footnotes.ornaments:
        keep = keep.copy()
        keep[list(content.footnotes.ornaments)] = False
    literals: dict[int, str] = {}
    if for_markdown:
        literals |= {row: escape(text) for row, text in content.footnotes.unmarked.items()}
    if options.images:
        images = find_images(page, page.leaves[keep])
        keep = keep & ~find_repeats(page, keep, {row: url for row, (url, _) in images.items()})
        for row, (url, attrs) in watch(images.items()):
            if keep[page.leaf_offset[row]]:
                literals[row] = _format_image(attrs, url)
    media = page.leaves[keep & FRAMES[tag]]
    if options.links and media.size:
        literals |= link_media(page, media[~page.in_link[media]])
    if content.silent:
        literals |= dict.fromkeys(page.leaves[list(content.silent)].tolist(), "")
    for row, formula in watch(content.formulas.items()):
        if for_markdown or page.tag[row] == TEXT or is_script(page, row):
            literals[row] = format_mathml(formula, shown=not for_markdown)
        elif formula.parts:
            is_long = any(has_long_tag(page, part) for part in formula.parts)
            literals[row] = (
                format_mathml(formula, shown=True) if is_long else format_parts(page, formula)
            )
    for row, mixed_text in watch(content.mixed_texts.items()):
        literals[row] = "".join(
            escape(part) if isinstance(part, str) else format_mathml(part, shown=not for_markdown)
            for part in mixed_text
        )
    writable = _WRITABLE[tag]
    writable[page.leaf_offset[list(literals)]] = True
    return keep & writable, literals


def _format_callout(callout: Callout) -> str:
    given = {"data-callout": callout.kind}
    if callout.is_titled:
        given["data-titled"] = ""
    return format_start_tag("blockquote", given)


def _format_aligned_cells(outline: Outline) -> dict[int, str]:
    """Return row → start tag of the cells of WordPress, which state their alignment as data."""
    page = outline.page
    return {
        row: format_start_tag(name, {**keep_attributes(page, row, name), "align": value})
        for row, value in page.attributes.values(_ALIGNED).items()
        if (name := page.name(row)) in _CELLS
        and outline.structure[row]
        and outline.tag[row] == page.tag[row]
    }


def _format_image(attrs: dict[str, str], url: str) -> str:
    shown = {"src": url} | {
        name: attrs[name] for name in ("alt", "title", "width", "height") if attrs.get(name)
    }
    if len(shown.get("title", "")) > _MAX_TITLE_CHARS:
        del shown["title"]
    return format_start_tag("img", shown)


def _flag_rows(
    outline: Outline, content: Content, literals: Mapping[int, str], tags: Mapping[int, str]
) -> npt.NDArray[np.uint8]:
    """Flag how single rows are written; `RowFlag`, uint8[n_row]."""
    page = outline.page
    row_flags = np.zeros(len(page), np.uint8)
    for flag, rows in (
        (RowFlag.ELSEWHERE, literals),
        (RowFlag.ELSEWHERE, tags),
        (RowFlag.SPANNED, [row for row in tags if page.tag[row] == _SPAN]),
        (RowFlag.LINKED, content.footnotes.references),
        (RowFlag.UNLINKED, content.unlinked),
        (RowFlag.UNOPENED, outline.continued),
        (RowFlag.UNCLOSED, outline.continued.values()),
    ):
        if rows:
            row_flags[list(rows)] |= int(flag)
    if content.formula_wrappers:
        formula_wrappers = page.flag(list(content.formula_wrappers))
        unmarked = page.below(formula_wrappers) | (formula_wrappers & (page.tag == _CODE))
        row_flags[unmarked] |= int(RowFlag.UNMARKED)
    flag_link_pieces(outline, row_flags)
    return row_flags


def _write_hollow(
    outline: Outline, pieces: Pieces, row_flags: npt.NDArray[np.uint8], signs: Mapping[int, str]
) -> None:
    """Write empty heads for tables without names of columns, and no tags of hollow items.

    Items with ``signs``, by row, are not hollow.
    """
    hollow = [row for row in find_hollow_items(outline).tolist() if row not in signs]
    row_flags[hollow] |= int(RowFlag.UNOPENED | RowFlag.UNCLOSED)
    places = outline.page.open_start[find_empty_heads(outline)]
    pieces.put(places, Rank.SLICE, b"<thead><tr><th></th></tr></thead>")


def _write_renamed(outline: Outline, pieces: Pieces, tags: Mapping[int, str]) -> None:
    """Write the tags of structure that is declared as something else than its tag is."""
    page = outline.page
    if outline.tag is page.tag:
        return
    renamed = outline.structure & ~outline.preformatted & (outline.tag != page.tag)
    rows = renamed.nonzero()[0]
    starts: list[bytes] = []
    ends: list[bytes] = []
    for row, code in watch(zip(rows.tolist(), outline.tag[rows].tolist(), strict=True)):
        if item := outline.items.get(row):
            starts.append(item.start.encode())
            ends.append(item.stop.encode())
            continue
        name = NAMES[code]
        given = keep_attributes(page, row, name)
        if name in _CELLS:
            stated = ((span, page.attr(row, f"aria-{span}")) for span in _SPANS)
            given |= {span: value for span, value in stated if value}
        tag = tags.get(row) or format_start_tag(name, given)
        starts.append(tag.encode())
        ends.append(f"</{name}>".encode())
    pieces.put_each(page.open_start[rows], Rank.SLICE, starts)
    pieces.put_each(page.close_start[rows], Rank.SLICE, ends)


def _write_formulas(outline: Outline, pieces: Pieces, row_flags: npt.NDArray[np.uint8]) -> None:
    """Write formulas that are not written as their TeX."""
    page = outline.page
    rows = page.leaves[outline.kept]
    for row in rows[page.tag[rows] == _MATH].tolist():
        place = page.open_start[[row]]
        if row_flags[row] & RowFlag.ELSEWHERE:
            continue
        if is_plain_formula(page, row) and not has_long_tag(page, row):
            pieces.cut(place, page.close_stop[[row]])
        else:
            pieces.put(place, Rank.SLICE, escape(page.text_of(row)).encode())


def _write_preformatted(outline: Outline, pieces: Pieces) -> None:
    page = outline.page
    elements = outline.preformatted.nonzero()[0]
    if not elements.size:
        return
    pieces.put(page.close_start[elements], Rank.SLICE, b"</code></pre>")
    for row in watch(elements.tolist()):
        language = find_language(page, row)
        named = f' class="language-{language}"' if language else ""
        pieces.put(page.open_start[[row]], Rank.SLICE, f"<pre><code{named}>".encode())
    read = partial(read_code, page, outline.holds, outline.gutters)
    texts = [text for pre in elements.tolist() for text in read(pre)]
    rows = np.array([text.row for text in texts if text.is_exact], np.intp)
    pieces.cut(page.open_start[rows], page.open_stop[rows])
    ends = np.array([text.row for text in texts if text.is_end], np.intp)
    pieces.put(page.open_start[ends], Rank.GAP, b"\n")
    for text in watch(texts):
        if not (text.is_exact or text.is_end):
            pieces.put(page.open_start[[text.row]], Rank.SLICE, escape(text.text).encode())


def _write_rules(outline: Outline, pieces: Pieces, keep: npt.NDArray[np.bool_]) -> None:
    """Write the rules between two leaves that are both kept."""
    page = outline.page
    rows = page.rows_of(_RULES)
    if not rows.size:
        return
    leaf = page.leaf_offset[rows]
    inside = (leaf > 0) & (leaf < keep.size)
    rows, leaf = rows[inside], leaf[inside]
    inside = keep[leaf] & keep[leaf - 1]
    rows, leaf = rows[inside], leaf[inside]
    if not rows.size:
        return
    # Two with nothing but elements without text between them enclose an advertisement.
    together = np.append(leaf[1:] == leaf[:-1], False)
    encloses = together & (np.append(rows[1:], 0) > page.end.take(rows) + 1)
    encloses[1:] |= encloses[:-1]
    rows = rows[~(encloses | together)]
    above = page.nearest(outline.structure, rows)
    rows = rows[(above < 0) | _FLOW[outline.tag[above]]]
    pieces.put(page.open_start[rows], Rank.SLICE, b"<hr>")


# -- title and removed links -------------------------------------------------------------------


def write_whole_fragment(
    document: Document, options: WriteOptions, mark: str = "", *, for_markdown: bool = False
) -> _Fragment:
    """Write title, content and removed links as markup, as requested by the options.

    ``mark``, if any, is put before each run, into the title and each removed link.
    ``for_markdown`` is passed to `write_fragment`.
    """
    title = _find_title(document, options, for_markdown=for_markdown)
    heading = f"<h{title.level}>{mark}{escape(title.text)}</h{title.level}>" if title else ""
    fragment = write_fragment(document, options, mark, for_markdown=for_markdown)
    markup = heading.encode(errors="surrogatepass") + fragment.markup
    if options.removed_links:
        links = list_as_markup(document, tracking=options.tracking, mark=mark)
        markup += links.encode(errors="surrogatepass")
    return fragment._replace(markup=markup)


def lay_out_marked(
    document: Document,
    options: WriteOptions,
    render: Callable[[bytes, str], str],
    *,
    for_markdown: bool = False,
) -> OutputLayout:
    """Lay out an output: ``render`` turns markup into it, with the mark where each run starts."""
    mark = choose_mark(document.page) or ""
    fragment = write_whole_fragment(document, options, mark, for_markdown=for_markdown)
    written = render(fragment.markup, mark)
    check_deadline()
    text, offsets = split_at_marks(written, mark) if mark else (written, None)
    check_deadline()
    notes = fragment.content.footnotes if for_markdown else NO_FOOTNOTES
    links = list_links(document, tracking=options.tracking) if options.removed_links else ()
    has_title = _find_title(document, options, for_markdown=for_markdown) is not None
    return lay_out(text, fragment.outline, offsets, notes, n_link=len(links), has_title=has_title)


def _find_title(
    document: Document, options: WriteOptions, *, for_markdown: bool
) -> MissingTitle | None:
    """Return the title to be written: on request, and by default before anything kept."""
    keep = document.selection.keep
    if not (keep.any() if options.title is None else options.title):
        return None
    unwritten = find_unstated(document) if for_markdown else None
    return find_missing_title(document, unwritten=unwritten)
