"""Options of the command line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from thresher.errors import UsageError
from thresher.filters.settings import Filters
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import Profile, ProxySettings, User
from thresher.proxy.settings_store import RunOptions

ANNA, BERT = User(hash_password("grain")), User(hash_password("chaff"))
OPTIONS = RunOptions(
    {"view": "reader", "listen_port": "0"}, {"ads": "no"}, {"anna": ANNA}, ("bank.example",)
)


def test_options_precede_the_file() -> None:
    """Options set values, filters, users and hosts on top of the file's; its profiles stay."""
    profile = Profile(view="text")
    stored = ProxySettings(
        view="text",
        hold_s=1.0,
        never_intercept=("pay.example",),
        users={"anna": replace(BERT, profile=profile), "bert": BERT},
    )
    expected = replace(
        stored,
        view="reader",
        listen_port=0,
        filters=Filters(ads=False),
        never_intercept=("pay.example", "bank.example"),
        users={"anna": replace(ANNA, profile=profile), "bert": BERT},
    )
    assert expected == OPTIONS.apply(stored)


def test_options_that_do_not_fit() -> None:
    """Options that contradict the file are an error."""
    with pytest.raises(UsageError, match="upstream requires mode regular"):
        RunOptions({"upstream": "http://a.example"}).apply(ProxySettings(mode="transparent"))


def test_what_a_person_changes_is_no_longer_the_options() -> None:
    """A setting changed on the page ends its option; a profile stays with a user of the run."""
    before = OPTIONS.apply(ProxySettings())
    profile = Profile(view="text")
    after = replace(
        before,
        view="inplace",
        never_intercept=(),
        users={"anna": replace(ANNA, profile=profile)},
    )
    expected = RunOptions({"listen_port": "0"}, {"ads": "no"}, {"anna": after.users["anna"]})
    assert expected == OPTIONS.without_changes(before, after)
    other = replace(before, users={"anna": BERT}, filters=Filters())
    assert not OPTIONS.without_changes(before, other).users
    assert not OPTIONS.without_changes(before, other).filters
