"""The network by compiled kernels: the same integers as by numpy, in a fraction of the time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.steps import step_through
from thresher.algorithms.learned.surroundings import N_CONTAINER
from thresher.features import Features
from thresher.features.inputs import InputScale
from thresher.native import Steps

if TYPE_CHECKING:
    from thresher.algorithms.learned.network import Network

FloatArray = npt.NDArray[np.float32]
_Whole = npt.NDArray[np.int16]

SIMD_LEVELS: Final = {"best": 0, "avx512": 1, "avx2": 2, "plain": 3, "vnni": 4}
"""Instruction sets that the compiled layers can use; all give the same numbers."""
_STEP_BLOCKS: Final = 4000
"""Blocks processed between two deadline checks: a few milliseconds."""
_PATH_ROOM: Final = 128
"""Ancestors of a block for which memory is allocated at first: few pages are deeper."""


class Packed(NamedTuple):
    """A network's weights in the layout of the compiled kernels."""

    dims: npt.NDArray[np.int32]
    """Features, types, networks, units, numbers of a summary and of a token, rounds, numbers of a
    word, and the SIMD level; int32[9]."""
    pairs: _Whole
    """Weights of features and names, interleaved by two inputs; int16[n]."""
    fours: npt.NDArray[np.int8]
    """All other weights, layer by layer, interleaved by four inputs; int8[n]."""
    real: tuple[FloatArray, ...]
    """All real numbers, for each scope; float32[n]."""
    scale: InputScale
    """How features are quantised."""
    embedding: npt.NDArray[np.int8]
    """int8[v + 1, m · d]"""
    word_embedding: npt.NDArray[np.int8]
    """int8[buckets + 1, m · w], without rows if the network reads no words."""


class Sums(NamedTuple):
    """The sums from which the network's output is computed."""

    votes: FloatArray
    """Output sums of each network and block, all of them integers; float32[m, n_block]."""
    code: npt.NDArray[np.uint8]
    """Codes of the last round; uint8[n_block, m, h]."""


def pack(network: Network, simd_level: str = "best") -> Packed:
    """Convert the weights of a network to the layout of the compiled kernels."""
    n_net, n_unit = network.first_scale.shape
    n_turn, _, n_near, _ = network.context_weights.shape
    n_summary = network.summary_scale.shape[2]
    n_name = network.embedding.shape[1] // n_net
    n_around = n_near - 2 * n_summary
    pairs = (_group(network.feature_weights, 2), _group(network.text_weights, 2))
    fours = (
        _group(network.second_weights, 4),
        _group(network.summary_weights, 4),
        _group(network.context_weights[:, :, :n_around], 4),
        _group(network.context_weights[:, :, n_around:], 4),
        network.output_weights[:, :, 0],
    )
    shape = (
        *(network.mean.size, len(network.feature_weights) - network.mean.size),
        *(n_net, n_unit, n_summary, n_name, n_turn, network.word_embedding.shape[1] // n_net),
        SIMD_LEVELS[simd_level],
    )
    real = (
        (
            *(network.first_scale, bias, network.second_scale, network.second_bias),
            *(network.summary_scale, network.summary_bias),
            *(network.context_scale, network.context_bias, network.levels),
        )
        for bias in network.first_bias
    )
    return Packed(
        np.array(shape, np.int32),
        _join(pairs, np.int16),
        _join(fours, np.int8),
        tuple(_join(parts, np.float32) for parts in real),
        network.scale,
        network.embedding.astype(np.int8, order="C"),
        network.word_embedding.astype(np.int8, order="C"),
    )


def add_up(
    steps: Steps,
    packed: Packed,
    features: Features,
    numbers: npt.NDArray[np.intp],
    types: _Whole,
    *,
    scope: int,
    hide: int | None,
    is_last: bool = False,
) -> Sums | None:
    """Run the network over the blocks of a page, up to its last sums.

    ``numbers`` are the vocabulary numbers of the tokens, ``types`` the page types as quantised
    inputs. With ``is_last`` the features' inputs are freed early. None if there are no compiled
    kernels for such weights.
    """
    n_feature, n_type, n_net, n_unit, n_summary, _, n_turn, *_ = packed.dims.tolist()
    weights = (packed.dims, packed.pairs, packed.fours, packed.real[scope])
    values, words = features.quantised(packed.scale), features.words
    n_block = words.size
    names = _add_up_names(steps, packed, features, numbers, n_net)
    if names is None:
        return None
    if hide == n_feature + n_type:
        names[:] = 0
    hidden = -1 if hide is None else hide
    code = np.empty((n_block, n_net, n_unit), np.uint8)
    summary = np.empty((n_block, n_net, n_summary), np.uint8)
    for rows in step_through(n_block, _STEP_BLOCKS):
        inputs = *weights, values, names, types
        place = rows.start, rows.stop, hidden
        if steps.code_blocks(*inputs, code, summary, *place) is None:
            return None
    del values, names, inputs  # Free memory for the rounds.
    if is_last:
        features.drop_inputs()
    following = np.empty_like(summary)
    votes = np.empty((n_net, n_block), np.int32)
    chain = features.chain
    containers = chain.first[:N_CONTAINER], chain.stop[:N_CONTAINER]
    for turn in range(n_turn):
        added = steps.add_up_summaries(summary, words, n_net)
        if added is None:
            return None
        around = *weights, *containers, summary, *added
        outputs = code, following, votes
        for rows in step_through(n_block, _STEP_BLOCKS):
            place = turn, rows.start, rows.stop
            if steps.relate_blocks(*around, *outputs, *place) is None:
                return None
        summary, following = following, summary
    return Sums(votes.astype(np.float32), code)


def _add_up_names(
    steps: Steps, packed: Packed, features: Features, numbers: npt.NDArray[np.intp], n_net: int
) -> _Whole | None:
    """Sum the vectors of the names around each block, and of its first words behind them.

    They are int16[n_block, m, (1 + containers) · d + w]; None if a sum overflows, on extremely
    deep pages.
    """
    tokens, chain = features.tokens, features.chain
    n_code, n_word = packed.embedding.shape[1], packed.word_embedding.shape[1]
    for n_room in (_PATH_ROOM, tokens.row.size + 1):
        names = steps.add_up_names(
            packed.embedding,
            numbers,
            tokens.start,
            tokens.row,
            tokens.end,
            tokens.name,
            chain.leaf,
            chain.container[:N_CONTAINER],
            packed.word_embedding.ravel(),
            features.first_words.ravel(),
            n_code,
            n_word,
            n_net,
            ((1 + N_CONTAINER) * n_code + n_word) // n_net,
            n_room,
        )
        if names is not None:
            return names
    return None


def _group(weights: FloatArray, size: int) -> FloatArray:
    """Interleave the weights of ``size`` inputs: [..., k, h] → [..., k / size, h, size]."""
    *outer, n_in, n_unit = weights.shape
    padded = np.zeros((*outer, -(-n_in // size), size, n_unit), np.float32)
    padded.reshape(*outer, -1, n_unit)[..., :n_in, :] = weights
    return padded.swapaxes(-1, -2)


def _join(parts: Sequence[npt.NDArray[Any]], kind: type[np.generic]) -> npt.NDArray[Any]:
    joined = np.concatenate([part.ravel() for part in parts]).astype(kind)
    joined.setflags(write=False)
    return joined
