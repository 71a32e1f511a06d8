"""Training of an adapter of the shipped model on a user's own labels; needs only numpy.

`fit` makes examples of labelled pages and fits weights to them; `recipe` assigns pages to folds,
computes the learning curve, evaluates the new model against the shipped one, and writes its card.
"""

from __future__ import annotations

from thresher.training.adapter.fit import Recipe
from thresher.training.adapter.recipe import (
    N_FOLD,
    ModelComparison,
    Point,
    Progress,
    TrainedAdapter,
    advise,
    compare,
    train,
    write_card,
)

__all__ = [
    "N_FOLD",
    "ModelComparison",
    "Point",
    "Progress",
    "Recipe",
    "TrainedAdapter",
    "advise",
    "compare",
    "train",
    "write_card",
]
