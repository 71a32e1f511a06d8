"""The command that compares roles, run on made-up pages."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import numpy as np
import pytest

from tests.algorithms.learned.models import PAGE, make_model, make_role_network
from thresher.algorithms.learned import Params, select
from thresher.evaluation.role_labels import __main__ as command
from thresher.evaluation.role_labels.__main__ import main
from thresher.evaluation.role_labels.labels import RoleLabel, RoleLabels, digest_html
from thresher.page.parse import parse
from thresher.roles import ROLES


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of three pages."""
    path = tmp_path / "news.jsonl.xz"
    pages = [{"id": str(number), "html": PAGE, "text": "rye"} for number in range(3)]
    path.write_bytes(lzma.compress("\n".join(map(json.dumps, pages)).encode()))
    return path


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
    corpus: Path, folds: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Labelled pages are compared, each with the weights of its fold; other pages are skipped."""
    label = label_as_the_model(folds, "0")
    give(monkeypatch, {("news", "0"): (label, label), ("other", "1"): (label,)})
    assert 0 == main([str(corpus), "--folds", str(folds)])
    out = capsys.readouterr().out
    assert "1 pages, Cohen's kappa 1.000; two readers on 1 pages, 1.000" == out.splitlines()[-1]
    count = np.bincount(label.roles, minlength=len(ROLES))
    for role, n_block in zip(ROLES, count.tolist(), strict=True):
        assert f"| {role} | {n_block} |" in out


def test_changed_pages_are_reported(
    corpus: Path, folds: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A label with other HTML or another number of blocks is reported, not compared."""
    give(monkeypatch, {("news", "2"): (label_as_the_model(folds, "2", "<p>other"),)})
    assert 0 == main([str(corpus), "--folds", str(folds)])
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
    try:
        status = main(argv)
    except SystemExit as left:
        status = int(left.code or 0)
    assert 2 == status
    assert message in capsys.readouterr().err
