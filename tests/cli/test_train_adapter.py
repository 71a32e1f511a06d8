"""`thresher train --kind perceptron`: its files and errors, and extraction with its model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.training.adapter.labelled import make_page, make_pages
from thresher.algorithms.learned.adapter import KINDS
from thresher.algorithms.learned.model import Model
from thresher.cli.exits import Exit
from thresher.cli.labelled_options import TRAIN_KINDS
from thresher.training.adapter import fit
from thresher.training.events import read_events


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take fewer steps, as the pages are few and similar."""
    monkeypatch.setattr(fit, "N_STEP", 150)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of labelled pages whose labels have the byline."""
    pages = tmp_path / "pages"
    pages.mkdir()
    for page in make_pages(12):
        (pages / f"{page.id}.html").write_text(page.html)
        (pages / f"{page.id}.txt").write_text(page.text or "")
    return pages


def test_own_labels_change_what_is_extracted(
    command: Command, folder: Path, tmp_path: Path
) -> None:
    """The byline, which the labels include, is extracted only with the trained model."""
    weights, events = tmp_path / "new" / "own.npz", tmp_path / "events.jsonl"
    ran = command(
        *("train", folder, "--kind", "perceptron", "-o", weights, "--n-fold", "3"),
        *("--report", events),
    )
    assert (Exit.OK, "") == (ran.status, ran.out)
    assert f"wrote {weights} and its card; use it with --model {weights}" in ran.errors[-1]
    assert any("the shipped weights: F1" in line for line in ran.errors)
    assert any("12 pages are few" in line for line in ran.errors)
    assert "12 pages of 12 sites" in weights.with_suffix(".md").read_text()
    assert "result" == read_events(events)[0][-1]["event"]

    page = tmp_path / "page.html"
    page.write_text(make_page(77).html)
    byline = "By Ruth Miller number 77"
    assert byline not in command("extract", page, "-f", "text").out
    own = command("extract", page, "-f", "text", "--model", weights)
    assert Exit.OK == own.status
    assert byline in own.out
    assert "All rights reserved" not in own.out


@pytest.mark.slow
def test_weight_of_false_positives_in_the_file(
    command: Command, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weight of false positives is stored with the weights, as β."""
    monkeypatch.setattr(fit, "N_STEP", 5)
    weights = tmp_path / "own.npz"
    options = ("--kind", "mlp", "--false-positive-weight", "4", "--from-scratch", "--n-fold", "2")
    assert Exit.OK == command("train", folder, "-o", weights, *options).status
    model = Model.load(weights)
    assert ("mlp", 0.5) == (model.kind, model.beta)


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--kind", "perceptron", "--folds", "out"], "--folds is for --kind learned"),
        (["--from-scratch"], "--from-scratch is for perceptron and mlp"),
        (["--kind", "forest"], "invalid choice"),
        (["--kind", "mlp", "--false-positive-weight", "0"], "must be from 0.01 to 100"),
        (["--kind", "mlp", "--n-fold", "1"], "must be 2 or more"),
    ],
)
def test_training_refused(
    command: Command, folder: Path, tmp_path: Path, argv: list[str], says: str
) -> None:
    """Incorrect usage is reported before anything is written."""
    ran = command("train", folder, "-o", tmp_path / "own.npz", *argv)
    assert Exit.USAGE == ran.status
    assert says in " ".join(ran.errors)
    assert [folder] == list(tmp_path.iterdir())


def test_model_refused(command: Command, folder: Path, tmp_path: Path) -> None:
    """A model that is invalid, given twice, or for a method without one, is reported."""
    page = folder / "0.html"
    broken = tmp_path / "x.npz"
    broken.write_bytes(b"nothing")
    for argv, says in (
        (["--model", broken], "holds no model"),
        (["--model", broken, "-p", f"model={broken}"], "given twice"),
        (["--model", broken, "-m", "bte"], 'no parameter "model"'),
    ):
        ran = command("extract", page, *argv)
        assert Exit.USAGE == ran.status
        assert says in ran.errors[-1]


def test_command_names_every_kind() -> None:
    """The kinds that the command offers, without importing them, are those that there are."""
    assert ("learned", *KINDS) == TRAIN_KINDS
