"""A profile as a file."""

from __future__ import annotations

import pytest

from thresher.errors import UsageError
from thresher.filters.settings import Filters
from thresher.proxy.profile_file import parse_profile, write_profile
from thresher.proxy.settings import Profile
from thresher.sites.rulebook import HostRules, Rulebook, Rules


def test_there_and_back() -> None:
    """What is written is read again; what is missing is as for everybody."""
    profile = Profile("reader", "bte", Filters(images=True, ad_rules=('||a.example^$~"',)))
    book = Rulebook({"a.example": HostRules(Rules((), (".promo",)), "text")})
    assert (profile, book) == parse_profile(write_profile(profile, book), Profile())
    assert (profile, Rulebook()) == parse_profile("version = 1", profile)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "version"),
        ("version = 1\npassword = 'x'", "unknown: password"),
        ("version = 1\nprofile = 1", "profile must be a table"),
        ("version = 1\n[profile]\nfilters = {}", "unknown setting: filters"),
        ("version = 1\n[profile]\nview = 'glasses'", "view must be"),
        ("version = 1\nfilters = 1", "filters must be a table"),
        ("version = 1\n[host.'a b']\nview = 'text'", "not a host name"),
        ("version = 1\n[host.'a.example']\ndrop = ['p:[']", "p:\\["),
    ],
)
def test_what_is_wrong_is_named(text: str, says: str) -> None:
    """Errors name what is invalid."""
    with pytest.raises(UsageError, match=says):
        parse_profile(text, Profile())
