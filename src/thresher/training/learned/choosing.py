"""Fitting of the chooser, which decides how much of a page to keep, to the F1 of candidates.

The pages are read by networks that were not trained on their sites. The loss of a page is the
expected loss of F1 if a candidate is drawn with the probabilities that the model assigns, so the
model learns to rank the best candidate first and to ignore small differences.
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

from thresher.algorithms.learned.candidates import N_INPUT, find_candidates
from thresher.algorithms.learned.chooser import Chooser
from thresher.algorithms.learned.decide import count_link_words
from thresher.training.learned.calibrate import HeldOutPage, fit_confidence
from thresher.training.learned.examples import MIXED_CORPORA, scope_of

__all__ = ["CandidateTrial", "fit_chooser", "make_trials", "set_confidence"]

FloatArray = npt.NDArray[np.float64]

_N_FIRST: Final = 32
_N_SECOND: Final = 16
"""Hidden units."""
_N_EPOCH: Final = 12
_BATCH_PAGES: Final = 64
_RATE: Final = 2e-3
_WEIGHT_DECAY: Final = 1e-3
_DROPOUT: Final = 0.1
_F1_WEIGHT: Final = 0.2
"""Weight of the log loss of the predicted F1 relative to the expected loss of F1."""
_RARE_WEIGHT: Final = 4.0
"""Weight of a page of a mixed corpus that is not an article."""
_OTHER_SCOPE_WEIGHT: Final = 0.5
"""Weight of a trial under a scope other than `auto`."""
_CORPUS_POWER: Final = 0.5
_SITE_POWER: Final = 0.5
"""The weights of a corpus and a site are these powers of their numbers of pages."""
_CLIP: Final = 5.0
_SEED: Final = 2026


@dataclass(frozen=True, slots=True)
class CandidateTrial:
    """The F1 of the candidates of one page under one scope."""

    page: int
    """Index among the held-out pages."""
    corpus: str
    site: str
    page_type: str | None
    scope: int
    inputs: FloatArray
    """float64[n_candidate, N_INPUT]"""
    reached: FloatArray
    """The F1 of each; float64[n_candidate]."""


def make_trials(pages: Sequence[HeldOutPage]) -> list[CandidateTrial]:
    """Measure the candidates of every page with content, under `auto` and its label's scope."""
    trials = []
    for place, page in enumerate(pages):
        if page.example.is_empty:
            continue
        link_words = count_link_words(page.example.features)
        for scope in sorted({0, scope_of(page.example.page)}):
            log_odds = page.log_odds[scope]
            candidates = find_candidates(
                log_odds,
                page.example.features.words,
                link_words,
                page.types,
                empty_score=page.empty_score,
                scope=scope,
            )
            reached = [page.example.measure(log_odds >= cut) for cut in candidates.cut]
            labelled = page.example.page
            about = (place, labelled.corpus, page.example.site, labelled.page_type, scope)
            trials.append(CandidateTrial(*about, candidates.inputs, np.array(reached)))
    return trials


def fit_chooser(trials: Sequence[CandidateTrial]) -> Chooser:
    """Fit a chooser to trials; its confidence is uncalibrated until `set_confidence`.

    Sets PyTorch's seed.
    """
    torch.manual_seed(_SEED)
    inputs = np.stack([trial.inputs for trial in trials])
    flat = inputs.reshape(-1, N_INPUT)
    mean, deviation = flat.mean(axis=0), flat.std(axis=0) + 1e-3
    standard = torch.from_numpy(np.clip((inputs - mean) / deviation, -_CLIP, _CLIP)).float()
    reached = torch.from_numpy(np.stack([trial.reached for trial in trials])).float()
    weight = torch.from_numpy(_weigh(trials)).float()
    first, second = nn.Linear(N_INPUT, _N_FIRST), nn.Linear(_N_FIRST, _N_SECOND)
    output = nn.Linear(_N_SECOND, 2)
    network = nn.Sequential(first, nn.ReLU(), nn.Dropout(_DROPOUT), second, nn.ReLU(), output)
    optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_WEIGHT_DECAY)
    n_batch = -(-len(trials) // _BATCH_PAGES)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, total_steps=_N_EPOCH * n_batch)
    for _ in range(_N_EPOCH):
        for chosen in torch.randperm(len(trials)).split(_BATCH_PAGES):
            optimiser.zero_grad()
            loss = _loss(network(standard[chosen]), reached[chosen])
            (loss * weight[chosen]).sum().div(weight[chosen].sum()).backward()
            optimiser.step()
            schedule.step()
    ends = np.array([0.0, 1.0])
    weights = _weights_of(first), _weights_of(second), _weights_of(output)
    return Chooser(mean, deviation, *weights, ends, ends)


def set_confidence(
    choosers: Sequence[Chooser], trials: Sequence[Sequence[CandidateTrial]]
) -> FloatArray:
    """Fit the map from the F1 that choices expect to the one they reach, under `auto`.

    Each chooser is applied to trials it was not fitted to. Returns the knots, float64[2, k].
    """
    expected, actual = [], []
    for chooser, own in zip(choosers, trials, strict=True):
        for trial in own:
            if trial.scope == 0:
                weighed = chooser.weigh_inputs(trial.inputs)
                expected.append(float(weighed.expected[weighed.chosen]))
                actual.append(float(trial.reached[weighed.chosen]))
    return np.stack(fit_confidence(np.array(expected), np.array(actual)))


def _loss(output: Tensor, reached: Tensor) -> Tensor:
    """Return the loss of each page; [n_page]."""
    drawn = (torch.softmax(output[..., 0], dim=1) * reached).sum(dim=1)
    log_loss = nn.functional.binary_cross_entropy_with_logits(
        output[..., 1], reached, reduction="none"
    )
    return reached.max(dim=1).values - drawn + _F1_WEIGHT * log_loss.mean(dim=1)


def _weigh(trials: Sequence[CandidateTrial]) -> FloatArray:
    """Return the weight of each trial; float64[n_trial]."""
    n_of_corpus = Counter((trial.corpus, trial.scope == 0) for trial in trials)
    n_of_site = Counter(trial.site for trial in trials)
    weights = []
    for trial in trials:
        weight = n_of_corpus[trial.corpus, trial.scope == 0] ** (_CORPUS_POWER - 1)
        weight *= n_of_site[trial.site] ** (_SITE_POWER - 1)
        if trial.corpus in MIXED_CORPORA and trial.page_type != "article":
            weight *= _RARE_WEIGHT
        weights.append(weight * (1 if trial.scope == 0 else _OTHER_SCOPE_WEIGHT))
    return np.array(weights)


def _weights_of(layer: nn.Linear) -> FloatArray:
    """Return a layer's weights in the engine's layout; float64[n_in + 1, n_out]."""
    bias = layer.bias.detach().numpy()[None]
    rows = np.concatenate((layer.weight.detach().numpy().T, bias))
    return np.ascontiguousarray(rows, np.float64)
