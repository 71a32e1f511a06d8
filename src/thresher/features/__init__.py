"""Features of blocks, the input of the learned extractor: Page → float32[n_block, n_feature].

Each column is an entry of `FEATURES`, with a name, a group and a summary. The features depend on no
word list or language; element names (tags, classes, ids) are separate tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline
from thresher.features import block, containers, neighbours, path, place, siblings, whole, wording
from thresher.features.base import Feature, FeatureKind, compute
from thresher.features.by_compiled import FeatureRecipe, Measured, encode_recipe, measure
from thresher.features.characters import Characters, read_characters
from thresher.features.container_chain import ContainerChain, find_containers
from thresher.features.declared import read_declared
from thresher.features.hashing import Hashes
from thresher.features.names import Signature, Tokens, read_tokens
from thresher.native import Steps, kernel_with
from thresher.page import Page

__all__ = ["FEATURES", "Feature", "Features", "compute_features"]

FEATURES: Final[tuple[Feature, ...]] = (
    *block.FEATURES,
    *path.FEATURES,
    *containers.FEATURES,
    *siblings.FEATURES,
    *place.FEATURES,
    *neighbours.FEATURES,
    *wording.FEATURES,
    *whole.FEATURES,
)
"""Every column of the matrix, in order."""
_ROWS_OF: Final[dict[FeatureKind, npt.NDArray[np.intp]]] = {
    kind: np.flatnonzero([feature.kind == kind for feature in FEATURES])
    for kind in ("log", "share", "value")
}


@dataclass(slots=True)
class Features:
    """The features of the blocks of a page; only `drop_values` modifies it."""

    values: npt.NDArray[np.float32]
    """float32[n_block, n_feature], columns as in `FEATURES`; no rows once they are dropped."""
    tokens: Tokens
    """Names of the elements."""
    declared: Hashes
    """Declarations of the page about itself, as tokens; uint64[n], none if they were not read."""
    chain: ContainerChain
    """The containers around each block."""
    words: npt.NDArray[np.int64]
    """Words of each block; int64[n_block]."""

    def drop_values(self) -> None:
        """Free the matrix, which takes most of the memory; afterwards no model can be run."""
        self.values = np.empty((0, len(FEATURES)), np.float32)


def compute_features(page: Page, *, with_declared: bool = True) -> Features:
    """Compute the features of every block of a page; there must be at least one.

    Only page types depend on what a page declares about itself: who knows these needs no more.
    """
    characters = read_characters(page)
    tokens, signature = read_tokens(page)
    check_deadline()
    values, chain, words = measure_blocks(page, characters, signature)
    check_deadline()
    declared = read_declared(page) if with_declared else np.zeros(0, np.uint64)
    return Features(values.T, tokens, declared, chain, words)


@cache
def _recipe() -> FeatureRecipe:
    return encode_recipe(FEATURES)


def _measure_blocks_by_step(
    steps: Steps, page: Page, characters: Characters, signature: Signature
) -> Measured | None:
    return measure(steps, page, len(FEATURES), _recipe(), characters, signature)


@kernel_with(_measure_blocks_by_step)
def measure_blocks(page: Page, characters: Characters, signature: Signature) -> Measured:
    """Compute the features of every block, with their container chains and words."""
    chain = find_containers(page)
    counts = block.count(page, characters, chain)
    check_deadline()
    operands = (
        block.measure(counts, characters),
        path.measure(counts),
        containers.measure(counts),
        siblings.measure(counts, signature),
        place.measure(counts),
        neighbours.measure(counts),
        wording.measure(characters),
        whole.measure(counts),
    )
    check_deadline()
    return Measured(compute(_ROWS_OF, operands), chain, counts["words"].astype(np.int64))
