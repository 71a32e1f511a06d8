"""Options of the commands that read labelled pages: `thresher eval` and `thresher train`."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, _ArgumentGroup
from pathlib import Path
from typing import Final

from thresher.algorithms.learned.adapter import KINDS
from thresher.cli.options import read_count, read_number
from thresher.evaluation.metrics import DEFAULT_METRICS, METRICS

__all__ = ["TRAIN_KINDS", "add_eval", "add_train"]

TRAIN_KINDS: Final = ("learned", *KINDS)
"""What can be trained."""
_MAX_WEIGHT: Final = 100.0
"""That of `thresher.training.adapter`, which need not be loaded for the help."""


def add_eval(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher eval`."""
    _add_corpora(parser)
    what = parser.add_argument_group("what is measured")
    what.add_argument(
        "-m",
        "--method",
        action="append",
        default=[],
        metavar="NAME,...",
        help="methods to run; may be repeated (default: all)",
    )
    what.add_argument(
        "-p",
        "--param",
        action="append",
        default=[],
        metavar="METHOD.NAME=VALUE",
        help="set a parameter of one method; may be repeated",
    )
    what.add_argument(
        "--metric",
        action="append",
        default=[],
        metavar="NAME,...",
        help=f"of {', '.join(METRICS)}; may be repeated (default: {','.join(DEFAULT_METRICS)})",
    )
    what.add_argument(
        "--without-title",
        action="store_true",
        help="take the title off what is found and off the label before comparing",
    )
    what.add_argument(
        "--folds",
        type=Path,
        metavar="DIR",
        help="weights fold-0.npz and so on for a trained method: a page of a corpus with the role "
        "train is given those that were trained without its site",
    )
    what.add_argument("--role", help="only corpora with this role in the MANIFEST.tsv beside them")
    _add_amount(what)
    output = parser.add_argument_group("what is shown")
    output.add_argument(
        "--sort",
        choices=("worst", "best", "slowest"),
        help="also list 20 pages: the worst or best by the first metric, or the slowest",
    )
    output.add_argument(
        "--json", type=Path, metavar="FILE", help="write all results here, page by page"
    )
    output.add_argument(
        "--html", type=Path, metavar="FILE", help="write a report here, its pages sortable"
    )
    _add_report(output)


def add_train(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher train`."""
    _add_corpora(parser)
    output = parser.add_argument_group("what is written")
    output.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="FILE",
        help="the weights, a .npz; their card is written beside it, with .md",
    )
    output.add_argument(
        "--folds",
        type=Path,
        metavar="DIR",
        help="also keep the weights of each fold, fold-0.npz and so on, for thresher eval --folds",
    )
    output.add_argument(
        "--keep-models",
        type=Path,
        metavar="DIR",
        help="learned: keep each model there as it is done, and go on with those that are there "
        "after a run was stopped",
    )
    _add_report(output)
    model = parser.add_argument_group("what is trained")
    model.add_argument(
        "--kind",
        choices=TRAIN_KINDS,
        default=TRAIN_KINDS[0],
        help="learned: all weights anew, for many hundred pages (default); perceptron or mlp (one "
        "hidden layer): what some dozens of pages teach beyond the shipped weights",
    )
    model.add_argument(
        "--false-positive-weight",
        type=_read_weight,
        default=1.0,
        metavar="W",
        help="what a word kept wrongly costs, against 1 for one dropped wrongly, from 0.01 to 100 "
        "(default: 1)",
    )
    model.add_argument(
        "--from-scratch",
        action="store_true",
        help="perceptron and mlp: learn from features alone, not from what the shipped weights say",
    )
    what = parser.add_argument_group("what is learned from")
    what.add_argument(
        "--n-fold",
        type=_read_fold_count,
        metavar="N",
        help="parts into which sites are dealt; every page is measured by weights that were "
        "trained without its part (default: 8; perceptron and mlp: 5)",
    )
    _add_amount(what)


def _add_corpora(parser: ArgumentParser) -> None:
    parser.add_argument(
        "corpora",
        nargs="*",
        metavar="CORPUS",
        help="a NAME.jsonl.xz, a folder of them, or a folder of NAME.html with NAME.txt "
        "(default: $THRESHER_CORPORA)",
    )


def _add_report(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="write how far it is, and what came of it, into this file: a JSON object a line",
    )


def _add_amount(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--pages",
        type=read_count,
        metavar="N",
        help="only the first N labelled pages of each corpus",
    )
    group.add_argument(
        "-j",
        "--jobs",
        type=read_count,
        default=1,
        metavar="N",
        help="processes that share the work (default: %(default)s)",
    )


def _read_fold_count(text: str) -> int:
    """Read a number of folds: two at least, or no page could be held out."""
    count = read_count(text)
    if count < 2:
        raise ArgumentTypeError(f"must be 2 or more, not {text}")
    return count


def _read_weight(text: str) -> float:
    """Read what an error costs against another one."""
    weight = read_number(text)
    if not 1 / _MAX_WEIGHT <= weight <= _MAX_WEIGHT:
        raise ArgumentTypeError(
            f"must be from {1 / _MAX_WEIGHT:g} to {_MAX_WEIGHT:g}, not {text!r}"
        )
    return weight
