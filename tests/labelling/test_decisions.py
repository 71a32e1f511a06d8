"""Labels that differ: agreement, roles, decisions, and what is exported."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import UsageError
from thresher.evaluation.corpora import find_corpora
from thresher.labelling.decisions import (
    agree_in_pairs,
    find_decision,
    find_kappa,
    list_decisions,
    make_records,
    make_task,
    pair_up,
    save_decision,
    write_corpus,
)
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
from thresher.labelling.reading import read_for_labels
from thresher.labelling.store import LabelConflictError, LabelStore

IDA, TOM = np.array([True, False]), np.array([True, True])
TEXT = "0 title,2 body"


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
    assert (number, "Eva", ("Ida", "Tom")) == (found.id, found.decider, found.labellers)
    assert ("a b", "forum", [True, True]) == (found.text, found.page_type, found.keep.tolist())
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
    """Who decides on an older state is told; a label that was made anew must be looked at."""
    first = save_decision(store, decide(store), version=0)
    with pytest.raises(LabelConflictError, match="decided elsewhere"):
        save_decision(store, decide(store), version=0)
    again = save_decision(store, decide(store), version=first)
    assert first < again
    old = decide(store)
    store.save(Label(1, "Tom", IDA & False, ""))
    with pytest.raises(LabelConflictError, match="labelled again"):
        save_decision(store, old, version=again)


def test_older_file_is_migrated(store: LabelStore) -> None:
    """A file of the first version keeps its labels and gets what is new."""
    newer = (
        "DROP TABLE decision; DROP VIEW listed; ALTER TABLE page DROP COLUMN title;"
        "ALTER TABLE page DROP COLUMN deleted_at; ALTER TABLE label DROP COLUMN roles;"
        "ALTER TABLE label DROP COLUMN note; DROP TABLE assignment;"
        "PRAGMA user_version = 1"
    )
    with sqlite3.connect(store.path) as db:
        db.executescript(newer)
    db.close()
    again = LabelStore(store.path)
    assert {} == list_decisions(again)
    assert 6 == len(again.labels())


def mask(bits: str) -> npt.NDArray[np.bool_]:
    return np.array([bit == "1" for bit in bits], np.bool_)


def label(page: int, bits: str, text: str = "", who: str = "Ida") -> Label:
    return Label(page, who, mask(bits), text)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("1100", "1100", 1.0),
        ("1100", "0011", -1.0),
        ("1100", "1010", 0.0),
        ("1110000000", "1100000001", 1 - 0.2 / 0.42),
        ("0000", "0000", None),
        ("", "", None),
    ],
)
def test_kappa(first: str, second: str, expected: float | None) -> None:
    """κ is (observed − chance) / (1 − chance), and undefined if chance agreement is 1."""
    assert pytest.approx(expected) == find_kappa(mask(first), mask(second))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_kappa_is_symmetric(pairs: list[tuple[bool, bool]]) -> None:
    """Swapping the labellers does not change κ, which is at most 1."""
    first, second = (np.array(side, np.bool_) for side in zip(*pairs, strict=True))
    one, other = find_kappa(first, second), find_kappa(second, first)
    assert pytest.approx(one) == other
    assert one is None or one <= 1


def test_agreement_over_pages() -> None:
    """Only pages labelled by both count, the pages with most differences first."""
    ida = [label(1, "110", "a b"), label(2, "111", "x y z"), label(3, "1")]
    tom = [
        label(2, "110", "x y", "Tom"),
        label(1, "110", "a b", "Tom"),
        Label(3, "Tom", None, None),
    ]
    found = agree_in_pairs([*tom, *ida])["Ida", "Tom"]
    assert [(2, 1), (1, 0)] == [(page.page, page.n_differing) for page in found.pages]
    assert pytest.approx((0.8 + 1) / 2) == found.f1
    assert 6 == found.n_block
    # Masks of different lengths cannot be compared, but their texts can.
    found = agree_in_pairs([label(1, "11", "a b"), label(1, "111", "a b", "Tom")])["Ida", "Tom"]
    assert (None, 1.0, 0) == (found.kappa, found.f1, found.n_block)


def test_agreement_of_all_pairs() -> None:
    """Pairs without a common page are not listed; all pairs together count each page of a pair."""
    ida = [label(1, "110", "a b"), label(2, "111", "x y z")]
    tom = [label(2, "110", "x y", "Tom"), label(3, "1", who="Tom")]
    eva = [label(1, "110", "a b", "Eva"), Label(3, "Eva", None, None)]
    found = agree_in_pairs([*tom, *ida, *eva])
    assert {("Ida", "Tom"), ("Eva", "Ida"), ()} == set(found)
    assert (1, 2) == (len(found["Ida", "Tom"].pages), len(found[()].pages))
    assert {} == agree_in_pairs(ida)


def roles_of(text: str) -> RoleCodes:
    roles = parse_given_roles(text, 3)
    assert roles is not None
    return roles


def test_roles_in_forms_are_read_as_they_are_written() -> None:
    """Text and codes convert into each other; no roles are an empty text."""
    assert TEXT == format_given_roles(roles_of(TEXT))
    assert {"title": [0], "body": [2]} == blocks_by_role(roles_of(TEXT))
    assert parse_given_roles("", 3) is None
    assert ("", {}) == (format_given_roles(None), blocks_by_role(None))


@pytest.mark.parametrize("wrong", ["3 body", "-1 body", "0 headline", "x", "0", "²\u00a0body"])
def test_roles_in_forms_are_checked(wrong: str) -> None:
    """Unknown blocks and roles raise UsageError."""
    with pytest.raises(UsageError):
        parse_given_roles(wrong, 3)


def test_roles_conflict_only_where_both_labels_give_one() -> None:
    """A role that only one label gives is no conflict, and is part of the merged roles."""
    a, b = roles_of("0 title,1 body"), roles_of("1 caption,2 legal")
    assert [1] == find_role_conflicts(a, b).tolist()
    assert "0 title,1 body,2 legal" == format_given_roles(merge_roles(a, b))
    assert [] == find_role_conflicts(a, None).tolist()
    assert merge_roles(None, b) is b


def test_roles_are_part_of_labels_and_decisions(store: LabelStore) -> None:
    """Roles are stored with a label, make labels differ, and are exported as they were decided."""
    ida = replace(label(2, "111"), roles=roles_of("0 title"))
    store.save(ida)
    store.save(replace(label(2, "111", who="Tom"), roles=roles_of("0 byline")))
    a, b = pair_up(store.labels(), "Ida", "Tom")[2]
    assert ida.is_same(a)
    assert not ida.is_same(label(2, "111"))
    assert "0 title" == format_given_roles(a.roles)
    roles = roles_of("0 byline,1 body")
    decision = LabelDecision(2, "Eva", (a.id, b.id), mask("111"), "a", roles=roles)
    save_decision(store, decision, version=0)
    found = find_decision(store, 2)
    assert found
    assert "0 byline,1 body" == format_given_roles(found.roles)
    _, record, _ = make_records(store)
    assert {"byline": [0], "body": [1]} == record["roles"]


def make_store(folder: Path) -> LabelStore:
    store = LabelStore(folder / "labels.sqlite")
    store.add([NewPage(name, f"<p>{name}\ud800", f"https://{name}.example/") for name in "abc"])
    keep = np.array([True, False], np.bool_)
    store.save(Label(1, "Ida", keep, "of Ida", page_type="forum", made_at=1))
    store.save(Label(1, "Tom", ~keep, "of Tom", made_at=2))
    store.save(Label(2, "Ida", None, None, made_at=3))
    store.save(Label(3, "Ida", keep & False, "", made_at=4))
    return store


def test_corpus_read_back(tmp_path: Path) -> None:
    """The corpus has labelled pages with their latest labels, or those of one labeller."""
    first, _ = make_records(make_store(tmp_path / "other"), "Ida")
    assert ("of Ida", "forum", [0], "Ida", "human") == tuple(
        first[name] for name in ("text", "page_type", "blocks", "labeller", "tier")
    )
    path = tmp_path / "labels.jsonl.xz"
    assert 2 == write_corpus(make_store(tmp_path), path)
    (corpus,) = find_corpora([path])
    pages = list(corpus.pages())
    assert [("1", "of Tom"), ("3", "")] == [(page.id, page.text) for page in pages]
    assert ("https://a.example/", "<p>a\ud800") == (pages[0].url, pages[0].html)


def test_task_leaves_out_labels_of_other_blocks(tmp_path: Path) -> None:
    """A label from when the page was cut otherwise marks nothing of today's blocks."""
    store = make_store(tmp_path)
    shown = read_for_labels("<p>one 🌾<p>two<p><img src=x>", None)
    texts = ["one 🌾", "two", "[picture]"]
    keep = np.array([True, False, True], np.bool_)
    labels = [*store.labels("Tom"), Label(1, "Eva", keep, "one")]
    task = make_task(store.pages()[1], shown, labels)
    assert texts == [block["text"] for block in task["data"]["blocks"]]
    assert ["Eva"] == task["data"]["labellers"]
    first, last = task["annotations"][0]["result"]
    assert (6, 9) == (first["value"]["endOffset"], last["value"]["endOffset"])
