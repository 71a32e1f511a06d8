"""Algorithms have parameters; keep_all keeps every leaf."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import thresher
from thresher.algorithms import ALGORITHMS, learned
from thresher.algorithms.base import Algorithm, LazyAlgorithm
from thresher.errors import UsageError
from thresher.page import Page
from thresher.page.parse import parse
from thresher.selection import Selection
from thresher.support.settings import setting


@dataclass(frozen=True, slots=True)
class Params:
    ratio: float | None = setting(None, "a ratio", low=0, high=1)
    count: int = setting(3, "a count", low=0)
    on: bool = setting(True, "a switch")
    words: tuple[str, ...] = setting(("a",), "words")


def select(page: Page, params: Params) -> Selection:
    return ALGORITHMS["keep_all"].select(page, params)


ALGORITHM = Algorithm(select, Params, summary="a test", source="none")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, Params()),
        ({"ratio": "0.5"}, Params(ratio=0.5)),
        ({"ratio": "auto"}, Params(ratio=None)),
        ({"ratio": 1}, Params(ratio=1.0)),
        ({"count": "7"}, Params(count=7)),
        ({"on": "no"}, Params(on=False)),
        ({"on": False}, Params(on=False)),
        ({"words": "x, y"}, Params(words=("x", "y"))),
        ({"words": ["x", "y"]}, Params(words=("x", "y"))),
        ({"words": ""}, Params(words=())),
    ],
)
def test_params_built_when_values_fit(values: dict[str, object], expected: Params) -> None:
    """A value, or its text from a command line, is converted to the type of the field."""
    assert expected == ALGORITHM.build_params(values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"ratoi": 1}, 'no parameter "ratoi"; one of ratio, count, on, words'),
        ({"ratio": "much"}, 'ratio must be a number from 0 to 1, or auto, not "much"'),
        ({"ratio": 2}, "ratio must be a number from 0 to 1, or auto, not 2"),
        ({"ratio": float("nan")}, "ratio must be a number from 0 to 1, or auto, not nan"),
        ({"count": "-1"}, "count must be a whole number of 0 or more, not -1"),
        ({"on": "perhaps"}, 'on must be yes or no, not "perhaps"'),
        ({"words": 5}, "words must be a list of words, not 5"),
    ],
)
def test_usage_error_when_values_do_not_fit(values: dict[str, object], message: str) -> None:
    """The error names the wrong parameter or value."""
    with pytest.raises(UsageError, match=message.replace(".", r"\.")):
        ALGORITHM.build_params(values)


def test_parameters_described_when_listed() -> None:
    """The description of a parameter is the one in its declaration."""
    ratio = ALGORITHM.parameters()[0]
    assert ("ratio", None, "a ratio", 0, 1) == (
        ratio.name,
        ratio.default,
        ratio.help,
        ratio.low,
        ratio.high,
    )


def test_lazy_algorithm_is_that_of_its_module() -> None:
    """A lazily imported algorithm has the function and the parameters of its module."""
    late = LazyAlgorithm("learned", "a test", "none", knows_sites=True)
    assert (learned.select, learned.Params) == (late.select, late.params)
    assert learned.select == late.select_with_repeats
    assert None is LazyAlgorithm("bte", "a test", "none").select_with_repeats
    assert ["scope", "favor", "model"] == [each.name for each in late.parameters()]


def test_everything_kept_when_page_has_boilerplate() -> None:
    """Every leaf of the page is kept, navigation too; not what nothing on the page shows."""
    page = parse("<nav><a href=/>Home</a></nav><p>Text</p><p hidden>More</p><img src=a>")
    assert [True, True, False, True] == thresher.select(page, "keep_all").keep.tolist()
