"""From a corpus to sheets, from answers to labels, and labels compared with roles of a model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.algorithms.learned.models import PAGE, make_model, make_role_network
from tests.helpers.corpora import write_corpus
from thresher.algorithms.learned import Params, select
from thresher.evaluation.role_labels import __main__ as command
from thresher.evaluation.role_labels.__main__ import main as compare_roles
from thresher.evaluation.role_labels.desk import main, read_marks, write_marks
from thresher.evaluation.role_labels.labels import (
    RoleLabel,
    RoleLabels,
    digest_html,
    read_labels,
    write_labels,
)
from thresher.page.parse import parse
from thresher.roles import ROLES


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of two pages."""
    pages = [{"id": name, "html": f"<h1>{name}</h1><p>It is in.</p>"} for name in ("rye", "oats")]
    return write_corpus(tmp_path, "mill", pages)


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """An empty file of labels."""
    path = tmp_path / "labels.tsv"
    write_labels([], path)
    return path


def collect(corpus: Path, labels: Path, folder: Path) -> int:
    """Write sheets, answer them all alike, and collect the answers."""
    assert not main(["sheets", str(corpus), "-o", str(folder)])
    names = [line.split("\t")[0] for line in (folder / "index.tsv").read_text().splitlines()]
    answers = (f"{name}: kind=article lang=en title 0 body 1\n" for name in names)
    (folder / "part-01.ans").write_text("".join(answers))
    marks = ["--labels", str(labels), "--marks", str(labels.with_suffix(".xz"))]
    return main(["collect", str(corpus), "--answers", str(folder), "--reader", "r1", *marks])


def test_answers_become_labels(tmp_path: Path, corpus: Path, labels: Path) -> None:
    """Each answer becomes a label with reader, kind, language and roles, and its page has marks."""
    assert not collect(corpus, labels, tmp_path / "sheets")
    (label,) = read_labels(labels)["mill", "oats"]
    assert ("r1", "article", "en") == (label.reader, label.kind, label.lang)
    assert ["title", "body"] == [ROLES[code] for code in label.roles.tolist()]
    assert label.sha256 in read_marks(labels.with_suffix(".xz"))


def test_sheets_of_some_pages(tmp_path: Path, corpus: Path) -> None:
    """A list of pages chooses which have sheets."""
    (tmp_path / "only.tsv").write_text("mill\toats\n")
    folder = tmp_path / "sheets"
    assert not main(
        ["sheets", str(corpus), "--only", str(tmp_path / "only.tsv"), "-o", str(folder)]
    )
    assert "sheets-000\tmill\toats\t2\n" == (folder / "index.tsv").read_text()
    assert "It is in." in (folder / "part-01.txt").read_text()


def test_labels_follow_blocks_and_losses_are_named(
    tmp_path: Path, corpus: Path, labels: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Labels of older blocks are carried over by their marks; a page that cannot be is named."""
    assert not collect(corpus, labels, tmp_path / "sheets")
    path = labels.with_suffix(".xz")
    marks = read_marks(path)
    rye, oats = (read_labels(labels)["mill", name][0].sha256 for name in ("rye", "oats"))
    marks[oats] = ("AAAbb", marks[oats][1])  # its first block was another one
    marks[rye] = ("AAAbb", "CCCdd", *marks[rye])  # its number of blocks is not the label's
    write_marks(marks, path)
    assert not main(["carry", str(corpus), "--labels", str(labels), "--marks", str(path)])
    told = capsys.readouterr().err
    assert "mill rye: blocks have changed beyond recognition" in told
    assert "2 labelled pages read, 2 cut into other blocks, 1 lost" in told
    carried = read_labels(labels)
    assert ("mill", "rye") not in carried
    assert ["title", "body"] == [ROLES[code] for code in carried["mill", "oats"][0].roles.tolist()]


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """A corpus of three pages."""
    pages = [{"id": str(number), "html": PAGE, "text": "rye"} for number in range(3)]
    return write_corpus(tmp_path, "news", pages)


@pytest.fixture
def folds(tmp_path: Path) -> Path:
    """A folder with the weights of two folds."""
    folder = tmp_path / "folds"
    folder.mkdir()
    for fold in range(2):
        make_model(roles=make_role_network(7)).save(folder / f"fold-{fold}.npz")
    return folder


def label_as_the_model(folds: Path, page: str, html: str = PAGE) -> RoleLabel:
    """Label a page with the roles that the weights predict."""
    found = select(parse(PAGE), Params(model=str(folds / "fold-0.npz"))).role_code
    assert found is not None
    return RoleLabel("news", page, digest_html(html), "r1", found.copy())


def give(monkeypatch: pytest.MonkeyPatch, labels: RoleLabels) -> None:
    monkeypatch.setattr(command, "read_labels", lambda: labels)


def test_roles_are_compared(
    news: Path, folds: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Labelled pages are compared, each with the weights of its fold; other pages are skipped."""
    label = label_as_the_model(folds, "0")
    give(monkeypatch, {("news", "0"): (label, label), ("other", "1"): (label,)})
    assert 0 == compare_roles([str(news), "--folds", str(folds)])
    out = capsys.readouterr().out
    assert "1 pages, Cohen's kappa 1.000; two readers on 1 pages, 1.000" == out.splitlines()[-1]
    count = np.bincount(label.roles, minlength=len(ROLES))
    for role, n_block in zip(ROLES, count.tolist(), strict=True):
        assert f"| {role} | {n_block} |" in out


def test_changed_pages_are_reported(
    news: Path, folds: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A label with other HTML or another number of blocks is reported, not compared."""
    give(monkeypatch, {("news", "2"): (label_as_the_model(folds, "2", "<p>other"),)})
    assert 0 == compare_roles([str(news), "--folds", str(folds)])
    out, err = capsys.readouterr()
    assert "0 pages, Cohen's kappa" in out.splitlines()[-1]
    assert "news 2: the page or its blocks have changed" in err


@pytest.mark.parametrize(
    ("argv", "message"), [([], "--folds"), (["absent", "--folds", "x"], "absent is neither")]
)
def test_incorrect_usage_is_reported(
    argv: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Missing files are reported, with the status for incorrect usage."""
    monkeypatch.chdir(tmp_path)
    assert 2 == compare_roles(argv)
    assert message in capsys.readouterr().err
