"""The kept headings of a page, as a list and as a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.links import find_signs_of
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, flags_of
from thresher.page.text import count_at
from thresher.selection import Selection

__all__ = ["Heading", "find_headings", "outline_of", "paths_of"]

_HEADING: Final = flags_of("h1 h2 h3 h4 h5 h6")
_LINKS: Final = flags_of("a")
_LEVEL_OF: Final = {CODE_OF[f"h{level}"]: level for level in range(1, 7)}


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, with the subheadings up to the next heading of its own or a higher rank."""

    level: int
    """1 to 6."""
    title: str
    block: int
    """The first of the page's blocks that it is written from."""
    children: tuple[Heading, ...] = ()


def find_headings(selection: Selection) -> tuple[Heading, ...]:
    """Return all kept headings with text, in order, without children."""
    page = selection.page
    heading = page.nearest(_HEADING.take(page.tag))
    kept = selection.keep.nonzero()[0]
    rows = heading.take(page.leaves.take(kept))
    inside = rows >= 0
    if not inside.any():
        return ()
    blocks = page.blocks.of_leaf.take(kept[inside])
    keep = _without_signs(page, selection.keep, heading)
    texts = _read_blocks(page, keep, blocks[np.append(True, blocks[1:] != blocks[:-1])])
    titles: dict[int, list[str]] = {}
    first: dict[int, int] = {}
    for row, block in watch(zip(rows[inside].tolist(), blocks.tolist(), strict=True)):
        if block in texts:
            first.setdefault(row, block)
            titles.setdefault(row, []).append(texts.pop(block))
    found = []
    for row, parts in titles.items():
        if title := " ".join(" ".join(parts).split()):
            found.append(Heading(_LEVEL_OF[int(page.tag[row])], title, first[row]))
    return tuple(found)


def _read_blocks(page: Page, keep: BoolArray, blocks: npt.NDArray[np.intp]) -> dict[int, str]:
    """Return block → text of its kept leaves; most blocks of headings have one."""
    start = page.blocks.start
    firsts, sizes = start.take(blocks), start.take(blocks + 1) - start.take(blocks)
    texts: dict[int, str] = {}
    gaps = None
    leaves = zip(firsts.tolist(), sizes.tolist(), strict=True)
    for block, (leaf, size) in watch(zip(blocks.tolist(), leaves, strict=True)):
        if size == 1 and keep[leaf]:
            texts[block] = page.leaf_text(leaf)
            continue
        if gaps is None:
            titled = np.zeros(len(page.blocks), np.bool_)
            titled[blocks] = True
            gaps = page.gaps_before(titled.take(page.blocks.of_leaf))
        texts[block] = page.block_text(block, keep, gaps)
    return texts


def _without_signs(page: Page, keep: BoolArray, heading: IntArray) -> BoolArray:
    """Return the kept leaves except those that only show a permalink of the heading around.

    ``heading`` is the innermost heading around each row, −1 for none.
    """
    links = page.rows_of(_LINKS)
    links = links[heading.take(links) >= 0]
    if not links.size:
        return keep
    first, stop = page.leaf_offset.take(links), page.leaf_offset.take(page.end.take(links))
    signs = find_signs_of(page, links[count_at(keep, stop) > count_at(keep, first)])
    if not signs:
        return keep
    less = keep.copy()
    for link in signs:
        less[page.leaf_offset[link] : page.leaf_offset[page.end[link]]] = False
    return less


def outline_of(headings: Sequence[Heading]) -> tuple[Heading, ...]:
    """Arrange headings as a tree: each contains the following ones with a larger level number."""
    done: list[Heading] = []
    # From last to first: the children of a heading are complete when it is reached.
    for heading in reversed(headings):
        children = []
        while done and done[-1].level > heading.level:
            children.append(done.pop())
        done.append(Heading(heading.level, heading.title, heading.block, tuple(children)))
    return tuple(reversed(done))


def paths_of(headings: Sequence[Heading]) -> list[tuple[str, ...]]:
    """Return for each heading the titles from its highest ancestor down to its own."""
    above: list[Heading] = []
    paths = []
    for heading in headings:
        while above and above[-1].level >= heading.level:
            above.pop()
        above.append(heading)
        paths.append(tuple(each.title for each in above))
    return paths
