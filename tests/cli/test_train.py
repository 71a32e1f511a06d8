"""`thresher train`: all weights, and adapters."""

from __future__ import annotations

import hashlib
import json
import lzma
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Command
from tests.training.adapter.labelled import make_page, make_pages
from thresher.algorithms.learned.adapter import KINDS
from thresher.algorithms.learned.model import Model
from thresher.cli import train as train_module
from thresher.cli.console import Exit
from thresher.cli.labelled_options import TRAIN_KINDS
from thresher.evaluation.corpora import CORPORA_VARIABLE
from thresher.evaluation.role_labels.labels import RoleLabel, digest_html
from thresher.page.parse import parse
from thresher.roles import ROLES
from thresher.training.adapter import fit
from thresher.training.events import read_events

GRAIN = "It was a good year for rye, and a better one for oats, all along the river."
MENU = "<nav><ul><li><a href=/>Home</a><li><a href=/mills>Mills</a></ul></nav>"


def write_html(number: int) -> str:
    return f"{MENU}<main><h1>Mill {number}</h1><p>{GRAIN}</p><p>{GRAIN}</p></main>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of pages as users label them, without URLs and types."""
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(8):
        (pages / f"{number}.html").write_text(write_html(number))
        (pages / f"{number}.txt").write_text(f"Mill {number}\n{GRAIN}\n{GRAIN}")
    (pages / "unlabelled.html").write_text(write_html(9))
    return pages


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A folder of packed corpora, with a manifest that names the training corpus."""
    corpora = tmp_path / "corpora"
    corpora.mkdir()
    pages = [
        {
            **{"id": str(number), "url": f"https://mill{number}.example/a"},
            **{"html": write_html(number), "text": f"Mill {number}\n{GRAIN}\n{GRAIN}"},
            "page_type": "article",
        }
        for number in range(8)
    ]
    for name in ("ours", "theirs"):
        with lzma.open(corpora / f"{name}.jsonl.xz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(page) + "\n" for page in pages)
    (corpora / "MANIFEST.tsv").write_text("corpus\trole\nours\ttrain\ntheirs\tmeasure\n")
    return corpora


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten training, so that little is learned."""
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    monkeypatch.setattr(import_module("thresher.training.learned.fit"), "N_EPOCH", 1)


