"""Decisions on labels that differ."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from thresher.labelling.decisions import find_decision, list_decisions, pair_up, save_decision
from thresher.labelling.export import make_records
from thresher.labelling.model import Label, LabelDecision, NewPage
from thresher.labelling.store import LabelConflictError, LabelStore

IDA, TOM = np.array([True, False]), np.array([True, True])


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    """Store with three pages, on the first of which two people differ."""
    store = LabelStore(tmp_path / "labels.sqlite")
    store.add([NewPage(name, f"<p>{name}") for name in "abc"])
    store.save(Label(1, "Ida", IDA, "a"))
    store.save(Label(1, "Tom", TOM, "a b"))
    store.save(Label(2, "Ida", IDA, "c"))
    store.save(Label(2, "Tom", IDA, "c"))
    store.save(Label(3, "Ida", IDA, "d"))
    store.save(Label(3, "Tom", None, None))
    return store


def decide(store: LabelStore) -> LabelDecision:
    """Return a decision of Eva on the first page, for Tom."""
    (a, b) = pair_up(store.labels(), "Ida", "Tom")[1]
    return LabelDecision(1, "Eva", (a.id, b.id), TOM, "a b", page_type="forum")


def test_pages_on_which_two_differ(store: LabelStore) -> None:
    """Neither equal labels nor skipped pages are disagreements."""
    assert [1] == list(pair_up(store.labels(), "Ida", "Tom"))
    assert {} == pair_up(store.labels(), "Ida", "Eva")


def test_decision_is_stored_with_who_made_it(store: LabelStore) -> None:
    """The result, the decider and both labellers are read back."""
    number = save_decision(store, decide(store), version=0)
    found = list_decisions(store)[1]
    assert (number, "Eva", ("Ida", "Tom"), "a b", "forum") == (
        found.id,
        found.decider,
        found.labellers,
        found.text,
        found.page_type,
    )
    assert TOM.tolist() == found.keep.tolist()
    assert find_decision(store, 2) is None


def test_decided_label_is_exported(store: LabelStore) -> None:
    """Without a labeller, what was decided stands for the page; with one, their own label."""
    save_decision(store, decide(store), version=0)
    record = next(make_records(store))
    assert ("a b", "Eva", ["Ida", "Tom"], [0, 1], "forum") == tuple(
        record[name] for name in ("text", "labeller", "decided_between", "blocks", "page_type")
    )
    assert ["1", "2", "3"] == [each["id"] for each in make_records(store)]
    assert "a" == next(make_records(store, "Ida"))["text"]


def test_decision_made_elsewhere_is_not_replaced(store: LabelStore) -> None:
    """Who decides on an older state is told."""
    first = save_decision(store, decide(store), version=0)
    with pytest.raises(LabelConflictError, match="decided elsewhere"):
        save_decision(store, decide(store), version=0)
    assert first < save_decision(store, decide(store), version=first)


def test_decision_on_a_replaced_label_is_refused(store: LabelStore) -> None:
    """A label that was made anew must be looked at."""
    old = decide(store)
    store.save(Label(1, "Tom", IDA & False, ""))
    with pytest.raises(LabelConflictError, match="labelled again"):
        save_decision(store, old, version=0)


def test_older_file_is_migrated(store: LabelStore) -> None:
    """A file of the first version keeps its labels and gets what is new."""
    newer = (
        "DROP TABLE decision; DROP VIEW listed; ALTER TABLE page DROP COLUMN title;"
        "ALTER TABLE page DROP COLUMN deleted_at; ALTER TABLE label DROP COLUMN roles;"
        "PRAGMA user_version = 1"
    )
    with sqlite3.connect(store.path) as db:
        db.executescript(newer)
    db.close()
    again = LabelStore(store.path)
    assert {} == list_decisions(again)
    assert 6 == len(again.labels())
