"""`python -m thresher.evaluation.role_labels`: accuracy of predicted roles, annotator agreement."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from thresher.algorithms.learned import Params, select
from thresher.evaluation.command import add_corpora, make_say, run_command
from thresher.evaluation.corpora import find_corpora
from thresher.evaluation.folds import count_folds, weights_for
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
    return run_command(_say, _build_parser(), argv, _run)


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
    told = count_pairs(_read_pairs(args, labels))
    readers = measure_agreement(labels)
    print(write_table(told, readers))
    print(f"\n{told.n_page} pages, Cohen's kappa {told.kappa:.3f}; ", end="")
    print(f"two readers on {readers.n_page} pages, {readers.kappa:.3f}")


def _read_pairs(args: Namespace, labels: RoleLabels) -> Iterator[tuple[RoleCodes, RoleCodes]]:
    """Yield the roles by an annotator and by the method for each labelled page found."""
    corpora, n_fold = find_corpora(args.corpora), count_folds(args.folds)
    for corpus in corpora:
        for labelled in corpus.pages():
            if (corpus.name, labelled.id) not in labels:
                continue
            page = parse(labelled.html, url=labelled.url)
            label = label_of(labels, labelled, len(page.blocks))
            if label is None:
                _say(f"{corpus.name} {labelled.id}: the page or its blocks have changed")
                continue
            weights = weights_for(labelled, args.folds, n_fold)
            roles = select(page, Params(model=weights)).role_code
            if roles is not None:
                yield label.roles, roles


if __name__ == "__main__":
    sys.exit(main())
