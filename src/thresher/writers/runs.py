"""What runs of text lack: paragraphs around them, and links that crossed several put into one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.scan import IntArray
from thresher.tags import BLOCK, CODE_OF, REPLACED, TEXT
from thresher.writers.outline import Outline, runs_in_preformatted
from thresher.writers.permalinks import HEADINGS
from thresher.writers.pieces import Pieces, Rank
from thresher.writers.start_tags import put_start_tags
from thresher.writers.structure import LISTS

__all__ = ["place_runs", "write_runs"]

_A, _DL, _MATH = (CODE_OF[name] for name in ("a", "dl", "math"))


def place_runs(outline: Outline) -> tuple[IntArray, IntArray]:
    """Return the places at which the runs begin and end, with the inline elements around them."""
    page = outline.page
    boundary = BLOCK[page.tag] | outline.crossing
    boundary[page.leaves] = False
    # The outermost elements of a run: what they are in holds other runs too.
    outermost = ~boundary & boundary[page.parent]
    first, last = (page.nearest(outermost, rows) for rows in (outline.first_row, outline.last_row))
    opens = page.open_start[first]
    # A film is written as a point: what stands in it comes after.
    point = REPLACED[page.tag[last]] & (page.tag[last] != _MATH) & (last == outline.last_row)
    return opens, np.where(point, page.open_stop[last], page.close_stop[last])


def write_runs(
    outline: Outline, pieces: Pieces, opens: IntArray, closes: IntArray, *, links: bool
) -> None:
    """Put paragraphs around runs that have none, and links that cross paragraphs into one.

    ``opens`` and ``closes`` are the places at which the runs begin and end.
    """
    page, runs = outline.page, outline.runs
    tag = np.where(outline.container >= 0, page.tag[outline.container], TEXT)
    wrappers = (
        (b"<li>", b"</li>", ~outline.bare & LISTS[tag]),
        (b"<dd>", b"</dd>", ~outline.bare & (tag == _DL)),
        (b"<p>", b"</p>", ~outline.bare & ~LISTS[tag] & (tag != _DL)),
    )
    for opening, closing, wrapped in wrappers:
        pieces.put(opens[wrapped], Rank.OPEN_RUN, opening)
        pieces.put(closes[wrapped], Rank.CLOSE_RUN, closing)
    # Where there can be no paragraphs, as in a heading, their edges are spaces.
    again = np.zeros(len(runs), np.bool_)
    again[1:] = outline.container[1:] == outline.container[:-1]
    pieces.put(opens[outline.bare & again & ~runs_in_preformatted(outline)], Rank.GAP, b" ")

    if links:
        rows = np.flatnonzero((page.tag == _A) & outline.crossing & outline.holds)
        if not rows.size:
            return
        rows, target = _pick_runs(outline, rows)
        put_start_tags(page, pieces, rows, opens[target], Rank.OPEN_LINK)
        pieces.move(closes[target], Rank.CLOSE_LINK, page.close_start[rows], page.close_stop[rows])


def _pick_runs(
    outline: Outline, links: npt.NDArray[np.intp]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Choose the one run each link goes to: the first heading in it, else the first with words.

    Of links that choose the same run the innermost gets it.
    """
    page, runs = outline.page, outline.runs
    before = np.searchsorted(outline.kept, page.leaf_offset[links])
    after = np.searchsorted(outline.kept, page.leaf_offset[page.end[links]])
    first, last = runs.of_leaf[before], runs.of_leaf[after - 1]
    tag = np.where(outline.container >= 0, outline.tag[outline.container], TEXT)
    worded = runs.sums(page.leaf_words[outline.kept]) > 0
    target = first
    for wanted in (worded & ~runs_in_preformatted(outline), HEADINGS[tag]):
        choices = np.append(np.flatnonzero(wanted), len(runs))
        found = choices[np.searchsorted(choices, first)]
        target = np.where(found <= last, found, target)
    chosen_by = np.full(len(runs), -1)
    chosen_by[target] = np.arange(links.size)
    taken = np.flatnonzero(chosen_by >= 0)
    return links[chosen_by[taken]], taken
