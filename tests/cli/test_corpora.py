"""Where labelled pages come from: arguments, or else the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.cli.corpora import read_corpora_paths, read_labelled
from thresher.evaluation.corpora import CORPORA_VARIABLE, Corpus


@pytest.mark.parametrize(
    ("named", "default", "expected"),
    [
        (["a", "b/c"], "d", ["a", "b/c"]),
        ([], "d", ["d"]),
        ([], "", []),
        ([], None, []),
        (["a"], None, ["a"]),
    ],
)
def test_paths_named_or_taken_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, named: list[str], default: str | None, expected: list[str]
) -> None:
    """What is named goes first; the variable counts only where nothing is, and if it is set."""
    if default is None:
        monkeypatch.delenv(CORPORA_VARIABLE, raising=False)
    else:
        monkeypatch.setenv(CORPORA_VARIABLE, default)
    assert [Path(path) for path in expected] == read_corpora_paths(named)


@pytest.mark.parametrize(("count", "expected"), [(None, ["a", "c", "d"]), (2, ["a", "c"])])
def test_labelled_pages_counted(tmp_path: Path, count: int | None, expected: list[str]) -> None:
    """Pages without a label are left out before the first ones are counted off."""
    for name in "abcd":
        (tmp_path / f"{name}.html").write_text("<p>rye")
        if name != "b":
            (tmp_path / f"{name}.txt").write_text("")
    assert expected == [page.id for page in read_labelled(Corpus("own", tmp_path), count)]
