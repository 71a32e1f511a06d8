"""`thresher label` deals pages to a team and shows how far it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Command
from thresher.labelling.model import Label, NewPage
from thresher.labelling.queues import list_assignments
from thresher.labelling.store import LABELS_FILE, LabelStore


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    """Twenty pages in a data folder."""
    made = LabelStore(tmp_path / LABELS_FILE)
    made.add(NewPage(f"{n}.html", f"<p>Letter {n}") for n in range(20))
    return made


def save(store: LabelStore, page: int, who: str, bits: str | None, note: str = "") -> None:
    keep = None if bits is None else np.array([bit == "1" for bit in bits], np.bool_)
    store.save(Label(page, who, keep, "Rye, and oats", note=note), only_own_queue=True)


def test_pages_are_dealt_and_the_state_is_shown(command: Command, store: LabelStore) -> None:
    """Everyone's share is said; the state has progress, agreement, and why pages were skipped."""
    folder = store.path.parent
    ran = command("label", "deal", "Ida", "Tom", "--twice", 5, "--data", folder)
    assert (0, "") == (ran.status, ran.out)
    says = "thresher: 20 pages were dealt, 4 of them to two labellers: Ida 12, Tom 12"
    assert [says] == ran.errors
    shared = [page for page, names in list_assignments(store).items() if len(names) == 2]
    save(store, shared[0], "Ida", "1100")
    save(store, shared[0], "Tom", "1000")
    save(store, shared[1], "Tom", None, "a login page")
    ran = command("label", "status", "--data", folder)
    assert (0, []) == (ran.status, ran.errors)
    assert (
        f"""\
20 pages, 1 labelled
20 dealt, 4 of them to two labellers
0 with nobody yet

labeller  dealt  labelled  skipped  left
Ida          12         1        0    11
Tom          12         1        1    10
together     24         2        1    21

labelled by two  pages  kappa  word F1
Ida, Tom             1   0.50    1.000
together             1   0.50    1.000

skipped
Tom: {store.pages()[shared[1]].name} (a login page)
"""
        == ran.out
    )


def test_pages_of_an_absent_labeller_are_dealt_anew(command: Command, store: LabelStore) -> None:
    """Only what Tom has left goes to the others."""
    data = ("--data", store.path.parent)
    command("label", "deal", "Ida", "Tom", "--once", *data)
    save(store, store.waiting("Tom")[0], "Tom", "1")
    ran = command("label", "deal", "Eva", "Ida", "--from", "Tom", *data)
    assert ["thresher: 9 pages were dealt: Eva 9"] == ran.errors
    out = command("label", "status", *data).out
    assert "Eva           9         0        0     9" in out
    assert "Tom           1         1        0     0" in out


def test_undealt_pages_are_named(command: Command, store: LabelStore) -> None:
    """The state says that nothing was dealt, and later how many pages were added since."""
    data = ("--data", store.path.parent)
    assert "not dealt: every labeller gets all pages" in command("label", "status", *data).out
    command("label", "deal", "Ida", *data)
    store.add([NewPage("new.html", "<p>New")])
    assert "1 with nobody yet" in command("label", "status", *data).out
    ran = command("label", "deal", "Ida", *data)
    assert ["thresher: 1 page was dealt: Ida 1"] == ran.errors
    assert ["thresher: 0 pages were dealt"] == command("label", "deal", "Ida", *data).errors


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("deal", "Ida", "--from", "Max"), "no page was dealt to"),
        (("deal", "Ida", "--twice", "1"), "every page twice needs two labellers"),
        (("deal", "x" * 41), "a labeller's name has 1 to 40 characters, not 41"),
    ],
)
def test_dealing_that_makes_no_sense_is_refused(
    command: Command, store: LabelStore, arguments: tuple[str, ...], says: str
) -> None:
    """The command fails with one line and deals nothing."""
    ran = command("label", *arguments, "--data", store.path.parent)
    assert 2 == ran.status
    assert says in ran.errors[0]
    assert {} == list_assignments(store)


def test_a_folder_without_pages_is_named(command: Command, tmp_path: Path) -> None:
    """No store is made by asking for its state."""
    ran = command("label", "status", "--data", tmp_path)
    assert 2 == ran.status
    assert "does not exist: add pages with thresher app --label" in ran.errors[0]
    assert not (tmp_path / LABELS_FILE).exists()
