"""Training of an adapter of the shipped model on a user's own labels; needs only numpy.

`examples` converts labelled pages to training examples, `fit` fits weights to them, `recipe`
assigns pages to folds and computes the learning curve, `compare` evaluates the new model against
the shipped one, `card` writes the model card.
"""

from __future__ import annotations

from thresher.training.adapter.card import write_card
from thresher.training.adapter.compare import ModelComparison, compare
from thresher.training.adapter.fit import Recipe
from thresher.training.adapter.recipe import N_FOLD, Point, Progress, TrainedAdapter, advise, train

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
