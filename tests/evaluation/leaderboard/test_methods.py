"""Methods take part with their defaults, and as variants."""

from __future__ import annotations

from typing import Any

import pytest

from thresher.algorithms import ALGORITHMS
from thresher.errors import UsageError
from thresher.evaluation.leaderboard.__main__ import format_call, read_contenders


def test_methods_have_their_defaults() -> None:
    """A method without settings runs with the defaults of `extract`."""
    (bte,) = read_contenders(["bte"], [])
    assert ("bte", "bte", ALGORITHMS["bte"].build_params()) == (bte.name, bte.method, bte.params)
    assert "extract(html, method='bte').text" == format_call(bte)


def test_variants_have_their_own_settings() -> None:
    """A variant is listed beside its method, under the text that was given."""
    spelling = " prune_shake_purify  poison_words=weed,chaff link_weight=2"
    plain, variant = read_contenders(["prune_shake_purify"], [spelling])
    assert plain.params != variant.params
    params: Any = variant.params
    assert (("weed", "chaff"), 2) == (params.poison_words, params.link_weight)
    assert "prune_shake_purify poison_words=weed,chaff link_weight=2" == variant.name
    assert (
        "extract(html, method='prune_shake_purify', "
        "params={'poison_words': 'weed,chaff', 'link_weight': '2'}).text"
    ) == format_call(variant)


@pytest.mark.parametrize(
    ("variant", "message"),
    [
        ("", "a variant is METHOD"),
        ("bte", "a variant is METHOD"),
        ("bte tags", "a variant is METHOD"),
        ("guess a=1", 'unknown method "guess"'),
        ("keep_all a=1", 'no parameter "a"'),
    ],
)
def test_invalid_variant(variant: str, message: str) -> None:
    """An invalid variant is rejected."""
    with pytest.raises(UsageError, match=message):
        read_contenders([], [variant])
