"""Features of a page apart from plain words, read from its HTML.

It may have been written by hand, by an extractor, or rendered from Markdown, so that all are
compared alike. White space is ignored, except in code: texts are compared without it, in Unicode's
form NFC.

A table is its rows of cells. GFM has no spans: a table with spans equals one whose cells were
split, with the text in the first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import unquote

import numpy as np

from thresher.evaluation.tokens import split_tokens
from thresher.page import Page
from thresher.page.parse import parse
from thresher.page.rows import BoolArray
from thresher.page.tags import CELLS, CODE_OF, HEADINGS, TEXT, flags_of
from thresher.support.quoting import read_whole_number

Grid = tuple[tuple[str, ...], ...]
"""Rows of texts, all of the same length."""
MAX_CELLS: Final = 600
"""Maximum cells of a table that are compared; the tree distance is quadratic in their number."""
_MAX_SPAN: Final = 50
"""Maximum columns or rows of one cell; some pages state 1,000."""
_TR: Final = CODE_OF["tr"]
_ITEM: Final = flags_of("dd dt li")
_LIST: Final = flags_of("dir dl menu ol ul")
_ORDERED: Final = flags_of("ol")
_A, _BR, _DIV, _IMG, _MATH, _PRE, _QUOTE, _SUP, _TABLE = (
    CODE_OF[name] for name in "a br div img math pre blockquote sup table".split()
)
_BOLD: Final = flags_of("b strong")
_DT: Final = CODE_OF["dt"]
_SPANS: Final = {
    **dict.fromkeys(("b", "strong"), "strong"),
    **dict.fromkeys(("em", "i"), "em"),
    **dict.fromkeys(("del", "s", "strike"), "del"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "code"),
    **{name: name for name in ("mark", "sub", "sup")},
}
"""Inline element → the kind it counts as."""
_TEX: Final = "application/x-tex"
_MAX_MARK_CHARS: Final = 2
"""Letters or digits of the mark of a note, or an arrow back to it."""
_SCHEME: Final = re.compile(r"\Ahttps?://", re.IGNORECASE)
_TRACKING: Final = re.compile(r"([?&])(?:utm_\w+|fbclid|gclid)=[^&#]*&?")
"""Tracking parameters in URLs; some tools remove them, which is not an error."""
_LANGUAGE: Final = re.compile(r"(?:^|\s)lang(?:uage)?-(\S+)")


def read_grid(page: Page, table: int, text_of: Callable[[int], str]) -> Grid:
    """Read a `table` element; ``text_of`` gives the text of a row of the page."""
    cells: dict[tuple[int, int], str] = {}
    n_row = n_column = 0
    line = -1
    for row in range(table + 1, int(page.end[table])):
        if page.tag[row] == _TR:
            line, column = line + 1, 0
        elif CELLS[page.tag[row]] and line >= 0:
            while (line, column) in cells:
                column += 1
            width, height = (
                min(read_whole_number(page.attr(row, name) or "") or 1, _MAX_SPAN)
                for name in ("colspan", "rowspan")
            )
            for down in range(height):
                for right in range(width):
                    cells.setdefault((line + down, column + right), "")
            cells[line, column] = text_of(row)
            n_row, n_column = max(n_row, line + 1), max(n_column, column + width)
    rows = [tuple(cells.get((y, x), "") for x in range(n_column)) for y in range(n_row)]
    filled = [row for row in rows if any(row)]
    used = [x for x in range(n_column) if any(row[x] for row in filled)]
    grid = tuple(tuple(row[x] for x in used) for row in filled)
    return grid[: max(MAX_CELLS // len(used), 2)] if used else ()


class HeadingText(NamedTuple):
    """A heading."""

    level: int
    text: str


class ListItem(NamedTuple):
    """A list item; those of description lists are of the kinds ``dt`` and ``dd``."""

    depth: int
    """Number of lists around it, from 1."""
    kind: str
    """``ul``, ``dt``, ``dd``; for an ordered list its number."""
    text: str
    """Its own, without that of nested lists."""


class Code(NamedTuple):
    """A block of code."""

    text: str
    """Exact, except for blank lines around it."""
    language: str
    """As declared, in lower case; empty if it is not."""


class LinkText(NamedTuple):
    """A link to another page."""

    text: str
    target: str


@dataclass(frozen=True, slots=True)
class PageStructure:
    """The features found on one page, each kind in document order."""

    headings: tuple[HeadingText, ...] = ()
    items: tuple[ListItem, ...] = ()
    tables: tuple[Grid, ...] = ()
    code: tuple[Code, ...] = ()
    formulas: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Texts of footnotes."""
    quotes: tuple[str, ...] = ()
    links: tuple[LinkText, ...] = ()
    images: tuple[frozenset[str], ...] = ()
    """The URLs of each image: one, or those of several sizes."""
    spans: tuple[tuple[str, str], ...] = ()
    """Emphasis, code and the like inside text: their kind and text."""
    note_links: tuple[LinkText, ...] = ()
    """Links in footnotes, which are not among the others."""
    note_spans: tuple[tuple[str, str], ...] = ()
    """Emphasis and the like in footnotes."""
    words: tuple[str, ...] = ()
    title: str = ""
    """The first heading, if it is of the first level."""
    callouts: tuple[tuple[str, str], ...] = ()
    """Their kind and text."""
    terms: tuple[str, ...] = ()
    """Texts marked as terms, as opposed to the definitions below them."""
    blocks: tuple[str, ...] = ()
    """Texts of blocks, their white space collapsed and formulas left out."""
    captioned: tuple[str, ...] = ()
    """The blocks that follow an image directly, or share its block."""
    captions: tuple[str, ...] = ()
    """Only of what is expected, as are the next two: captions, written below their images."""
    signatures: tuple[str, ...] = ()
    """Names with parameters that are a block of their own."""
    embeds: tuple[str, ...] = ()
    """Addresses of posts and players."""

    @property
    def pieces(self) -> tuple[str, ...]:
        """The strings between white space, without formulas."""
        return tuple(piece for text in self.blocks for piece in text.split())


