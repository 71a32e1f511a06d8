"""Moving links that cross several paragraphs into one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page.tags import CODE_OF, TEXT
from thresher.writers.fragment.slices import Edges
from thresher.writers.fragment.start_tags import put_start_tags
from thresher.writers.outline.headings import HEADINGS
from thresher.writers.outline.outline import Outline, runs_in_preformatted
from thresher.writers.outline.pieces import Pieces, Rank

__all__ = ["write_crossing_links"]

_A: Final = CODE_OF["a"]


def write_crossing_links(
    outline: Outline, pieces: Pieces, edges: Edges, tags: Mapping[int, str]
) -> None:
    """Put each link that crosses paragraphs into one of them.

    ``tags`` holds the start tags that differ from the page's, by row.
    """
    page = outline.page
    rows = ((page.tag == _A) & outline.crossing & outline.holds).nonzero()[0]
    if not rows.size:
        return
    rows, target = _pick_runs(outline, rows)
    put_start_tags(page, pieces, rows, edges.opens[target], Rank.OPEN_LINK, tags)
    places = edges.closes[target]
    pieces.move(places, Rank.CLOSE_LINK, page.close_start[rows], page.close_stop[rows])


def _pick_runs(
    outline: Outline, links: npt.NDArray[np.intp]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Choose the run each link goes to: the first heading in it, otherwise the first with words.

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
