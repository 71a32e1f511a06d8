"""A trained method is evaluated with weights that never saw the page's site."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from thresher.algorithms import ALGORITHMS, Algorithm
from thresher.errors import UsageError
from thresher.evaluation.corpora import Corpus, LabelledPage
from thresher.evaluation.evaluate import Contender, Plan, evaluate
from thresher.evaluation.folds import fold_of, hold_out
from thresher.page import Page
from thresher.selection import Selection
from thresher.support.settings import setting

SHIPPED = "shipped"
CORPORA = [Corpus("ours", Path("ours"), "train"), Corpus("theirs", Path("theirs"), "measure")]
PAGES = [
    LabelledPage(corpus, str(n), "<p>rye", url=f"https://news.site{n}.example/a", text="rye")
    for n in range(9)
    for corpus in ("ours", "theirs")
]


@dataclasses.dataclass(frozen=True, slots=True)
class Params:
    model: str = setting(SHIPPED, "weights")
    nerve: float = setting(0.5, "share", low=0.0, high=1.0)


def note_params(page: Page, params: Any) -> Selection:
    """Fail with the parameters as the message, so that the results contain them."""
    raise UsageError(f"{Path(params.model).name} {params.nerve}")


TRAINED = Algorithm(note_params, Params, summary="guesses", source="nobody 2024")


@pytest.fixture
def methods(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Algorithm]:
    """The existing methods and an additional trained one."""
    monkeypatch.setitem(ALGORITHMS, "trained", TRAINED)
    return ALGORITHMS


@pytest.fixture
def folds(tmp_path: Path) -> Path:
    for fold in range(3):
        (tmp_path / f"fold-{fold}.npz").touch()
    return tmp_path


def contender(**params: object) -> Contender:
    return Contender("trained", "trained", TRAINED.build_params(params))


@pytest.mark.usefixtures("methods")
def test_each_page_has_the_weights_of_its_fold(folds: Path) -> None:
    """Pages of training corpora get the weights of their fold, others the shipped ones."""
    held = hold_out([contender(nerve=0.25)], folds, CORPORA)
    notes = {(r.corpus, r.page): r.error for r in evaluate(PAGES, Plan(held, ("word",)))}
    for page in PAGES:
        weights = f"fold-{fold_of(page, 3)}.npz" if page.corpus == "ours" else SHIPPED
        assert f"{weights} 0.25" == notes[page.corpus, page.id]
    assert 2 < len(set(notes.values()))


@pytest.mark.usefixtures("methods")
def test_methods_without_weights_are_unchanged(folds: Path) -> None:
    """Methods that are not trained do not change."""
    plain = Contender("keep_all", "keep_all", ALGORITHMS["keep_all"].build_params())
    held = hold_out([plain, contender()], folds, CORPORA)
    assert plain is held[0]
    assert ["keep_all", "trained"] == [each.name for each in held]


@pytest.mark.usefixtures("methods")
def test_weights_set_twice(folds: Path) -> None:
    """Giving weights by folds and by a parameter is incorrect usage."""
    with pytest.raises(UsageError, match="set twice"):
        hold_out([contender(model="own.npz")], folds, CORPORA)


def test_folds_without_use(folds: Path) -> None:
    """Giving folds for methods that are not trained is incorrect usage."""
    plain = Contender("keep_all", "keep_all", ALGORITHMS["keep_all"].build_params())
    with pytest.raises(UsageError, match='need a method with the parameter "model"'):
        hold_out([plain], folds, CORPORA)


@pytest.mark.usefixtures("methods")
@pytest.mark.parametrize(
    ("lost", "message"),
    [([0, 1, 2], r"holds no fold-\*\.npz"), ([1], r"holds 2 folds, but no fold-1\.npz")],
)
def test_missing_folds_are_reported_first(folds: Path, lost: list[int], message: str) -> None:
    """A missing fold is reported at the start, not in the middle of a run."""
    for fold in lost:
        (folds / f"fold-{fold}.npz").unlink()
    with pytest.raises(UsageError, match=message):
        hold_out([contender()], folds, CORPORA)
