"""`thresher train --kind perceptron`, or mlp: what labels teach beyond the shipped weights."""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from collections.abc import Sequence
from datetime import date

from thresher.cli.exits import Exit
from thresher.cli.outputs import say
from thresher.errors import InputError, UsageError
from thresher.evaluation.corpora import Corpus
from thresher.evaluation.summary import read_versions
from thresher.training.adapter import (
    N_FOLD,
    Point,
    Progress,
    Recipe,
    advise,
    compare,
    train,
    write_card,
)
from thresher.training.events import Events

__all__ = ["run_adapter"]


def run_adapter(args: Namespace, corpora: Sequence[Corpus]) -> Exit:
    """Train, compare with the shipped weights, write weights and card; raises as `train.run`."""
    if args.folds:
        raise UsageError("--folds is for --kind learned")
    recipe = Recipe(args.kind, args.false_positive_weight, args.from_scratch)
    args.output.parent.mkdir(parents=True, exist_ok=True)
    with Events(args.report) as events:
        try:
            return _train(args, corpora, recipe, events)
        except InputError as error:
            say(str(error))
            return Exit.FAILED


def _train(args: Namespace, corpora: Sequence[Corpus], recipe: Recipe, events: Events) -> Exit:
    pages = [page for corpus in corpora for page in corpus.labelled(args.pages)]
    shown: list[Point] = []

    def report(progress: Progress) -> None:
        events.progress(progress.stage, progress.done, progress.total, progress.curve)
        for point in progress.curve[len(shown) :]:
            say(f"{_name(point)}: F1 {point.f1:.3f} ± {point.error:.3f}")
            shown.append(point)

    trained = train(pages, recipe, n_fold=args.n_fold or N_FOLD, report=report)
    for advice in advise(recipe.kind, trained.n_page, trained.n_site):
        say(advice)
        events.say(advice)
    n_measured = len(trained.fold_of)
    comparison = compare(
        pages,
        trained.folds,
        trained.fold_of,
        report=lambda done: events.progress("measuring", done, n_measured, trained.curve),
    )
    trained.model.save(args.output)
    card = write_card(
        args.output,
        recipe,
        trained,
        comparison,
        date=date.today().isoformat(),
        command=shlex.join(["thresher", *sys.argv[1:]]),
        versions=read_versions(),
    )
    args.output.with_suffix(".md").write_text(card, encoding="utf-8")
    for row in comparison.rows:
        say(
            f"{row.name}: word F1 {row.f1:.3f} ± {row.error:.3f},"
            f" precision {row.precision:.3f}, recall {row.recall:.3f}"
        )
    events.result(comparison, trained.curve, trained.n_page, trained.n_site)
    say(f"wrote {args.output} and its card; use it with --model {args.output}")
    return Exit.OK


def _name(point: Point) -> str:
    return f"learned from {point.n_page} pages" if point.n_page else "the shipped weights"
