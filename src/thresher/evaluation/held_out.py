"""A trained method evaluated on its training pages, each with weights that never saw its site.

Training in k folds writes a folder with `fold-0.npz` to `fold-{k-1}.npz`, each trained without the
sites of its fold. A page of a training corpus gets the weights of its own fold; every other page
gets the weights that come with the method.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from thresher.algorithms import find_algorithm
from thresher.errors import UsageError
from thresher.evaluation.corpora import Corpus, LabelledPage
from thresher.evaluation.evaluate import Contender
from thresher.evaluation.folds import fold_of, registered_domain
from thresher.support.quoting import quote

__all__ = ["MODEL_PARAMETER", "TRAIN_ROLE", "HeldOut", "hold_out"]

MODEL_PARAMETER: Final = "model"
"""The parameter of a trained method for the file of its weights."""
TRAIN_ROLE: Final = "train"
"""The role of the corpora that weights are trained on."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The parameters of a trained method for each page."""

    folder: Path
    n_fold: int
    corpora: frozenset[str]
    """Names of the training corpora."""
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
    """Give trained contenders the weights of each page's fold; leave the others unchanged.

    A method is trained if it has the parameter `MODEL_PARAMETER`. Raises UsageError if none is, if
    the weights of one are already set, or if folds are missing; MissingExtraError if sites cannot
    be determined.
    """
    n_fold = _count_folds(folder)
    registered_domain("https://page.example/")  # fails here, at the start, not on every page
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
        raise UsageError(f"folds need a method with the parameter {quote(MODEL_PARAMETER)}")
    return tuple(held)


def _is_trained(contender: Contender) -> bool:
    method = contender.method
    parameters = find_algorithm(method).parameters() if isinstance(method, str) else ()
    return any(parameter.name == MODEL_PARAMETER for parameter in parameters)


def _default_model(contender: Contender) -> object:
    method = find_algorithm(str(contender.method))
    return next(p.default for p in method.parameters() if p.name == MODEL_PARAMETER)


def _count_folds(folder: Path) -> int:
    files = {file.name for file in folder.glob("fold-*.npz")}
    if not files:
        raise UsageError(f"{folder} holds no fold-*.npz")
    for fold in range(len(files)):
        if f"fold-{fold}.npz" not in files:
            raise UsageError(f"{folder} holds {len(files)} folds, but no fold-{fold}.npz")
    return len(files)
