"""The network of `thresher.algorithms.learned` with real weights, and batches of pages for it.

A batch is several pages as one set of tensors, with their blocks and names concatenated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from thresher.algorithms.learned.network import TYPE_WEIGHT
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.surroundings import N_CONTAINER, SHIFTS
from thresher.features import FEATURES
from thresher.features.words import N_BUCKET, NO_WORD
from thresher.roles import NO_ROLE, ROLES, SCOPES
from thresher.training.learned.encoding import Encoding
from thresher.training.learned.examples import Example

N_CODE: Final = 128
"""Size of a block's code."""
N_SUMMARY: Final = 16
N_NAME: Final = 8
"""Size of a token's embedding."""
N_WORD_CODE: Final = 8
"""Size of a word's embedding."""
N_ROUND: Final = 2
DROPOUT: Final = 0.15
"""Dropout rate of each layer's inputs."""
_NAME_DEVIATION: Final = 0.05
"""Standard deviation of initial embeddings: small, as many are summed."""
_WORD_DEVIATION: Final = 0.3
"""The same of words."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """An example encoded for the network."""

    example: Example
    values: npt.NDArray[np.float32]
    """Standardised features; float32[n_block, n_feature]."""
    tokens: npt.NDArray[np.intp]
    """Vocabulary numbers of the tokens of all names; intp[n_token]."""
    types: npt.NDArray[np.float64]
    """Probability of each page type, by a model not trained on the page; float64[n_type]."""

    @property
    def n_block(self) -> int:
        """Blocks of the page."""
        return len(self.values)


@dataclass(frozen=True, slots=True)
class Batch:
    """Pages as tensors, with indices over the whole batch."""

    values: Tensor
    """float32[n_block, n_feature]"""
    scope: Tensor
    """int64[n_page]"""
    page_weight: Tensor
    """Weight of each page; float32[n_page]."""
    types: Tensor
    """float32[n_page, n_type]"""
    tokens: Tensor
    """Vocabulary numbers of the tokens of all names; int64[n_token]."""
    token_start: Tensor
    """Where the tokens of each name begin; int64[n_name]."""
    names: Tensor
    """The name of each entry; int64[n_entry]."""
    words: Tensor
    """Numbers of the first words of each block; int64[n_block, N_WORD]."""
    by_end: Tensor
    """As in `NamePlaces`; int64[n_entry]."""
    opened: Tensor
    """As in `NamePlaces`; int64[1 + container, n_block]."""
    closed: Tensor
    """As in `NamePlaces`; same shape."""
    first: Tensor
    """First block of each container; int64[container, n_block]."""
    stop: Tensor
    """One past the last block of each container; same shape."""
    page: Tensor
    """The page of each block; int64[n_block]."""
    page_first: Tensor
    """First block of each block's page; int64[n_block]."""
    page_stop: Tensor
    word_share: Tensor
    """Each block's share of its page's words; float32[n_block]."""
    block_share: Tensor
    """One over the blocks of the page; float32[n_block]."""
    weight: Tensor
    """Each block's share of its page's labelled tokens; float32[n_block]."""
    gold: Tensor
    """Share of each block that is content; float32[n_block]."""
    role: Tensor
    """Code of each block's role, −1 if unknown; int64[n_block]."""
    role_weight: Tensor
    """Weight of each block in the loss of roles, as a share of its page; float32[n_block]."""

    @property
    def n_page(self) -> int:
        """Pages in the batch."""
        return len(self.scope)


def encode(example: Example, encoding: Encoding, types: npt.NDArray[np.float64]) -> Encoded:
    """Encode an example for training."""
    features = example.features
    return Encoded(
        example, encoding.standardise(features.values), encoding.number(features.tokens.hash), types
    )


