"""Fitting of the role network to pages with annotated roles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import torch
from torch import nn

from thresher.training.learned.batches import Encoded, join_pages
from thresher.training.learned.fit import MAX_BLOCKS, WEIGHT_DECAY, apply_dropout, role_loss
from thresher.training.learned.network import TrainableNetwork

__all__ = ["fit_role_network"]

_N_EPOCH: Final = 25
_BATCH_PAGES: Final = 4
_RATE: Final = 5e-3
_DROPOUT: Final = 0.1
_TOKEN_DROPOUT: Final = 0.2
_FEATURE_DROPOUT: Final = 0.05
"""Less dropout and more epochs than for the content network, as there are a tenth of the pages."""
_RISING_SHARE: Final = 0.15
_MAX_GRADIENT: Final = 1.0


def fit_role_network(pages: Sequence[Encoded], n_token: int, *, seed: int) -> TrainableNetwork:
    """Fit a network to the roles of some pages; the same seed and pages give the same weights.

    Sets PyTorch's seed. Without any page, the weights are the initial ones.
    """
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    network = TrainableNetwork(n_token, dropout=_DROPOUT, reads_words=True)
    pages = [page for page in pages if page.n_block <= MAX_BLOCKS]
    n_batch = -(-len(pages) // _BATCH_PAGES)
    optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, _RATE, total_steps=max(1, _N_EPOCH * n_batch), pct_start=_RISING_SHARE
    )
    for _ in range(_N_EPOCH):
        order = random.permutation(len(pages))
        for start in range(0, len(pages), _BATCH_PAGES):
            chosen = [pages[i] for i in order[start : start + _BATCH_PAGES].tolist()]
            batch = apply_dropout(
                join_pages(chosen, [0] * len(chosen)),
                n_token,
                token_dropout=_TOKEN_DROPOUT,
                feature_dropout=_FEATURE_DROPOUT,
            )
            optimiser.zero_grad()
            role_loss(network(batch).roles, batch).backward()
            nn.utils.clip_grad_norm_(network.parameters(), _MAX_GRADIENT)
            optimiser.step()
            schedule.step()
    return network.eval()
