"""`thresher eval`: its tables, files and errors."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from thresher.algorithms import ALGORITHMS
from thresher.cli import eval as eval_command
from thresher.cli.arguments import build_parser
from thresher.cli.console import Exit
from thresher.evaluation.corpora import CORPORA_VARIABLE
from thresher.evaluation.evaluate import Contender
from thresher.evaluation.metrics import METRICS
from thresher.evaluation.summary import ORDERS

GRAIN = "It was a good year for rye, and a better one for oats, all along the river."
PAGES = {
    "grain": (f"<p>{GRAIN}</p>", GRAIN),
    "mixed": (f"<div class=menu>Home</div><p>{GRAIN}</p>", GRAIN),
    "unlabelled": (f"<p>{GRAIN}</p>", None),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of pages, two of them labelled."""
    monkeypatch.delenv(CORPORA_VARIABLE, raising=False)
    pages = tmp_path / "pages"
    pages.mkdir()
    for name, (html, text) in PAGES.items():
        (pages / f"{name}.html").write_text(html)
        if text is not None:
            (pages / f"{name}.txt").write_text(text)
    return pages


def test_eval_prints_tables(command: Command, folder: Path) -> None:
    """Each corpus has a table with the baseline first; tables of all follow."""
    ran = command("eval", folder, "--method", "prune_shake_purify", "--metric", "word")
    assert (Exit.OK, []) == (ran.status, ran.errors)
    lines = ran.out.splitlines()
    assert "pages: 2 pages" == lines[0]
    assert ["keep_all", "prune_shake_purify"] == [line.split()[0] for line in lines[3:5]]
    # The label has 17 words, the mixed page one more.
    assert f"{(1 + 2 * 17 / 35) / 2:.2%}"[:-1] == lines[3].split()[3]
    assert ["corpus", "keep_all", "prune_shake_purify"] == lines[7].split()


def test_eval_of_every_method_when_none_is_named(command: Command, folder: Path) -> None:
    """By default all methods run, each of them once."""
    ran = command("eval", folder, "--metric", "word")
    head = next(line for line in ran.out.splitlines() if line.startswith("corpus"))
    assert sorted(["corpus", *ALGORITHMS]) == sorted(head.split())


def test_eval_writes_files(command: Command, folder: Path, tmp_path: Path) -> None:
    """Both files have every labelled page, and no others."""
    data, report = tmp_path / "new" / "x.json", tmp_path / "new" / "x.html"
    ran = command(
        *("eval", folder, "-m", "link_ratio,keep_all", "--metric", "word,lcstring"),
        *("--json", data, "--html", report, "--without-title"),
    )
    assert (Exit.OK, []) == (ran.status, ran.errors)
    whole = json.loads(data.read_text(encoding="utf-8"))
    assert [("grain", "keep_all"), ("grain", "link_ratio")] == [
        (result["page"], result["method"]) for result in whole["results"][:2]
    ]
    assert 4 == len(whole["results"])
    assert ["word", "lcstring"] == whole["metrics"]
    assert whole["without_title"] is True
    assert "<td>mixed</td>" in report.read_text(encoding="utf-8")


@pytest.mark.parametrize("order", ORDERS)
def test_eval_lists_pages(command: Command, folder: Path, order: str) -> None:
    """With an order, pages are listed below the tables, except those of the baseline."""
    ran = command("eval", folder, "-m", "link_ratio", "--metric", "word", "--sort", order)
    title, _, *rows = ran.out.rstrip().rpartition("\n\n")[2].splitlines()
    assert f"The 2 {order} of 2 extractions, by Words" == title
    assert [["link_ratio", "pages"]] * 2 == [row.split()[:2] for row in rows]


def test_eval_takes_corpora_from_environment(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variable names the corpora if there is no argument; without both, usage is incorrect."""
    options = ("eval", "-m", "keep_all", "--metric", "word", "--pages", "1")
    assert CORPORA_VARIABLE in command(*options).errors[0]
    monkeypatch.setenv(CORPORA_VARIABLE, str(folder))
    assert "pages: 1 page\n" in command(*options).out


def test_eval_sets_parameters(command: Command, folder: Path) -> None:
    """A parameter is set for the method that it names."""
    options = ("eval", folder, "-m", "prune_shake_purify", "--metric", "word", "-p")
    f1 = [
        command(*options, f"prune_shake_purify.poison_words={word}").out.splitlines()[4].split()[3]
        for word in ("menu", "none")
    ]
    assert ["100.00", f"{(1 + 2 * 17 / 35) / 2:.2%}"[:-1]] == f1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "guess"], 'unknown method "guess"; one of '),
        (["--metric", "guess"], 'unknown metric "guess"; one of word'),
        (["-p", "x=1"], 'METHOD.NAME=VALUE, not "x=1"'),
        (["-p", "keep_all.x"], "METHOD.NAME=VALUE"),
        (["-p", "keep_all.x=1"], 'no parameter "x"'),
        (["-m", "keep_all", "-p", "link_ratio.x=1"], "is for a method that is not evaluated"),
        (["--role", "train"], 'no corpus has the role "train"'),
        (["absent"], "absent is neither"),
        (["--folds", "absent"], "absent holds no fold-*.npz"),
    ],
)
def test_eval_of_wrong_call(
    command: Command, folder: Path, options: list[str], message: str
) -> None:
    """Incorrect usage is reported with status 2, before any page is read."""
    ran = command("eval", folder, *options)
    assert (Exit.USAGE, "") == (ran.status, ran.out)
    assert message in ran.errors[-1]


def test_eval_of_what_fails(command: Command, folder: Path, tmp_path: Path) -> None:
    """A page that fails scores as empty, a corpus that does is left out; the status is 1."""
    (folder / "grain.html").write_bytes(b"%PDF-1.7")
    options = ("-m", "keep_all", "--metric", "word", "--sort", "worst")
    ran = command("eval", folder, *options)
    assert (Exit.FAILED, ["thresher: 1 of 2 extractions failed"]) == (ran.status, ran.errors)
    assert ["1", "1"] == ran.out.splitlines()[3].split()[-3:-1]
    assert "PDF" in ran.out.splitlines()[-3]
    broken = tmp_path / "broken.jsonl.xz"
    broken.write_bytes(b"no xz")
    (folder / "grain.html").write_text(f"<p>{GRAIN}</p>")
    ran = command("eval", broken, folder, *options)
    assert Exit.FAILED == ran.status
    assert ran.errors[0].startswith("thresher: broken: ")
    assert "pages: 2 pages" in ran.out


def test_eval_help_names_what_there_is(command: Command) -> None:
    """Help names every metric and order, all of which the parser takes."""
    assert {*METRICS, *ORDERS} <= set(re.findall(r"\w+", command("eval", "--help").out))
    for order in ORDERS:
        assert order == build_parser().parse_args(["eval", "--sort", order]).sort


def test_eval_with_folds(
    command: Command, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folds reach the contenders, with the corpora whose pages were used for training."""
    seen: list[object] = []

    def note(contenders: Iterable[Contender], *told: object) -> tuple[Contender, ...]:
        seen.extend(told)
        return tuple(
            dataclasses.replace(contender, method="largest_body", params=None)
            for contender in contenders
        )

    monkeypatch.setattr(eval_command, "hold_out", note)
    ran = command("eval", folder, "-m", "keep_all", "--metric", "word", "--folds", tmp_path)
    folds, (corpus,) = seen
    assert (Exit.OK, tmp_path, "pages") == (ran.status, folds, corpus.name)
    assert "100.00" == ran.out.splitlines()[3].split()[3]
