"""The browsing of thirty sites counts what works without the proxy and not through it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from bench.browsing import N_SITE, Person, Tab, View, browse, make_page, site_pages
from bench.filter_pages import case_names

URL = "http://127.0.1.1:1/item"
BEFORE = View(URL, Counter(["Rye"]), {"button: Add": ""}, {}, ("Rye",), ())
AFTER = replace(BEFORE, lines=Counter(["Rye", "In your cart"]))


class _Tab(Tab):
    """A tab in which a control has the given effect, or cannot be used if there is none."""

    def __init__(self, effect: View | None) -> None:
        self._effect = effect
        self.said = []

    def use(self, key: str) -> bool:
        return self._effect is not None

    def look(self) -> View:
        return self._effect or BEFORE


def test_all_cases_are_on_the_sites() -> None:
    """Each case is on one site, and further pages have no part that was not filled in."""
    paths = [path for site in range(N_SITE) for _, path in site_pages(site)]
    assert sorted(f"/case/{shell}/{body}" for shell, body in case_names()) == sorted(
        path for path in paths if path.startswith("/case/")
    )
    assert 200 <= len(paths)
    for site in range(N_SITE):
        for _, path in site_pages(site):
            if not path.startswith("/case/"):
                page = make_page(site, path.strip("/") or "home", {})
                assert not re.search(r"\[\[|<!-- title", page), path


@pytest.mark.parametrize(
    ("through", "n_miss"),
    [
        (AFTER, 0),
        (None, 1),
        (BEFORE, 1),
        (replace(AFTER, errors=("x is null",)), 1),
        (replace(AFTER, url=f"{URL}?sent"), 1),
        (replace(AFTER, states={"button: Add": "true"}), 1),
    ],
)
def test_what_does_not_work_is_counted(
    monkeypatch: pytest.MonkeyPatch, through: View | None, n_miss: int
) -> None:
    """A control misses if it cannot be used, does nothing, or does something else."""
    monkeypatch.setattr("bench.browsing._WAIT_S", 0.0)
    person = Person(_Tab(AFTER), _Tab(through))
    monkeypatch.setattr(Tab, "open", lambda tab, url: BEFORE)
    person.do("button: Add", BEFORE, BEFORE)
    assert n_miss == person.counts["needs of the original"]


@pytest.mark.slow
def test_a_site_needs_no_original() -> None:
    """On a shop, everything works through the proxy as without it."""
    pytest.importorskip("mitmproxy", reason="the proxy needs mitmproxy: the extra proxy")
    pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    counts = browse(1, first=19)
    assert 7 == counts["pages"] < counts["actions"]
    assert 0 == counts["needs of the original"]
