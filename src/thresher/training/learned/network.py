"""The network of `thresher.algorithms.learned` with real weights, for training."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

import torch
from torch import Tensor, nn

from thresher.algorithms.learned.network import TYPE_WEIGHT
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.surroundings import N_CONTAINER, SHIFTS
from thresher.features import FEATURES
from thresher.features.words import N_BUCKET, NO_WORD
from thresher.roles import ROLES, SCOPES
from thresher.training.learned.batches import Batch

__all__ = ["BatchScores", "TrainableNetwork"]

N_CODE: Final = 64
N_SUMMARY: Final = 16
N_NAME: Final = 8
"""Size of a token's embedding."""
N_WORD_CODE: Final = 8
"""Size of a word's embedding, where a network reads words."""
N_ROUND: Final = 2
DROPOUT: Final = 0.25
"""Dropout rate of each layer's inputs."""
_NAME_DEVIATION: Final = 0.05
"""Standard deviation of initial embeddings: small, as many are summed."""
_WORD_DEVIATION: Final = 0.3
"""The same of words."""


class BatchScores(NamedTuple):
    """Output of the network for a batch, in log-odds."""

    blocks: Tensor
    """float32[n_block]"""
    empty: Tensor
    """float32[n_page]"""
    roles: Tensor
    """Logits of each role; float32[n_block, n_role]."""


class TrainableNetwork(nn.Module):
    """One network; layers are named as in `thresher.algorithms.learned.network.Network`.

    With ``reads_words`` the first words of blocks are inputs of the first layer, the last ones.
    """

    def __init__(
        self, n_token: int, *, dropout: float = DROPOUT, reads_words: bool = False
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(n_token + 1, N_NAME)
        nn.init.normal_(self.embedding.weight, std=_NAME_DEVIATION)
        n_names = N_NAME * (N_CONTAINER + 1)
        n_page = len(PAGE_TYPES) + len(SCOPES)
        n_words = N_WORD_CODE if reads_words else 0
        self.words = _embed_words() if reads_words else None
        self.first = nn.Linear(len(FEATURES) + n_page + n_names + n_words, N_CODE)
        self.second = nn.Linear(N_CODE, N_CODE)
        self.summary = nn.ModuleList(nn.Linear(N_CODE, N_SUMMARY) for _ in range(N_ROUND))
        n_around = len(SHIFTS) + N_CONTAINER + 2
        n_wide = N_CODE + N_SUMMARY * n_around
        self.context = nn.ModuleList(nn.Linear(n_wide, N_CODE) for _ in range(N_ROUND))
        self.output = nn.Linear(N_CODE, 2)
        self.roles = nn.Linear(N_CODE, len(ROLES))
        self.dropout = nn.Dropout(dropout)

    def forward(self, batch: Batch) -> BatchScores:
        """Score the blocks and pages of a batch."""
        code = self.codes(batch)[-1]
        dropped = self.dropout(code)
        whole = torch.zeros(batch.n_page, N_CODE).index_add(
            0, batch.page, dropped * batch.word_share[:, None]
        )
        return BatchScores(
            self.output(dropped)[:, 0], self.output(whole)[:, 1], self.roles(dropped)
        )

    def codes(self, batch: Batch) -> list[Tensor]:
        """Return the output of each layer, in the order of `Network.levels`."""
        scope = nn.functional.one_hot(batch.scope, len(SCOPES)).float()
        of_page = torch.cat((TYPE_WEIGHT * batch.types, scope), dim=1)
        names = self.dropout(self.gather_names(batch))
        inputs = [batch.values, of_page.index_select(0, batch.page), names]
        if self.words is not None:
            inputs.append(self.dropout(self.words(batch.words)))
        layers = [torch.relu(self.first(torch.cat(inputs, dim=1)))]
        layers.append(torch.relu(self.second(self.dropout(layers[-1]))))
        for summary, context in zip(self.summary, self.context, strict=True):
            code = layers[-1]
            layers.append(torch.relu(summary(self.dropout(code))))
            wide = torch.cat((code, *_look_around(layers[-1], batch)), dim=1)
            layers.append(torch.relu(context(self.dropout(wide))))
        return layers

    def gather_names(self, batch: Batch) -> Tensor:
        """Sum the embeddings around each block; float32[n_block, (containers + 1) · n_name]."""
        names = nn.functional.embedding_bag(
            batch.tokens, self.embedding.weight, batch.token_start, mode="sum"
        )
        entries = names.index_select(0, batch.names)
        nothing = torch.zeros(1, N_NAME)
        opened = torch.cat((nothing, entries.cumsum(0)))
        closed = torch.cat((nothing, entries.index_select(0, batch.by_end).cumsum(0)))
        above = [
            opened.index_select(0, begun) - closed.index_select(0, ended)
            for begun, ended in zip(batch.opened, batch.closed, strict=True)
        ]
        parts = [inner - outer for inner, outer in pairwise(above)]
        return torch.cat((*parts, above[-1]), dim=1)


def _embed_words() -> nn.EmbeddingBag:
    """Return a random embedding of words, of which it returns the sum; missing ones count 0."""
    embedding = nn.EmbeddingBag(N_BUCKET + 1, N_WORD_CODE, mode="sum", padding_idx=NO_WORD)
    with torch.no_grad():
        nn.init.normal_(embedding.weight, std=_WORD_DEVIATION)[NO_WORD] = 0
    return embedding


def _look_around(summary: Tensor, batch: Batch) -> list[Tensor]:
    """Gather the summaries of a block's surroundings, as the shipped network does."""
    n_block, n_summary = summary.shape
    place = torch.arange(n_block)
    parts = []
    for shift in SHIFTS:
        other = place + shift
        inside = (other >= batch.page_first) & (other < batch.page_stop)
        parts.append(summary.index_select(0, other.clamp(0, n_block - 1)) * inside[:, None])
    sums = torch.cat((torch.zeros(1, n_summary), summary.cumsum(0)))
    for first, stop in zip(batch.first, batch.stop, strict=True):
        total = sums.index_select(0, stop) - sums.index_select(0, first)
        parts.append(total / (stop - first)[:, None])
    for share in (batch.block_share, batch.word_share):
        mean = torch.zeros(batch.n_page, n_summary).index_add(
            0, batch.page, summary * share[:, None]
        )
        parts.append(mean.index_select(0, batch.page))
    return parts
