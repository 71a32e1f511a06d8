"""Roles that labellers give to blocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from thresher.errors import UsageError
from thresher.labelling.decisions import find_decision, pair_up, save_decision
from thresher.labelling.export import make_records
from thresher.labelling.model import (
    Label,
    LabelDecision,
    NewPage,
    RoleCodes,
    blocks_by_role,
    find_role_conflicts,
    format_given_roles,
    merge_roles,
    parse_given_roles,
)
from thresher.labelling.store import LabelStore

TEXT = "0 title,2 body"
KEEP = np.ones(3, np.bool_)


def given(text: str) -> RoleCodes:
    roles = parse_given_roles(text, 3)
    assert roles is not None
    return roles


def test_roles_in_forms_are_read_as_they_are_written() -> None:
    """Text and codes convert into each other; no roles are an empty text."""
    assert TEXT == format_given_roles(given(TEXT))
    assert {"title": [0], "body": [2]} == blocks_by_role(given(TEXT))
    assert parse_given_roles("", 3) is None
    assert ("", {}) == (format_given_roles(None), blocks_by_role(None))


@pytest.mark.parametrize("wrong", ["3 body", "-1 body", "0 headline", "x", "0", "²\u00a0body"])
def test_roles_in_forms_are_checked(wrong: str) -> None:
    """Unknown blocks and roles raise UsageError."""
    with pytest.raises(UsageError):
        parse_given_roles(wrong, 3)


def test_roles_conflict_only_where_both_labels_give_one() -> None:
    """A role that only one label gives is no conflict, and is part of the merged roles."""
    a, b = given("0 title,1 body"), given("1 caption,2 legal")
    assert [1] == find_role_conflicts(a, b).tolist()
    assert "0 title,1 body,2 legal" == format_given_roles(merge_roles(a, b))
    assert [] == find_role_conflicts(a, None).tolist()
    assert merge_roles(None, b) is b


def test_roles_are_part_of_labels_and_decisions(tmp_path: Path) -> None:
    """Roles are stored with a label, make labels differ, and are exported as they were decided."""
    store = LabelStore(tmp_path / "labels.sqlite")
    store.add([NewPage("a", "<p>a")])
    ida = Label(1, "Ida", KEEP, "a", roles=given("0 title"))
    store.save(ida)
    store.save(Label(1, "Tom", KEEP, "a", roles=given("0 byline")))
    stored = store.label(1, "Ida")
    assert stored
    assert ida.is_same(stored)
    assert not ida.is_same(Label(1, "Ida", KEEP, "a"))
    assert "0 title" == format_given_roles(stored.roles)
    (a, b) = pair_up(store.labels(), "Ida", "Tom")[1]
    decision = LabelDecision(1, "Eva", (a.id, b.id), KEEP, "a", roles=given("0 byline,1 body"))
    save_decision(store, decision, version=0)
    found = find_decision(store, 1)
    assert found
    assert "0 byline,1 body" == format_given_roles(found.roles)
    assert {"byline": [0], "body": [1]} == next(make_records(store))["roles"]
