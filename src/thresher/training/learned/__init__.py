"""Training of the method `learned`; needs PyTorch, extra `train`.

Labelled pages become `examples`; `encoding` fits scales, vocabulary and page types, `fit` fits each
`network` to batches of pages, `quantise` converts their weights to integers, `calibrate` calibrates
their output, `deciding` fits the decider that is applied to it. `recipe` runs all steps, `card`
writes the model card.
"""

from __future__ import annotations

from thresher.training.learned.card import Making, write_card
from thresher.training.learned.examples import make_examples
from thresher.training.learned.recipe import N_FOLD, N_NETWORK, SEED, measure_roles, train

__all__ = [
    "N_FOLD",
    "N_NETWORK",
    "SEED",
    "Making",
    "make_examples",
    "measure_roles",
    "train",
    "write_card",
]
