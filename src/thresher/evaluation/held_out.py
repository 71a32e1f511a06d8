"""A trained method on the pages it was trained on, each with weights that never saw its site.

Training in k folds leaves a folder with `fold-0.npz` to `fold-{k-1}.npz`, each trained without the
sites of its fold. A page of a corpus that was trained on gets the weights of its own fold; every
other page gets the weights that come with the method.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from thresher.algorithms import ALGORITHMS
from thresher.errors import UsageError
from thresher.evaluation.corpora import Corpus, LabelledPage
from thresher.evaluation.evaluate import Contender
from thresher.evaluation.folds import fold_of, registered_domain

__all__ = ["MODEL_PARAMETER", "TRAIN_ROLE", "HeldOut", "hold_out"]

MODEL_PARAMETER: Final = "model"
"""The parameter by which a trained method takes the file of its weights."""
TRAIN_ROLE: Final = "train"
"""The role of the corpora that weights are trained on."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The parameters of a trained method for each page."""

    folder: Path
    n_fold: int
    corpora: frozenset[str]
    """Names of the corpora that were trained on."""
    params: Mapping[str, object]
    """The other parameters, the same for all pages."""

    def __call__(self, page: LabelledPage) -> Mapping[str, object]:
        """Return the parameters for a page."""
        if page.corpus not in self.corpora:
            return self.params
        weights = self.folder / f"fold-{fold_of(page, self.n_fold)}.npz"
        return {**self.params, MODEL_PARAMETER: str(weights)}


def hold_out(
    contenders: Iterable[Contender], folder: Path, corpora: Collection[Corpus]
) -> tuple[Contender, ...]:
    """Give the contenders that are trained the weights of each page's fold; leave the others be.

    A method is trained if it has the parameter `MODEL_PARAMETER`. Raises UsageError where none is,
    one is told its weights already, or the folds are not all there; MissingExtraError where sites
    cannot be told.
    """
    n_fold = _count_folds(folder)
    registered_domain("https://page.example/")  # fails now, where it must, not on every page
    trained_on = frozenset(corpus.name for corpus in corpora if corpus.role == TRAIN_ROLE)
    held = []
    n_trained = 0
    for contender in contenders:
        if not _is_trained(contender):
            held.append(contender)
            continue
        n_trained += 1
        own: Any = contender.params
        params = {field.name: getattr(own, field.name) for field in fields(own)}
        if params[MODEL_PARAMETER] != _default_model(contender):
            raise UsageError(f"{contender.name}: weights are set twice, by folds and by parameter")
        held.append(replace(contender, params_of=HeldOut(folder, n_fold, trained_on, params)))
    if not n_trained:
        raise UsageError(f"folds are of no use: no method here takes a {MODEL_PARAMETER!r}")
    return tuple(held)


def _is_trained(contender: Contender) -> bool:
    method = ALGORITHMS.get(contender.method) if isinstance(contender.method, str) else None
    return method is not None and any(p.name == MODEL_PARAMETER for p in method.parameters())


def _default_model(contender: Contender) -> object:
    method = ALGORITHMS[str(contender.method)]
    return next(p.default for p in method.parameters() if p.name == MODEL_PARAMETER)


def _count_folds(folder: Path) -> int:
    files = {file.name for file in folder.glob("fold-*.npz")}
    if not files:
        raise UsageError(f"{folder} holds no fold-*.npz")
    for fold in range(len(files)):
        if f"fold-{fold}.npz" not in files:
            raise UsageError(f"{folder} holds {len(files)} folds, but no fold-{fold}.npz")
    return len(files)
