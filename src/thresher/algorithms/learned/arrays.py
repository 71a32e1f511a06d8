"""The arrays in a file of weights: what each must be, so that no file can break an extraction.

Bounds of values are far beyond what training gives, and such that no sum of products overflows.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.context import N_INPUT
from thresher.algorithms.learned.network import MAX_WEIGHT, OF_WORDS
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.surroundings import N_CONTAINER, SHIFTS
from thresher.errors import UsageError
from thresher.features import FEATURES
from thresher.features.words import N_BUCKET
from thresher.roles import ROLES, SCOPES
from thresher.support.array_files import ArraySpec, check_arrays, read_arrays
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
    "empty_slope": ArraySpec("float64", (), -_STEEP, _STEEP),
    "empty_shift": ArraySpec("float64", (), -_STEEP, _STEEP),
    "expected": ArraySpec("float64", ("k",), 0, 1, ascends=True),
    "reached": ArraySpec("float64", ("k",), 0, 1),
}
"""What every file has, besides a network."""
_DECIDER: Final = {
    "decider_mean": ArraySpec("float64", ("input",), -_BIG, _BIG),
    "decider_deviation": ArraySpec("float64", ("input",), _TINY, _BIG),
    "decider_first": ArraySpec("float64", ("input + 1", "a"), -_STEEP, _STEEP),
    "decider_second": ArraySpec("float64", ("a + 1", "b"), -_STEEP, _STEEP),
    "decider_output": ArraySpec("float64", ("b + 1", "1"), -_STEEP, _STEEP),
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
_NETWORK: Final = _network("2")
_ROLES: Final = {ROLE_PREFIX + name: spec for name, spec in _network("role").items()}
_OPTIONAL: Final = {
    "beta": ArraySpec("float64", (), 1 / _STEEP, _STEEP),
    "inputs": ArraySpec("uint64", (), 0, _MAX_TOKEN),
}
"""May be missing in older files."""
_ALL: Final = frozenset((*_BASE, *_NETWORK, *_DECIDER, *_ADAPTER, *_MLP, *_ROLES, *_OPTIONAL))


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
            optional = {prefix + name for name in OF_WORDS}
            needed = table.keys() if arrays.keys() & optional else table.keys() - optional
            check_arrays(
                arrays,
                {name: spec for name, spec in table.items() if name in needed},
                sizes | {"d": max(n_name // sizes["level"], 1)},
            )
    if arrays.keys() & _DECIDER.keys():
        check_arrays(arrays, _DECIDER, sizes)
    if arrays.keys() & {*_ADAPTER, *_MLP}:
        hidden = arrays.get("own_hidden")
        weights = _MLP if hidden is not None and hidden.size else _PERCEPTRON
        check_arrays(arrays, _ADAPTER | weights, sizes)
    check_arrays(arrays, {name: _OPTIONAL[name] for name in _OPTIONAL if name in arrays}, sizes)


def _length(arrays: Mapping[str, npt.NDArray[Any]], name: str, axis: int) -> int:
    """Return the length of an axis, 0 without the array or the axis."""
    return arrays[name].shape[axis] if name in arrays and arrays[name].ndim > axis else 0


def _unpack(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Convert an array of the file to its type in memory, read-only."""
    used = array.astype(np.float32) if array.dtype == np.int8 else array
    used.setflags(write=False)
    return used
