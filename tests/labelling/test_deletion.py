"""Deletion of pages to label."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from thresher.errors import UsageError
from thresher.labelling import store as stored
from thresher.labelling.export import list_labels
from thresher.labelling.model import Label, NewPage
from thresher.labelling.store import LabelStore, delete_page, restore_page

RYE, OATS = NewPage("rye.html", "<p>Rye."), NewPage("oats.html", "<p>Oats.")


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
