"""A trained model in one file, without pickle: vocabulary, page types, network, calibration.

What each array in a file must be is checked, so that no file can break an extraction. Bounds of
values are far beyond what training gives, and such that no sum of products overflows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.adapter import Adapter
from thresher.algorithms.learned.calibration import Calibration
from thresher.algorithms.learned.context import N_INPUT
from thresher.algorithms.learned.decider import N_EMPTY, Decider
from thresher.algorithms.learned.network import MAX_WEIGHT, WHOLE, Network
from thresher.algorithms.learned.page_type import PAGE_TYPES, PageTypeModel
from thresher.algorithms.learned.surroundings import N_CONTAINER, SHIFTS
from thresher.errors import UsageError
from thresher.features import FEATURES, Features
from thresher.features.hashing import Hashes
from thresher.features.inputs import InputScale, standardise
from thresher.features.words import N_BUCKET
from thresher.native import Steps, kernel, kernel_with
from thresher.roles import ROLES, SCOPES
from thresher.support.array_files import ArraySpec, check_arrays, read_arrays
from thresher.support.cached import cached_property
from thresher.support.quoting import quote

ROLE_PREFIX: Final = "roles_"
"""Prefix of the array names of the role network."""

_SIZES: Final = {
    "feature": len(FEATURES),
    "type": len(PAGE_TYPES),
    "scope": len(SCOPES),
    "role": len(ROLES),
    "level": N_CONTAINER + 1,
    "around": len(SHIFTS) + N_CONTAINER + 2,
    "input": N_INPUT,
    "bucket": N_BUCKET,
    "empty": N_EMPTY,
}
"""Sizes that are the same in every file. Others: ``v`` tokens; ``m`` networks of ``r`` rounds,
whose tokens have ``d`` numbers, words ``w``, codes ``h`` and summaries ``c``; ``a`` and ``b``
hidden units of the decider and ``own`` of an adapter; ``k``, ``n`` knots."""
_BIG: Final = 1e6
"""Bound of real numbers."""
_TINY: Final = 1e-12
"""Smallest divisor."""
_STEEP: Final = 1e3
"""Bound of factors and shifts of log-odds, and of the weights of small networks."""
_MAX_TOKEN: Final = 2**64 - 1


def _network(n_output: str) -> dict[str, ArraySpec]:
    """Return the arrays of a network with some outputs."""
    small = -MAX_WEIGHT, MAX_WEIGHT
    real = -_BIG, _BIG
    return {
        "mean": ArraySpec("float32", ("feature",), *real),
        "deviation": ArraySpec("float32", ("feature",), _TINY, _BIG),
        "saturation": ArraySpec("float32", ("feature",), 0, _BIG),
        "first_scale": ArraySpec("float32", ("m", "h"), *real),
        "first_bias": ArraySpec("float32", ("scope", "m", "h"), *real),
        "embedding": ArraySpec("int8", ("v + 1", "m * d"), *small),
        "feature_weights": ArraySpec("int8", ("feature + type", "m * h"), *small),
        "name_weights": ArraySpec("int8", ("m", "level * d", "h"), *small),
        "second_weights": ArraySpec("int8", ("m", "h", "h"), *small),
        "second_scale": ArraySpec("float32", ("m", "h"), *real),
        "second_bias": ArraySpec("float32", ("m", "h"), *real),
        "summary_weights": ArraySpec("int8", ("r", "m", "h", "c"), *small),
        "summary_scale": ArraySpec("float32", ("r", "m", "c"), *real),
        "summary_bias": ArraySpec("float32", ("r", "m", "c"), *real),
        "context_weights": ArraySpec("int8", ("r", "m", "h + c * around", "h"), *small),
        "context_scale": ArraySpec("float32", ("r", "m", "h"), *real),
        "context_bias": ArraySpec("float32", ("r", "m", "h"), *real),
        "output_weights": ArraySpec("int8", ("m", "h", n_output), *small),
        "output_scale": ArraySpec("float32", ("m", n_output), *real),
        "output_bias": ArraySpec("float32", ("m", n_output), *real),
        "levels": ArraySpec("float32", ("2 + 2 * r", "m"), *real),
        "word_weights": ArraySpec("int8", ("m", "w", "h"), *small),
        "word_embedding": ArraySpec("int8", ("bucket + 1", "m * w"), *small),
    }


_BASE: Final = {
    "vocabulary": ArraySpec("uint64", ("v",), 0, _MAX_TOKEN, ascends=True),
    "type_mean": ArraySpec("float32", ("2 * feature",), -_BIG, _BIG),
    "type_deviation": ArraySpec("float32", ("2 * feature",), _TINY, _BIG),
    "type_feature_weights": ArraySpec("float32", ("2 * feature", "type"), -_BIG, _BIG),
    "type_token_weights": ArraySpec("float32", ("v + 1", "type"), -_BIG, _BIG),
    "type_bias": ArraySpec("float32", ("type",), -_BIG, _BIG),
    "block_slope": ArraySpec("float64", ("scope",), -_STEEP, _STEEP),
    "block_shift": ArraySpec("float64", ("scope",), -_STEEP, _STEEP),
    "choice_slope": ArraySpec("float64", ("scope",), -_STEEP, _STEEP),
    "choice_shift": ArraySpec("float64", ("scope",), -_STEEP, _STEEP),
    "expected": ArraySpec("float64", ("k",), 0, 1, ascends=True),
    "reached": ArraySpec("float64", ("k",), 0, 1),
    "beta": ArraySpec("float64", (), 1 / _STEEP, _STEEP),
    "inputs": ArraySpec("uint64", (), 0, _MAX_TOKEN),
}
"""What every file has, besides a network."""
_DECIDER: Final = {
    "decider_mean": ArraySpec("float64", ("input",), -_BIG, _BIG),
    "decider_deviation": ArraySpec("float64", ("input",), _TINY, _BIG),
    "decider_first": ArraySpec("float64", ("input + 1", "a"), -_STEEP, _STEEP),
    "decider_second": ArraySpec("float64", ("a + 1", "b"), -_STEEP, _STEEP),
    "decider_output": ArraySpec("float64", ("b + 1", "1"), -_STEEP, _STEEP),
    "decider_empty": ArraySpec("float64", ("empty",), -_STEEP, _STEEP),
    "decider_knots": ArraySpec("float64", ("n",), 0, 1, ascends=True),
    "decider_reached": ArraySpec("float64", ("n",), 0, 1),
}
_ADAPTER: Final = {
    "own_start": ArraySpec("float64", (), 0, 1),
    "own_slope": ArraySpec("float64", ("scope",), -_STEEP, _STEEP),
    "own_shift": ArraySpec("float64", ("scope",), -_STEEP, _STEEP),
}
_PERCEPTRON: Final = {
    "own_hidden": ArraySpec("float64", ("0", "feature + 2"), 0, 0),
    "own_output": ArraySpec("float64", ("feature + 2",), -_BIG, _BIG),
}
_MLP: Final = {
    "own_hidden": ArraySpec("float64", ("own", "feature + 2"), -_BIG, _BIG),
    "own_output": ArraySpec("float64", ("own + 1",), -_BIG, _BIG),
}
_NETWORK: Final = _network("1")
_ROLES: Final = {ROLE_PREFIX + name: spec for name, spec in _network("role").items()}
_ALL: Final = frozenset((*_BASE, *_NETWORK, *_DECIDER, *_ADAPTER, *_MLP, *_ROLES))


def read_weights(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a file of weights; UsageError unless they are those of a model.

    Those of a network for roles, of a decider and of an adapter are all there, or none of them.
    Whole numbers are returned as float32.
    """
    try:
        arrays = read_arrays(path)
        is_other = "mean" in arrays and arrays["mean"].shape != (len(FEATURES),)
        if not is_other:
            _check(arrays)
    except UsageError as error:
        raise UsageError(f"{path} holds no model: {error}") from error
    if is_other:
        raise UsageError(f"{path} holds a model of other features; train it anew")
    return {name: _unpack(array) for name, array in arrays.items()}


