"""Keep the long regions of a page in which tags are rare: document slope curves.

Source: Pinto, Branstein, Coleman, Croft, King, Li and Wei, "QuASM: A System for Question Answering
Using Semi-Structured Data", 2002, as described in Arias et al. 2009.
Idea: a token is a tag or a word. The document slope curve counts, for each token, the tags up to
and including it; tags that style content, such as font changes, count as 0. In text the curve is
flat. It is cut into windows, each overlapping the previous one by half. A window is low if its
slope is at most half of the slope of the whole curve. A region of content starts with three low
windows in a row and ends before three in a row that are not low. There may be several regions.
Score: the limit minus the slope of the block's tokens, in tags per token (the lower of the two
windows with the token counts), so content is mostly above 0; a single low window is not a region.
Departures and known failures: docs/algorithms/slope.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.classics.sequence import lay_out, mean_over, tag_places
from thresher.page import Page
from thresher.page.rows import sum_before
from thresher.selection import Selection
from thresher.support.settings import setting

_CONTENT_TAGS: Final = tuple("b big em font i s small strike strong sub sup tt u".split())
"""The font styles of HTML 4 (section 15.2), with the tags for emphasis, sub- and superscript."""
_WINDOW_SHARE: Final = 0.01
_MIN_WINDOW_TOKENS, _MAX_WINDOW_TOKENS = 8, 50

_MIN_TEXT_SHARE: Final = 0.5
"""Share of a text's words that must lie in a region for the text to be kept."""

_IN_REGION, _OUTSIDE = range(2)


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of `slope`."""

    window_tokens: int | None = setting(
        None,
        "tokens a window, an even number; auto: a hundredth of the page, from 8 to 50",
        unit="tokens",
        low=2,
    )
    low_slope: float = setting(
        0.5,
        "share of the whole curve's slope up to which a window is low",
        unit="share of slope",
        low=0,
    )
    run_windows: int = setting(
        3, "windows in a row that start or end a region", unit="windows", low=1, high=1000
    )
    content_tags: tuple[str, ...] = setting(
        _CONTENT_TAGS, "tags that count as content, not as tags"
    )


def select(page: Page, params: Params) -> Selection:
    """Keep the texts that lie in long regions of low slope."""
    layout = lay_out(page, tokens=True)
    step = _window_tokens(params, layout.length) // 2
    curve = slope_curve(page, params, np.arange(0, layout.length + step, step), layout.length)
    limit = params.low_slope * float(curve[-1]) / layout.length

    # Steps are half windows: window i covers steps i and i + 1, step i is in windows i − 1 and i.
    # The last window is truncated by the end of the page.
    places = np.minimum(np.arange(curve.size) * step, layout.length)
    far = np.minimum(np.arange(2, max(curve.size, 3)), curve.size - 1)
    slope = (curve[far] - curve[: far.size]) / (places[far] - places[: far.size])
    region = in_long_runs(slope <= limit, params.run_windows)
    in_region = np.append(region, False) | np.append(False, region)
    step_slope = np.minimum(np.append(slope, np.inf), np.append(np.inf, slope))
    n_step = curve.size - 1
    share = mean_over(in_region[:n_step].astype(np.float64), layout, step)
    kept = share >= _MIN_TEXT_SHARE
    return Selection.of_rows(
        page,
        "slope",
        kept,
        score=limit - mean_over(step_slope[:n_step], layout, step),
        reason_code=np.where(kept, _IN_REGION, _OUTSIDE),
        reasons=(
            f"in a long region of at most {limit:.3f} tags a token",
            f"in no long region of at most {limit:.3f} tags a token",
        ),
    )


def slope_curve(
    page: Page, params: Params, places: npt.NDArray[np.int64], length: int
) -> npt.NDArray[np.int64]:
    """Count the tags other than ``content_tags`` before each position in the token sequence."""
    start, end = tag_places(page)
    counted = ~page.tagged(params.content_tags)
    tags = np.concatenate((start[counted & (start >= 0)], end[counted & (end >= 0)]))
    is_tag = np.zeros(length + 1, np.int64)
    is_tag[tags + 1] = 1
    return np.cumsum(is_tag)[np.minimum(places, length)]


def in_long_runs(low: npt.NDArray[np.bool_], run: int) -> npt.NDArray[np.bool_]:
    """Flag the windows from the start of a low run to the next run of others; bool[n_window]."""
    run = min(run, low.size)
    lows = sum_before(low)
    in_run = lows[run:] - lows[:-run]
    place = np.arange(in_run.size)
    started = np.maximum.accumulate(np.where(in_run == run, place, -1))
    ended = np.maximum.accumulate(np.where(in_run == 0, place, -1))
    flags = started > ended
    return np.append(flags, np.full(run - 1, flags[-1]))


def _window_tokens(params: Params, length: int) -> int:
    if params.window_tokens is not None:
        return params.window_tokens
    wanted = round(_WINDOW_SHARE * length)
    return min(max(wanted, _MIN_WINDOW_TOKENS), _MAX_WINDOW_TOKENS)
