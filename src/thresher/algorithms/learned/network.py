"""The network: features of blocks → log-odds that each block is content.

Two layers encode each block's features, the names of its ancestors, its first words, and the
probabilities of the page types. Then, in each of several rounds, one layer reduces a block's code
to a summary, the summaries of its neighbours, its containers and the whole page are gathered, and
another layer computes a new code from the block and its surroundings. Several networks, trained
alike from different initial weights, are averaged in log-odds.

All weights and activations are small integers, so every product and sum is exact in float32 in any
order, and the same page gives the same result on every machine (8-bit quantisation as in Jacob et
al. 2018, section 2, with rounded zero-based steps).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.compiled_network import Packed, Sums, add_up, pack
from thresher.algorithms.learned.steps import multiply, step_through
from thresher.algorithms.learned.surroundings import look_around, place_names
from thresher.features import Features
from thresher.features.inputs import InputScale
from thresher.native import Steps, kernel_with
from thresher.support.cached import cached_property

FloatArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.intp]

CLIP: Final = 4.0
"""Bound of features, in standard deviations from the mean."""
INPUT_STEPS: Final = 32
"""Quantisation steps per standard deviation of a feature."""
TYPE_WEIGHT: Final = 2
"""Value of a probability of 1, in standard deviations of a feature."""
MAX_LEVEL: Final = 255
"""Largest activation."""
WHOLE: Final = (
    "embedding",
    "feature_weights",
    "name_weights",
    "word_embedding",
    "word_weights",
    "second_weights",
    "summary_weights",
    "context_weights",
    "output_weights",
)
"""Arrays of integers from −127 to 127: int8 in the file, float32 in memory."""
MAX_WEIGHT: Final = 127
"""Largest absolute value of a weight."""
_SCORED_BLOCKS: Final = 4000
"""Blocks whose roles are scored together: between two looks at the clock, and in memory."""
_EXACT: Final = 2**24
"""Integers up to this are exact in float32."""


@dataclass(frozen=True)
class Network:
    """Trained weights: integers (`WHOLE`) unless stated otherwise.

    ``m`` networks of ``r`` rounds; ``f`` features; ``v`` tokens of ``d`` numbers; codes of ``h``
    and summaries of ``c`` numbers. A layer's float32 ``scale`` converts its integer sums to real
    numbers, to which its ``bias`` is added; one each per unit.
    """

    mean: FloatArray
    """float32[f]"""
    deviation: FloatArray
    """float32[f]"""
    saturation: FloatArray
    """float32[f]; all three as in `InputScale`"""
    embedding: FloatArray
    """[v + 1, m · d]; the last row is for all unknown tokens."""
    feature_weights: FloatArray
    """[f + types, m · h]"""
    name_weights: FloatArray
    """[m, (containers + 1) · d, h]"""
    word_embedding: FloatArray
    """[N_BUCKET + 1, m · w]: ``w`` numbers of each word; the first row is for `NO_WORD`."""
    word_weights: FloatArray
    """[m, w, h]"""
    first_scale: FloatArray
    """float32[m, h]"""
    first_bias: FloatArray
    """float32[scope, m, h]"""
    second_weights: FloatArray
    """[m, h, h]"""
    second_scale: FloatArray
    second_bias: FloatArray
    summary_weights: FloatArray
    """[r, m, h, c]"""
    summary_scale: FloatArray
    summary_bias: FloatArray
    context_weights: FloatArray
    """[r, m, h + c · (shifts + containers + 2), h]"""
    context_scale: FloatArray
    context_bias: FloatArray
    output_weights: FloatArray
    """[m, h, 1]: content; in a role network [m, h, role]: each role."""
    output_scale: FloatArray
    """float32[m, 1 or role]"""
    output_bias: FloatArray
    levels: FloatArray
    """Quantisation steps per unit of each layer's output; float32[2 + 2 · r, m]."""

    def run(
        self,
        features: Features,
        tokens: IntArray,
        types: npt.NDArray[np.float64],
        scope: int,
        *,
        hide: int | None = None,
        is_last: bool = False,
    ) -> FloatArray:
        """Return the log-odds that each block of a page is content; float32[n_block].

        ``tokens`` are the vocabulary numbers of its names, ``types`` the probabilities of its page
        types. ``hide`` is the index of an input to set to its mean (0 for a type); the index after
        the last hides all names and words. ``is_last`` allows the features' inputs to be freed
        early.
        """
        sums = encode(self, features, tokens, types, scope, hide=hide, is_last=is_last)
        log_odds = sums.votes * self.output_scale
        log_odds += self.output_bias
        return np.asarray(log_odds.sum(axis=0) / len(log_odds), np.float32)

    def score_roles(
        self, features: Features, tokens: IntArray, types: npt.NDArray[np.float64]
    ) -> FloatArray:
        """Return unnormalised log-probabilities of roles, float32[n_block, n_role].

        Only for a role network.
        """
        code = encode(self, features, tokens, types, 0).code
        mean = np.empty((len(code), self.output_bias.shape[-1]), np.float32)
        for rows in step_through(len(code), _SCORED_BLOCKS):
            scores = multiply(code[rows].swapaxes(0, 1).astype(np.float32), self.output_weights)
            scores *= self.output_scale[:, None]
            scores += self.output_bias[:, None]
            mean[rows] = scores.mean(axis=0)
        return mean

    def code_blocks(
        self,
        features: Features,
        tokens: IntArray,
        types: npt.NDArray[np.float64],
        scope: int,
        hide: int | None,
    ) -> FloatArray:
        """Encode the blocks of a page with their surroundings; float32[m, n_block, h]."""
        parts = self._gather_names(features, tokens), self._gather_words(features)
        names = np.concatenate(parts, axis=2)
        if hide == len(self.feature_weights):
            names = np.zeros_like(names)
        n_net, n_unit = self.first_scale.shape
        code = np.empty((n_net, features.words.size, n_unit), np.float32)
        quantised = features.quantised(self.scale)
        of_features = self.feature_weights.reshape(-1, n_net, n_unit).swapaxes(0, 1)
        for rows in step_through(code.shape[1]):
            inputs = _join_types(quantised[:, rows], types)
            if hide is not None:
                inputs[hide : hide + 1] = 0
            sums = multiply(inputs.T[None], of_features)
            sums += self._weigh_names(names[:, rows])
            first = _activate(sums, self.first_scale, self.first_bias[scope], self.levels[0])
            sums = multiply(first, self.second_weights)
            code[:, rows] = _activate(sums, self.second_scale, self.second_bias, self.levels[1])
        for turn in range(len(self.summary_weights)):
            around = look_around(self._summarise(code, turn), features)
            n_whole = around.whole.shape[2]
            of_near = self.context_weights[turn, :, :-n_whole]
            of_whole = around.whole @ self.context_weights[turn, :, -n_whole:]
            scale, bias = self.context_scale[turn], self.context_bias[turn]
            for rows in step_through(code.shape[1]):
                sums = multiply(around.gather(code, rows), of_near)
                sums += of_whole
                code[:, rows] = _activate(sums, scale, bias, self.levels[3 + 2 * turn])
        return code

    @cached_property
    def scale(self) -> InputScale:
        """How features are quantised."""
        return InputScale(self.mean, self.deviation, self.saturation, CLIP, INPUT_STEPS)

    @cached_property
    def text_weights(self) -> FloatArray:
        """Weights of names and of words behind them; [m, (containers + 1) · d + w, h]."""
        return np.concatenate((self.name_weights, self.word_weights), axis=1)

    @cached_property
    def packed(self) -> Packed:
        """The weights in the layout of the compiled steps."""
        return pack(self)

    def _summarise(self, code: FloatArray, turn: int) -> FloatArray:
        """Reduce the codes of blocks to summaries; float32[m, n_block, c]."""
        scale, bias = self.summary_scale[turn], self.summary_bias[turn]
        summary = np.empty((*code.shape[:2], scale.shape[1]), np.float32)
        for rows in step_through(code.shape[1]):
            sums = multiply(code[:, rows], self.summary_weights[turn])
            summary[:, rows] = _activate(sums, scale, bias, self.levels[2 + 2 * turn])
        return summary

    def _gather_names(self, features: Features, numbers: IntArray) -> npt.NDArray[np.int32]:
        """Sum the token vectors of the names around each block: int32[m, n_block, inputs].

        First names inside the nearest container, then between it and the next, last all others.
        Prefix sums may overflow; their differences do not.
        """
        tokens, n_net = features.tokens, self.first_scale.shape[0]
        vectors = self.embedding.take(numbers, axis=0).astype(np.int32)
        before = _prefix_sums(vectors).take(np.append(tokens.start, numbers.size), axis=0)
        entries = (before[1:] - before[:-1]).take(tokens.name, axis=0)
        places = place_names(features)
        above = _prefix_sums(entries).take(places.opened, axis=0)
        above -= _prefix_sums(entries.take(places.by_end, axis=0)).take(places.closed, axis=0)
        above[:-1] -= above[1:]
        n_level, n_block, _ = above.shape
        parts = above.reshape(n_level, n_block, n_net, -1).transpose(2, 1, 0, 3)
        return parts.reshape(n_net, n_block, -1)

    def _gather_words(self, features: Features) -> npt.NDArray[np.int32]:
        """Sum the vectors of the first words of each block: int32[m, n_block, w]."""
        vectors = self.word_embedding.astype(np.int16)
        sums = np.zeros((features.words.size, vectors.shape[1]), np.int32)
        for numbers in features.first_words.T:
            sums += vectors.take(numbers, axis=0)
        return sums.reshape(len(sums), len(self.first_scale), -1).swapaxes(0, 1)

    def _weigh_names(self, names: npt.NDArray[np.integer]) -> FloatArray:
        """Multiply names by their weights, in float64 for very deep pages, where float32 rounds.

        Words lie behind the names.
        """
        most = int(max(names.max(), -names.min())) * MAX_WEIGHT * names.shape[2]
        exact = np.float32 if most < _EXACT else np.float64
        product = multiply(names.astype(exact), self.text_weights.astype(exact, copy=False))
        return np.asarray(product, np.float32)