def join_pages(
    pages: Sequence[Encoded], scopes: Sequence[int], weights: Sequence[float] = ()
) -> Batch:
    """Join pages, each under its scope; weights default to 1."""
    n_block = np.array([page.n_block for page in pages])
    n_token = np.array([page.tokens.size for page in pages])
    features = [page.example.features for page in pages]
    n_name = np.array([one.tokens.start.size for one in features])
    n_entry = np.array([one.tokens.row.size for one in features])
    block, token, name, entry = (
        np.cumsum(sizes) - sizes for sizes in (n_block, n_token, n_name, n_entry)
    )

    examples = [page.example for page in pages]
    golds = [example.gold(scope) for example, scope in zip(examples, scopes, strict=True)]
    return Batch(
        values=torch.from_numpy(np.concatenate([page.values for page in pages])),
        scope=torch.tensor(list(scopes)),
        page_weight=torch.tensor(list(weights) or [1.0] * len(pages)),
        types=torch.from_numpy(np.stack([page.types for page in pages]).astype(np.float32)),
        tokens=torch.from_numpy(np.concatenate([page.tokens for page in pages])),
        token_start=_shift([one.tokens.start for one in features], token),
        names=_shift([one.tokens.name for one in features], name),
        words=torch.from_numpy(np.concatenate([one.first_words for one in features]).astype(int)),
        by_end=_shift([example.names.by_end for example in examples], entry),
        opened=_shift([example.names.opened for example in examples], entry),
        closed=_shift([example.names.closed for example in examples], entry),
        first=_shift([one.chain.first[:N_CONTAINER] for one in features], block),
        stop=_shift([one.chain.stop[:N_CONTAINER] for one in features], block),
        page=torch.from_numpy(np.repeat(np.arange(n_block.size), n_block)),
        page_first=torch.from_numpy(np.repeat(block, n_block)),
        page_stop=torch.from_numpy(np.repeat(block + n_block, n_block)),
        word_share=_share([one.words for one in features]),
        block_share=torch.from_numpy(np.repeat(1 / n_block, n_block).astype(np.float32)),
        weight=_share([gold.weight for gold in golds]),
        gold=torch.from_numpy(np.concatenate([gold.share for gold in golds])),
        role=torch.from_numpy(np.concatenate([example.role for example in examples]).astype(int)),
        role_weight=torch.from_numpy(np.concatenate([_weigh_roles(one) for one in examples])),
    )


def _weigh_roles(example: Example) -> npt.NDArray[np.float32]:
    """Weigh the blocks whose role is known: half by their number, half by their words."""
    is_known = (example.role != NO_ROLE).astype(np.float64)
    words = is_known * (example.features.words + 1)
    weight = is_known / max(is_known.sum(), 1) + words / max(words.sum(), 1)
    return (weight / 2 * example.role_trust).astype(np.float32)


def _shift(parts: Sequence[npt.NDArray[np.integer]], offsets: npt.NDArray[np.integer]) -> Tensor:
    """Concatenate indices within pages as indices within the batch."""
    moved = [part + offset for part, offset in zip(parts, offsets, strict=True)]
    return torch.from_numpy(np.concatenate(moved, axis=-1).astype(np.int64))


def _share(parts: Sequence[npt.NDArray[np.integer | np.floating]]) -> Tensor:
    """Concatenate values of blocks, normalised by their page's sum."""
    shares = [part / max(float(part.sum()), 1.0) for part in parts]
    return torch.from_numpy(np.concatenate(shares).astype(np.float32))


class BatchScores(NamedTuple):
    """Output of the network for a batch, in log-odds."""

    blocks: Tensor
    """float32[n_block]"""
    roles: Tensor
    """Logits of each role; float32[n_block, n_role]."""


class TrainableNetwork(nn.Module):
    """One network; layers are named as in `thresher.algorithms.learned.network.Network`.

    The first words of blocks are inputs of the first layer, the last ones.
    """

    def __init__(self, n_token: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(n_token + 1, N_NAME)
        nn.init.normal_(self.embedding.weight, std=_NAME_DEVIATION)
        n_names = N_NAME * (N_CONTAINER + 1)
        n_page = len(PAGE_TYPES) + len(SCOPES)
        self.words = _embed_words()
        self.first = nn.Linear(len(FEATURES) + n_page + n_names + N_WORD_CODE, N_CODE)
        self.second = nn.Linear(N_CODE, N_CODE)
        self.summary = nn.ModuleList(nn.Linear(N_CODE, N_SUMMARY) for _ in range(N_ROUND))
        n_around = len(SHIFTS) + N_CONTAINER + 2
        n_wide = N_CODE + N_SUMMARY * n_around
        self.context = nn.ModuleList(nn.Linear(n_wide, N_CODE) for _ in range(N_ROUND))
        self.output = nn.Linear(N_CODE, 1)
        self.roles = nn.Linear(N_CODE, len(ROLES))
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, batch: Batch) -> BatchScores:
        """Score the blocks of a batch."""
        dropped = self.dropout(self.codes(batch)[-1])
        return BatchScores(self.output(dropped)[:, 0], self.roles(dropped))

    def codes(self, batch: Batch) -> list[Tensor]:
        """Return the output of each layer, in the order of `Network.levels`."""
        scope = nn.functional.one_hot(batch.scope, len(SCOPES)).float()
        of_page = torch.cat((TYPE_WEIGHT * batch.types, scope), dim=1)
        names = self.dropout(self.gather_names(batch))
        words = self.dropout(self.words(batch.words))
        inputs = (batch.values, of_page.index_select(0, batch.page), names, words)
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
