"""Keep the lines of the source that have much text for their tags.

Source: Weninger and Hsu, "Text Extraction from the Web via Text-to-Tag Ratio", 2008, and Weninger,
Hsu and Han, "CETR: Content Extraction via Tag Ratios", 2010; as described in Arias et al. 2009 and
in notes on and reimplementations of the second.
Idea: a line's tag ratio is its characters outside tags over its tags (over 1 if it has none).
Ratios are smoothed over neighbouring lines. Then either a threshold of so many standard deviations
divides content from the rest (2008; CETR-TM in 2010), or each line becomes a point: smoothed ratio
and, against it, how steeply the ratio changes (the mean of the next three lines less this one's,
absolute and smoothed). The points are put into three clusters by k-means, where one centre stays at
the origin: the lines nearest to it are not content, all others are (CETR).
Score: by threshold, the smoothed ratio minus the threshold; by clusters, how much farther a line is
from the origin than from the nearest other centre. Either is in characters per tag, above 0 in
content lines, and averaged over a text that spans several.
Departures and known failures: docs/algorithms/text_to_tag.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline
from thresher.page import Page
from thresher.page.tags import TEXT
from thresher.selection import Selection
from thresher.support.settings import setting

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.integer]

_NEWLINE, _SPACE = b"\n "
_CONTINUATION_MASK, _CONTINUATION = 0xC0, 0x80
_MAX_ROUNDS: Final = 50
"""Maximum rounds of k-means; news pages take about ten."""
_MIN_TEXT_SHARE: Final = 0.5
"""Share of a text's characters that must lie in content lines for the text to be kept."""

