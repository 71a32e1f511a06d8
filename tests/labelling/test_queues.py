"""Pages are dealt to labellers: each to one, a share to two, and none is labelled by accident."""

from __future__ import annotations

import sqlite3
from collections import Counter
from itertools import combinations
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pytest

from thresher.errors import StorageError, UsageError
from thresher.labelling.model import Label, NewPage
from thresher.labelling.queues import (
    count_undealt,
    deal_again,
    deal_pages,
    list_assignments,
    list_queues,
)
from thresher.labelling.store import LabelStore, OtherQueueError, delete_page, restore_page

TEAM = ("Ida", "Tom", "Eva")


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    """A store of thirty pages."""
    made = LabelStore(tmp_path / "labels.sqlite")
    made.add(NewPage(f"{n}.html", f"<p>Letter {n}") for n in range(30))
    return made


def label(page: int, who: str, *, is_skipped: bool = False) -> Label:
    return Label(page, who, None if is_skipped else np.ones(1, np.bool_), "Letter")


def test_pages_are_dealt_evenly_and_a_share_twice(store: LabelStore) -> None:
    """Each page goes to one labeller, every fifth to two, and everyone gets as many."""
    dealing = deal_pages(store, TEAM, every=5)
    assert (30, 6) == (dealing.n_page, dealing.n_twice)
    assert {"Ida": 12, "Tom": 12, "Eva": 12} == dealing.pages
    holders = list_assignments(store)
    assert set(range(1, 31)) == set(holders)
    assert {1: 24, 2: 6} == Counter(map(len, holders.values()))
    assert holders == {
        page: [who for who in sorted(TEAM) if page in store.waiting(who)] for page in holders
    }


def test_pairs_share_as_many_pages(store: LabelStore) -> None:
    """Agreement is measured between all pairs of labellers alike."""
    deal_pages(store, TEAM, every=5)
    pairs = Counter(tuple(names) for names in list_assignments(store).values() if len(names) == 2)
    assert dict.fromkeys(combinations(sorted(TEAM), 2), 2) == pairs


def test_until_pages_are_dealt_everyone_has_all(store: LabelStore) -> None:
    """One person, or two who label the same pages, need no dealing."""
    assert [] == list_queues(store)
    assert list(range(1, 31)) == store.waiting("Ida")
    store.save(label(1, "Ida"))
    store.save(label(1, "Tom"), only_own_queue=True)
    assert ["Ida", "Tom"] == store.labellers()


def test_pages_added_later_are_dealt_when_it_is_asked_for(store: LabelStore) -> None:
    """New pages wait for nobody; the share of pages that two get goes on being counted."""
    deal_pages(store, ("Ida", "Tom"), every=7)
    assert 4 == sum(len(names) == 2 for names in list_assignments(store).values())
    store.add(NewPage(f"{n}.html", f"<p>Letter {n}") for n in range(30, 35))
    assert (5, 17) == (count_undealt(store), len(store.waiting("Ida")))
    assert [] == store.waiting("Eva")
    dealing = deal_pages(store, ("Eva", "Tom"), every=7)
    assert {"Eva": 5, "Tom": 1} == dealing.pages
    assert (0, 1) == (count_undealt(store), dealing.n_twice)


def test_labelled_pages_are_dealt_to_nobody(store: LabelStore) -> None:
    """What was labelled or skipped before is not labelled again."""
    store.save(label(1, "me"))
    store.save(label(2, "me", is_skipped=True))
    assert 28 == deal_pages(store, TEAM).n_page
    assert not {1, 2} & set(list_assignments(store))


def test_pages_of_an_absent_labeller_are_dealt_anew(store: LabelStore) -> None:
    """What Tom has labelled stays his; what he has left goes to the others, never to both."""
    deal_pages(store, TEAM, every=5)
    done, *left = store.waiting("Tom")
    store.save(label(done, "Tom"), only_own_queue=True)
    before = list_assignments(store)
    dealing = deal_again(store, "Tom", ("Ida", "Eva"))
    after = list_assignments(store)
    assert [] == store.waiting("Tom")
    assert (11, 0) == (dealing.n_page, dealing.n_untaken)
    assert [len(before[page]) for page in before] == [len(after[page]) for page in after]
    assert before[done] == after[done]
    assert all("Tom" not in after[page] for page in left)


def test_page_of_two_stays_with_the_one_who_remains(store: LabelStore) -> None:
    """Nobody gets a page twice: where all others have it, one labeller remains."""
    deal_pages(store, ("Ida", "Tom"), every=10)
    dealing = deal_again(store, "Tom", ["Ida"])
    assert (13, 3) == (dealing.n_page, dealing.n_untaken)
    assert all(names == ["Ida"] for names in list_assignments(store).values())
    assert 30 == len(store.waiting("Ida"))


