"""Options of the commands for labels: `thresher label`, `thresher eval` and `thresher train`."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, _ArgumentGroup
from typing import Final

from thresher.cli.options import (
    add_count,
    add_flag,
    add_list,
    add_path,
    add_raw,
    read_count,
    read_number,
)
from thresher.evaluation.metrics import DEFAULT_METRICS, METRICS
from thresher.support.quoting import quote

TRAIN_KINDS: Final = ("learned", "perceptron", "mlp")
"""Kinds of models that can be trained: all weights, or an adapter of a kind of
`thresher.algorithms.learned.adapter`, which the help does not import."""
_MAX_WEIGHT: Final = 100.0
"""Same as in `thresher.training.adapter`, which the help does not import."""


TWICE_EVERY: Final = 10
"""One page of so many is dealt to two labellers, our own choice."""


def add_label(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher label`."""
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, dest="step"
    )
    deal = commands.add_parser("deal", help="deal pages to labellers")
    deal.add_argument(
        "labellers",
        nargs="+",
        metavar="NAME",
        help="the labellers who get pages: all that nobody has yet, by default",
    )
    share = deal.add_mutually_exclusive_group()
    add_count(
        share,
        "--twice",
        help="deal every N-th page to two labellers, to measure how far they agree "
        "(default: %(default)s)",
        default=TWICE_EVERY,
    )
    add_flag(share, "--once", help="deal every page to one labeller")
    share.add_argument(
        "--from",
        dest="absent",
        metavar="NAME",
        help="deal the pages that this labeller has left, instead; what they labelled stays",
    )
    _add_data(deal)
    status = commands.add_parser(
        "status", help="show the queues, their progress, and how far labellers agree"
    )
    _add_data(status)
    add_raw(status)


def _add_data(parser: ArgumentParser) -> None:
    add_path(
        parser,
        "--data",
        help="the data folder of thresher app (default: thresher in $XDG_DATA_HOME, "
        "~/.local/share)",
        metavar="DIR",
    )


def add_eval(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher eval`."""
    _add_corpora(parser)
    what = parser.add_argument_group("evaluation")
    add_list(
        what,
        "-m",
        "--method",
        help="methods to run; may be repeated (default: all)",
        metavar="NAME,...",
    )
    add_list(
        what,
        "-p",
        "--param",
        help="set a parameter of one method; may be repeated",
        metavar="METHOD.NAME=VALUE",
    )
    add_list(
        what,
        "--metric",
        help=f"metrics, some of {', '.join(METRICS)}; may be repeated (default: "
        f"{','.join(DEFAULT_METRICS)})",
        metavar="NAME,...",
    )
    add_flag(
        what,
        "--without-title",
        help="remove the title from the extracted text and from the label before comparing",
    )
    add_path(
        what,
        "--folds",
        help="folder with weights fold-0.npz and so on for a trained method: pages of corpora "
        "with the role train use the weights trained without their site",
        metavar="DIR",
    )
    add_flag(
        what,
        "--by-blocks",
        help="also count by blocks: pages with holes, lost blocks, foreign words, perfect pages, "
        "and what was lost and kept by role; reads pages that are labelled by role, too",
    )
    what.add_argument("--role", help="only corpora with this role in the MANIFEST.tsv beside them")
    _add_amount(what)
    output = parser.add_argument_group("output")
    output.add_argument(
        "--sort",
        choices=("worst", "best", "slowest"),
        help="also list 20 pages: the worst or best by the first metric, or the slowest",
    )
    add_path(output, "--json", help="write all results, page by page, to this file")
    add_path(output, "--html", help="write a report with a sortable table of pages to this file")
    _add_report(output)


def add_train(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher train`."""
    _add_corpora(parser)
    output = parser.add_argument_group("output")
    add_path(
        output,
        "-o",
        "--output",
        help="file for the weights, a .npz; their model card is written beside it as .md",
        required=True,
    )
    add_path(
        output,
        "--folds",
        help="also write the weights of each fold, fold-0.npz and so on, for thresher eval --folds",
        metavar="DIR",
    )
    add_path(
        output,
        "--keep-models",
        help="learned only: save each finished model there, and reuse saved models after an "
        "interrupted run",
        metavar="DIR",
    )
    _add_report(output)
    model = parser.add_argument_group("model")
    model.add_argument(
        "--kind",
        choices=TRAIN_KINDS,
        default=TRAIN_KINDS[0],
        help="learned: train all weights, from many hundred pages (default); perceptron or mlp "
        "(one hidden layer): adapt the shipped weights with a few dozen pages",
    )
    model.add_argument(
        "--false-positive-weight",
        type=_read_weight,
        default=1.0,
        metavar="W",
        help="cost of a wrongly kept word, relative to 1 for a wrongly dropped one, from 0.01 to "
        "100 (default: 1)",
    )
    add_flag(
        model,
        "--from-scratch",
        help="perceptron and mlp only: train from features alone, without the shipped weights",
    )
    what = parser.add_argument_group("training data")
    what.add_argument(
        "--n-fold",
        type=_read_fold_count,
        metavar="N",
        help="number of folds, by site; every page is evaluated with weights trained without its "
        "fold (default: 8; perceptron and mlp: 5)",
    )
    add_list(
        what,
        "--leave-out",
        help="learned only: do not train on this corpus, and measure it by weights that saw none "
        "of it; may be repeated",
        metavar="NAME",
    )
    add_count(
        what,
        "--seed",
        help="learned only: seed of the networks; weights of two seeds show how much of a "
        "difference is chance",
    )
    add_count(
        what,
        "--n-network",
        help="learned only: networks whose predictions are averaged (default: 2)",
    )
    _add_amount(what)


def _add_corpora(parser: ArgumentParser) -> None:
    parser.add_argument(
        "corpora",
        nargs="*",
        metavar="CORPUS",
        help="a NAME.jsonl, .jsonl.gz or .jsonl.xz, a folder of them, or a folder of NAME.html "
        "with NAME.txt (default: $THRESHER_CORPORA)",
    )


def _add_report(group: _ArgumentGroup) -> None:
    add_path(
        group, "--report", help="write progress and results to this file, one JSON object per line"
    )


def _add_amount(group: _ArgumentGroup) -> None:
    add_count(
        group,
        "--pages",
        help="only N labelled pages of each corpus, drawn at random but always the same, of each "
        "kind of page in proportion",
    )
    add_count(group, "-j", "--jobs", help="worker processes (default: %(default)s)", default=1)


def _read_fold_count(text: str) -> int:
    count = read_count(text)
    if count < 2:
        raise ArgumentTypeError(f"must be 2 or more, not {text}")
    return count


def _read_weight(text: str) -> float:
    weight = read_number(text)
    if not 1 / _MAX_WEIGHT <= weight <= _MAX_WEIGHT:
        raise ArgumentTypeError(
            f"must be from {1 / _MAX_WEIGHT:g} to {_MAX_WEIGHT:g}, not {quote(text)}"
        )
    return weight