@pytest.mark.usefixtures("quick")
def test_training_on_own_pages(
    command: Command, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of pages gives weights that extract can use, and a card about them."""
    weights = tmp_path / "new" / "mill.npz"
    argv = ("train", str(folder), "-o", str(weights), "--n-fold", "2")
    monkeypatch.setattr(sys, "argv", ["/usr/bin/thresher", *argv])
    ran = command(*argv)

    assert (Exit.OK, "") == (ran.status, ran.out)
    assert "thresher: 8 pages to learn from; training on all, and without each fold" in ran.errors
    assert f"thresher: wrote {weights} and its card" == ran.errors[-1]
    assert 0 == Model.load(weights).vocabulary.size
    card = weights.with_suffix(".md").read_text(encoding="utf-8")
    assert hashlib.sha256(weights.read_bytes()).hexdigest() in card
    assert f"\n    thresher {' '.join(argv)}\n" in card
    assert "8 pages of 8 sites" in card
    assert "| pages | 8 |" in card
    page = folder / "unlabelled.html"
    extracted = command("extract", page, "-f", "text", "-m", "learned", "-p", f"model={weights}")
    assert extracted.status in (Exit.OK, Exit.NO_CONTENT)


@pytest.mark.usefixtures("quick")
def test_training_keeps_to_its_corpora(
    command: Command, packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Corpora with another role are not used; folds are stored if requested.

    Models kept by an earlier run are not trained again, and the weights are the same.
    """
    monkeypatch.setenv(CORPORA_VARIABLE, str(packed))
    recipe = import_module("thresher.training.learned.recipe")
    fitted: list[object] = []
    fit = recipe.fit_network

    def note(*args: object, **options: object) -> object:
        fitted.append(args)
        return fit(*args, **options)

    monkeypatch.setattr(recipe, "fit_network", note)
    kept, weights, folds = tmp_path / "deep" / "kept", tmp_path / "mill.npz", tmp_path / "folds"
    options = ("--n-fold", "2", "--pages", "7", "--keep-models", kept)
    assert Exit.OK == command("train", "-o", weights, "--folds", folds, *options).status
    card = weights.with_suffix(".md").read_text(encoding="utf-8")
    assert "| ours | train |" in card
    assert "| ours | 7 |" in card
    assert "theirs" not in card
    names = [f"fold-{fold}.npz" for fold in range(2)]
    assert names == sorted(file.name for file in folds.iterdir())
    assert len({Model.load(folds / name).network.mean.tobytes() for name in names}) > 1
    assert Exit.OK == command("train", "-o", tmp_path / "again.npz", *options).status
    assert recipe.N_NETWORK * 3 == len(fitted)
    assert 3 == len(list(kept.iterdir()))
    assert weights.read_bytes() == (tmp_path / "again.npz").read_bytes()
    measured = command("eval", packed, "--role", "train", "-m", "learned", "--metric", "word")
    assert Exit.OK == measured.status


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("role", ["measure", "train"])
def test_training_on_roles_alone(
    role: str, command: Command, packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages are used by their role labels where a corpus is not to train on, or has no text."""
    page = {"id": "3", "url": "https://mill33.example/a", "html": write_html(3)}
    text = {} if role == "train" else {"text": "Only to measure."}
    with lzma.open(packed / "theirs.jsonl.xz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(page | text) + "\n")
    (packed / "MANIFEST.tsv").write_text(f"corpus\trole\nours\ttrain\ntheirs\t{role}\n")
    monkeypatch.setenv(CORPORA_VARIABLE, str(packed))
    n_block = len(parse(write_html(3)).blocks)
    roles = np.full(n_block, ROLES.index("body"), np.int8)
    label = RoleLabel("theirs", "3", digest_html(write_html(3)), "r1", roles)
    monkeypatch.setattr(train_module, "read_labels", lambda: {("theirs", "3"): (label,)})
    weights = tmp_path / "mill.npz"
    ran = command("train", "-o", weights, "--n-fold", "2")
    assert Exit.OK == ran.status
    assert "thresher: 9 pages to learn from; training on all, and without each fold" in ran.errors
    card = weights.with_suffix(".md").read_text(encoding="utf-8")
    assert "Of 1 pages" in card
    assert ("| theirs |" in card) == (role == "train")
    assert Model.load(weights).roles is not None


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["-o", "mill.md"], "the weights are a .npz file, not mill.md"),
        (["absent", "-o", "mill.npz"], "absent is neither"),
        (["theirs.jsonl.xz", "-o", "mill.npz"], "none of these corpora is to train on"),
        (["-o", "mill.npz"], CORPORA_VARIABLE),
        ([], "-o/--output"),
        (["-o", "m.npz", "--n-fold", "1"], "must be 2 or more, not 1"),
        (["-o", "m.npz", "--pages", "0"], "must be a whole number"),
        ([".", "-o", "m.npz", "--kind", "mlp", "--folds", "out"], "--folds is for --kind learned"),
        ([".", "-o", "m.npz", "--from-scratch"], "--from-scratch is for perceptron and mlp"),
        (["-o", "m.npz", "--kind", "forest"], "invalid choice"),
        (
            ["-o", "m.npz", "--kind", "mlp", "--false-positive-weight", "0"],
            "must be from 0.01 to 100",
        ),
    ],
)
def test_training_refused_when_the_call_is_wrong(
    command: Command, packed: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str], message: str
) -> None:
    """Incorrect usage is reported before any reading or writing, with or without PyTorch."""
    monkeypatch.chdir(packed)
    monkeypatch.delenv(CORPORA_VARIABLE, raising=False)
    before = sorted(packed.iterdir())
    ran = command("train", *argv)
    assert (Exit.USAGE, "") == (ran.status, ran.out)
    assert message in " ".join(ran.errors)
    assert before == sorted(packed.iterdir())


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("options", "status", "says"),
    [
        (
            ("pages", "-o", "mill.npz", "--n-fold", "9"),
            Exit.USAGE,
            "thresher: the pages are of too few sites for 9 folds",
        ),
        (("pages", "-o", "pages/0.html/mill.npz"), Exit.FAILED, "cannot write"),
        (("corpora", "-o", "mill.npz"), Exit.FAILED, "ours.jsonl.xz: broken after line "),
    ],
    ids=["too few sites", "nowhere to write", "broken corpus"],
)
def test_training_that_cannot_be_done(
    command: Command,
    folder: Path,
    packed: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    options: tuple[str, ...],
    status: Exit,
    says: str,
) -> None:
    """What stops the training is said last, and no weights are written."""
    monkeypatch.chdir(folder.parent)
    broken = packed / "ours.jsonl.xz"
    broken.write_bytes(broken.read_bytes()[:-40])
    ran = command("train", *options)
    assert status == ran.status
    assert says in ran.errors[-1]
    assert not Path("mill.npz").exists()


@pytest.mark.usefixtures("quick")
def test_help_tells_the_number_of_folds(command: Command) -> None:
    """The parser's own default equals the recipe's, which it cannot import without PyTorch."""
    recipe = import_module("thresher.training.learned")
    assert f"(default: {recipe.N_FOLD};" in " ".join(command("train", "--help").out.split())


@pytest.fixture(autouse=True)
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take fewer steps, as the pages are few and similar."""
    monkeypatch.setattr(fit, "N_STEP", 150)


@pytest.fixture
def own_pages(tmp_path: Path) -> Path:
    """A own_pages of labelled pages whose labels have the byline."""
    pages = tmp_path / "pages"
    pages.mkdir()
    for page in make_pages(12):
        (pages / f"{page.id}.html").write_text(page.html)
        (pages / f"{page.id}.txt").write_text(page.text or "")
    return pages


def test_own_labels_change_what_is_extracted(
    command: Command, own_pages: Path, tmp_path: Path
) -> None:
    """The byline, which the labels include, is extracted only with the trained model."""
    weights, events = tmp_path / "new" / "own.npz", tmp_path / "events.jsonl"
    ran = command(
        *("train", own_pages, "--kind", "perceptron", "-o", weights, "--n-fold", "3"),
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


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--model", "x.npz"], "holds no model"),
        (["--model", "x.npz", "-p", "model=x.npz"], "given twice"),
        (["--model", "x.npz", "-m", "bte"], 'no parameter "model"'),
    ],
)
def test_model_refused(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str], says: str
) -> None:
    """A model that is invalid, given twice, or for a method without one, is reported."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.npz").write_bytes(b"nothing")
    ran = command("extract", "-", *argv, stdin=b"<p>Rye")
    assert Exit.USAGE == ran.status
    assert says in ran.errors[-1]


def test_command_names_every_kind() -> None:
    """The kinds that the command offers, without importing them, are those that there are."""
    assert ("learned", *KINDS) == TRAIN_KINDS
