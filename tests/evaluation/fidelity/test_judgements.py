"""Human judgements of pages are read, and combined with the scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.errors import InputError
from thresher.evaluation.fidelity.judgements import Judgements, read_judgements, write_judged
from thresher.evaluation.fidelity.measure import OURS, Result


def test_the_file_that_came_with_the_command_is_whole() -> None:
    """It can be read, and every verdict has a reason."""
    for corpus in ("readability", "defuddle"):
        judgements = read_judgements(corpus)
        assert all(judgements.unlike.values())
        assert all(why for _, why in judgements.differ.values())


def test_nothing_is_said_of_an_unknown_corpus() -> None:
    """Without a table there is no judgement."""
    assert Judgements() == read_judgements("rye")


@pytest.mark.parametrize("text", ["[rye", '[rye.differ]\n"a" = ["nobody", "why"]', "rye = 1"])
def test_a_broken_file_is_reported(text: str, tmp_path: Path) -> None:
    """Only known verdicts are accepted."""
    path = tmp_path / "judgements.toml"
    path.write_text(text)
    with pytest.raises(InputError):
        read_judgements("rye", path)


def test_pages_are_counted_by_outcome() -> None:
    """Pages that agree are not judged, those that differ are, if there is a judgement."""
    results = [
        Result(OURS, "same", {"words": 1.0}),
        Result(OURS, "judged", {"words": 1.0, "code": 0.5}),
        Result(OURS, "new", {"words": 0.5}),
        Result("peer", "judged", {"words": 0.0}),
    ]
    judged = Judgements(differ={"judged": ("taste", "a rule"), "same": ("ours", "old")})
    assert [
        "| the same | 1 |",
        "| matter of taste | 1 |",
        "| not judged | 1 |",
        "",
        "| page | outcome | why |",
        "|---|---|---|",
        "| judged | matter of taste | a rule |",
    ] == write_judged(results, judged).splitlines()[2:]
