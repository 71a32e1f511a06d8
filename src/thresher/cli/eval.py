"""`thresher eval`: score methods on labelled pages."""

from __future__ import annotations

import json
import shlex
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from thresher.algorithms import ALGORITHMS, find_algorithm
from thresher.cli.console import Exit, say, write_files, write_stdout
from thresher.errors import ThresherError, UsageError
from thresher.evaluation.corpora import Corpus, find_corpora
from thresher.evaluation.evaluate import Contender, PageResult, Plan, evaluate
from thresher.evaluation.folds import hold_out
from thresher.evaluation.metrics import DEFAULT_METRICS, METRICS
from thresher.evaluation.role_labels.labels import read_labels
from thresher.evaluation.summary import (
    EvaluatedCorpus,
    EvaluationRun,
    read_versions,
    sort_results,
    summarise,
    write_corpus,
    write_losses,
    write_pages,
    write_report,
    write_run,
)
from thresher.support.quoting import quote
from thresher.training.events import Events

BASELINE: Final = "keep_all"
"""The baseline, always first in every table."""
LISTED_PAGES: Final = 20
"""Number of pages that ``--sort`` lists, as many as fit on a screen; the files list all."""


def run(args: Namespace) -> Exit:
    """Evaluate and print; UsageError before any page is read, OSError as for `write_stdout`."""
    contenders = _read_contenders(args.method, args.param)
    corpora = find_corpora(args.corpora, role=args.role)
    if args.folds:
        contenders = hold_out(contenders, args.folds, corpora)
    metrics = _split(args.metric) or DEFAULT_METRICS
    plan = Plan(contenders, metrics, args.without_title, args.by_blocks)
    with Events(args.report) as events:
        return _evaluate(args, corpora, plan, events)


def _evaluate(args: Namespace, corpora: Sequence[Corpus], plan: Plan, events: Events) -> Exit:
    contenders = plan.contenders
    labels = read_labels() if plan.by_blocks else {}
    evaluated: list[EvaluatedCorpus] = []
    results: list[PageResult] = []
    n_broken = 0
    for corpus in corpora:
        try:
            by_role = frozenset(page for name, page in labels if name == corpus.name)
            drawn = corpus.labelled(args.pages, also=by_role)
            pages = evaluate(drawn, plan, labels=labels, n_job=args.jobs)
            judged = tuple(_watch(pages, len(contenders), args.pages, events))
        except ThresherError as error:
            n_broken += 1
            say(f"{corpus.name}: {error}")
            continue
        n_page = len(judged) // len(contenders)
        about = EvaluatedCorpus(corpus.name, corpus.role, corpus.digest(), n_page)
        _print(write_corpus(about, summarise(judged)))  # check now: the evaluation may take an hour
        if plan.by_blocks:
            _print(write_losses(corpus.name, judged))
        if judged:
            evaluated.append(about)
            results += judged
    whole = EvaluationRun(
        date=date.today().isoformat(),
        command=shlex.join(["thresher", *sys.argv[1:]]),
        versions=read_versions(),
        metrics=plan.metrics,
        methods=tuple(contender.name for contender in contenders),
        without_title=plan.without_title,
        corpora=tuple(evaluated),
        results=tuple(results),
    )
    _print(write_run(whole))
    if args.sort:
        _print(_list_pages(whole, args.sort))
    if args.json:
        write_files([(args.json, json.dumps(whole.as_dict(), ensure_ascii=False, indent=1))])
    if args.html:
        write_files([(args.html, write_report(whole))])
    n_error = sum(result.error is not None for result in results)
    if n_error:
        say(f"{n_error} of {len(results)} extractions failed")
    return Exit.FAILED if n_error or n_broken else Exit.OK


def _watch(
    results: Iterable[PageResult], n_contender: int, n_page: int | None, events: Events
) -> Iterator[PageResult]:
    for number, result in enumerate(results, 1):
        yield result
        if number % n_contender == 0:
            events.progress("measuring", number // n_contender, n_page or 0)


def _read_contenders(names: Sequence[str], settings: Iterable[str]) -> tuple[Contender, ...]:
    """Return the baseline and each method once, with its parameters."""
    methods = dict.fromkeys([BASELINE, *(_split(names) or ALGORITHMS)])
    algorithms = {name: find_algorithm(name) for name in methods}
    values: dict[str, dict[str, str]] = {name: {} for name in methods}
    for setting in settings:
        place, equals, value = setting.partition("=")
        method, dot, name = place.strip().partition(".")
        if not equals or not dot:
            raise UsageError(f"a parameter is set as METHOD.NAME=VALUE, not {quote(setting)}")
        if method not in values:
            raise UsageError(f"{quote(setting)} is for a method that is not evaluated")
        values[method][name] = value
    return tuple(
        Contender(name, name, algorithm.build_params(values[name]))
        for name, algorithm in algorithms.items()
    )


def _split(lists: Iterable[str]) -> tuple[str, ...]:
    names = (name.strip() for names in lists for name in names.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


def _list_pages(whole: EvaluationRun, order: str) -> str:
    metric = whole.metrics[0]
    judged = [result for result in whole.results if result.method != BASELINE]
    judged = judged or list(whole.results)
    first = sort_results(judged, metric, order)[:LISTED_PAGES]
    title = f"The {len(first)} {order} of {len(judged)} extractions, by {METRICS[metric].title}"
    return write_pages(first, metric, title)


def _print(text: str) -> None:
    write_stdout([f"{text}\n"])
