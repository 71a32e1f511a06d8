"""All benchmarks accept corpora in the same way."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from bench.corpora import add_corpora_argument, named_corpora
from thresher.evaluation.corpora import CORPORA_VARIABLE


@pytest.mark.parametrize("argv", [[], ["here"]])
def test_folder_taken_from_environment_when_none_is_named(
    argv: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment variable names the corpora if the command does not."""
    monkeypatch.setenv(CORPORA_VARIABLE, "there")
    parser = argparse.ArgumentParser()
    add_corpora_argument(parser)
    assert [Path("here" if argv else "there")] == parser.parse_args(argv).corpora


def test_usage_said_when_there_is_no_corpus() -> None:
    """Without a corpus the command ends, and explains how to name one."""
    with pytest.raises(SystemExit, match=CORPORA_VARIABLE):
        named_corpora([])
