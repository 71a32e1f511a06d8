"""The networks of density_lines are trained on labelled lines, and training says what it does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.helpers.corpora import write_corpus
from tests.helpers.data import cases
from tests.training.adapter.labelled import make_pages
from thresher.errors import InputError, UsageError
from thresher.page.parse import parse
from thresher.training import density_lines, perceptrons
from thresher.training.adapter.fit import Recipe
from thresher.training.adapter.recipe import Point, compare, train
from thresher.training.density_lines import label_lines, main, read_lines, split_words
from thresher.training.events import Events, read_events
from thresher.training.perceptrons import fit

PROSE = "The miller waits for the water to rise before he lets down the stones"
MENU = "<li><a href='/somewhere/else'>Go there</a>" * 3
RANDOM = np.random.default_rng(1)
FEATURES = RANDOM.uniform(0, 1, (4000, 9))


def test_words_split_without_a_language() -> None:
    """Letters of scripts without spaces are words of their own; case does not matter."""
    assert ["über", "3", "水", "车", "x"] == split_words("Über 3 水车x!")


@cases(__file__, "lines")
def test_lines_labelled_by_their_share_of_words(html: str, gold: str, expected: list[bool]) -> None:
    """A line is content if half of its words are in the gold, next to another match."""
    labels = label_lines(parse(html), gold)
    assert labels is not None
    assert expected == labels.tolist()


def test_page_left_out_when_too_long_to_align(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page has no labels if its words times those of the gold exceed the limit."""
    monkeypatch.setattr(density_lines, "_MAX_CELLS", 3)
    assert label_lines(parse("<p>one two"), "one two") is None
    assert label_lines(parse("<p>one two"), "one") is not None


def write_lines(folder: Path, name: str, n_host: int = 8) -> Path:
    """Write a corpus of two pages per host, and one page without gold."""
    records: list[dict[str, str | None]] = [
        {
            "id": f"{host}-{n}",
            "url": f"https://host{host}.example/{n}",
            "html": f"<ul>{MENU}</ul><p>{PROSE}, said {host}.</p><p>And {n} more of it.</p>",
            "text": f"{PROSE}, said {host}.\nAnd {n} more of it.",
        }
        for host in range(n_host)
        for n in range(2)
    ]
    records.append({"id": "x", "url": None, "html": "<p>no gold", "text": None})
    return write_corpus(folder, name, records)


def test_lines_read_with_labels_and_folds(tmp_path: Path) -> None:
    """Lines of menus and prose have different labels; pages of one host share a fold."""
    lines = read_lines([write_lines(tmp_path, "wcxb_dev")])
    assert 16 == lines.n_page
    assert (16 * 5, 9) == lines.features.shape
    assert [False] * 3 + [True] * 2 == lines.is_content[:5].tolist()
    assert (lines.fold.reshape(8, 10) == lines.fold[::10, None]).all()
    assert len(set(lines.fold.tolist())) > 1


def test_unusable_corpora_are_rejected(tmp_path: Path) -> None:
    """A corpus that is reserved for evaluation, or without gold text, is not trained on."""
    with pytest.raises(UsageError, match=r"dragnet\.jsonl\.xz is not to train on"):
        read_lines([write_lines(tmp_path, "dragnet")])
    with pytest.raises(UsageError, match="no page with gold text"):
        read_lines([write_lines(tmp_path, "magic_html", n_host=0)])


def test_weights_and_card_written_when_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command writes arrays that load without pickle, and a card that lists its data."""
    monkeypatch.setattr(perceptrons, "N_STEP", 5)
    corpus = write_lines(tmp_path, "wcxb_dev")
    output = tmp_path / "made" / "lines.npz"
    main([str(corpus), "-o", str(output), "--false-positive-weight", "2"])
    with np.load(output, allow_pickle=False) as weights:
        shapes = {name: weights[name].shape for name in weights.files}
        assert all(weights[name].dtype == np.float32 for name in weights.files)
    assert {"perceptron": (3, 3, 10), "hidden": (3, 3, 8, 10), "output": (3, 3, 9)} == shapes
    card = output.with_suffix(".md").read_text(encoding="utf-8")
    assert "16 pages, 80 lines with text, 40.0% of them content" in card
    assert "wcxb_dev.jsonl.xz -o lines.npz --false-positive-weight 2" in card
    assert str(tmp_path) not in card
    assert [9, 9] == [card.count(f"\n| {name} |") for name in ("perceptron", "mlp")]


@pytest.mark.parametrize("n_hidden", [0, 4])
def test_classes_found_when_a_plane_divides_them(n_hidden: int) -> None:
    """Both kinds of perceptron learn a linear rule: density above 0.5."""
    is_content = FEATURES[:, 0] > 0.5
    network = fit(FEATURES, is_content, n_line=1, n_attribute=1, n_hidden=n_hidden)
    assert np.mean((network.log_odds(FEATURES) > 0) == is_content) > 0.9


def test_hidden_layer_needed_when_no_plane_divides() -> None:
    """A single neuron cannot learn the middle of a range, a hidden layer can."""
    is_content = np.abs(FEATURES[:, 0] - 0.5) < 0.25
    right = [
        np.mean((network.log_odds(FEATURES) > 0) == is_content)
        for network in (
            fit(FEATURES, is_content, n_line=1, n_attribute=1, **size)
            for size in ({"n_hidden": 0}, {"n_hidden": 8})
        )
    ]
    assert right[0] < 0.7
    assert right[1] > 0.9


@pytest.mark.parametrize("n_hidden", [0, 4])
def test_weights_of_unused_inputs_are_zero(n_hidden: int) -> None:
    """With one attribute of two lines, only columns 0 and 3 have weights."""
    network = fit(FEATURES, FEATURES[:, 8] > 0.5, n_line=2, n_attribute=1, n_hidden=n_hidden)
    first = np.atleast_2d(network.output if network.hidden is None else network.hidden)
    assert [0, 3, 9] == np.flatnonzero(np.abs(first).sum(axis=0)).tolist()


def test_false_positives_fewer_when_they_cost_more() -> None:
    """A higher weight gives fewer false positives and more false negatives."""
    is_content = FEATURES[:, 0] + RANDOM.normal(0, 0.3, len(FEATURES)) > 0.5
    wrong = []
    for weight in (0.2, 1.0, 5.0):
        network = fit(
            FEATURES, is_content, n_line=1, n_attribute=1, n_hidden=0, false_positive_weight=weight
        )
        wrong.append(int(np.sum((network.log_odds(FEATURES) > 0) & ~is_content)))
    assert wrong[0] > wrong[1] > wrong[2]


def test_weights_same_when_fitted_twice() -> None:
    """Equal seeds give equal weights."""
    one, two = (
        fit(FEATURES, FEATURES[:, 0] > 0.5, n_line=3, n_attribute=3, n_hidden=2) for _ in "ab"
    )
    assert one.hidden is not None
    assert two.hidden is not None
    assert np.array_equal(one.hidden, two.hidden)
    assert np.array_equal(one.output, two.output)


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
