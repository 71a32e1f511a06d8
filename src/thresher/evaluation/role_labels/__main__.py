"""`python -m thresher.evaluation.role_labels`: accuracy of predicted roles, annotator agreement."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from thresher.algorithms.learned import Params, select
from thresher.evaluation.command import add_corpora, make_say, run_command
from thresher.evaluation.corpora import find_corpora, read_corpora_paths
from thresher.evaluation.folds import fold_of
from thresher.evaluation.role_labels.labels import (
    RoleCodes,
    RoleLabels,
    count_pairs,
    label_of,
    measure_agreement,
    read_labels,
    write_table,
)
from thresher.page.parse import parse

_PROGRAM = "python -m thresher.evaluation.role_labels"
_say = make_say("roles")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its status: 0, 1 if something failed, 2 for wrong usage."""
    return run_command(_say, partial(_build_parser().parse_args, argv), _run)


def _build_parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog=_PROGRAM,
        description="Compare the roles predicted by the learned method with those given by "
        "annotators, on the labelled pages of some corpora, and annotators with each other.",
    )
    add_corpora(parser)
    parser.add_argument(
        "--folds",
        type=Path,
        required=True,
        metavar="DIR",
        help="weights fold-0.npz and so on: those trained without a page's site read it",
    )
    return parser


def _run(args: Namespace) -> None:
    labels = read_labels()
    n_fold = len(list(args.folds.glob("fold-*.npz")))
    told = count_pairs(_read_pairs(args, labels, n_fold))
    readers = measure_agreement(labels)
    print(write_table(told, readers))
    print(f"\n{told.n_page} pages, Cohen's kappa {told.kappa:.3f}; ", end="")
    print(f"two readers on {readers.n_page} pages, {readers.kappa:.3f}")


def _read_pairs(
    args: Namespace, labels: RoleLabels, n_fold: int
) -> Iterator[tuple[RoleCodes, RoleCodes]]:
    """Yield the roles by an annotator and by the method for each labelled page found."""
    for corpus in find_corpora(read_corpora_paths(args.corpora)):
        for labelled in corpus.pages():
            if (corpus.name, labelled.id) not in labels:
                continue
            page = parse(labelled.html, url=labelled.url)
            label = label_of(labels, labelled, len(page.blocks))
            if label is None:
                _say(f"{corpus.name} {labelled.id}: the page or its blocks have changed")
                continue
            weights = args.folds / f"fold-{fold_of(labelled, n_fold)}.npz"
            roles = select(page, Params(model=str(weights))).role_code
            if roles is not None:
                yield label.roles, roles


if __name__ == "__main__":
    sys.exit(main())
