"""Training recipe: folds by site, a learning curve, a model for each fold, one for all pages.

The curve shows whether more labels would help: every fold is measured with models trained on some
of the other folds' pages, first a few, then twice as many, and so on. The new model is compared
with the shipped one by extracting the same pages with both, each page with the model of its fold,
which was not trained on its site. The card tells how the weights were made, and their scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Final
from zlib import crc32

import numpy as np

from thresher.algorithms.learned import SHIPPED_MODEL
from thresher.algorithms.learned.model import Model
from thresher.errors import UsageError
from thresher.evaluation.corpora import LabelledPage, digest_file
from thresher.evaluation.evaluate import Contender, PageResult, Plan, evaluate_page
from thresher.evaluation.metrics import standard_error
from thresher.evaluation.summary import format_versions, group_by, summarise
from thresher.training.adapter.fit import AdapterExample, Recipe, adapt, make_examples, weigh
from thresher.training.perceptrons import SEED

N_FOLD: Final = 5
"""Default number of folds: even with few pages each model is trained on most of them."""
_FIRST_PAGES: Final = 5
"""Pages of the first point of the curve; each further point has twice as many."""
FEW_PAGES: Final = {"perceptron": 20, "mlp": 50, "learned": 500}
"""Pages below which a model of each kind is reported as unreliable. With 10 pages, a perceptron or
mlp was up to 0.5 points of F1 better or worse than the shipped model; a full model trained on a few
dozen pages knows next to nothing (docs/training.md)."""
_FEW_SITES: Final = 5
Key = tuple[str, str]
"""Corpus and id of a page."""
BEFORE: Final = "before"
AFTER: Final = "after"
_METRIC: Final = "word"
_SAME: Final = 0.005
"""Largest difference of F1 at which a page counts as unchanged, too small to notice."""


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a learning curve: score on other sites of models trained on ``n_page`` pages."""

    n_page: int
    """Labelled pages; 0 is the shipped model."""
    f1: float
    """Mean word F1 over all pages, each by a model that was not trained on its site."""
    error: float
    """Its standard error."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of training: ``done`` of ``total`` steps of ``stage``, and the curve so far."""

    stage: str
    done: int
    total: int
    curve: tuple[Point, ...] = ()


Report = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class TrainedAdapter:
    """The result of training."""

    model: Model
    folds: tuple[Model, ...]
    """The model of each fold, trained without its pages."""
    fold_of: dict[Key, int]
    """Page → fold."""
    curve: tuple[Point, ...]
    n_page: int
    """Pages trained on."""
    n_site: int
    n_left_out: int
    """Pages whose label cannot be found in them."""
    by_site: bool
    """Whether folds keep the pages of a site together, which needs at least two sites."""


def train(
    pages: Sequence[LabelledPage],
    recipe: Recipe,
    *,
    n_fold: int = N_FOLD,
    report: Report = lambda progress: None,
) -> TrainedAdapter:
    """Train on labelled pages; deterministic on one machine.

    ``report`` is called after every step. Raises UsageError for fewer than two folds or two usable
    pages, MissingExtraError if sites cannot be determined.
    """
    if n_fold < 2:
        raise UsageError(f"folds must be 2 or more, not {n_fold}")
    labelled = [page for page in pages if page.text is not None]
    shipped = Model.load(SHIPPED_MODEL)
    examples = list(_read(labelled, shipped, report))
    if len(examples) < 2:
        raise UsageError(
            f"{len(examples)} of {len(labelled)} labelled pages can be learned from; it takes two"
        )
    sites = sorted({example.site for example in examples})
    by_site = len(sites) > 1
    fold_of = assign_folds(examples, n_fold, by_site=by_site)
    folds = sorted(set(fold_of.values()))
    sizes = _sizes(min(sum(fold_of[_key(e)] != fold for e in examples) for fold in folds))
    n_fit = len(sizes) * len(folds) + len(folds) + 1
    held_out = [[e for e in examples if fold_of[_key(e)] == fold] for fold in folds]
    curve = [_measure([(shipped, examples)], recipe, 0)]
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        report(Progress("training", done, n_fit, tuple(curve)))

    def adapt_folds(pages: Sequence[AdapterExample], size: int | None = None) -> list[Model]:
        """Train a model for each fold on the first pages of the others."""
        models = []
        for fold in folds:
            seen = [example for example in pages if fold_of[_key(example)] != fold][:size]
            models.append(adapt(shipped, seen, recipe))
            step()
        return models

    order = np.random.default_rng(SEED).permutation(len(examples)).tolist()
    shuffled = [examples[place] for place in order]
    for size in sizes:
        parts = zip(adapt_folds(shuffled, size), held_out, strict=True)
        curve.append(_measure(parts, recipe, size))
    models = adapt_folds(examples)
    n_seen = round(len(examples) * (1 - 1 / len(folds)))
    if n_seen > curve[-1].n_page:
        curve.append(_measure(zip(models, held_out, strict=True), recipe, n_seen))
    model = adapt(shipped, examples, recipe)
    step()
    n_left_out = len(labelled) - len(examples)
    return TrainedAdapter(
        model, tuple(models), fold_of, tuple(curve), len(examples), len(sites), n_left_out, by_site
    )


