"""Batches: several pages as one set of tensors, with their blocks and names concatenated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from thresher.algorithms.learned.surroundings import N_CONTAINER
from thresher.roles import NO_ROLE
from thresher.training.learned.encoding import Encoding
from thresher.training.learned.examples import Example

__all__ = ["Batch", "Encoded", "encode", "join_pages"]


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
    is_empty: Tensor
    """1 without main content, otherwise 0; float32[n_page]."""
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
        example,
        encoding.standardise(features.values),
        encoding.number(features.tokens.hash),
        types,
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
        weight=_share([example.weight for example in examples]),
        gold=torch.from_numpy(np.concatenate([example.share for example in examples])),
        is_empty=torch.tensor([float(example.is_empty) for example in examples]),
        role=torch.from_numpy(np.concatenate([example.role for example in examples]).astype(int)),
        role_weight=torch.from_numpy(np.concatenate([_weigh_roles(one) for one in examples])),
    )


def _weigh_roles(example: Example) -> npt.NDArray[np.float32]:
    """Weigh the blocks whose role is known: half by their number, half by their words."""
    known = (example.role != NO_ROLE).astype(np.float64)
    words = known * (example.features.words + 1)
    weight = known / max(known.sum(), 1) + words / max(words.sum(), 1)
    return (weight / 2 * example.role_trust).astype(np.float32)


def _shift(parts: Sequence[npt.NDArray[np.integer]], offsets: npt.NDArray[np.integer]) -> Tensor:
    """Concatenate indices within pages as indices within the batch."""
    moved = [part + offset for part, offset in zip(parts, offsets, strict=True)]
    return torch.from_numpy(np.concatenate(moved, axis=-1).astype(np.int64))


def _share(parts: Sequence[npt.NDArray[np.integer | np.floating]]) -> Tensor:
    """Concatenate values of blocks, normalised by their page's sum."""
    shares = [part / max(float(part.sum()), 1.0) for part in parts]
    return torch.from_numpy(np.concatenate(shares).astype(np.float32))