@pytest.mark.parametrize(
    ("absent", "names", "says"),
    [
        ("Max", ["Ida"], 'no page was dealt to "Max", only to Eva, Ida, Tom'),
        ("Tom", ["Ida", "Tom"], "Tom cannot both give pages away and get them"),
        ("Tom", [], "name the labellers"),
        ("Tom", ["x" * 41], "1 to 40 characters, not 41"),
    ],
)
def test_dealing_that_makes_no_sense_is_refused(
    store: LabelStore, absent: str, names: list[str], says: str
) -> None:
    """The message says why, and nothing has changed."""
    deal_pages(store, TEAM)
    before = list_assignments(store)
    with pytest.raises(UsageError, match=says):
        deal_again(store, absent, names)
    assert before == list_assignments(store)


def test_a_page_of_others_is_labelled_only_on_purpose(store: LabelStore) -> None:
    """The first label of a page that others have is refused; skipping and correcting are not."""
    deal_pages(store, TEAM)
    page = store.waiting("Tom")[0]
    assert ["Tom"] == store.others_with(page, "Ida")
    with pytest.raises(OtherQueueError, match="in the queue of Tom"):
        store.save(label(page, "Ida"), only_own_queue=True)
    store.save(label(page, "Ida"))
    store.save(label(page, "Ida", is_skipped=True), only_own_queue=True)
    store.save(label(page, "Tom"), only_own_queue=True)
    assert [] == store.others_with(page, "Tom")


def test_a_page_of_nobody_belongs_to_its_first_labeller(store: LabelStore) -> None:
    """Two who open an undealt page at once do not both label it by accident."""
    deal_pages(store, TEAM)
    store.add([NewPage("new.html", "<p>New")])
    store.save(label(31, "Ida"), only_own_queue=True)
    with pytest.raises(OtherQueueError, match="in the queue of Ida"):
        store.save(label(31, "Tom"), only_own_queue=True)


def test_progress_is_of_the_queue(store: LabelStore) -> None:
    """A labeller sees the pages of their queue; the state has those of all."""
    deal_pages(store, TEAM, every=None)
    first, second, *_ = store.waiting("Ida")
    store.save(label(first, "Ida"))
    store.save(label(second, "Ida", is_skipped=True))
    store.save(label(store.waiting("Tom")[0], "Ida"))
    pace = store.pace("Ida")
    assert (10, 1, 1) == (pace.n_page, pace.n_labelled, pace.n_passed)
    found = {each.labeller: (each.n_dealt, each.n_done, each.n_left) for each in list_queues(store)}
    assert {"Eva": (10, 0, 10), "Ida": (10, 2, 8), "Tom": (10, 0, 10)} == found
    store.undo("Ida")
    store.undo("Ida")
    assert second == store.waiting("Ida")[0]


def test_deleted_pages_leave_the_queues(store: LabelStore) -> None:
    """A deleted page is in no queue, and is in the same one when it is put back."""
    deal_pages(store, TEAM, every=None)
    page = store.waiting("Ida")[0]
    delete_page(store, page)
    assert page not in store.waiting("Ida")
    assert 9 == next(each.n_dealt for each in list_queues(store) if each.labeller == "Ida")
    restore_page(store, page)
    assert page == store.waiting("Ida")[0]


def test_two_who_deal_at_once_deal_each_page_once(store: LabelStore) -> None:
    """The second finds nothing left to deal."""
    barrier, counts = Barrier(2), []

    def deal(name: str) -> None:
        barrier.wait()
        counts.append(deal_pages(store, [name], every=None).n_page)

    threads = [Thread(target=deal, args=[name]) for name in ("Ida", "Tom")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [0, 30] == sorted(counts)
    assert 30 == sum(map(len, list_assignments(store).values()))


def test_on_a_full_disk_nothing_is_dealt(
    store: LabelStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either all pages are dealt, or none."""
    connect = sqlite3.connect

    def connect_full(*args: Any, **options: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(*args, **options)
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages}")
        return db

    store.add(NewPage(f"{n}.html", f"<p>Letter {n}") for n in range(30, 2_000))
    with monkeypatch.context() as patch, pytest.raises(StorageError, match="the disk is full"):
        patch.setattr(sqlite3, "connect", connect_full)
        deal_pages(store, TEAM, every=1)
    assert ({}, 2_000) == (list_assignments(store), count_undealt(store))
