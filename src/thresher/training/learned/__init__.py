"""Training of the method `learned`; needs PyTorch, extra `train`.

Labelled pages become `examples`; `encoding` fits scales, vocabulary and page types, `fit` fits each
`network` to batches of pages, `calibrate` converts their weights to integers and calibrates their
output, `deciding` fits the decider that is applied to it. `recipe` runs all steps and writes the
model card.
"""

from __future__ import annotations

from thresher.training.learned.examples import make_examples
from thresher.training.learned.recipe import (
    N_FOLD,
    N_NETWORK,
    SEED,
    Making,
    measure_roles,
    train,
    write_card,
)

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
