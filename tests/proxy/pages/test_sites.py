"""Sites page."""

from __future__ import annotations

import re

import pytest

from tests.proxy.pages.conftest import Pages
from thresher.sites.rulebook import HostRules, Rules, read_rulebook

FIELDS = {
    "host": "Mill.example",
    "view": "reader",
    "method": "crunch",
    "keep": "article .figure\r\n\r\n#a",
    "drop": ".promo",
    "act": "save",
}
EXPECTED = HostRules(Rules(("article .figure", "#a"), (".promo",)), "reader", "crunch")


def was_of(text: str) -> str:
    """Return what the form of the first host says about the rules that it was built from."""
    return next(each for each in re.findall(r'name="was" value="(.*?)"', text) if each)


def test_rules_are_saved_and_removed(pages: Pages) -> None:
    """Rules are saved in the file, shown in the form of their host, and removed."""
    assert 303 == pages.post(pages.admin, "/sites", **FIELDS).status_code
    assert pages.state.rules_path
    assert {"mill.example": EXPECTED} == dict(read_rulebook(pages.state.rules_path).hosts)
    text = pages.admin.get("/sites").text
    assert "<h2>mill.example</h2>" in text
    assert "article .figure\n#a</textarea>" in text
    gone = {"host": "mill.example", "act": "remove", "was": was_of(text), "drop": ".promo"}
    assert 303 == pages.post(pages.admin, "/sites", **gone).status_code
    assert not pages.state.rulebook.hosts


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"host": "a b"}, "is not a host name"),
        ({"host": ""}, "is not a host name"),
        ({"drop": "p["}, "p["),
        ({"view": "glasses"}, "view must be one of"),
        ({"filters": "adds=off"}, "no filter"),
        ({"method": "guess"}, "unknown method"),
        ({"view": "", "method": "", "keep": " ", "drop": ""}, "enter a selector, or choose"),
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
    was = was_of(pages.admin.get("/sites").text)
    answer = pages.post(pages.admin, "/sites", **(FIELDS | {"drop": "p[", "was": was}))
    assert 1 == answer.text.count("<h2>mill.example</h2>")
    assert "p[</textarea>" in answer.text
    assert EXPECTED == pages.state.rulebook.hosts["mill.example"]


def test_rules_for_a_known_host_join_those_it_has(pages: Pages) -> None:
    """The form for another site never takes anything from a site that has rules already."""
    pages.post(pages.admin, "/sites", **FIELDS)
    more = {"host": "mill.example", "view": "", "method": "", "keep": "", "drop": ".banner"}
    assert 303 == pages.post(pages.admin, "/sites", act="save", **more).status_code
    joined = HostRules(Rules(("article .figure", "#a"), (".promo", ".banner")), "reader", "crunch")
    assert {"mill.example": joined} == dict(pages.state.rulebook.hosts)


def test_rules_changed_elsewhere_are_not_overwritten_unseen(pages: Pages) -> None:
    """A form that was opened before someone else saved shows their rules; saving again replaces."""
    pages.post(pages.admin, "/sites", **FIELDS)
    mine = FIELDS | {"was": was_of(pages.admin.get("/sites").text), "drop": ".mine"}
    theirs = HostRules(Rules((), (".theirs",)))
    pages.state.change_rules("mill.example", lambda _: theirs)
    answer = pages.post(pages.admin, "/sites", **mine)
    assert 422 == answer.status_code
    assert "changed elsewhere" in answer.text
    assert "<dd>.theirs</dd>" in answer.text
    assert {"mill.example": theirs} == dict(pages.state.rulebook.hosts)
    mine["was"] = was_of(answer.text)
    assert 303 == pages.post(pages.admin, "/sites", **mine).status_code
    assert (".mine",) == pages.state.rulebook.hosts["mill.example"].rules.drop
