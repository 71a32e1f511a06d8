"""Pinto et al. 2002, checked against a slope curve drawn by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.algorithms.kept import kept
from thresher.algorithms.classics.slope import Params, in_long_runs, select, slope_curve
from thresher.page.parse import parse

# Tokens: <html> <head> </head> <body> <p> one </p> <div>  twelve words  </div> <p> x </p> </body>
#         0      1      2       3      4   5   6    7      8 … 19         20     21  22 23  24
# and </html>, 25: 26 tokens, 12 tags, slope 12 / 26, limit half of that. Windows of 4, from 0, 2 …:
#   tags  4 3 3 2 0 0 0 0 0 2 3 3, so the windows 4 to 8 are low: tokens 8 to 19.
TWELVE = "a b c d e f g h i j k l"
WORKED = f"<p>one</p><div>{TWELVE}</div><p>x</p>"
BY_HAND = Params(window_tokens=4, run_windows=2)


def test_curve_counts_tags_when_drawn_by_hand() -> None:
    """The curve rises by one at each tag and stays level at each word."""
    curve = slope_curve(parse(WORKED), BY_HAND, np.arange(0, 28, 2), 26)
    assert [0, 2, 4, 5, 7, 7, 7, 7, 7, 7, 7, 9, 10, 12] == curve.tolist()


def test_flat_region_kept_when_worked_by_hand() -> None:
    """The long region of low slope is kept; scores are the limit minus the slope."""
    selection = select(parse(WORKED), BY_HAND)
    assert [TWELVE] == kept(selection)
    limit = 6 / 26
    assert [limit - 0.75, limit, limit - 0.75] == pytest.approx(selection.score.tolist())
    assert "in no long region of at most 0.231 tags a token" == selection.reason(0)
    assert "in a long region of at most 0.231 tags a token" == selection.reason(1)


@pytest.mark.parametrize(
    ("low", "run", "expected"),
    [
        # Two windows in a row start a region; a single other window does not end it, two do.
        ("110100011", 2, "111100011"),
        ("010101", 2, "000000"),
        ("0110", 1, "0110"),
        ("11", 3, "11"),
        ("10", 3, "00"),
        ("1110", 3, "1111"),
    ],
)
def test_regions_start_and_end_with_runs_when_long(low: str, run: int, expected: str) -> None:
    """A region starts and ends only where enough consecutive windows agree."""
    flags = np.array([letter == "1" for letter in low])
    assert expected == "".join(str(int(flag)) for flag in in_long_runs(flags, run))


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        (Params(window_tokens=4, run_windows=6), []),
        (Params(window_tokens=20, run_windows=2), []),
        (Params(window_tokens=4, run_windows=2, low_slope=0), [TWELVE]),
        (Params(window_tokens=4, run_windows=2, low_slope=2), ["one", TWELVE, "x"]),
    ],
)
def test_parameters_take_effect_when_set(params: Params, expected: list[str]) -> None:
    """Each parameter has the effect that its help describes."""
    assert expected == kept(select(parse(WORKED), params))


def test_font_changes_count_as_content_when_listed() -> None:
    """Tags that are listed as content leave the curve level; other tags raise it."""
    html = "<div>" + "<p>x</p>" * 20 + "</div><p>" + "<b>bold</b> word " * 20
    kept_blocks = select(parse(html), Params()).block_keep
    assert [False, True] == [bool(kept_blocks[0]), bool(kept_blocks[-1])]
    assert not select(parse(html), Params(content_tags=())).block_keep[-1]


@pytest.mark.parametrize("html", ["", " ", "word", "<img src=a.png>", "<p>a</p>"])
def test_nothing_kept_when_page_is_all_tags(html: str) -> None:
    """A page with the same slope everywhere has no flat region."""
    assert not select(parse(html), Params()).keep.any()
