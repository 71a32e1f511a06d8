"""`thresher train`: fit the weights of the method `learned`, or an adapter, to labelled pages.

An adapter, ``--kind perceptron`` or ``mlp``, is what labels teach beyond the shipped weights.
"""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Final, NamedTuple

from thresher.cli.console import Exit, say
from thresher.errors import MissingExtraError, UsageError
from thresher.evaluation.corpora import Corpus, LabelledPage, find_corpora
from thresher.evaluation.evaluate import Contender, PageResult, Plan, evaluate
from thresher.evaluation.folds import MODEL_PARAMETER, TRAIN_ROLE, HeldOut, fold_of
from thresher.evaluation.role_labels.labels import RoleLabels, measure_agreement, read_labels
from thresher.evaluation.summary import read_versions
from thresher.support.quoting import quote
from thresher.training.adapter.fit import Recipe
from thresher.training.adapter.recipe import (
    N_FOLD,
    Point,
    Progress,
    advise,
    compare,
    train,
    write_card,
)
from thresher.training.events import Events

_METHOD: Final = "learned"
_SUFFIX: Final = ".npz"
_TRAINING_PACKAGES: Final = ("torch", "publicsuffixlist")
"""Packages that the weights depend on, besides those that scores depend on."""


def run(args: Namespace) -> Exit:
    """Train, evaluate on held-out pages, write weights and model card.

    Raises UsageError, and OSError if nothing can be written, before starting.
    """
    if args.output.suffix != _SUFFIX:
        raise UsageError(f"the weights are a {_SUFFIX} file, not {args.output.name}")
    corpora = _find_corpora(args.corpora, args.leave_out)
    if args.kind != "learned":
        return _run_adapter(args, corpora.trained)
    if args.from_scratch:
        raise UsageError("--from-scratch is for perceptron and mlp; learned is always so")
    training = _import_training()
    with TemporaryDirectory() as scratch, Events(args.report) as events:
        folder = args.folds or Path(scratch)
        for place in (args.output.parent, folder):
            place.mkdir(parents=True, exist_ok=True)
        return _train(args, corpora, folder, training, events)


def _train(
    args: Namespace, corpora: _Corpora, folder: Path, training: ModuleType, events: Events
) -> Exit:
    if args.keep_models:
        args.keep_models.mkdir(parents=True, exist_ok=True)
    beta = Recipe(false_positive_weight=args.false_positive_weight).beta
    labels = read_labels()
    pages = _read_examples(args, frozenset(corpus.name for corpus in corpora.trained), labels)
    examples = list(training.make_examples(pages, labels, n_job=args.jobs))
    say(f"{len(examples):,} pages to learn from; training on all, and without each fold")
    n_site = len({example.site for example in examples})
    for advice in advise(_METHOD, len(examples), n_site):
        say(advice)
        events.say(advice)
    n_network = args.n_network or training.N_NETWORK
    seed = args.seed or training.SEED
    trained = training.train(
        examples,
        n_fold=args.n_fold or training.N_FOLD,
        n_network=n_network,
        seed=seed,
        n_job=args.jobs,
        keep=args.keep_models,
        report=lambda done, total: events.progress("training", done, total),
    )
    n_fold = len(trained.folds)
    replace(trained.model, beta=beta).save(args.output)
    folds = [replace(model, beta=beta) for model in trained.folds]
    for fold, model in enumerate(folds):
        model.save(folder / f"fold-{fold}{_SUFFIX}")
    say("measuring every page by the model that never saw its site")
    results = list(_measure(args, corpora, folder, n_fold))
    making = training.Making(
        date=date.today().isoformat(),
        command=shlex.join(["thresher", *sys.argv[1:]]),
        versions=read_versions() | {name: version(name) for name in _TRAINING_PACKAGES},
        corpora=corpora.trained,
        left_out=corpora.left_out,
        n_network=n_network,
        seed=seed,
        n_page=len(examples),
        n_block=sum(len(example.features.values) for example in examples),
        n_site=n_site,
        n_fold=n_fold,
        n_token=trained.model.vocabulary.size,
        n_role_page=sum(example.role_trust == 1 for example in examples),
        roles=training.measure_roles(trained.held_out),
        readers=measure_agreement(labels),
        weights=args.output,
    )
    card = training.write_card(making, results)
    args.output.with_suffix(".md").write_text(card, encoding="utf-8")
    if args.report:
        measured = list(_read_pages(corpora.trained, args.pages))
        folds_of = {(page.corpus, page.id): fold_of(page, n_fold) for page in measured}
        say("measuring every page by the shipped weights, too")
        events.result(compare(measured, folds, folds_of), (), len(examples), n_site)
    say(f"wrote {args.output} and its card")
    n_error = sum(result.error is not None for result in results)
    if n_error:
        say(f"{n_error} of {len(results)} extractions failed")
    return Exit.FAILED if n_error else Exit.OK


