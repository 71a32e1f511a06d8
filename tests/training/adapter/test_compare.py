"""Before and after: two extractions of each page, compared in pairs."""

from __future__ import annotations

from tests.training.adapter.labelled import make_pages
from thresher.training.adapter.fit import Recipe
from thresher.training.adapter.recipe import AFTER, BEFORE, compare, train

PAGES = make_pages(12)


def test_comparison_of_a_model_that_is_better() -> None:
    """Each page is extracted twice, and the gain is the mean difference of the pairs."""
    trained = train(PAGES, Recipe(), n_fold=3)
    done: list[int] = []
    found = compare(PAGES, trained.folds, trained.fold_of, report=done.append)
    assert list(range(1, 13)) == done
    assert (12, 24) == (found.n_page, len(found.results))
    before, after = found.rows
    assert (BEFORE, AFTER) == (before.name, after.name)
    assert 0.99 < after.f1 <= 1 > before.f1
    assert abs(after.f1 - before.f1 - found.gain) < 1e-9
    assert (0, True) == (found.n_worse, found.is_sure)
    assert found.n_better > 6


def test_pages_without_fold_are_left_out() -> None:
    """Pages outside the folds are left out, as no model was trained without them."""
    trained = train(PAGES[:6], Recipe(), n_fold=2)
    assert 6 == compare(PAGES, trained.folds, trained.fold_of).n_page