def assign_folds(
    examples: Iterable[AdapterExample], n_fold: int, *, by_site: bool
) -> dict[Key, int]:
    """Assign pages to folds of nearly equal size, the largest sites first."""
    groups = group_by(examples, lambda e: e.site if by_site else f"{e.corpus} {e.id}")
    sizes = [0] * min(n_fold, len(groups))
    fold_of: dict[Key, int] = {}
    # Sites of equal size are ordered by a hash, as the names of related sites sort together.
    for name in sorted(groups, key=lambda name: (-len(groups[name]), crc32(name.encode()))):
        fold = sizes.index(min(sizes))
        sizes[fold] += len(groups[name])
        fold_of |= dict.fromkeys(map(_key, groups[name]), fold)
    return fold_of


def advise(kind: str, n_page: int, n_site: int) -> list[str]:
    """Return warnings about the scores; none if there are enough pages and sites."""
    said = []
    if n_page < FEW_PAGES[kind]:
        said.append(
            f"{n_page} pages are few for this kind of model: label {FEW_PAGES[kind]} or more"
            " before you rely on it"
        )
    if n_site == 1:
        said.append("all pages are of one site: the scores hold for that site alone")
    elif n_site < _FEW_SITES:
        said.append(f"the pages are of {n_site} sites only: scores on other sites may differ")
    return said


def _read(pages: Sequence[LabelledPage], base: Model, report: Report) -> Iterator[AdapterExample]:
    for done, example in enumerate(make_examples(pages, base), 1):
        report(Progress("reading", done, len(pages)))
        if example is not None:
            yield example


def _sizes(most: int) -> list[int]:
    """Return the numbers of training pages of the curve: 5, 10, 20 … up to ``most``."""
    sizes = []
    size = _FIRST_PAGES
    while size <= most:
        sizes.append(size)
        size *= 2
    return sizes


def _measure(
    parts: Iterable[tuple[Model, Sequence[AdapterExample]]], recipe: Recipe, n_page: int
) -> Point:
    f1 = [
        example.measure(weigh(model, example), beta=recipe.beta).f1
        for model, examples in parts
        for example in examples
    ]
    return Point(n_page, fmean(f1), standard_error(f1))


def _key(example: AdapterExample) -> Key:
    return example.corpus, example.id


@dataclass(frozen=True, slots=True)
class Row:
    """Mean scores of one model: word precision, recall and F1 with its standard error."""

    name: str
    precision: float
    recall: float
    f1: float
    error: float
    n_empty: int
    """Pages without any main content found."""


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """Scores before and after training, and the differences page by page."""

    rows: tuple[Row, Row]
    gain: float
    """Mean difference of F1, after minus before."""
    gain_error: float
    """Its standard error over pages."""
    n_better: int
    n_worse: int
    n_page: int
    results: tuple[PageResult, ...]
    """Two per page: `BEFORE` and `AFTER`."""

    @property
    def is_sure(self) -> bool:
        """True if the difference is more than two standard errors."""
        return abs(self.gain) > 2 * self.gain_error


