"""Fitting of the decider, by what readers see of a page.

The pages are read by networks that were not trained on their sites. A page counts by its wrong
words, by 1 − F1, and most of all by the logarithm of 1 + the log loss of all its blocks: a page
with a hole or a teaser is a failure, and one more among many matters little. So pages that can be
made perfect weigh most, and those whose labels disagree with all others hardly count. Pages without
content are none of these; from them it is fitted when a page is empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from thresher.algorithms.learned.context import N_INPUT, describe_context
from thresher.algorithms.learned.decide import choose
from thresher.algorithms.learned.decider import N_EMPTY, Decider, describe_emptiness
from thresher.page.rows import BoolArray
from thresher.training.learned.calibrate import HeldOutPage, fit_confidence, fit_logistic
from thresher.training.learned.examples import scope_of

FloatArray = npt.NDArray[np.float64]

_N_FIRST: Final = 32
_N_SECOND: Final = 16
"""Hidden units. With 64 and 32 and twice the epochs, no measure on held-out sites was better."""
_N_EPOCH: Final = 8
_BATCH_PAGES: Final = 32
_RATE: Final = 4e-3
_WEIGHT_DECAY: Final = 0.02
_DROPOUT: Final = 0.1
_MAX_BLOCKS: Final = 1200
"""Longer pages are not trained on: they cost most of the time and are few."""
_EVEN_WEIGHT: Final = 0.2
_WORD_WEIGHT: Final = 0.2
_F_WEIGHT: Final = 0.5
"""Weights of the log loss of blocks, of that of words, and of 1 − expected F1, where the loss of
the whole page has weight 1."""
_EVEN_BLOCKS: Final = 3.0
"""Blocks added to those of the content when the log loss of blocks is divided by their number."""
_ROLE_WEIGHT: Final = 8.0
"""Weight of a page with annotated roles: their labels agree with each other."""
_OTHER_SCOPE_WEIGHT: Final = 0.5
"""Weight of a trial under a scope other than `auto`."""
_SITE_POWER: Final = 0.5
"""A site's weight is this power of its number of trials."""
_NEAR: Final = 10.0
"""Bound of log-odds in the loss."""
_SEED: Final = 2026


@dataclass(frozen=True, slots=True)
class DecisionTrial:
    """One page under one scope."""

    page: int
    """Index among the held-out pages."""
    site: str
    scope: int
    has_roles: bool
    """Whether annotated roles say what is content."""
    inputs: npt.NDArray[np.float32]
    """float32[n_block, N_INPUT]"""
    words: npt.NDArray[np.int64]
    """int64[n_block]"""
    is_gold: BoolArray
    """bool[n_block]"""
    is_judged: BoolArray
    """Blocks that count; bool[n_block]."""
    is_excluded: BoolArray
    """Blocks that are dropped whatever is decided; bool[n_block]."""

    @property
    def is_empty(self) -> bool:
        """Whether the label says that the page has no content."""
        return not (self.is_gold & self.is_judged).any()

    def weigh(self, decider: Decider) -> FloatArray:
        """Return the probability by a decider that each block is kept; float64[n_block]."""
        return decider.probability(self.inputs.astype(np.float64), self.is_excluded)


def make_trials(pages: Sequence[HeldOutPage]) -> list[DecisionTrial]:
    """Describe every page, under `auto` and its label's scope."""
    trials = []
    for place, page in enumerate(pages):
        example = page.example
        gold, judged = example.flag_content()
        for scope in sorted({0, scope_of(example.page)}):
            scores = page.scores(scope)
            trials.append(
                DecisionTrial(
                    *(place, example.site, scope, example.role_trust == 1),
                    *(describe_context(scores).astype(np.float32), scores.words),
                    *(gold, judged, page.is_excluded(scope)),
                )
            )
    return trials


