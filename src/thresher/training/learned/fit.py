"""Fitting of the networks by stochastic gradient descent over pages, whatever their length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from thresher.errors import UsageError
from thresher.features.words import NO_WORD
from thresher.training.learned.examples import MIXED_CORPORA, scope_of
from thresher.training.learned.network import (
    DROPOUT,
    N_CODE,
    Batch,
    Encoded,
    TrainableNetwork,
    join_pages,
)

N_EPOCH: Final = 14
BATCH_PAGES: Final = 16
RATE: Final = 2e-3
"""Largest step of AdamW (Loshchilov and Hutter 2019), on a one-cycle schedule (Smith 2018)."""
_RISING_SHARE: Final = 0.15
"""Share of the steps in which the step size rises."""
WEIGHT_DECAY: Final = 0.05
"""Weight decay of AdamW."""
MAX_BLOCKS: Final = 800
"""Longer pages are not trained on: they cost most of the time and are few (1 in 20)."""
_AUTO_SHARE: Final = 0.6
_OTHER_AUTO_SHARE: Final = 0.5
"""Share of training samples under the scope `auto`, for pages of mixed corpora and of others; the
others are under the scope of the label."""
_RARE_WEIGHT: Final = 3.0
"""Weight of a page of a mixed corpus that is not an article: such pages are few, and hard."""
_SITE_POWER: Final = 0.5
"""A site's weight is this power of its number of pages, as pages of one site are similar."""
TOKEN_DROPOUT: Final = 0.3
"""Share of tokens replaced by the unknown token in each sample, and of words left out."""
FEATURE_DROPOUT: Final = 0.1
"""Share of features set to their mean for a whole page in each sample."""
_AVERAGED_STEPS: Final = 100
"""Steps over which the final weights are averaged (Polyak and Juditsky 1992)."""
_EARLY_STEPS: Final = 10
"""In early steps the average covers about the last 1 / this of the steps, to forget the initial
weights."""
_MAX_GRADIENT: Final = 1.0
"""Norm at which gradients are clipped."""
_F_WEIGHT: Final = 0.5
_EVEN_WEIGHT: Final = 0.5
_ROLE_WEIGHT: Final = 2.0
"""Weights of the parts of the loss; the log loss of a page's tokens has weight 1."""

_ROLE_BATCH_PAGES: Final = 4
_ROLE_RATE: Final = 5e-3
_ROLE_TOKEN_DROPOUT: Final = 0.2
_ROLE_FEATURE_DROPOUT: Final = 0.05
"""Of the role network, which hides fewer inputs and takes more and larger steps than that for
content."""

SETTINGS: Final = (
    *(N_EPOCH, BATCH_PAGES, RATE, WEIGHT_DECAY, MAX_BLOCKS, TOKEN_DROPOUT, FEATURE_DROPOUT),
    *(_RISING_SHARE, _AUTO_SHARE, _OTHER_AUTO_SHARE, _RARE_WEIGHT, _SITE_POWER, _AVERAGED_STEPS),
    *(_EARLY_STEPS, _MAX_GRADIENT, _F_WEIGHT, _EVEN_WEIGHT, _ROLE_WEIGHT),
    *(N_CODE, DROPOUT, _ROLE_BATCH_PAGES, _ROLE_RATE, _ROLE_TOKEN_DROPOUT, _ROLE_FEATURE_DROPOUT),
)
"""All settings, by which checkpoints of different recipes are distinguished."""


def add_to_average(average: Mapping[str, Tensor], network: nn.Module, n_step: int) -> None:
    """Add a network's weights after so many steps to their running average, in place."""
    kept = min(1 - 1 / _AVERAGED_STEPS, n_step / (n_step + _EARLY_STEPS))
    for name, value in network.state_dict().items():
        average[name].mul_(kept).add_(value, alpha=1 - kept)


def fit_network(pages: Sequence[Encoded], n_token: int, *, seed: int) -> TrainableNetwork:
    """Fit a network to some pages; the same seed and pages give the same weights.

    Sets PyTorch's seed. With another number of threads, weights differ in their last bits.
    UsageError if every page is longer than `MAX_BLOCKS`.
    """
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    network = TrainableNetwork(n_token)
    pages = [page for page in pages if page.n_block <= MAX_BLOCKS]
    if not pages:
        raise UsageError(f"no page to learn from has {MAX_BLOCKS} blocks or less")
    n_of_site = Counter(page.example.site for page in pages)
    average = {name: value.clone() for name, value in network.state_dict().items()}

    def loss_of(chosen: Sequence[Encoded]) -> Tensor:
        scopes = [_draw_scope(page, random) for page in chosen]
        batch = join_pages(chosen, scopes, [_weigh(page, n_of_site) for page in chosen])
        return _loss(network, apply_dropout(batch, n_token))

    _descend(
        network,
        pages,
        random,
        loss_of=loss_of,
        batch_pages=BATCH_PAGES,
        rate=RATE,
        after_step=lambda done: add_to_average(average, network, done),
    )
    network.load_state_dict(average)
    return network.eval()


