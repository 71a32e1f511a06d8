"""Features of blocks, the input of the learned extractor: Page → float32[n_block, n_feature].

Each column is an entry of `FEATURES`, with a name, a group and a summary. The features depend on no
word list or language; element names (tags, classes, ids) are separate tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline
from thresher.features import block, containers, neighbours, path, place, siblings, whole, wording
from thresher.features.base import Feature, compute
from thresher.features.by_compiled import Measured, measure
from thresher.features.characters import Characters, read_characters
from thresher.features.container_chain import ContainerChain, find_containers
from thresher.features.declared import read_declared
from thresher.features.hashing import Hashes
from thresher.features.inputs import InputScale, average, quantise
from thresher.features.names import Signature, Tokens, read_tokens
from thresher.features.table import FEATURES, ROWS_OF
from thresher.features.words import BlockWords, read_words
from thresher.native import kernel_with
from thresher.page import Page

__all__ = ["FEATURES", "Feature", "Features", "compute_features"]

_LINK_DENSITY: Final = [feature.name for feature in FEATURES].index("link_density")


@dataclass(slots=True)
class Features:
    """The features of the blocks of a page; only `drop_inputs` modifies it."""

    values: npt.NDArray[np.float32]
    """float32[n_block, n_feature], columns as in `FEATURES`; no columns if they are quantised."""
    inputs: npt.NDArray[np.int16]
    """The features as a network reads them, if its scale was given: int16[n_feature, n_block]; no
    rows without, or once they are dropped."""
    means: npt.NDArray[np.float64]
    """Of each feature, weighted by words, then by blocks; float64[2, n_feature]."""
    link_density: npt.NDArray[np.float32]
    """float32[n_block]"""
    tokens: Tokens
    """Names of the elements."""
    declared: Hashes
    """Declarations of the page about itself, as tokens; uint64[n]."""
    chain: ContainerChain
    """The containers around each block."""
    patterns: npt.NDArray[np.int32]
    """Equal for blocks of one pattern, as by `find_patterns`; int32[2, n_block]."""
    words: npt.NDArray[np.int64]
    """Words of each block; int64[n_block]."""
    first_words: BlockWords
    """The numbers of its first words; uint16[n_block, N_WORD], no rows if they were not read."""

    def quantised(self, scale: InputScale) -> npt.NDArray[np.int16]:
        """Return the features as a network reads them; int16[n_feature, n_block].

        ``scale`` must be that given to `compute_features`, if any was.
        """
        return self.inputs if self.inputs.size else quantise(self.values.T, scale)

    def drop_inputs(self) -> None:
        """Free the quantised matrix, which takes most memory; then no network can be run."""
        self.inputs = np.empty((0, self.words.size), np.int16)


def compute_features(page: Page, scale: InputScale | None = None) -> Features:
    """Compute the features of every block of a page; there must be at least one.

    With the ``scale`` of a network they are quantised for it, which takes half the memory.
    """
    characters = read_characters(page)
    tokens, signature = read_tokens(page)
    check_deadline()
    measured = measure_blocks(page, characters, signature, scale)
    check_deadline()
    return Features(
        measured.values.T,
        measured.inputs,
        measured.means,
        measured.link_density,
        tokens,
        read_declared(page),
        measured.chain,
        siblings.find_patterns(page, signature),
        measured.words,
        read_words(page),
    )


@kernel_with(measure)
def measure_blocks(
    page: Page, characters: Characters, signature: Signature, scale: InputScale | None = None
) -> Measured:
    """Compute the features of every block, with their container chains and words.

    With a ``scale`` they are quantised; the last bits of their means may differ between machines.
    """
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
    values, words = compute(ROWS_OF, operands), counts["words"].astype(np.int64)
    means, link_density = average(values, words), values[_LINK_DENSITY].copy()
    inputs = np.empty((0, words.size), np.int16)
    if scale:
        values, inputs = values[:0].copy(), quantise(values, scale)
    return Measured(values, inputs, means, link_density, chain, words)
