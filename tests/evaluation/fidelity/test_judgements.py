"""Human judgements of pages are read, and combined with the scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.errors import InputError
from thresher.evaluation.fidelity.measure import (
    OURS,
    Judgements,
    Result,
    read_judgements,
    write_judged,
)


def test_the_shipped_file_is_valid() -> None:
    """The shipped file can be read, and every verdict has a reason."""
    for corpus in ("readability", "defuddle"):
        judgements = read_judgements(corpus)
        assert all(judgements.unlike.values())
        assert all(why for _, why in judgements.differ.values())


def test_an_unknown_corpus_has_no_judgements() -> None:
    """A corpus without a table has no judgements."""
    assert Judgements() == read_judgements("rye")


@pytest.mark.parametrize("text", ["[rye", '[rye.differ]\n"a" = ["nobody", "why"]', "rye = 1"])
def test_an_unknown_verdict_is_reported(text: str, tmp_path: Path) -> None:
    """A file with an unknown verdict is an error."""
    path = tmp_path / "judgements.toml"
    path.write_text(text)
    with pytest.raises(InputError):
        read_judgements("rye", path)


def test_pages_are_counted_by_outcome() -> None:
    """Pages with equal outputs are not judged; different pages are, if there is a judgement."""
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
