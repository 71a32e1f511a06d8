"""A page as the sequence of start tags, text and end tags in its source.

Several classic algorithms do not use the tree. They read tags and words, or the characters of both,
in order. The part of the sequence before a row consists of the start tags of all rows before it and
the end tags of all elements that end before it, so prefix sums over rows are sufficient.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import TEXT

FloatArray = npt.NDArray[np.float64]
Int64Array = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SequenceLayout:
    """Positions of the rows in the sequence; int64[n_row] each, in characters or tokens.

    Row i's text is ``start[i]:stop[i]``, empty for an element; everything between texts is markup.
    ``length`` is the length of the sequence.
    """

    start: Int64Array
    stop: Int64Array
    length: int


def lay_out(
    page: Page, *, tokens: bool = False, ignored: BoolArray | None = None
) -> SequenceLayout:
    """Compute the position of every row; tags of ``ignored`` rows, bool[n_row], have length 0.

    In tokens, a tag and a word have length 1 each. In characters, text counts characters other than
    white space, markup its bytes in the page's buffer.
    """
    of_start = (page.tag != TEXT).astype(np.int64)
    of_end = (page.close_stop > page.close_start).astype(np.int64)
    if not tokens:
        of_start *= page.open_stop - page.open_start
        of_end *= page.close_stop - page.close_start
    if ignored is not None:
        of_start[ignored] = of_end[ignored] = 0
    markup = _sum_before(page, of_start, of_end)
    text = (page.words_before if tokens else page.chars_before).astype(np.int64)
    start = markup[:-1] + text[:-1]
    return SequenceLayout(start, start + np.diff(text), int(markup[-1] + text[-1]))


def tags_before(page: Page) -> Int64Array:
    """Count the start and end tags before each row; int64[n_row + 1], the last the page's total."""
    return _sum_before(page, page.tag != TEXT, page.close_stop > page.close_start)


def tag_places(page: Page) -> tuple[Int64Array, Int64Array]:
    """Return the positions of each row's start and end tags in the sequence of tokens.

    Two int64[n_row], −1 without such a tag.
    """
    is_element = page.tag != TEXT
    start = np.where(is_element, lay_out(page, tokens=True).start, -1)
    closed = np.flatnonzero(page.close_stop > page.close_start)
    closed = closed[np.argsort(page.close_start[closed], kind="stable")]
    elements = sum_before(is_element)
    after = page.end[closed]
    end = np.full(len(page), -1, np.int64)
    end[closed] = elements[after] + page.words_before[after] + np.arange(closed.size)
    return start, end


def mean_over(cells: FloatArray, layout: SequenceLayout, cell_size: int) -> FloatArray:
    """Average the values of cells over each row's text; float64[n_row].

    A row without text gets the value at its position. The last cell ends with the sequence.
    """
    edges = np.append(np.arange(0, layout.length, cell_size), layout.length)
    total = np.concatenate(([0.0], np.cumsum(cells * np.diff(edges))))
    start = np.minimum(layout.start, layout.length - 1)
    stop = np.maximum(layout.stop, start + 1)
    inside = np.interp(stop, edges, total) - np.interp(start, edges, total)
    means: FloatArray = inside / (stop - start)
    return means


def _sum_before(
    page: Page, of_start: npt.NDArray[np.generic], of_end: npt.NDArray[np.generic]
) -> Int64Array:
    """Sum the weights of start and end tags before each row; int64[n_row + 1]."""
    closed = np.bincount(page.end, weights=of_end.astype(np.float64), minlength=len(page) + 1)
    total = np.cumsum(closed.astype(np.int64))
    total[1:] += np.cumsum(of_start, dtype=np.int64)
    return total
