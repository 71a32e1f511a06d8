"""Content code blurring, shared by `ccb` and `accb`.

A page is a vector with 1 for each character of text and 0 for each character of markup. Blurring it
repeatedly, until it hardly changes, gives each position the share of text around it.

The vector is not built character by character. It is averaged over cells of a few characters, from
prefix sums of text; the blur's radius spans many cells, so the first blur would smooth such detail
anyway (`cell_chars` = 1 is the vector itself).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.classics.sequence import SequenceLayout, lay_out, mean_over
from thresher.page import Page
from thresher.page.rows import sum_before
from thresher.selection import Selection
from thresher.support.settings import setting

FloatArray = npt.NDArray[np.float64]

_SIGMAS_A_RADIUS: Final = 3.0
"""Standard deviations of the Gaussian within the radius: 0.3 % of its weight is beyond three."""

_DENSE, _SPARSE = range(2)
_REASONS: Final = ("text outweighs markup around it", "too much markup around it")


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of content code blurring."""

    threshold: float = setting(
        0.75, "blurred share of text above which text is kept", unit="share of text", low=0, high=1
    )
    radius: float = setting(
        40.0, "reach of one blur, characters (or tokens)", unit="characters", low=1, high=1000
    )
    tolerance: float = setting(
        0.03,
        "largest change by a blur at which the vector is stable",
        unit="share of text",
        low=0.0001,
        high=1,
    )
    max_blurs: int = setting(
        100, "blurs after which to stop in any case", unit="blurs", low=0, high=1000
    )
    cell_chars: int = setting(
        8, "characters (or tokens) averaged beforehand; 1: none", unit="characters", low=1
    )
    tokens: bool = setting(
        False, "count a tag and a word as 1 each, not by their characters (the paper's TCCB)"
    )


def cells_of(layout: SequenceLayout, cell_chars: int) -> FloatArray:
    """Return the share of text in each cell of the vector; float64[n_cell]."""
    text = layout.stop > layout.start
    start, stop = layout.start[text], layout.stop[text]
    edges = np.append(np.arange(0, layout.length, cell_chars), layout.length)
    if not start.size:
        return np.zeros(edges.size - 1)
    parted = start[1:] > stop[:-1]
    start, stop = start[np.append(True, parted)], stop[np.append(parted, True)]
    content = sum_before(stop - start)
    knots = np.stack((start, stop), axis=1).reshape(-1)
    before = np.interp(edges, knots, np.stack((content[:-1], content[1:]), axis=1).reshape(-1))
    shares: FloatArray = np.diff(before) / np.diff(edges)
    return shares


def blur(
    cells: FloatArray, *, radius: float, tolerance: float = 0.03, max_blurs: int = 100
) -> FloatArray:
    """Blur with a Gaussian, radius in cells, until no value changes by more than the tolerance.

    At the ends only the part of the Gaussian inside the vector counts. The change per blur falls at
    least as fast as one over the number of blurs, so long vectors need no more blurs.
    """
    reach = int(radius)
    steps = np.arange(-reach, reach + 1)
    weights = np.exp(-0.5 * (steps * _SIGMAS_A_RADIUS / max(radius, 1.0)) ** 2)
    inside = slice(reach, reach + cells.size)
    total = np.convolve(np.ones(cells.size), weights)[inside]
    for _ in range(max_blurs):
        blurred = np.convolve(cells, weights)[inside] / total
        change = np.abs(blurred - cells).max()
        cells = blurred
        if change <= tolerance:
            break
    return cells


def select_dense(
    page: Page, method: str, params: Params, ignored: npt.NDArray[np.bool_] | None = None
) -> Selection:
    """Keep the leaves whose characters, blurred, are text above the threshold on average."""
    layout = lay_out(page, tokens=params.tokens, ignored=ignored)
    cells = blur(
        cells_of(layout, params.cell_chars),
        radius=params.radius / params.cell_chars,
        tolerance=params.tolerance,
        max_blurs=params.max_blurs,
    )
    share = mean_over(cells, layout, params.cell_chars)
    score = share - params.threshold
    return Selection.of_rows(
        page,
        method,
        score >= 0,
        score=score,
        reason_code=np.where(score >= 0, _DENSE, _SPARSE),
        reasons=_REASONS,
    )
