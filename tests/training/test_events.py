"""Events written by a training run are read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.training.adapter.labelled import make_pages
from thresher.errors import InputError
from thresher.training.adapter import Point, Recipe, compare, train
from thresher.training.events import Events, read_events


def test_events_written_and_read(tmp_path: Path) -> None:
    """Each event is a line, and reading continues after the last event read."""
    path = tmp_path / "new" / "events.jsonl"
    with Events(path) as events:
        events.progress("training", 1, 3, [Point(5, 0.9, 0.01)])
        first, at = read_events(path)
        events.say("few pages")
    curve = [{"n_page": 5, "f1": 0.9, "error": 0.01}]
    progress = {"event": "progress", "stage": "training", "done": 1, "total": 3, "curve": curve}
    assert [progress] == first
    assert [{"event": "said", "text": "few pages"}] == read_events(path, at)[0]


def test_result_has_the_gain_and_the_worst_pages(tmp_path: Path) -> None:
    """A result has the table, the curve, and the pages with the lowest F1 first."""
    pages = make_pages(6)
    trained = train(pages, Recipe(), n_fold=2)
    comparison = compare(pages, trained.folds, trained.fold_of)
    with Events(tmp_path / "events.jsonl") as events:
        events.result(comparison, trained.curve, 6, 6)
    ((result,), _) = read_events(tmp_path / "events.jsonl")
    assert comparison.gain == result["gain"]
    assert ["before", "after"] == [row["name"] for row in result["rows"]]
    assert 6 == len(result["pages"]) == result["n_page"]
    ranked = [page["after"] for page in result["pages"]]
    assert sorted(ranked) == ranked


def test_failure_is_an_event(tmp_path: Path) -> None:
    """An error is written as an event, if there is a file of them, and still raised."""
    for path in (None, tmp_path / "events.jsonl"):
        with pytest.raises(InputError), Events(path):
            raise InputError("a broken page")
    assert path
    assert [{"event": "failed", "text": "a broken page"}] == read_events(path)[0]


def test_incomplete_line_is_left_for_later(tmp_path: Path) -> None:
    """A partial line is read once it is complete; a missing file has no events."""
    path = tmp_path / "events.jsonl"
    assert ([], 0) == read_events(path)
    path.write_text('{"event": "said", "text": "a"}\n{"event"')
    found, at = read_events(path)
    assert 1 == len(found)
    path.write_text('{"event": "said", "text": "a"}\n{"event": "said", "text": "b"}\n')
    assert ["b"] == [each["text"] for each in read_events(path, at)[0]]
