"""Sites page."""

from __future__ import annotations

import pytest

from tests.proxy.pages.conftest import Pages
from thresher.sites.model import Rules
from thresher.sites.rulebook import HostRules, read_rulebook

FIELDS = {
    "host": "Mill.example",
    "view": "reader",
    "method": "crunch",
    "keep": "article .figure\r\n\r\n#a",
    "drop": ".promo",
    "act": "save",
}
EXPECTED = HostRules(Rules(("article .figure", "#a"), (".promo",)), "reader", "crunch")


def test_rules_are_saved_and_removed(pages: Pages) -> None:
    """Rules are saved in the file, shown in the form of their host, and removed."""
    assert 303 == pages.post(pages.admin, "/sites", **FIELDS).status_code
    assert pages.state.rules_path
    assert {"mill.example": EXPECTED} == dict(read_rulebook(pages.state.rules_path).hosts)
    text = pages.admin.get("/sites").text
    assert "<h2>mill.example</h2>" in text
    assert "article .figure\n#a</textarea>" in text
    gone = {"host": "mill.example", "act": "remove", "drop": ".promo"}
    assert 303 == pages.post(pages.admin, "/sites", **gone).status_code
    assert not pages.state.rulebook.hosts


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"host": "a b"}, "is not a host name"),
        ({"host": ""}, "is not a host name"),
        ({"drop": "p["}, "p["),
        ({"view": "glasses"}, "view must be one of"),
        ({"method": "guess"}, "method must be one of"),
        ({"view": "", "method": "", "keep": " ", "drop": ""}, "choose a view or method"),
    ],
)
def test_what_is_wrong(pages: Pages, change: dict[str, str], says: str) -> None:
    """Errors are shown, the input is kept, and nothing is saved."""
    answer = pages.post(pages.admin, "/sites", **(FIELDS | change))
    assert 422 == answer.status_code
    assert says in answer.text
    assert not pages.state.rulebook.hosts


def test_a_mistake_in_a_known_host(pages: Pages) -> None:
    """An error is shown in the form of its host, whose rules are kept."""
    pages.post(pages.admin, "/sites", **FIELDS)
    answer = pages.post(pages.admin, "/sites", **(FIELDS | {"drop": "p["}))
    assert 1 == answer.text.count("<h2>mill.example</h2>")
    assert "p[</textarea>" in answer.text
    assert EXPECTED == pages.state.rulebook.hosts["mill.example"]
