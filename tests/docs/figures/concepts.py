"""Figures of the page on concepts: the table of a page, masks over it, and what a writer makes."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

import thresher
from tests.docs.figures.canvas import LINE, WIDTH, Canvas, shorten
from thresher import Document, Page
from thresher.page.tags import NAMES, TEXT

_FIRST, _BESIDE = "h2", "table"
"""The rows that are drawn: from the first of these elements to the first of those."""
_METHODS: Final = ("link_ratio", "prune_shake_purify")
_WRITTEN: Final = (9, 26)
"""The first and the last block of the harbour page whose Markdown is drawn."""
_LINE_CHARS: Final = 50
"""As many characters of a fixed width as fit beside the numbers of blocks."""


def draw_table(document: Document) -> str:
    """Draw rows of the page's table: a heading, and a paragraph with its subtree marked."""
    page = document.page
    start = int(np.flatnonzero(page.tagged([_FIRST]))[0])
    stop = int(np.flatnonzero(page.tagged([_BESIDE]))[0])
    paragraph = int(np.flatnonzero(page.tagged(["p"])[start:stop])[0]) + start
    canvas = Canvas("Rows of a page's table, with the subtree of a paragraph marked")
    columns = (210, 243, 285, 314, WIDTH - 6)
    for x, name in zip(columns, ("parent", "end", "words", "leaf", "block"), strict=True):
        canvas.text(x, LINE, name, "muted end")
    canvas.text(24, LINE, "row", "muted end")
    canvas.text(32, LINE, "node", "muted")
    canvas.path(f"M6 {LINE + 6}H{WIDTH - 6}", "rule")

    top = LINE + 8
    inside = page.end[paragraph] - paragraph
    canvas.box(2, top + (paragraph - start) * LINE + 1, WIDTH - 4, inside * LINE - 1, "band")
    leaf_of = {int(row): leaf for leaf, row in enumerate(page.leaves)}
    block_of = page.blocks.of_leaf
    for row in range(start, stop):
        y = top + (row - start) * LINE + 12
        canvas.text(24, y, str(row), "muted end")
        indent = 32 + 10 * int(page.depth[row] - page.depth[start])
        canvas.text(indent, y, *_name_row(page, row, 178 - indent))
        leaf = leaf_of.get(row)
        cells = (
            page.parent[row],
            page.end[row],
            page.words_before[row],
            "" if leaf is None else leaf,
            "" if leaf is None else block_of[leaf],
        )
        for x, cell in zip(columns, cells, strict=True):
            canvas.text(x, y, str(cell), "mono end")
    bottom = top + (stop - start) * LINE
    words = page.words_before[[paragraph, page.end[paragraph]]].tolist()
    canvas.path(f"M6 {bottom + 3}H{WIDTH - 6}", "rule")
    canvas.text(
        6,
        bottom + LINE + 3,
        f"rows {paragraph}:{page.end[paragraph]} are the paragraph:"
        f" {words[1]} − {words[0]} = {words[1] - words[0]} words",
        "title",
    )
    return canvas.finish(bottom + 2 * LINE - 3)


def _name_row(page: Page, row: int, width: float) -> tuple[str, str]:
    """Return what a row is called, as long as there is room, and its style."""
    code = int(page.tag[row])
    if code != TEXT:
        return f"<{NAMES[code]}>", "mono title"
    text = page.text_of(row)
    return (shorten(f"“{text.strip()}”", int(width / 5.6)), "") if text.strip() else ("␣", "muted")


def draw_mask(document: Document) -> str:
    """Draw the mask over a page: a square for each leaf, a line for each block."""
    canvas = Canvas("The mask over all blocks of a page: what is kept is filled")
    canvas.text(22, LINE, "block", "muted middle")
    canvas.text(44, LINE, "leaves", "muted")
    canvas.text(108, LINE, "text", "muted")
    canvas.text(WIDTH - 6, LINE, "role", "muted end")
    canvas.path(f"M6 {LINE + 6}H{WIDTH - 6}", "rule")
    keep, starts = document.selection.keep, document.page.blocks.start.tolist()
    y = LINE + 8
    for block, (start, stop) in zip(document.blocks, pairwise(starts), strict=True):
        canvas.text(30, y + 12, str(block.index), "muted end")
        for place, kept in enumerate(keep[start:stop].tolist()):
            canvas.box(44 + 8.5 * place, y + 4, 6.5, 9, "in" if kept else "out")
        text = shorten(block.text or "a picture", 27)
        canvas.text(108, y + 12, text, "" if block.kept else "muted")
        canvas.text(WIDTH - 6, y + 12, block.role or "", "muted end")
        y += LINE
    n_kept = int(np.count_nonzero(keep))
    canvas.path(f"M6 {y + 3}H{WIDTH - 6}", "rule")
    canvas.box(8, y + 10, 6.5, 9, "in")
    canvas.text(20, y + 19, f"kept: {n_kept} leaves")
    canvas.box(128, y + 10, 6.5, 9, "out")
    canvas.text(140, y + 19, f"dropped: {keep.size - n_kept}")
    return canvas.finish(y + 28)


def draw_masks(document: Document) -> str:
    """Draw the masks of two methods, and what `&`, `|` and `~` make of them."""
    page = document.page
    one, other = (thresher.select(page, method) for method in _METHODS)
    canvas = Canvas("The masks of two methods, their intersection, union and complement")
    step = (WIDTH - 12) / page.leaves.size
    y = 4.0
    rows = (
        (f"a = {_METHODS[0]}", one),
        (f"b = {_METHODS[1]}", other),
        ("a & b: kept by both", one & other),
        ("a | b: kept by either", one | other),
        ("~a: dropped by a", ~one),
    )
    for label, selection in rows:
        n_kept = int(np.count_nonzero(selection.keep))
        canvas.text(6, y + 12, label, "title")
        canvas.text(WIDTH - 6, y + 12, f"{n_kept} of {page.leaves.size} leaves", "muted end")
        for place, kept in enumerate(selection.keep.tolist()):
            canvas.box(6 + place * step, y + 17, step - 1.8, 12, "in" if kept else "out")
        y += 40
    return canvas.finish(y - 2)


def draw_writing(document: Document) -> str:
    """Draw a part of a page's Markdown, each line beside the blocks that it was written from."""
    canvas = Canvas("Markdown of a page, each line beside the blocks that it was written from")
    canvas.text(40, LINE, "blocks", "muted end")
    canvas.text(52, LINE, "Markdown", "muted")
    canvas.path(f"M6 {LINE + 6}H{WIDTH - 6}", "rule")
    markdown, y, above = document.markdown, LINE + 8, ""
    for chunk in document.chunks(_LINE_CHARS):
        if not (chunk.blocks and _WRITTEN[0] <= chunk.blocks[0] <= _WRITTEN[1]):
            continue  # a title that is written has no blocks
        blocks = "–".join(str(block) for block in sorted({chunk.blocks[0], chunk.blocks[-1]}))
        lines = markdown[chunk.start : chunk.stop].split("\n")
        if blocks != above:
            canvas.text(40, y + 12, blocks, "muted end")
        canvas.box(45, y + 2, 2, LINE * len(lines) - 3, "in")
        for place, line in enumerate(lines):
            canvas.text(52, y + 12 + place * LINE, shorten(line, _LINE_CHARS), "mono")
        y, above = y + LINE * len(lines), blocks
    return canvas.finish(y + 4)