def squeeze(text: str) -> str:
    """Return a text in the form that is compared: NFC, without white space."""
    return "".join(unicodedata.normalize("NFC", text).split())


def read_structure(html: str, url: str | None = None) -> PageStructure:
    """Read the features of HTML; ``url`` is its URL, which identifies links into itself."""
    if not html.strip():
        return PageStructure()
    page = parse(html)
    is_note = np.zeros(len(page), np.bool_)
    for row, name in page.attributes.values("class").items():
        is_note[row] = "footnotes" in name.split()
    in_note = page.within(is_note)
    reader = _StructureReader(page, in_note)
    return PageStructure(
        headings=tuple(reader.headings()),
        items=tuple(reader.items()),
        tables=tuple(reader.tables()),
        code=tuple(reader.code()),
        formulas=tuple(reader.formulas()),
        notes=tuple(reader.notes()),
        quotes=tuple(reader.quotes()),
        links=tuple(reader.links(url, ~in_note)),
        note_links=tuple(reader.links(url, in_note)),
        images=tuple(reader.images()),
        spans=tuple(reader.spans(~in_note)),
        note_spans=tuple(reader.spans(in_note)),
        words=tuple(reader.words()),
        title=reader.title(),
        callouts=tuple(reader.callouts()),
        terms=tuple(reader.terms()),
        blocks=tuple(reader.blocks()),
        captioned=tuple(reader.captioned()),
    )