class _Corpora(NamedTuple):
    """Corpora to train on, and those that are only measured."""

    trained: tuple[Corpus, ...]
    left_out: tuple[Corpus, ...]


def _find_corpora(paths: Sequence[str], leave_out: Sequence[str]) -> _Corpora:
    """Return the corpora to train on, with the role train or without a role, and those left out."""
    given = find_corpora(paths)
    for name in leave_out:
        if name not in {corpus.name for corpus in given}:
            raise UsageError(f"no corpus {quote(name)} to leave out")
    allowed = tuple(corpus for corpus in given if corpus.role in (None, TRAIN_ROLE))
    corpora = tuple(corpus for corpus in allowed if corpus.name not in leave_out)
    if not corpora:
        raise UsageError("none of these corpora is to train on, says the MANIFEST.tsv beside them")
    return _Corpora(corpora, tuple(corpus for corpus in given if corpus.name in leave_out))


def _read_pages(corpora: Sequence[Corpus], count: int | None) -> Iterator[LabelledPage]:
    for corpus in corpora:
        yield from corpus.labelled(count)


def _read_examples(
    args: Namespace, names: frozenset[str], labels: RoleLabels
) -> Iterator[LabelledPage]:
    """Read pages with labelled text or roles; of corpora not trained on, those with roles."""
    for corpus in find_corpora(args.corpora):
        ids = {page for name, page in labels if name == corpus.name}
        if corpus.name in names:
            yield from corpus.labelled(args.pages, also=ids)
        elif ids and corpus.name not in args.leave_out:
            pages = (page for page in corpus.pages() if page.id in ids)
            # Its texts are for measuring, or those of a corpus that may not shape weights.
            yield from (replace(page, text=None) for page in islice(pages, args.pages))


def _measure(args: Namespace, corpora: _Corpora, folder: Path, n_fold: int) -> Iterator[PageResult]:
    """Score every page with the model that was not trained on its site, or on its corpus."""
    trained_on = frozenset(corpus.name for corpus in corpora.trained)
    params_of = HeldOut(folder, n_fold, trained_on, {MODEL_PARAMETER: str(args.output)})
    plan = Plan((Contender(_METHOD, _METHOD, params_of=params_of),), metrics=("word",))
    # Read again: all pages at once would take several times the memory of their features.
    pages = _read_pages((*corpora.trained, *corpora.left_out), args.pages)
    return evaluate(pages, plan, n_job=args.jobs)


def _import_training() -> ModuleType:
    try:
        from thresher.training import learned
    except ImportError as error:
        raise MissingExtraError("training", "train") from error
    return learned


def _run_adapter(args: Namespace, corpora: Sequence[Corpus]) -> Exit:
    """Train, compare with the shipped weights, write weights and card; raises as `run`."""
    if args.folds:
        raise UsageError("--folds is for --kind learned")
    recipe = Recipe(args.kind, args.false_positive_weight, args.from_scratch)
    args.output.parent.mkdir(parents=True, exist_ok=True)
    with Events(args.report) as events:
        return _adapt(args, corpora, recipe, events)


def _adapt(args: Namespace, corpora: Sequence[Corpus], recipe: Recipe, events: Events) -> Exit:
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
