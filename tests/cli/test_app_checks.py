"""Checks of the paths of `thresher app` before it starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.cli import main
from thresher.cli.app_checks import find_problems
from thresher.cli.arguments import build_parser


def problems_of(folder: Path, *options: str) -> list[str]:
    """Check a command line whose user data is in a folder."""
    own = ("--data", str(folder / "data"), "--rules", str(folder / "rules.toml"))
    return find_problems(build_parser().parse_args(["app", *own, *options]))


def test_new_folder_is_no_problem(tmp_path: Path) -> None:
    """The data folder and its database are created."""
    assert [] == problems_of(tmp_path)
    assert (tmp_path / "data").is_dir()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--data", "{file}"), "--data: {file} is a file; name a folder"),
        (("--data", "{file}/x"), "--data: {file}/x cannot be created: Not a directory"),
        (("--data", "{other}"), "--data: {other}/labels.sqlite holds no labels"),
        (("--rules", "{folder}"), "--rules: {folder} is a folder; name a file"),
        (("--rules", "{file}/r.toml"), "--rules: {file} is a file, so {file}/r.toml"),
        (("--sites", "{none}"), "--sites: {none} is no folder of sites"),
        (("--corpora", "{none}"), "--corpora: {none}: no such folder"),
        (("--corpora", "{folder}"), "--corpora: {folder} holds neither"),
        (("--model", "{none}"), "--model: {none} does not exist; name a file"),
        (("--model", "{file}"), "--model: {file} holds no model"),
        (("--label", "{none}"), "--label: {none}: no such file or folder"),
    ],
)
def test_each_problem_names_option_and_path(
    tmp_path: Path, options: tuple[str, str], message: str
) -> None:
    """Each message must name the command line's option and the path at fault."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "labels.sqlite").write_text("these are no labels " * 100)
    (tmp_path / "file").write_text("rye")
    names = {name: str(tmp_path / name) for name in ("file", "none", "other")}
    names["folder"] = str(tmp_path)
    option, value = options
    (problem,) = problems_of(tmp_path, option, value.format(**names))
    assert problem.startswith(message.format(**names))


def test_all_problems_are_said_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One start is enough to learn of all of them."""
    none = str(tmp_path / "none")
    options = ("--token", "short", "--sites", none, "--corpora", none, "--model", none)
    own = ("--data", str(tmp_path), "--rules", str(tmp_path / "rules.toml"))
    assert 2 == main(["app", *own, *options])
    lines = capsys.readouterr().err.splitlines()
    assert ["a token must have at least 16 characters", "--sites", "--corpora", "--model"] == [
        line.removeprefix("thresher: ").partition(":")[0] for line in lines
    ]


def test_rules_that_can_be_corrected_in_the_app_are_no_problem(tmp_path: Path) -> None:
    """The rules page shows what is wrong with them."""
    (tmp_path / "rules.toml").write_text("version = 1\n[host")
    assert [] == problems_of(tmp_path)
