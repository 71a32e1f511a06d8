"""Keep the lines of text that needed little markup.

Source: Alex J. Champandard, "The Easy Way to Extract Useful Text from Arbitrary HTML", AI Depot,
2007, and its first comment.
Idea: print the page as a text browser would, a paragraph being one line. Count the bytes of source
between the end of one line's text and the end of the next; the share of text in them is the line's
density. A line stays if its density is above a threshold, or by the decision of a perceptron that
also takes the lengths of the line and its neighbours.
Rules: `fixed` and `average` thresholds; `two_gaussians`, the comment's threshold between the lines
above and below the average, as printed; `equal_posterior`, the threshold that the comment intends
to derive (its formula multiplies by the spread where a normal density divides); `perceptron` and
`mlp`, trained by `thresher.training.density_lines` and described in models/density_lines.md.
Score: density − threshold, or log-odds − their limit; a block's is that of its first kept line,
content above 0.
Departures and known failures: docs/algorithms/density_lines.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import log, sqrt
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.errors import UsageError
from thresher.page import Page
from thresher.selection import Selection
from thresher.support.array_files import ArraySpec, check_arrays, read_arrays
from thresher.support.settings import check, setting

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

MAX_LINES: Final = 3
"""Lines in the input of a network: the current, the previous, the next."""
MAX_ATTRIBUTES: Final = 3
"""Attributes of each: density, bytes, length of text."""
_THRESHOLDS: Final = ("fixed", "average", "two_gaussians", "equal_posterior")
_NETWORKS: Final = ("perceptron", "mlp")

_NO_TEXT, _BELOW, _ABOVE = range(3)


@dataclass(frozen=True, slots=True)
class Params:
    """The rule and its parameters; each rule uses only its own."""

    threshold: str = setting(
        "fixed",
        f"what decides: {', '.join(_THRESHOLDS)}, or a network: {', '.join(_NETWORKS)}",
        choices=(*_THRESHOLDS, *_NETWORKS),
    )
    min_density: float = setting(
        0.5,  # the source's `if l.density > 0.5`
        "fixed: density (text bytes / source bytes) above which a line stays",
        unit="share of bytes",
        low=0,
        high=1,
    )
    n_line: int = setting(
        MAX_LINES,
        "networks: lines it sees: the current, the previous, the next",
        unit="lines",
        low=1,
        high=MAX_LINES,
    )
    n_attribute: int = setting(
        MAX_ATTRIBUTES,
        "networks: attributes of each line: density, bytes, length of text",
        unit="attributes",
        low=1,
        high=MAX_ATTRIBUTES,
    )
    false_positive_weight: float = setting(
        1.0,
        "networks: what a line kept wrongly costs, against 1 for one dropped wrongly",
        unit="ratio",
        low=1e-6,
        high=1e6,
    )

    def __post_init__(self) -> None:
        check(self)


class TextLines(NamedTuple):
    """The lines of a page that have text, in order; one entry each.

    ``line`` is the index in `Page.lines`. ``start:stop`` is the line's span of the source in
    characters: from the end of the previous text to the end of its own. ``source_bytes`` is the
    size of that span in UTF-8, ``text_bytes`` that of the line's text, white space collapsed.
    """

    line: IntArray
    start: IntArray
    stop: IntArray
    source_bytes: IntArray
    text_bytes: IntArray

    @property
    def density(self) -> FloatArray:
        """Text bytes per source byte, at most 1; float64[n]."""
        # Misnested markup can move a text to a place where its span is empty.
        return self.text_bytes / np.maximum(self.source_bytes, np.maximum(self.text_bytes, 1))


class LinePerceptron(NamedTuple):
    """A perceptron with one hidden layer of tanh, or with none: float64 arrays.

    ``hidden`` is [n_hidden, n_input + 1], ``output`` [n_hidden + 1] or, without a hidden layer,
    [n_input + 1]; the last weight of each neuron is its bias.
    """

    hidden: FloatArray | None
    output: FloatArray

    def log_odds(self, features: FloatArray) -> FloatArray:
        """Return ln(p / (1 − p)) of being content for each line; float64[n]."""
        if self.hidden is not None:
            features = np.tanh(features @ self.hidden[:, :-1].T + self.hidden[:, -1])
        odds: FloatArray = features @ self.output[:-1] + self.output[-1]
        return odds


def select(page: Page, params: Params) -> Selection:
    """Keep the lines above the threshold."""
    lines = measure_lines(page)
    if params.threshold in _NETWORKS:
        network = _load_networks()[params.threshold, params.n_line, params.n_attribute]
        limit = log(params.false_positive_weight)
        of_line = network.log_odds(features_of(lines)) - limit
        unit = f"odds of {params.false_positive_weight:g} : 1"
    else:
        limit = find_threshold(lines.density, params)
        of_line = lines.density - limit
        unit = f"a density of {limit:.2f}"

    # One extra entry, so that indexing works on a page without lines.
    score = np.zeros(len(page.lines) + 1)
    score[lines.line] = of_line
    code = np.full(len(page.lines) + 1, _NO_TEXT)
    code[lines.line] = np.where(of_line > 0, _ABOVE, _BELOW)
    on_row = np.zeros(len(page), np.int64)
    on_row[page.leaves] = page.lines.of_leaf
    return Selection.of_rows(
        page,
        "density_lines",
        (code == _ABOVE)[on_row],
        score=score[on_row],
        reason_code=code[on_row],
        reasons=("line without text", f"line at or below {unit}", f"line above {unit}"),
    )


def measure_lines(page: Page) -> TextLines:
    """Measure each line with text and its span of the source, in bytes."""
    chars = page.lines.sums(page.leaf_chars)
    line = np.flatnonzero(chars)
    # A line may end with pictures; its text ends with its last leaf with text.
    texts = np.flatnonzero(page.leaf_chars)
    first = page.leaves[page.lines.start[line]]
    last = page.leaves[texts[np.searchsorted(texts, page.lines.start[line + 1]) - 1]]
    # A text moved by misnested markup may end before the lines that precede it.
    stop = np.maximum.accumulate(_text_stops(page, last))
    start = np.concatenate(([0], stop))[:-1]
    sources = zip(start.tolist(), stop.tolist(), strict=True)
    source = page.source
    source_bytes = stop - start
    if not source.isascii():
        source_bytes = np.array([len(source[a:b].encode()) for a, b in watch(sources)], np.int64)

    texts_of = _line_texts(page, first, page.end[last], chars[line])
    sizes = [len(" ".join(text.split()).encode()) for text in watch(texts_of)]
    text_bytes = np.array(sizes, np.int64)
    return TextLines(line, start, stop, source_bytes, text_bytes)


def _text_stops(page: Page, rows: npt.NDArray[np.int32]) -> IntArray:
    """Return the end of each row's text in the source, without trailing white space."""
    source = page.source
    starts, stops, _, ends = page.source_spans[rows].T
    # A list for each column: one for each row takes seven times as long, between two looks at the
    # clock.
    spans = zip(starts.tolist(), stops.tolist(), ends.tolist(), strict=True)
    text_stops = [
        # A formula ends with its end tag, or without one with its start tag.
        max(end, start + len(source[start:stop].rstrip()))
        for start, stop, end in watch(spans)
    ]
    return np.array(text_stops, np.int64)