def _check(arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    unknown = arrays.keys() - _ALL
    if unknown:
        raise UsageError(f"a model has no array {quote(min(unknown))}")
    sizes = _SIZES | {"v": _length(arrays, "vocabulary", 0)}
    check_arrays(arrays, _BASE, sizes)
    for prefix, table in (("", _NETWORK), (ROLE_PREFIX, _ROLES)):
        if not prefix or arrays.keys() & table.keys():
            n_name = _length(arrays, f"{prefix}name_weights", 1)
            check_arrays(arrays, table, sizes | {"d": max(n_name // sizes["level"], 1)})
    if arrays.keys() & _DECIDER.keys():
        check_arrays(arrays, _DECIDER, sizes)
    if arrays.keys() & {*_ADAPTER, *_MLP}:
        hidden = arrays.get("own_hidden")
        weights = _MLP if hidden is not None and hidden.size else _PERCEPTRON
        check_arrays(arrays, _ADAPTER | weights, sizes)


def _length(arrays: Mapping[str, npt.NDArray[Any]], name: str, axis: int) -> int:
    """Return the length of an axis, 0 without the array or the axis."""
    return arrays[name].shape[axis] if name in arrays and arrays[name].ndim > axis else 0


def _unpack(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Convert an array of the file to its type in memory, read-only."""
    used = array.astype(np.float32) if array.dtype == np.int8 else array
    used.setflags(write=False)
    return used


INPUTS: Final = "0d7a1bab71d45d68"
"""Digest of what this version computes of our own pages as inputs of a model: blocks, names and
features. A test computes it anew; a model that was trained on other inputs is refused."""

_Part = TypeVar("_Part", PageTypeModel, Network, Calibration, Decider, Adapter)

_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
"""Multiplier of hashes in the hash table of the vocabulary (Fibonacci hashing)."""


@dataclass(frozen=True)
class Model:
    """All trained parts; ``vocabulary`` holds the known tokens, sorted, uint64[v]."""

    vocabulary: Hashes
    page_types: PageTypeModel
    network: Network
    calibration: Calibration
    adapter: Adapter | None = None
    """Adjusts the network to a user's own labels."""
    decider: Decider | None = None
    """Decides which blocks are kept; without it, or with `adapter`, the expected F-measure does."""
    roles: Network | None = None
    """Predicts roles: one output for each of `thresher.roles.ROLES`."""
    beta: float = 1.0
    """The β of the F-measure to maximise when neither precision nor recall is favoured."""
    inputs: str = INPUTS
    """`INPUTS` of the version that trained it, 16 hexadecimal digits."""

    @property
    def kind(self) -> str:
        """One of `thresher.algorithms.learned.adapter.KINDS`, or ``learned``."""
        return self.adapter.kind if self.adapter else "learned"

    @property
    def active_decider(self) -> Decider | None:
        """The decider; None with an adapter, whose user's labels decide."""
        return None if self.adapter else self.decider

    def prepare(self, features: Features, scope: int) -> Inference:
        """Prepare the model's inputs for one page under one scope."""
        tokens = _number_tokens_of(self, features.tokens.hash)
        declared = _number_tokens_of(self, features.declared)
        names = np.concatenate((tokens, declared))
        types = self.page_types.probabilities(features, names)
        return Inference(self, features, scope, tokens, types)

    @cached_property
    def scale(self) -> InputScale | None:
        """How features can be quantised for all networks; None if one needs other inputs."""
        scale = self.network.scale
        is_common = not self.adapter and (not self.roles or self.roles.scale.equals(scale))
        return scale if is_common else None

    @cached_property
    def indices(self) -> npt.NDArray[np.int32]:
        """A hash table of the vocabulary that is at most half full, for the compiled step."""
        return index_hashes(self.vocabulary, 2 << self.vocabulary.size.bit_length())

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model; UsageError if the file is not a model, or was trained on other features."""
        arrays = read_weights(path)
        model = cls(
            arrays["vocabulary"],
            _fill(PageTypeModel, arrays),
            _fill(Network, arrays),
            _fill(Calibration, arrays),
            _fill(Adapter, arrays) if "own_output" in arrays else None,
            _fill(Decider, arrays) if "decider_output" in arrays else None,
            _fill_roles(arrays),
            float(arrays["beta"]),
            f"{int(arrays['inputs']):016x}",
        )
        if model.inputs != INPUTS:
            raise UsageError(f"{path} holds a model of inputs of another version; train it anew")
        return model

    def save(self, path: Path) -> None:
        """Write the model."""
        parts = (self.page_types, self.network, self.calibration, self.adapter, self.decider)
        arrays: dict[str, Any] = {}
        for part in parts:
            arrays |= _pack(part) if part else {}
        if self.roles:
            arrays |= {ROLE_PREFIX + name: array for name, array in _pack(self.roles).items()}
        arrays |= {"vocabulary": self.vocabulary, "beta": np.float64(self.beta)}
        arrays["inputs"] = np.uint64(int(self.inputs, 16))
        with path.open("wb") as file:
            np.savez_compressed(file, **arrays)


@dataclass(frozen=True, slots=True)
class Inference:
    """A model applied to one page under one scope."""

    model: Model
    features: Features
    scope: int
    tokens: npt.NDArray[np.intp]
    """Vocabulary numbers of the tokens of all names; intp[n_token]."""
    types: npt.NDArray[np.float64]
    """Probability of each page type; float64[n_type]."""

    def run(self, *, hide: int | None = None, is_last: bool = False) -> npt.NDArray[np.floating]:
        """Return each block's log-odds by network and adapter; arguments as in `Network.run`."""
        network, adapter = self.model.network, self.model.adapter
        inputs = self.features, self.tokens, self.types, self.scope
        log_odds = network.run(*inputs, hide=hide, is_last=is_last and adapter is None)
        if adapter is None:
            return log_odds
        standard = standardise(self.features.values, network.scale)
        if hide is not None:
            standard[:, hide : hide + 1] = 0
        return adapter.log_odds(standard, log_odds, self.scope)

    def score_roles(self) -> npt.NDArray[np.float32]:
        """Return unnormalised log-probabilities of roles, float32[n_block, n_role].

        All are 0 without a role network.
        """
        roles = self.model.roles
        if roles is None:
            return np.zeros((self.features.words.size, len(ROLES)), np.float32)
        return roles.score_roles(self.features, self.tokens, self.types)


@kernel
def index_hashes(known: Hashes, n_place: int) -> npt.NDArray[np.int32]:
    """Build a hash table of indices, −1 where there is none; ``n_place`` is a power of two."""
    table = np.full(n_place, -1, np.int32)
    places = (known * _SPREAD >> np.uint64(32)) & np.uint64(n_place - 1)
    for index, place in enumerate(places.tolist()):
        while table[place] >= 0:
            place = (place + 1) % n_place  # noqa: PLW2901
        table[place] = index
    return table


def _number_tokens_by_step(
    steps: Steps, model: Model, tokens: Hashes
) -> npt.NDArray[np.intp] | None:
    return steps.number_hashes(model.vocabulary, model.indices, tokens)


@kernel_with(_number_tokens_by_step)
def _number_tokens_of(model: Model, tokens: Hashes) -> npt.NDArray[np.intp]:
    """Return what `number_tokens` does for a model's vocabulary."""
    return number_tokens(model.vocabulary, tokens)


def number_tokens(vocabulary: Hashes, tokens: Hashes) -> npt.NDArray[np.intp]:
    """Return the index of each token in a sorted vocabulary, its size for unknown tokens."""
    if not vocabulary.size:
        return np.zeros(tokens.size, np.intp)
    at = np.searchsorted(vocabulary, tokens)
    is_known = vocabulary.take(at, mode="clip") == tokens
    return np.where(is_known, at, vocabulary.size)


def _fill(kind: type[_Part], arrays: dict[str, npt.NDArray[Any]]) -> _Part:
    """Build a dataclass from the arrays named like its fields; `read_weights` misses none."""
    names = arrays.keys() & {field.name for field in fields(kind)}
    return kind(**{name: arrays[name] for name in names})


def _fill_roles(arrays: dict[str, npt.NDArray[Any]]) -> Network | None:
    """Build the role network from its arrays; None if there are none."""
    names = {name: name.removeprefix(ROLE_PREFIX) for name in arrays}
    own = {short: arrays[name] for name, short in names.items() if short != name}
    return _fill(Network, own) if own else None


def _pack(
    part: PageTypeModel | Network | Calibration | Decider | Adapter,
) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a part by name, each of its type in the file."""
    arrays = {field.name: getattr(part, field.name) for field in fields(part)}
    return {
        name: array.astype(np.int8) if name in WHOLE else array for name, array in arrays.items()
    }