_DENSE, _SPARSE = range(2)


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of `text_to_tag`."""

    clusters: int = setting(
        3,
        "clusters of lines, one of them at the origin; 1: a threshold instead",
        unit="clusters",
        low=1,
        high=10,
    )
    threshold_factor: float = setting(
        1.0,
        "with clusters=1, the threshold in standard deviations of the smoothed ratios",
        unit="standard deviations",
        low=0,
    )
    radius_lines: int = setting(
        2, "lines to either side that smooth a line; 0: none", unit="lines", low=0, high=50
    )
    gaussian: bool = setting(
        True,
        "weigh these lines by a Gaussian whose deviation is the radius (2010), or equally (2008)",
    )
    ahead_lines: int = setting(
        3, "lines ahead that a line's ratio is compared with", unit="lines", low=1, high=50
    )
    wrap_chars: int = setting(
        65, "bytes after which a line of such pages is cut; 0: never", unit="bytes", low=0
    )
    max_mean_chars: int = setting(
        500, "mean bytes a line above which a page's lines are cut (ours)", unit="bytes", low=0
    )


@dataclass(frozen=True, slots=True)
class SourceLines:
    """The lines of a page's buffer; int64[n_line] each, ``start`` in bytes.

    ``chars`` counts characters of text without white space, ``tags`` the tags that begin on a line.
    """

    start: IntArray
    chars: IntArray
    tags: IntArray


def select(page: Page, params: Params) -> Selection:
    """Keep the texts that are mostly in lines with a high tag ratio."""
    chars_before = count_chars(page)
    lines = find_lines(page, chars_before, params)
    used = (lines.chars > 0) | (lines.tags > 0)
    ratio = smooth(tag_ratios(lines)[used], params)
    if params.clusters == 1:
        margin = ratio - params.threshold_factor * np.std(ratio)
    else:
        points = np.stack((ratio, steepness(ratio, params)), axis=1)
        margin = cluster(points, params.clusters)
    line_margin = np.zeros(lines.start.size)
    line_margin[used] = margin

    share = _mean_over_rows(page, lines, chars_before, (line_margin > 0).astype(np.float64))
    kept = share >= _MIN_TEXT_SHARE
    return Selection.of_rows(
        page,
        "text_to_tag",
        kept,
        score=_mean_over_rows(page, lines, chars_before, line_margin),
        reason_code=np.where(kept, _DENSE, _SPARSE),
        reasons=("lines of much text for their tags", "lines of little text for their tags"),
    )


def count_chars(page: Page) -> IntArray:
    """Count the text characters other than white space before each byte; int32[n_byte + 1]."""
    raw = np.frombuffer(page.buffer, np.uint8)
    texts = page.tag == TEXT
    edge = np.zeros(raw.size + 1, np.int8)
    edge[page.open_start[texts]] += 1
    edge[page.open_stop[texts]] -= 1
    is_text = np.cumsum(edge[:-1], dtype=np.int8).view(np.bool_)
    is_text &= (raw > _SPACE) & (raw & _CONTINUATION_MASK != _CONTINUATION)
    check_deadline()
    before = np.zeros(raw.size + 1, np.int32)
    np.cumsum(is_text, dtype=np.int32, out=before[1:])
    return before


def find_lines(page: Page, chars_before: IntArray, params: Params) -> SourceLines:
    """Split the page's buffer into lines, wrapping them on pages of mostly over-long lines."""
    check_deadline()
    raw = np.frombuffer(page.buffer, np.uint8)
    start = np.append(0, np.flatnonzero(raw == _NEWLINE) + 1)
    if params.wrap_chars and raw.size > params.max_mean_chars * start.size:
        size = np.diff(start, append=raw.size)
        pieces = np.maximum(-(-size // params.wrap_chars), 1)
        first = np.cumsum(pieces) - pieces
        place = np.arange(int(pieces.sum())) - np.repeat(first, pieces)
        start = np.repeat(start, pieces) + place * params.wrap_chars
    counted = ~page.tagged(("script", "style")) & (page.tag != TEXT)
    opened = page.open_start[counted]
    closed = page.close_start[counted & (page.close_stop > page.close_start)]
    line = np.searchsorted(start, np.concatenate((opened, closed)), side="right") - 1
    return SourceLines(
        start,
        chars=np.diff(chars_before[start], append=chars_before[-1]),
        tags=np.bincount(line, minlength=start.size),
    )


def tag_ratios(lines: SourceLines) -> FloatArray:
    """Return each line's characters per tag, counting at least one tag; float64[n_line]."""
    check_deadline()
    ratios: FloatArray = lines.chars / np.maximum(lines.tags, 1)
    return ratios


def smooth(values: FloatArray, params: Params) -> FloatArray:
    """Average each value with its neighbours, fewer at the ends."""
    check_deadline()
    radius = params.radius_lines
    steps = np.arange(-radius, radius + 1)
    weights = np.exp(-0.5 * (steps / max(radius, 1)) ** 2 * params.gaussian)
    inside = slice(radius, radius + values.size)
    if not values.size:
        return values
    total = np.convolve(np.ones(values.size), weights)
    check_deadline()
    smoothed: FloatArray = (np.convolve(values, weights) / total)[inside]
    return smoothed


def steepness(ratio: FloatArray, params: Params) -> FloatArray:
    """Return how much the lines ahead differ from each line, smoothed; float64[n_line]."""
    total = np.concatenate(([0.0], np.cumsum(ratio)))
    following = np.arange(1, ratio.size + 1)
    check_deadline()
    stop = np.minimum(following + params.ahead_lines, ratio.size)
    ahead = (total[stop] - total[following]) / np.maximum(stop - following, 1)
    return smooth(np.where(stop > following, np.abs(ahead - ratio), 0.0), params)


def cluster(points: FloatArray, n_cluster: int) -> FloatArray:
    """Cluster points around the origin and other centres.

    Returns how much farther each point is from the origin than from the nearest other centre.
    """
    centres = np.zeros((n_cluster, points.shape[1]))
    if not points.size:
        return np.zeros(0)
    nearest = _distances(points, centres[:1]).min(axis=1)
    for i in range(1, n_cluster):
        centres[i] = points[np.argmax(nearest)]
        nearest = np.minimum(nearest, _distances(points, centres[i : i + 1])[:, 0])
    label = np.full(points.shape[0], -1)
    for _ in range(_MAX_ROUNDS):
        check_deadline()
        distance = _distances(points, centres)
        before, label = label, distance.argmin(axis=1)
        if np.array_equal(before, label):
            break
        size = np.bincount(label, minlength=n_cluster)
        for i in np.flatnonzero(size[1:]).tolist():
            centres[i + 1] = points[label == i + 1].mean(axis=0)
    margin: FloatArray = distance[:, 0] - distance[:, 1:].min(axis=1)
    return margin


def _distances(points: FloatArray, centres: FloatArray) -> FloatArray:
    """Return the distance of each point from each centre; float64[n_point, n_centre]."""
    distances = np.empty((points.shape[0], centres.shape[0]))
    for column, centre in zip(distances.T, centres, strict=True):
        check_deadline()
        np.sqrt(((points - centre) ** 2).sum(axis=1), out=column)
    return distances


def _mean_over_rows(
    page: Page, lines: SourceLines, chars_before: IntArray, of_line: FloatArray
) -> FloatArray:
    """Average the values of lines over the characters of each row; float64[n_row].

    A row without characters gets the value of the line on which it begins.
    """
    total = np.concatenate(([0.0], np.cumsum(of_line * lines.chars)))

    def before(offset: npt.NDArray[np.int32]) -> FloatArray:
        line = np.searchsorted(lines.start, offset, side="right") - 1
        rest = chars_before[offset] - chars_before[lines.start[line]]
        sums: FloatArray = total[line] + of_line[line] * rest
        return sums

    stop = np.where(page.tag == TEXT, page.open_stop, page.open_start)
    chars = chars_before[stop] - chars_before[page.open_start]
    inside = before(stop) - before(page.open_start)
    first = of_line[np.searchsorted(lines.start, page.open_start, side="right") - 1]
    return np.where(chars > 0, inside / np.maximum(chars, 1), first)