def fit_decider(trials: Sequence[DecisionTrial]) -> Decider:
    """Fit a decider to the trials with content; `calibrate_deciders` makes it whole.

    Sets PyTorch's seed.
    """
    torch.manual_seed(_SEED)
    trials = [trial for trial in trials if trial.words.size <= _MAX_BLOCKS and not trial.is_empty]
    inputs = np.concatenate([trial.inputs for trial in trials])
    mean, deviation = inputs.mean(axis=0), inputs.std(axis=0) + 1e-3
    weight = _weigh(trials)
    first, second = nn.Linear(N_INPUT, _N_FIRST), nn.Linear(_N_FIRST, _N_SECOND)
    output = nn.Linear(_N_SECOND, 1)
    dropout, relu = nn.Dropout(_DROPOUT), nn.ReLU()
    network = nn.Sequential(dropout, first, relu, dropout, second, relu, dropout, output)
    optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_WEIGHT_DECAY)
    n_step = _N_EPOCH * -(-len(trials) // _BATCH_PAGES)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, total_steps=n_step)
    for _ in range(_N_EPOCH):
        for chosen in torch.randperm(len(trials)).split(_BATCH_PAGES):
            optimiser.zero_grad()
            batch = [trials[i] for i in chosen.tolist()]
            loss = _loss(network, batch, mean, deviation)
            (loss * weight[chosen]).sum().div(weight[chosen].sum()).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            schedule.step()
    ends = np.array([0.0, 1.0])
    scales = mean.astype(np.float64), deviation.astype(np.float64)
    layers = _weights_of(first), _weights_of(second), _weights_of(output)
    return Decider(*scales, *layers, np.zeros(N_EMPTY), ends, ends)


def calibrate_deciders(
    deciders: Sequence[Decider],
    trials: Sequence[Sequence[DecisionTrial]],
    pages: Sequence[HeldOutPage],
) -> dict[str, FloatArray]:
    """Fit when a page is empty, and which F1 decisions reach on others, under `auto`.

    Each decider is applied to trials it was not fitted to. Returns some of `Decider`'s fields.
    """
    expected, actual, described, empty = [], [], [], []
    for decider, own in zip(deciders, trials, strict=True):
        for trial in own:
            if trial.scope:
                continue
            probability = trial.weigh(decider)
            described.append(describe_emptiness(probability, trial.words))
            empty.append(trial.is_empty)
            if not trial.is_empty:
                choice = choose(probability, trial.words)
                keep = choice.keep & ~trial.is_excluded
                expected.append(choice.expected)
                actual.append(pages[trial.page].example.measure(keep))
    knots, reached = fit_confidence(np.array(expected), np.array(actual))
    fit = fit_logistic(
        np.array(described), np.array(empty, float), np.ones(len(empty)), [0.0] * N_EMPTY
    )
    return {"decider_empty": fit, "decider_knots": knots, "decider_reached": reached}


def _loss(
    network: nn.Module,
    trials: Sequence[DecisionTrial],
    mean: npt.NDArray[np.float32],
    deviation: npt.NDArray[np.float32],
) -> Tensor:
    n_block = [trial.words.size for trial in trials]
    page = torch.repeat_interleave(torch.arange(len(trials)), torch.tensor(n_block))
    inputs = np.concatenate([trial.inputs for trial in trials])
    standard = torch.from_numpy(((inputs - mean) / deviation).clip(-4, 4))
    gold = _join([trial.is_gold for trial in trials])
    judged = _join([trial.is_judged & ~trial.is_excluded for trial in trials])
    words = _join([trial.words for trial in trials])
    log_odds = network(standard)[:, 0].clamp(-_NEAR, _NEAR)

    def add_up(values: Tensor) -> Tensor:
        return torch.zeros(len(trials)).index_add(0, page, values)

    of_block = nn.functional.binary_cross_entropy_with_logits(log_odds, gold, reduction="none")
    of_page = add_up(of_block * judged)
    heavy = words * judged
    kept = torch.sigmoid(log_odds) * heavy
    f_measure = 2 * add_up(kept * gold) / (add_up(kept) + add_up(heavy * gold) + 1e-6)
    return (
        torch.log1p(of_page)
        + _EVEN_WEIGHT * of_page / (add_up(judged * gold) + _EVEN_BLOCKS)
        + _WORD_WEIGHT * add_up(of_block * heavy) / add_up(heavy).clamp(min=1)
        + _F_WEIGHT * (1 - f_measure)
    )


def _join(parts: Sequence[npt.NDArray[np.generic]]) -> Tensor:
    return torch.from_numpy(np.concatenate(parts).astype(np.float32))


def _weigh(trials: Sequence[DecisionTrial]) -> Tensor:
    """Return the weight of each trial; float32[n_trial]."""
    n_of_site = Counter(trial.site for trial in trials)
    weights = []
    for trial in trials:
        weight = n_of_site[trial.site] ** (_SITE_POWER - 1)
        weight *= _ROLE_WEIGHT if trial.has_roles else 1
        weights.append(weight * (1 if trial.scope == 0 else _OTHER_SCOPE_WEIGHT))
    return torch.tensor(weights)


def _weights_of(layer: nn.Linear) -> FloatArray:
    """Return a layer's weights in the engine's layout; float64[n_in + 1, n_out]."""
    bias = layer.bias.detach().numpy()[None]
    rows = np.concatenate((layer.weight.detach().numpy().T, bias))
    return np.ascontiguousarray(rows, np.float64)