def fit_role_network(pages: Sequence[Encoded], n_token: int, *, seed: int) -> TrainableNetwork:
    """Fit a network to the annotated roles of some pages, as `fit_network` does to content.

    Without any page, the weights are the initial ones.
    """
    torch.manual_seed(seed)
    network = TrainableNetwork(n_token)

    def loss_of(chosen: Sequence[Encoded]) -> Tensor:
        batch = apply_dropout(
            join_pages(chosen, [0] * len(chosen)),
            n_token,
            token_dropout=_ROLE_TOKEN_DROPOUT,
            feature_dropout=_ROLE_FEATURE_DROPOUT,
        )
        return role_loss(network(batch).roles, batch)

    _descend(
        network,
        [page for page in pages if page.n_block <= MAX_BLOCKS],
        np.random.default_rng(seed),
        loss_of=loss_of,
        batch_pages=_ROLE_BATCH_PAGES,
        rate=_ROLE_RATE,
    )
    return network.eval()


def _descend(
    network: nn.Module,
    pages: Sequence[Encoded],
    random: np.random.Generator,
    *,
    loss_of: Callable[[Sequence[Encoded]], Tensor],
    batch_pages: int,
    rate: float,
    after_step: Callable[[int], object] = lambda done: None,
) -> None:
    """Minimise a loss over batches of pages; ``after_step`` is given the number of steps done.

    ``rate`` is the largest step.
    """
    n_step = max(1, N_EPOCH * -(-len(pages) // batch_pages))
    optimiser = torch.optim.AdamW(network.parameters(), rate, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, rate, total_steps=n_step, pct_start=_RISING_SHARE
    )
    done = 0
    for _ in range(N_EPOCH):
        order = random.permutation(len(pages)).tolist()
        for start in range(0, len(pages), batch_pages):
            optimiser.zero_grad()
            loss_of([pages[i] for i in order[start : start + batch_pages]]).backward()
            nn.utils.clip_grad_norm_(network.parameters(), _MAX_GRADIENT)
            optimiser.step()
            schedule.step()
            done += 1
            after_step(done)


def _draw_scope(page: Encoded, random: np.random.Generator) -> int:
    """Draw the scope of a page for this sample."""
    labelled = page.example.page
    share = _AUTO_SHARE if labelled.corpus in MIXED_CORPORA else _OTHER_AUTO_SHARE
    auto = random.random() < share
    return 0 if auto else scope_of(labelled)


def _weigh(page: Encoded, n_of_site: Mapping[str, int]) -> float:
    """Return the weight of a page; ``n_of_site`` has the pages of each site."""
    labelled = page.example.page
    is_rare = labelled.corpus in MIXED_CORPORA and labelled.page_type != "article"
    share = n_of_site[page.example.site] ** (_SITE_POWER - 1)
    return share * (_RARE_WEIGHT if is_rare else 1.0)


def apply_dropout(
    batch: Batch,
    n_token: int,
    *,
    token_dropout: float = TOKEN_DROPOUT,
    feature_dropout: float = FEATURE_DROPOUT,
) -> Batch:
    """Hide some tokens, words and features, so that no decision depends on a single one."""
    unknown = torch.rand(batch.tokens.shape) < token_dropout
    shown = torch.rand(batch.n_page, batch.values.shape[1]) > feature_dropout
    left_out = torch.rand(batch.words.shape) < token_dropout
    return replace(
        batch,
        words=torch.where(left_out, NO_WORD, batch.words),
        tokens=torch.where(unknown, n_token, batch.tokens),
        values=batch.values * shown.float().index_select(0, batch.page),
    )


def _loss(network: TrainableNetwork, batch: Batch) -> Tensor:
    """Return the mean loss of a network over pages.

    It sums the log loss of a page's tokens, of its blocks, 1 − expected F1, and the log loss of
    roles as an auxiliary task: its output layer is discarded, as a separate network predicts roles
    better (`fit_role_network`).
    """
    scores = network(batch)
    loss = nn.functional.binary_cross_entropy_with_logits
    of_block = loss(scores.blocks, batch.gold, reduction="none")
    labelled = (batch.weight > 0).float()
    even = _sum_pages(of_block * labelled, batch) / _sum_pages(labelled, batch).clamp(min=1)
    kept = torch.sigmoid(scores.blocks) * batch.weight
    n_shared, n_kept = _sum_pages(kept * batch.gold, batch), _sum_pages(kept, batch)
    f_measure = 2 * n_shared / (n_kept + _sum_pages(batch.weight * batch.gold, batch) + 1e-6)
    total = _sum_pages(of_block * batch.weight, batch) + _EVEN_WEIGHT * even
    total = total + _F_WEIGHT * (1 - f_measure)
    total = (total * batch.page_weight).sum() / batch.page_weight.sum()
    return total + _ROLE_WEIGHT * role_loss(scores.roles, batch)


def role_loss(roles: Tensor, batch: Batch) -> Tensor:
    """Return the log loss of the known roles, weighted by the trust in them."""
    is_known = batch.role >= 0
    if not is_known.any():
        return roles.sum() * 0
    loss = nn.functional.cross_entropy(roles[is_known], batch.role[is_known], reduction="none")
    return (loss * batch.role_weight[is_known]).sum() / batch.n_page


def _sum_pages(values: Tensor, batch: Batch) -> Tensor:
    return torch.zeros(batch.n_page).index_add(0, batch.page, values)
