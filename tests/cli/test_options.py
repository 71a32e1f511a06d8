"""Options that several commands share are read, or rejected, before anything else happens."""

from __future__ import annotations

import re
from argparse import ArgumentError, ArgumentParser, Namespace

import pytest

from thresher.algorithms import DEFAULT_METHOD
from thresher.algorithms.base import FAVORS
from thresher.cli.options import add_choice, add_reading, read_count
from thresher.roles import SCOPES
from thresher.support.quoting import quote


def parse_options(*argv: str) -> Namespace:
    """Read options with a parser that has no others."""
    parser = ArgumentParser(exit_on_error=False)
    add_choice(parser)
    add_reading(parser)
    return parser.parse_args(argv)


def test_nothing_is_chosen_by_default() -> None:
    """Without options the default method runs without scope, favor and parameters."""
    args = parse_options()
    assert (DEFAULT_METHOD, [], None, None) == (args.method, args.param, args.scope, args.favor)


@pytest.mark.parametrize("scope", SCOPES)
def test_scope_is_any_of_the_methods(scope: str) -> None:
    """Every scope of the method can be given."""
    assert scope == parse_options("--scope", scope).scope


@pytest.mark.parametrize("favor", [*FAVORS, "0.5", "4", "1e-3"])
def test_favor_is_a_word_or_a_number(favor: str) -> None:
    """A favor is passed on as it is written; the method interprets it."""
    assert favor == parse_options("--favor", favor).favor


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("--favor", value) for value in ("", "some", "0", "-1", "nan", "inf")),
        *(("--timeout", value) for value in ("0", "nan", "1e9")),
        *(("--max-bytes", value) for value in ("0", "1.5", "²", "9999999999")),
        *(("--user-agent", value) for value in ("a\tb", "müller")),
    ],
)
def test_value_is_refused_when_it_makes_no_sense(option: str, value: str) -> None:
    """An invalid value is incorrect usage, and the message names it."""
    with pytest.raises(ArgumentError, match=re.escape(f"not {quote(value)}")):
        parse_options(f"{option}={value}")


@pytest.mark.parametrize(("text", "count"), [("1", 1), ("007", 7), (str(2**31), 2**31)])
def test_count_is_a_whole_number(text: str, count: int) -> None:
    """Counts consist of decimal digits."""
    assert count == read_count(text)
