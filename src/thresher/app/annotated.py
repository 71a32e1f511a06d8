"""Annotated rendering of a page: generated markup in which every text is tagged with its block.

None of the page's own markup is output: elements become `div` and `span` with a class from the
table below, text is escaped, images are replaced by their names. So a hostile page can neither run
nor load anything, and the result needs no sandboxed frame. Computed in a worker process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final, NamedTuple

import numpy as np

from thresher.deadline import deadline
from thresher.extraction import read_page
from thresher.limits import Limits
from thresher.page import Page
from thresher.page.hidden import Hidden
from thresher.page.rows import BoolArray
from thresher.page.tags import BLOCK, REPLACED, TEXT

MAX_BLOCKS: Final = 1_000
"""Blocks shown at a time: browsers lay them out in some tenths of a second. Of 570 pages of four
training corpora 2 % have more; the median has 231."""
_MAX_OPEN: Final = 48
"""Maximum depth of nested elements; deeper ones are flattened into the innermost."""
_MAX_LEAF_CHARS: Final = 20_000
"""Maximum number of characters shown of one text."""
_MAX_NAME_CHARS: Final = 200
_CLASSES: Final = {
    **{name: name for name in ("h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "ul", "ol")},
    **{name: name for name in ("dt", "dd", "table", "caption", "tr", "td", "th", "pre")},
    **{name: name for name in ("blockquote", "figure", "figcaption")},
    **{name: f"area {name}" for name in ("nav", "aside", "header", "footer", "main", "article")},
    "form": "area form",
    **dict.fromkeys(("b", "strong"), "strong"),
    **dict.fromkeys(("em", "i", "cite"), "em"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "code"),
    **dict.fromkeys(("s", "del", "strike"), "del"),
    "a": "a",
    "sub": "sub",
    "sup": "sup",
}
"""Element → class of the element that replaces it."""
_INLINE: Final = frozenset(("strong", "em", "code", "del", "a", "sub", "sup"))


class BlockStyle(NamedTuple):
    """Classes and label of one block."""

    classes: str
    label: str
    """Accessible name of the link to the block."""


def window_of(n_block: int, block: int) -> tuple[int, int]:
    """Return the range of blocks shown together that includes a block."""
    start = max(0, min(block, n_block - 1)) // MAX_BLOCKS * MAX_BLOCKS
    return start, min(start + MAX_BLOCKS, n_block)


def annotate(
    page: Page, keep: BoolArray, styles: Sequence[BlockStyle], start: int, link: str | None = None
) -> str:
    """Return the markup of the blocks from ``start`` on, one for each style.

    ``keep`` is bool[n_leaf]; leaves not kept get the class ``off``. ``link`` is the prefix of the
    address of a block's details, followed by its number; without one the numbers are no links.
    """
    stop = start + len(styles)
    if start >= stop:
        return ""
    leaf = int(page.blocks.start[start])
    last = int(page.blocks.start[stop]) - 1
    first_row, last_row = int(page.leaves[leaf]), int(page.leaves[last])
    writer = _AnnotatedWriter(page, keep, styles, start, link)
    for row in _ancestors(page, first_row):
        writer.open(row)
    row = first_row
    while row <= last_row:
        writer.close_before(row)
        row = writer.write(row)
    writer.close_before(len(page))
    return "".join(writer.parts)


@dataclass(slots=True)
class _AnnotatedWriter:
    """Writes rows in order, with a stack of open elements."""

    page: Page
    keep: BoolArray
    styles: Sequence[BlockStyle]
    start: int
    link: str | None
    parts: list[str] = field(default_factory=list)
    _open: list[tuple[int, str]] = field(default_factory=list)
    """The row after each open element, and its end tag."""
    _block: int = -1

    def close_before(self, row: int) -> None:
        """Close the elements that end before a row."""
        while self._open and self._open[-1][0] <= row:
            self.parts.append(self._open.pop()[1])

    def write(self, row: int) -> int:
        """Write a row or open its element; return the next row."""
        page = self.page
        leaf, after = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
        name = page.name(row)
        if leaf == after:
            if name in ("br", "hr"):
                self.parts.append(f"<{name}>")
            elif name == "#text" and page.text_of(row).isspace():
                self.parts.append(" ")
            return int(page.end[row])
        if page.leaves[leaf] == row:
            self._write_leaf(row, leaf, name)
            # A replaced element may contain fallback content.
            return int(page.end[row]) if after == leaf + 1 else row + 1
        self.open(row)
        return row + 1

    def open(self, row: int) -> None:
        """Open an element that has leaves, if it is rendered."""
        if len(self._open) >= _MAX_OPEN:
            return
        page = self.page
        kind = _CLASSES.get(page.name(row))
        if kind is None and not (BLOCK[page.tag[row]] and self._has_own_leaf(row)):
            return
        tag = "span" if kind in _INLINE else "div"
        self.parts.append(f'<{tag} class="{kind}">' if kind else "<div>")
        self._open.append((int(page.end[row]), f"</{tag}>"))

    def _has_own_leaf(self, row: int) -> bool:
        """Return whether the first leaf of an element belongs to its own block."""
        page = self.page
        return int(page.block_row[page.blocks.of_leaf[page.leaf_offset[row]]]) == row

    def _write_leaf(self, row: int, leaf: int, name: str) -> None:
        page = self.page
        block = int(page.blocks.of_leaf[leaf])
        style = self.styles[block - self.start]
        classes = f"b {style.classes}{'' if self.keep[leaf] else ' off'}"
        if page.hidden[row] != Hidden(0).value:
            classes += " hid"
        marker = ""
        if block != self._block:
            self._block = block
            marker = self._mark(block, style.label)
        text = page.leaf_text(leaf)
        if REPLACED[page.tag[row]] and not text.strip():
            shown = f'<span class="pic">{escape(_name_picture(page, row, name))}</span>'
        else:
            cut = f"{text[:_MAX_LEAF_CHARS]} …" if len(text) > _MAX_LEAF_CHARS else text
            shown = escape(cut)
        self.parts.append(f'{marker}<span class="{classes}" data-b="{block}">{shown}</span>')

    def _mark(self, block: int, label: str) -> str:
        """Return the number of a block, as a link to its details if there are any."""
        if self.link is None:
            return f'<span class="n">{block + 1}</span>'
        return (
            f'<a class="n" id="b{block}" href="{escape(self.link)}{block}#block"'
            f' aria-label="{escape(label)}">{block + 1}</a>'
        )


def _ancestors(page: Page, row: int) -> Iterator[int]:
    """Yield the ancestors of a row, from the root down."""
    rows = []
    at = int(page.parent[row])
    while at >= 0:
        rows.append(at)
        at = int(page.parent[at])
    # The outermost ancestors are the least informative.
    yield from reversed(rows[:_MAX_OPEN])


def _name_picture(page: Page, row: int, name: str) -> str:
    attributes = {} if page.tag[row] == TEXT else page.attrs(row)
    said = attributes.get("alt") or attributes.get("title") or attributes.get("placeholder") or ""
    said = " ".join(said.split())[:_MAX_NAME_CHARS]
    kind = "image" if name == "img" else name
    return f"{kind}: {said}" if said else kind


_PLAIN: Final = BlockStyle("", "")
"""Marks are put on the blocks in the browser, where they change."""


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A stretch of a page."""

    markup: str
    start: int
    """First block drawn."""
    stop: int
    n_block: int
    """Blocks of the whole page."""


def draw_page(html: str, url: str | None, block: int, limits: Limits) -> DrawnPage:
    """Draw the blocks of a page around one of them; raises the errors of `thresher.extract`."""
    with deadline(limits.deadline_s):
        page = read_page(html, url=url, max_bytes=limits.max_bytes, max_nodes=limits.max_nodes)
        n_block = len(page.blocks)
        start, stop = window_of(n_block, block)
        keep = np.ones(page.leaves.size, np.bool_)
        return DrawnPage(
            annotate(page, keep, [_PLAIN] * (stop - start), start), start, stop, n_block
        )
