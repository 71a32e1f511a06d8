"""Changes of rules by a form."""

from __future__ import annotations

from dataclasses import replace

import pytest

from thresher.errors import UsageError
from thresher.sites import HostRules, Rules
from thresher.sites.rule_forms import Draft, StaleRulesError, change_rules, draft_of, read_rules

METHODS = ("learned", "slope")
KNOWN = HostRules(Rules(("h1",), (".a",)), "reader", "slope")


def test_form_built_from_rules_replaces_them() -> None:
    """What is no longer in the form is gone."""
    draft = replace(draft_of("mill.example", KNOWN, was=KNOWN), drop=".b", view="")
    assert HostRules(Rules(("h1",), (".b",)), None, "slope") == change_rules(
        KNOWN, draft, read_rules(draft, METHODS)
    )


def test_form_built_from_other_rules_is_refused() -> None:
    """The error has the rules that are stored."""
    draft = draft_of("mill.example", KNOWN, was=HostRules())
    with pytest.raises(StaleRulesError) as caught:
        change_rules(KNOWN, draft, read_rules(draft, METHODS))
    assert KNOWN == caught.value.stored


def test_added_rules_join_those_that_are_there() -> None:
    """A selector moves to the list that was asked for last; the view changes only if chosen."""
    draft = Draft("mill.example", keep=".a\n.c", method="learned")
    assert HostRules(Rules(("h1", ".a", ".c")), "reader", "learned") == change_rules(
        KNOWN, draft, read_rules(draft, METHODS)
    )


def test_filters_of_a_host_survive_its_forms() -> None:
    """A form holds the switches, adds to them, and refuses what is neither on nor off."""
    known = replace(KNOWN, filters=(("ads", False),))
    form = draft_of("mill.example", known, was=known)
    assert known == change_rules(known, form, read_rules(form, METHODS))
    more = Draft("mill.example", filters="consent=on, ads=on")
    assert (("ads", True), ("consent", True)) == change_rules(
        known, more, read_rules(more, METHODS)
    ).filters
    with pytest.raises(UsageError, match="NAME=on or NAME=off"):
        read_rules(Draft("mill.example", filters="ads"), METHODS)


def test_adding_nothing_is_refused() -> None:
    """A host alone is no rule."""
    draft = Draft("mill.example")
    with pytest.raises(UsageError, match="enter a selector"):
        change_rules(HostRules(), draft, read_rules(draft, METHODS))
