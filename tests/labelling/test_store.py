"""Pages and labels in one file: nothing is lost, and the latest label counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from thresher.errors import UsageError
from thresher.labelling import store as stored
from thresher.labelling.decisions import list_labels
from thresher.labelling.model import Label, NewPage, Pace
from thresher.labelling.store import (
    MAX_SECONDS,
    LabelConflictError,
    LabelStore,
    delete_page,
    restore_page,
)

PAGES = [NewPage(name, f"<p>{name} käse\ud800", f"https://{name}.example/") for name in "abc"]
RYE, OATS = NewPage("rye.html", "<p>Rye."), NewPage("oats.html", "<p>Oats.")


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    """A store of three pages."""
    made = LabelStore(tmp_path / "new" / "labels.sqlite")
    made.add(PAGES)
    return made


def save_label(store: LabelStore, page: int, who: str, bits: str, seconds: float = 9.0) -> None:
    keep = np.array([bit == "1" for bit in bits], np.bool_)
    store.save(Label(page, who, keep, f"text {bits}", seconds, "article"))


def test_pages_added_once(store: LabelStore) -> None:
    """Pages with equal HTML are stored once, whatever their names, with all their fields."""
    assert (1, 3) == store.add([*PAGES[:2], NewPage("z", PAGES[2].html), NewPage("d", "<p>d")])
    page = store.page(1)
    assert page is not None
    assert ("a", PAGES[0].html, PAGES[0].url) == (page.name, page.html, page.url)
    assert store.page(99) is None
    store.put_reading(1, "m", None, None, "Käse\ud800")
    assert ["Käse?", "https://b.example/"] == [store.pages()[number].shown for number in (1, 2)]


@pytest.mark.parametrize("bits", ["", "101", "01100110", "1" * 39 + "0"])
def test_labels_are_read_back(store: LabelStore, bits: str) -> None:
    """Labels with masks of any length are still there when the file is opened again."""
    save_label(store, 1, "Ida", bits)
    label = LabelStore(store.path).label(1, "Ida")
    assert label is not None
    assert label.keep is not None
    assert bits == "".join("01"[kept] for kept in label.keep.tolist())
    assert (f"text {bits}", "article") == (label.text, label.page_type)


def test_undo_goes_back_step_by_step(store: LabelStore) -> None:
    """Undo removes a labeller's latest label, so that the previous one counts again."""
    save_label(store, 1, "Ida", "100")
    save_label(store, 2, "Ida", "010")
    save_label(store, 1, "Ida", "111")
    save_label(store, 3, "Tom", "001")
    assert 1 == store.undo("Ida")
    label = store.label(1, "Ida")
    assert label is not None
    assert "text 100" == label.text
    assert [2, 1, None] == [store.undo("Ida") for _ in range(3)]
    assert ["Tom"] == store.labellers()


def test_queue_of_each_labeller(store: LabelStore) -> None:
    """Pages that one labeller has labelled or skipped still wait for the others."""
    save_label(store, 1, "Ida", "1")
    store.save(Label(2, "Ida", None, None))
    assert [3] == store.waiting("Ida")
    assert [1, 2, 3] == store.waiting("Tom")
    assert [1, 2] == store.waiting("Tom", limit=2)
    with pytest.raises(UsageError, match="order must be"):
        store.waiting("Ida", order="random; DROP TABLE page")


def test_queue_with_the_least_confident_first(store: LabelStore) -> None:
    """Pages are ordered by the given model's confidence, those it has not read last."""
    store.put_reading(3, "m", "{}", 0.2)
    store.put_reading(2, "m", None, None)
    store.put_reading(1, "other", "{}", 0.1)
    assert [3, 1, 2] == store.waiting("Ida", order="uncertain", model="m")
    assert [1] == store.unread("m")
    assert ("{}", None, None) == tuple(store.reading(page, "m") for page in (3, 2, 1))


def test_pace(store: LabelStore) -> None:
    """Pace counts labels and skipped pages, and limits the time of a labeller who was away."""
    assert Pace(3, 0, 0, None) == store.pace("Ida")
    save_label(store, 1, "Ida", "1", seconds=30)
    store.save(Label(2, "Ida", None, None, 6))
    assert Pace(3, 1, 1, 200.0) == store.pace("Ida")
    save_label(store, 1, "Ida", "1", seconds=1e6)
    label = store.label(1, "Ida")
    assert label is not None
    assert MAX_SECONDS == label.seconds


def test_label_of_another_version_is_not_replaced(store: LabelStore) -> None:
    """Saving over a newer version is a conflict, unless the same label is stored already."""
    mine, theirs = (Label(1, "Ida", np.array(bits, np.bool_), "text") for bits in ([1, 0], [0, 1]))
    version = store.save(theirs, version=0)
    assert version == store.save(theirs, version=0)
    with pytest.raises(LabelConflictError) as error:
        store.save(mine, version=0)
    assert error.value.latest is not None
    assert version == error.value.latest.id
    newer = store.save(mine, version=version)
    store.undo("Ida")
    with pytest.raises(LabelConflictError):
        store.save(mine, version=newer)


def test_other_files_are_rejected(tmp_path: Path) -> None:
    """A file that is not a label store raises UsageError and stays unchanged."""
    path = tmp_path / "notes.txt"
    path.write_text("no labels at all, only notes " * 40)
    with pytest.raises(UsageError, match="holds no labels"):
        LabelStore(path)
    assert path.read_text().startswith("no labels at all")


def test_deleting_can_be_undone_for_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A deleted page is in no list, count, queue or export; put back, it has its labels."""
    store = LabelStore(tmp_path / "labels.sqlite")
    store.add([RYE, OATS])
    label = Label(1, "Ida", np.ones(1, np.bool_), "Rye.")
    store.save(label)
    delete_page(store, 1)
    assert ([2], [2], [2]) == (list(store.pages()), store.waiting("Tom"), store.unread("m"))
    assert ([], [], None) == (list_labels(store), store.labellers(), store.page(1))
    assert (1, 0) == (store.pace("Ida").n_page, store.pace("Ida").n_labelled)
    assert store.undo("Ida") is None
    with pytest.raises(UsageError, match="deleted"):
        store.save(label)
    restore_page(store, 1)
    assert ["Rye."] == [each.text for each in list_labels(store)]
    delete_page(store, 1)
    assert (1, 1) == store.add([RYE, OATS])
    assert ["Rye."] == [each.text for each in list_labels(store)]

    delete_page(store, 1)
    monkeypatch.setattr(stored, "UNDO_S", -1.0)
    delete_page(store, 0)
    with pytest.raises(UsageError, match="put back"):
        restore_page(store, 1)
