"""Training of the method `learned`; needs PyTorch, extra `train`.

Labelled pages become `examples`; `encoding` fits scales and vocabulary, `page_types` predicts the
type of each page, `fit` fits networks to `batches`, `quantise` converts their weights to integers,
`calibrate` calibrates their output, `choosing` fits the choice of how much to keep. `recipe` runs
all steps, `checkpoints` lets a run be resumed, `card` writes the model card.
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