class _StructureReader:
    """Reader of one page; ``in_note`` flags the rows of its footnotes."""

    def __init__(self, page: Page, in_note: BoolArray) -> None:
        self._page = page
        self._in_note = in_note
        self._texts = [self._leaf_text(leaf) for leaf in range(page.leaves.size)]

    def headings(self) -> Iterator[HeadingText]:
        for row in self._rows(HEADINGS[self._page.tag]):
            if text := self._text(row):
                yield HeadingText(int(self._page.name(row)[1]), text)

    def items(self) -> Iterator[ListItem]:
        page = self._page
        is_item = _ITEM[page.tag]
        is_list = _LIST[page.tag]
        own: dict[int, list[str]] = {}
        for leaf, item in enumerate(page.nearest(is_item)[page.leaves].tolist()):
            own.setdefault(item, []).append(self._texts[leaf])
        in_list = page.nearest(is_list)
        numbers: dict[int, int] = {}
        depths: dict[int, int] = {-1: 0}
        for row in np.flatnonzero(is_list).tolist():
            above = int(in_list[page.parent[row]]) if row else -1
            depths[row] = depths[above] + 1
        for row in self._rows(is_item):
            around = int(in_list[row])
            kind = page.name(row)
            if kind == "li":
                kind = "ul"
                if around >= 0 and _ORDERED[page.tag[around]]:
                    start = numbers.get(around, _number(page.attr(around, "start"), 1) - 1)
                    numbers[around] = _number(page.attr(row, "value"), start + 1)
                    kind = str(numbers[around])
            if text := squeeze("".join(own.get(row, ()))):
                yield ListItem(max(depths[around], 1), kind, text)

    def tables(self) -> Iterator[Grid]:
        tables = self._page.tag == _TABLE
        holding = self._page.subtree_sums(tables) > 1
        for row in self._rows(tables & ~holding):
            grid = read_grid(self._page, row, self._text)
            # Others are only layout, or could as well be a list.
            if len(grid) > 1 and len(grid[0]) > 1:
                yield grid

    def code(self) -> Iterator[Code]:
        page = self._page
        for row in self._rows(page.tag == _PRE):
            if text := self._code_text(row):
                inside = [row, *(r for r in range(row + 1, int(page.end[row])) if page.tag[r] > 0)]
                names = (
                    _LANGUAGE.search(page.attr(inner_row, "class") or "") for inner_row in inside
                )
                name = next((match[1] for match in names if match), "")
                yield Code(text, name.lower())

    def formulas(self) -> Iterator[str]:
        for row in self._rows(self._page.tag == _MATH):
            if tex := self._tex(row):
                yield _normalise_tex(tex)

    def notes(self) -> Iterator[str]:
        page = self._page
        for row in np.flatnonzero(self._in_note & _ITEM[page.tag]).tolist():
            if text := self._text(row):
                yield text

    def title(self) -> str:
        """Return the first heading if it is of the first level."""
        rows = self._rows(HEADINGS[self._page.tag])[:1]
        is_first = bool(rows) and self._page.name(rows[0]) == "h1"
        return " ".join(self._page.text_of(rows[0]).split()) if is_first else ""

    def callouts(self) -> Iterator[tuple[str, str]]:
        for row, kind in self._page.attributes.values("data-callout").items():
            yield kind, self._text(row)

    def terms(self) -> Iterator[str]:
        """Yield terms of description lists, and what is bold where a block begins."""
        page = self._page
        first = page.flag(page.block_leaf)
        for row in self._rows((page.tag == _DT) | _BOLD[page.tag]):
            leaf = int(page.leaf_offset[row])
            if leaf < page.leaves.size and first[page.leaves[leaf]]:
                yield self._text(row)

    def blocks(self) -> Iterator[str]:
        for text in self._block_texts():
            if text:
                yield " ".join(text.split())

    def captioned(self) -> Iterator[str]:
        page = self._page
        has_image = page.blocks.any(page.tag[page.leaves] == _IMG).tolist()
        for block, own in enumerate(has_image):
            if own or (block and has_image[block - 1]):
                yield " ".join(page.block_text(block).split())

    def quotes(self) -> Iterator[str]:
        quotes = self._page.tag == _QUOTE
        quotes[list(self._page.attributes.values("data-callout"))] = False
        for row in self._rows(quotes & ~self._page.below(quotes)):
            if text := self._text(row):
                yield text

    def links(self, url: str | None, flags: BoolArray) -> Iterator[LinkText]:
        for row in np.flatnonzero(flags & (self._page.tag == _A)).tolist():
            target = (self._page.attr(row, "href") or "").strip()
            place, mark, _ = target.partition("#")
            if target and not (mark and place in ("", url)):
                plain = re.sub(r"[?&](?=#|$)", "", _TRACKING.sub(r"\1", target))
                yield LinkText(self._text(row), place_of(plain))

    def images(self) -> Iterator[frozenset[str]]:
        for row in self._rows(self._page.tag == _IMG):
            sizes = (self._page.attr(row, "srcset") or "").split(", ")
            places = [self._page.attr(row, "src") or "", *(size.strip() for size in sizes)]
            urls = {place_of(place.split(" ")[0]) for place in map(str.strip, places)}
            if urls := {place for place in urls if not place.startswith("data:")} - {""}:
                yield frozenset(urls)

    def spans(self, flags: BoolArray) -> Iterator[tuple[str, str]]:
        """Yield kind and text of those flagged; marks of notes and links back to them are none."""
        page = self._page
        counted = page.tagged(_SPANS) & ~page.within(page.tag == _PRE)
        is_mark = np.zeros(len(page), np.bool_)
        for row, target in page.attributes.values("href").items():
            is_mark[row] = "#" in target
        has_mark = (page.subtree_sums(is_mark) > 0) | page.within(is_mark)
        counted &= flags & ~((page.tag == _SUP) & has_mark) & ~page.within(HEADINGS[page.tag])
        for row in np.flatnonzero(counted).tolist():
            text = self._text(row)
            if text and not (has_mark[row] and len(text) <= _MAX_MARK_CHARS):
                yield _SPANS[page.name(row)], text

    def words(self) -> Iterator[str]:
        for text in self._block_texts():
            yield from split_tokens(text)

    def _block_texts(self) -> Iterator[str]:
        """Yield the texts of blocks without formulas."""
        page = self._page
        keep = page.tag[page.leaves] != _MATH
        return (page.block_text(block, keep) for block in range(len(page.blocks)))

    def _rows(self, flags: BoolArray) -> list[int]:
        rows: list[int] = np.flatnonzero(flags & ~self._in_note).tolist()
        return rows

    def _text(self, row: int) -> str:
        first, stop = self._page.leaf_offset[[row, self._page.end[row]]].tolist()
        return squeeze("".join(self._texts[first:stop]))

    def _code_text(self, pre: int) -> str:
        """Return preformatted text, without blank lines around it."""
        page = self._page
        parts: list[str] = []
        for row in range(pre + 1, int(page.end[pre])):
            if page.tag[row] == TEXT:
                parts.append(page.text_of(row))
            elif page.tag[row] == _BR or (
                page.tag[row] == _DIV and parts and not parts[-1].endswith("\n")
            ):
                parts.append("\n")
        lines = "".join(parts).split("\n")
        shown = [place for place, line in enumerate(lines) if line.strip()]
        return "\n".join(lines[shown[0] : shown[-1] + 1]) if shown else ""

    def _leaf_text(self, leaf: int) -> str:
        row = int(self._page.leaves[leaf])
        if self._page.tag[row] != _MATH:
            return self._page.leaf_text(leaf)
        return _normalise_tex(self._tex(row) or self._page.leaf_text(leaf))

    def _tex(self, row: int) -> str | None:
        tex = find_tex(self._page, row)
        return self._page.attr(row, "alttext") if tex is None else tex


def find_tex(page: Page, row: int) -> str | None:
    """Return the TeX that a formula is annotated with."""
    for part in range(row + 1, int(page.end[row])):
        if page.name(part) == "annotation" and page.attr(part, "encoding") == _TEX:
            return page.text_of(part)
    return None


def place_of(address: str) -> str:
    """Return an address without HTTP's scheme: a page can leave it out, and labels have either."""
    return unquote(_SCHEME.sub("//", address))


def _number(text: str | None, otherwise: int) -> int:
    text = (text or "").strip()
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) else otherwise


def _normalise_tex(tex: str) -> str:
    """Remove what does not change a formula's meaning: white space, size, outer braces."""
    tex = re.sub(r"\\(?:displaystyle|textstyle|,|;|!| )", "", tex)
    tex = re.sub(r"\{(\w)\}", r"\1", "".join(tex.split()))
    while tex.startswith("{") and tex.endswith("}") and _closes_at_end(tex):
        tex = tex[1:-1]
    return tex.rstrip(".,")


def _closes_at_end(tex: str) -> bool:
    depth = 0
    for place, char in enumerate(tex):
        depth += (char == "{") - (char == "}")
        if depth == 0:
            return place == len(tex) - 1
    return False
