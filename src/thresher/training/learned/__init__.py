"""Train the weights of the method `learned`; needs PyTorch, extra `train`.

Labelled pages become `examples`; `encoding` fixes what is seen of them, `page_types` gives each
page the probabilities of its kind, `fit` fits networks to `batches` of them, `quantise` turns these
into whole numbers, `calibrate` says what their numbers mean. `recipe` does it all, `card` tells of
it.
"""

from __future__ import annotations

from thresher.training.learned.card import Making, write_card
from thresher.training.learned.examples import make_examples
from thresher.training.learned.recipe import N_FOLD, measure_roles, train

__all__ = ["N_FOLD", "Making", "make_examples", "measure_roles", "train", "write_card"]
