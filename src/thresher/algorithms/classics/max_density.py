"""Keep the densest region of the page's list of strings.

Source: Javier Arias, Koen Deschacht and Marie-Francine Moens, "Language independent content
extraction from web pages", DIR 2009.
Idea: in document order, each text is appended to the current string, and each structural tag starts
a new one, empty at first; tags inside a sentence do not. Content is long strings close together.
From the longest string, R grows by every string longer than cutoffL = maxL · c1 that is fewer than
c2 positions from one in R; everything from R's leftmost to its rightmost string is kept.
Option, following the conclusion (section 6): with `degree` above 0 a polynomial of that degree is
fitted to the lengths by least squares, and the region around its maximum is kept, up to `edge`.
Score: the length of a block's string in characters, the y-axis of the paper's figures 2 and 3.
Departures and known failures: docs/algorithms/max_density.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Final

import numpy as np
import numpy.typing as npt
from numpy.polynomial import Chebyshev

from thresher.page import Page
from thresher.page.tags import BLOCK, NAMES
from thresher.selection import Selection
from thresher.support.settings import check, setting

_STRUCTURAL_TAGS: Final = (
    *(name for name, breaks in zip(NAMES, BLOCK.tolist(), strict=True) if breaks),
    "br",
)
"""Section 4 names p, table, br, div, h1, h2 and li, "not limited to" them."""
_MAX_DEGREE: Final = 64
"""A fit of this degree to 100,000 strings takes 0.3 s."""

_EDGES: Final = ("cutoff", "minimum", "inflection")

_OUTSIDE, _LONG, _BETWEEN = range(3)


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters, with the names and values of section 4 where given."""

    cutoff_share: float = setting(
        0.333,
        "c1: a string of the region is longer than this share of the longest",
        unit="share of characters",
        low=0,
    )
    max_distance: float = setting(
        4, "c2: and lies fewer than this many positions from another of it", unit="positions", low=0
    )
    structural_tags: tuple[str, ...] = setting(_STRUCTURAL_TAGS, "tags that begin a new string")
    count_empty: bool = setting(True, "whether empty strings take a position, as in the source")
    degree: int = setting(
        0, "degree of the polynomial fitted to the lengths; 0: none", low=0, high=_MAX_DEGREE
    )
    edge: str = setting(
        "cutoff",
        f"where the region around a fitted polynomial's maximum ends, one of {', '.join(_EDGES)}:"
        " where it has fallen to the cutoff, at its next minimum, or where it falls fastest",
        choices=_EDGES,
    )

    def __post_init__(self) -> None:
        check(self)


def select(page: Page, params: Params) -> Selection:
    """Keep the strings from the leftmost to the rightmost of the densest region."""
    string, lengths = measure_strings(page, params)
    cutoff = lengths.max() * params.cutoff_share
    if params.degree:
        first, last = fitted_region(lengths, params.degree, params.edge, params.cutoff_share)
    else:
        first, last = densest_region(lengths, params.cutoff_share, params.max_distance)

    keep = (first <= string) & (string <= last)
    is_long = lengths > cutoff
    return Selection.of_rows(
        page,
        "max_density",
        keep,
        score=lengths[string],
        reason_code=np.where(keep, np.where(is_long[string], _LONG, _BETWEEN), _OUTSIDE),
        reasons=(
            "outside the densest region",
            f"in the densest region, string longer than {cutoff:.0f} characters",
            "between long strings of the densest region",
        ),
    )


def measure_strings(
    page: Page, params: Params
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return the string of each row, int64[n_row], and the length of each string, as `_lengths`."""
    string = np.cumsum(page.tagged(params.structural_tags), dtype=np.int64)
    lengths = _lengths(page, string)
    if not params.count_empty:
        # An empty string shares the position of the text before it.
        string = np.maximum(np.cumsum(lengths > 0) - 1, 0)[string]
        lengths = _lengths(page, string)
    return string, lengths


def _lengths(page: Page, string: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return the number of characters other than white space per string; float64[n_string]."""
    chars = np.bincount(string[page.leaves], page.leaf_chars, minlength=int(string[-1]) + 1)
    return chars.astype(np.float64)


def densest_region(
    lengths: npt.NDArray[np.float64], cutoff_share: float, max_distance: float
) -> tuple[int, int]:
    """Return the leftmost and the rightmost string of the region R of section 4.

    ``lengths`` is [n_string], at least one. Of several longest strings the first is s_max.
    """
    longest = int(lengths.argmax())
    candidate = lengths > lengths[longest] * cutoff_share
    candidate[longest] = True
    places = np.flatnonzero(candidate)
    # R never grows across a gap of c2 or more: it is the run of candidates between such gaps.
    run = np.cumsum(np.diff(places, prepend=places[0]) >= max_distance)
    region = places[run == run[np.searchsorted(places, longest)]]
    return int(region[0]), int(region[-1])


def fitted_region(
    lengths: npt.NDArray[np.float64], degree: int, edge: str, cutoff_share: float
) -> tuple[int, int]:
    """Return the first and the last string of the region around a fitted polynomial's maximum.

    ``lengths`` is [n_string], at least one; ``edge`` as in `Params`.
    """
    n_string = lengths.size
    places = np.arange(n_string)
    polynomial = fit_polynomial(lengths, degree)
    height = polynomial(places)
    top = int(height.argmax())
    if edge == "cutoff":
        ends = height <= height[top] * cutoff_share
    elif edge == "minimum":
        slope = polynomial.deriv()(places)
        ends = np.where(places < top, slope <= 0, slope >= 0)
    else:
        ends = polynomial.deriv(2)(places) >= 0
    ends[top] = False
    before, after = np.flatnonzero(ends[:top]), np.flatnonzero(ends[top:])
    first = int(before[-1]) + 1 if before.size else 0
    last = top + int(after[0]) - 1 if after.size else n_string - 1
    return first, last


def fit_polynomial(lengths: npt.NDArray[np.float64], degree: int) -> Chebyshev:
    """Fit a polynomial of at most this degree to the lengths by least squares."""
    n_string = lengths.size
    # Beyond 2·√n a fit to n points at equal distances is ill-conditioned: it swings between them
    # (Dahlquist and Björck, Numerical Methods, 1974, section 4.3.4).
    degree = min(degree, 2 * isqrt(n_string), n_string - 1)
    domain = [0, max(n_string - 1, 1)]
    return Chebyshev.fit(np.arange(n_string), lengths, degree, domain=domain)
