"""Train on labels of one's own what is added to the shipped model; needs numpy and no more.

`examples` are labelled pages as they are learned from, `fit` fits weights to them, `recipe` deals
pages into folds and draws the learning curve, `compare` measures the new model against the shipped
one, `card` tells of it.
"""

from __future__ import annotations

from thresher.training.adapter.card import write_card
from thresher.training.adapter.compare import Comparison, compare
from thresher.training.adapter.fit import Recipe
from thresher.training.adapter.recipe import N_FOLD, Point, Progress, TrainedAdapter, advise, train

__all__ = [
    "N_FOLD",
    "Comparison",
    "Point",
    "Progress",
    "Recipe",
    "TrainedAdapter",
    "advise",
    "compare",
    "train",
    "write_card",
]
