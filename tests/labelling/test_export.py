"""Labels are exported as a corpus that the evaluation can read."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from thresher.evaluation.corpora import find_corpora
from thresher.labelling.export import make_records, make_task, write_corpus
from thresher.labelling.model import Label, NewPage
from thresher.labelling.reading import read_for_labels
from thresher.labelling.store import LabelStore


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
    """The corpus has labelled pages with their latest labels, without skipped pages."""
    path = tmp_path / "labels.jsonl.xz"
    assert 2 == write_corpus(make_store(tmp_path), path)
    (corpus,) = find_corpora([path])
    pages = list(corpus.pages())
    assert [("1", "of Tom"), ("3", "")] == [(page.id, page.text) for page in pages]
    assert ("https://a.example/", "<p>a\ud800", "human") == (
        pages[0].url,
        pages[0].html,
        pages[0].tier,
    )


def test_corpus_of_one_labeller(tmp_path: Path) -> None:
    """The labels of a single labeller can be exported, with page type and blocks."""
    first, _ = make_records(make_store(tmp_path), "Ida")
    assert ("of Ida", "forum", [0], "Ida") == tuple(
        first[name] for name in ("text", "page_type", "blocks", "labeller")
    )


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