def _line_texts(
    page: Page, first: npt.NDArray[np.int32], stop: npt.NDArray[np.int32], chars: IntArray
) -> list[str]:
    """Return the text of the leaves among the rows ``first:stop`` of each line."""
    spans = zip(page.text_offset[first].tolist(), page.text_offset[stop].tolist(), strict=True)
    texts = [page.text[a:b] for a, b in watch(spans)]
    # Other text may lie between the leaves, such as the title of a drawing.
    mixed = page.chars_before[stop] - page.chars_before[first] != chars
    for i in watch(np.flatnonzero(mixed).tolist()):
        leaves = range(page.leaf_offset[first[i]], page.leaf_offset[stop[i]])
        texts[i] = " ".join([page.leaf_text(leaf) for leaf in leaves])
    return texts


def features_of(lines: TextLines) -> FloatArray:
    """Return the inputs of a network for each line; float64[n, 9].

    Three lines (current, previous, next; zeros if missing) with three attributes each: density,
    and ln(1 + n) of the bytes and of the length of the text.
    """
    own = np.stack(
        (lines.density, np.log1p(lines.source_bytes), np.log1p(lines.text_bytes)), axis=1
    )
    around = np.pad(own, ((1, 1), (0, 0)))
    return np.concatenate((own, around[:-2], around[2:]), axis=1)


