"""Options of the commands that read labelled pages."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from thresher.cli.arguments import build_parser


def read(*argv: str) -> Namespace:
    return build_parser().parse_args(argv)


def test_defaults_of_training() -> None:
    """By default, all pages are used, in one process, and no folds are stored."""
    args = read("train", "-o", "mill.npz")
    assert ([], Path("mill.npz"), None) == (args.corpora, args.output, args.folds)
    assert (None, None, 1) == (args.n_fold, args.pages, args.jobs)


def test_options_of_training() -> None:
    """Each option is passed on."""
    options = ["--folds", "out", "--n-fold", "4", "--pages", "9", "-j", "2", "--output", "m.npz"]
    args = read("train", "a", "b", *options)
    assert (["a", "b"], Path("m.npz"), Path("out")) == (args.corpora, args.output, args.folds)
    assert (4, 9, 2) == (args.n_fold, args.pages, args.jobs)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "-o/--output"),
        (["-o", "m.npz", "--n-fold", "1"], "must be 2 or more, not 1"),
        (["-o", "m.npz", "--n-fold", "two"], "must be a whole number"),
        (["-o", "m.npz", "--pages", "0"], "must be a whole number"),
        (["-o", "m.npz", "--jobs", "-1"], "must be a whole number"),
    ],
)
def test_training_refused_when_options_are_wrong(
    capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    """Invalid options are rejected before training, not an hour later."""
    with pytest.raises(SystemExit):
        read("train", *options)
    assert message in capsys.readouterr().err


def test_both_commands_take_corpora_alike() -> None:
    """Both commands have the same options for corpora, pages and processes."""
    shared = ("a", "b", "--pages", "3", "-j", "4")
    measured, trained = read("eval", *shared), read("train", *shared, "-o", "m.npz")
    for name in ("corpora", "pages", "jobs"):
        assert getattr(measured, name) == getattr(trained, name)
