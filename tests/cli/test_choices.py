"""Options that several commands share."""

from __future__ import annotations

from argparse import Namespace

import pytest

from tests.helpers import judged
from thresher.algorithms import ALGORITHMS
from thresher.cli.choices import read_params, read_reading
from thresher.cli.inputs import Reading
from thresher.errors import UsageError
from thresher.limits import Limits

OPTIONS = {
    "url": "https://a.example/",
    "charset": "koi8-r",
    "timeout": 2.0,
    "max_bytes": 9,
    "max_nodes": 8,
    "deadline": 7.0,
    "on_limit": "partial",
    "user_agent": "me",
    "allow_private": False,
}


def choice_of(method: str, *settings: str, **shorthands: str) -> Namespace:
    """Return the method and the parameters that a command line selects."""
    return Namespace(
        **{"method": method, "param": list(settings), "scope": None, "favor": None, "model": None}
        | shorthands
    )


def test_params_are_read_by_name() -> None:
    """The value is everything after the first equals sign; the last value of a name counts."""
    params = read_params(choice_of("max_density", "degree=1", " degree =2"))
    assert 2 == params.degree


def test_params_have_scope_and_favor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scope and favor, which have their own options, are parameters as well."""
    monkeypatch.setitem(ALGORITHMS, "judged", judged.JUDGED)
    choice = choice_of("judged", "page_type=forum", scope="thread", favor="0.5")
    assert judged.Params("thread", "0.5", "forum") == read_params(choice)


@pytest.mark.parametrize("setting", ["degree", "degree:2", "speed=3", "degree=many"])
def test_params_that_are_wrong(setting: str) -> None:
    """An unknown parameter of the method is incorrect usage."""
    with pytest.raises(UsageError):
        read_params(choice_of("max_density", setting))


def test_reading_is_what_options_say() -> None:
    """Every option for reading pages is passed on."""
    limits = Limits(9, 8, 7.0, "partial")
    assert Reading("https://a.example/", "koi8-r", 2.0, "me", limits, False) == read_reading(
        Namespace(**OPTIONS)
    )


def test_reading_in_unknown_charset() -> None:
    """An unknown charset is rejected before anything is read."""
    with pytest.raises(UsageError, match='unknown charset "runes"'):
        read_reading(Namespace(**OPTIONS | {"charset": "runes"}))