def find_threshold(density: FloatArray, params: Params) -> float:
    """Return the density above which a line stays."""
    if params.threshold == "fixed" or not density.size:
        return params.min_density
    average = float(density.mean())
    text, markup = density[density > average], density[density <= average]
    if params.threshold == "average" or not text.size or not markup.size:
        return average
    share = text.size / density.size
    if params.threshold == "two_gaussians":
        return two_gaussians(text, markup, share)
    return equal_posterior(text, markup, share)


def two_gaussians(text: FloatArray, markup: FloatArray, share: float) -> float:
    """Return θ* of the source's first comment.

    With t_y = s_y·ln p and t_z = s_z·ln(1 − p), where s is the sum of squared distances from the
    mean m, its two solutions are those of t_y·(θ − m_y)² = t_z·(θ − m_z)². The one between the
    means is their average weighted by √−t, which also holds where t_y = t_z.
    """
    root_y = sqrt(-_spread(text) * log(share))
    root_z = sqrt(-_spread(markup) * log(1 - share))
    mean_y, mean_z = float(text.mean()), float(markup.mean())
    if root_y + root_z == 0:
        return (mean_y + mean_z) / 2
    return (root_y * mean_y + root_z * mean_z) / (root_y + root_z)


def equal_posterior(text: FloatArray, markup: FloatArray, share: float) -> float:
    """Return the density at which two normal distributions, text and markup, are equally probable.

    It solves ln p − ln σ_y − (θ − m_y)²/2σ_y² = ln(1 − p) − ln σ_z − (θ − m_z)²/2σ_z² between the
    means (Kittler and Illingworth, "Minimum error thresholding", 1986, equation 12). Without a
    solution there, returns the midpoint of the means.
    """
    mean_y, mean_z = float(text.mean()), float(markup.mean())
    middle = (mean_y + mean_z) / 2
    var_y, var_z = _spread(text) / text.size, _spread(markup) / markup.size
    if var_y <= 0 or var_z <= 0:
        return middle
    square = 1 / var_z - 1 / var_y
    linear = 2 * (mean_y / var_y - mean_z / var_z)
    level = mean_z**2 / var_z - mean_y**2 / var_y
    level += log(var_z / var_y) + 2 * log(share / (1 - share))
    roots = np.roots([square, linear, level])
    between = [float(x.real) for x in roots if not x.imag and mean_z < x.real < mean_y]
    return between[0] if between else middle


def _spread(values: FloatArray) -> float:
    """Return the sum of squared distances from the mean."""
    return float(np.square(values - values.mean()).sum())


_WEIGHTS: Final = Path(__file__).parents[2] / "models" / "density_lines.npz"
_BOUND: Final = 1e3
"""Far beyond any trained weight."""
_ARRAYS: Final = {
    name: ArraySpec("float32", ("line", "attribute", *shape), -_BOUND, _BOUND)
    for name, shape in (
        ("perceptron", ("line * attribute + 1",)),
        ("hidden", ("unit", "line * attribute + 1")),
        ("output", ("unit + 1",)),
    )
}
"""What its arrays must be; for fewer lines or attributes, some inputs have weights of 0."""


@cache
def _load_networks() -> dict[tuple[str, int, int], LinePerceptron]:
    """Load every network: (kind, lines, attributes) → network; UsageError if they are damaged."""
    try:
        weights = read_arrays(_WEIGHTS)
        check_arrays(weights, _ARRAYS, {"line": MAX_LINES, "attribute": MAX_ATTRIBUTES})
    except UsageError as error:
        raise UsageError(f"{_WEIGHTS} holds no networks of density_lines: {error}") from error
    single, hidden, output = (weights[name].astype(np.float64) for name in _ARRAYS)
    networks = {}
    for i, j in np.ndindex(MAX_LINES, MAX_ATTRIBUTES):
        networks["perceptron", i + 1, j + 1] = LinePerceptron(None, single[i, j])
        networks["mlp", i + 1, j + 1] = LinePerceptron(hidden[i, j], output[i, j])
    return networks
