"""Comparison of the new model with the shipped one, by extracting the same pages with both.

Each page is extracted with the model of its fold, which was not trained on its site.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Final

from thresher.algorithms.learned.model import Model
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.evaluate import Contender, PageResult, Plan, evaluate_page
from thresher.evaluation.metrics import standard_error

__all__ = ["AFTER", "BEFORE", "ModelComparison", "Row", "compare", "summarise"]

BEFORE: Final = "before"
AFTER: Final = "after"
_METRIC: Final = "word"
_SAME: Final = 0.005
"""Largest difference of F1 at which a page counts as unchanged, too small to notice."""


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
            (
                Contender(BEFORE, "learned"),
                Contender(AFTER, "learned", params_of=params_of),
            ),
            (_METRIC,),
        )
        results: list[PageResult] = []
        for page in pages:
            if page.text is not None and (page.corpus, page.id) in fold_of:
                results += evaluate_page(page, plan)
                report(len(results) // 2)
    return summarise(results)


def summarise(results: Sequence[PageResult]) -> ModelComparison:
    """Summarise results: two per page, in turn before and after."""
    before = [result for result in results if result.method == BEFORE]
    after = [result for result in results if result.method == AFTER]
    gains = [
        new.scores[_METRIC].f1 - old.scores[_METRIC].f1
        for old, new in zip(before, after, strict=True)
    ]
    return ModelComparison(
        (_row(BEFORE, before), _row(AFTER, after)),
        fmean(gains),
        standard_error(gains),
        sum(gain > _SAME for gain in gains),
        sum(gain < -_SAME for gain in gains),
        len(gains),
        tuple(results),
    )


def _row(name: str, results: Sequence[PageResult]) -> Row:
    scores = [result.scores[_METRIC] for result in results]
    f1 = [score.f1 for score in scores]
    return Row(
        name,
        fmean(score.precision for score in scores),
        fmean(score.recall for score in scores),
        fmean(f1),
        standard_error(f1),
        sum(result.is_empty for result in results),
    )