def compare(
    pages: Iterable[LabelledPage],
    models: Sequence[Model],
    fold_of: Mapping[tuple[str, str], int],
    *,
    report: Callable[[int], None] = lambda done: None,
) -> ModelComparison:
    """Extract each page that has a fold with both models; ``report`` is called after each page."""
    with TemporaryDirectory() as folder:
        files = [Path(folder) / f"fold-{fold}.npz" for fold in range(len(models))]
        for file, model in zip(files, models, strict=True):
            model.save(file)

        def params_of(page: LabelledPage) -> Mapping[str, object]:
            return {"model": str(files[fold_of[page.corpus, page.id]])}

        plan = Plan(
            (Contender(BEFORE, "learned"), Contender(AFTER, "learned", params_of=params_of)),
            (_METRIC,),
        )
        results: list[PageResult] = []
        for page in pages:
            if page.text is not None and (page.corpus, page.id) in fold_of:
                results += evaluate_page(page, plan)
                report(len(results) // 2)
    f1 = {
        name: [r.scores[_METRIC].f1 for r in results if r.method == name]
        for name in (BEFORE, AFTER)
    }
    gains = [after - before for before, after in zip(*f1.values(), strict=True)]
    before, after = (
        Row(mean.method, *mean.scores[_METRIC], standard_error(f1[mean.method]), mean.n_empty)
        for mean in summarise(results)
    )
    return ModelComparison(
        (before, after),
        fmean(gains),
        standard_error(gains),
        sum(gain > _SAME for gain in gains),
        sum(gain < -_SAME for gain in gains),
        len(gains),
        tuple(results),
    )


def write_card(
    weights: Path,
    recipe: Recipe,
    trained: TrainedAdapter,
    comparison: ModelComparison,
    *,
    date: str,
    command: str,
    versions: dict[str, str],
) -> str:
    """Return the model card: how the weights were made, and their scores."""
    base = "features alone" if recipe.from_scratch else "the features and the shipped model's say"
    folds = "by site" if trained.by_site else "by page, all being of one site"
    said = "".join(
        f"\n- {warning}" for warning in advise(recipe.kind, trained.n_page, trained.n_site)
    )
    curve = "\n".join(
        f"| {point.n_page} | {point.f1:.3f} ± {point.error:.3f} |" for point in trained.curve
    )
    rows = "\n".join(write_rows(comparison))
    return f"""\
# {weights.stem}

A {recipe.kind} over {base}, for the method `learned`: `--model {weights.name}`.

**Format.** `.npz`, read with `allow_pickle=False`; {weights.stat().st_size:,} bytes, SHA-256 \
`{digest_file(weights)}`.

**Made** on {date} by

    {command}

with {format_versions(versions)}.

**Data.** {trained.n_page:,} pages of {trained.n_site:,} sites; {trained.n_left_out:,} more were \
left out, as their labels are not found in them.
A word kept wrongly costs {recipe.false_positive_weight:g} times one dropped wrongly.
{said}

**Before and after.** Word precision, recall and F1 of the text against the label, mean ± standard
error over {comparison.n_page:,} pages, each read by a model trained without its fold \
({len(trained.folds)} folds, {folds}).

| model | precision | recall | F1 | found none |
|---|---|---|---|---|
{rows}

{comparison.n_better:,} pages became better, {comparison.n_worse:,} worse; the mean F1 changed by \
{comparison.gain:+.3f} ± {comparison.gain_error:.3f}.

**Learning curve.** Word F1 by blocks, on pages of sites that were not learned from.

| labelled pages | F1 |
|---|---|
{curve}
"""


def write_rows(comparison: ModelComparison) -> Sequence[str]:
    """Return the two rows of the Markdown table."""
    return [
        f"| {row.name} | {row.precision:.3f} | {row.recall:.3f} | {row.f1:.3f} ± {row.error:.3f}"
        f" | {row.n_empty} |"
        for row in comparison.rows
    ]
