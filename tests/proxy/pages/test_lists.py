"""Lists page."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from tests.proxy.pages.conftest import BY_PORT, BY_PROXY, InProcess, Pages
from thresher.filters.lists import ListState
from thresher.filters.public_lists import PUBLIC_LISTS
from thresher.proxy.list_updates import ListUpdates

URL = "https://lists.example/hosts.txt"


class Known:
    """List updates with fixed states."""

    is_updating = False
    n_asked = n_applied = 0
    states = (
        ListState(URL, 1234, {"regular expression": 50, "option csp": 6}, 1.7e9, 1.6e9),
        ListState("https://b.example/", 7, {}, 1.7e9, None, "the server said 503"),
        ListState("https://c.example/"),
    )

    def update_now(self) -> None:
        self.n_asked += 1
        self.is_updating = True

    def apply(self) -> None:
        self.n_applied += 1


def test_addresses_are_saved(pages: Pages) -> None:
    """Addresses, hosts and the interval are saved."""
    sent = {"list_urls": f"{URL}\nhttp://b.example/", "list_hours": "6", "never_intercept": "a.b"}
    assert 303 == pages.post(pages.admin, "/lists", **sent).status_code
    settings = pages.state.settings.current
    assert (URL, "http://b.example/") == settings.list_urls
    assert (6, ("a.b",)) == (settings.list_hours, settings.never_intercept)


@pytest.mark.parametrize(
    ("name", "value"),
    [("list_urls", "ftp://a/"), ("never_intercept", "a/b"), ("list_hours", "0")],
)
def test_errors_at_the_field(pages: Pages, name: str, value: str) -> None:
    """Invalid addresses, hosts and numbers are reported at their fields."""
    answer = pages.post(pages.admin, "/lists", **({"list_hours": "24"} | {name: value}))
    assert 422 == answer.status_code
    assert f'id="f-{name}-problem"' in answer.text
    assert () == pages.state.settings.current.list_urls


def test_states(pages: Pages) -> None:
    """Counts, unsupported rules and the last error are shown, and an update can be requested."""
    from thresher.proxy.pages import build_pages

    known = Known()
    pages.app = build_pages(pages.state, cast("None", InProcess()), cast("ListUpdates", known))  # type: ignore[arg-type]
    client = pages.by(BY_PORT)
    text = client.get("/lists").text
    for expected in (
        "1,234",
        "56",
        "the server said 503; using the last good version",
        "not loaded yet",
    ):
        assert expected in text
    assert "refresh" not in text
    assert 303 == pages.post(client, "/lists/update").status_code
    assert 1 == known.n_asked
    assert '<meta http-equiv="refresh"' in client.get("/lists").text
    assert "503" in client.get("/").text
    assert 303 == pages.post(client, "/lists", list_urls=URL, list_hours="24").status_code
    assert 1 == known.n_applied


def test_recommended_lists_take_one_click(pages: Pages) -> None:
    """Lists that are not in use are offered with their licence, and one click adds them all."""
    own = "https://lists.example/own.txt"
    used = replace(pages.state.settings.current, list_urls=(PUBLIC_LISTS[0].url, own))
    pages.state.settings.replace(used)
    for path in ("/", "/setup", "/lists"):
        assert 'action="/lists/recommended"' in pages.admin.get(path).text
    text = pages.admin.get("/lists").text
    for each in PUBLIC_LISTS[1:]:
        assert each.url in text and each.licence in text and each.licence_url in text
    assert 303 == pages.post(pages.admin, "/lists/recommended").status_code
    assert ("recommended", own) == pages.state.settings.current.list_urls
    for path in ("/", "/setup", "/lists"):
        assert 'action="/lists/recommended"' not in pages.admin.get(path).text


def test_only_administrators_choose_lists(pages: Pages) -> None:
    """Other users are not offered lists, and cannot add them."""
    pages.add_users("anna")
    anna = pages.by(BY_PROXY, "anna")
    assert "/lists/recommended" not in anna.get("/").text + anna.get("/setup").text
    assert 403 == pages.post(anna, "/lists/recommended", "anna").status_code