def _encode_by_steps(  # noqa: PLR0917
    steps: Steps,
    network: Network,
    features: Features,
    tokens: IntArray,
    types: npt.NDArray[np.float64],
    scope: int,
    *,
    hide: int | None = None,
    is_last: bool = False,
) -> Sums | None:
    inputs = network.packed, features, tokens, _quantise_types(types)
    return add_up(steps, *inputs, scope=scope, hide=hide, is_last=is_last)


@kernel_with(_encode_by_steps)
def encode(
    network: Network,
    features: Features,
    tokens: IntArray,
    types: npt.NDArray[np.float64],
    scope: int,
    *,
    hide: int | None = None,
    is_last: bool = False,
) -> Sums:
    """Encode the blocks of a page, and compute the sums of the output; `Network.run` explains."""
    code = network.code_blocks(features, tokens, types, scope, hide)
    votes = multiply(code, network.output_weights[:, :, :1])[:, :, 0]
    return Sums(votes.astype(np.float32), code.swapaxes(0, 1).astype(np.uint8))


def _join_types(features: npt.NDArray[np.int16], types: npt.NDArray[np.float64]) -> FloatArray:
    """Join quantised features, [f, n], and page types; float32[f + types, n]."""
    inputs = np.empty((len(features) + types.size, features.shape[1]), np.float32)
    inputs[: len(features)] = features
    inputs[len(features) :] = _quantise_types(types)[:, None]
    return inputs


def _quantise_types(types: npt.NDArray[np.float64]) -> npt.NDArray[np.int16]:
    return np.rint(types * (TYPE_WEIGHT * INPUT_STEPS)).astype(np.int16)


def _activate(
    sums: FloatArray, scale: FloatArray, bias: FloatArray, level: FloatArray
) -> FloatArray:
    """Convert integer sums to activations from 0 to `MAX_LEVEL`; in place."""
    sums *= scale[:, None]
    sums += bias[:, None]
    sums *= level[:, None, None]
    np.rint(sums, out=sums)
    return sums.clip(0, MAX_LEVEL, out=sums)


def _prefix_sums(values: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Return prefix sums, starting with 0; int32[n + 1, ...]."""
    sums = np.zeros((len(values) + 1, *values.shape[1:]), np.int32)
    values.cumsum(axis=0, out=sums[1:])
    return sums
