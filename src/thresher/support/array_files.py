"""Files of numpy arrays (`.npz`), read without pickle and checked against a table.

A file may come from anywhere, so whatever is in it, the caller gets arrays as the table says, or a
UsageError that says what is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError

Arrays = Mapping[str, npt.NDArray[Any]]

_MAX_BYTES: Final = 2**28
"""Bytes of all arrays of a file, unpacked: a hundred times what any of ours has."""


class ArraySpec(NamedTuple):
    """What an array must be."""

    kind: str
    """The name of its type, as ``float32``."""
    shape: tuple[str, ...]
    """Size of each dimension: sums of products of numbers and of names of sizes, as ``"f + 2"``. A
    name that is not known yet gets its size from the first array whose dimension it is."""
    low: float
    high: float
    """Bounds of the values; beyond the first, NaN is excluded, too."""
    ascends: bool = False
    """Whether no value may be smaller than the one before."""


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Read all arrays of a file, read-only; UsageError if it is not one, or damaged."""
    try:
        # Opened here, as numpy leaves the file of a truncated archive open.
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            n_byte = sum(member.file_size for member in file.zip.infolist())
            if n_byte > _MAX_BYTES:
                raise ValueError(f"{n_byte:,} bytes of arrays, the limit is {_MAX_BYTES:,}")
            arrays = {name: np.asarray(file[name]) for name in file.files}
            for array in arrays.values():
                array.setflags(write=False)
    except Exception as error:  # numpy and zipfile raise all kinds of them for damaged files
        raise UsageError(f"{error}" or type(error).__name__) from error
    return arrays


def check_arrays(arrays: Arrays, table: Mapping[str, ArraySpec], sizes: dict[str, int]) -> None:
    """Raise UsageError unless every array of the table is there, and as it says.

    ``sizes`` has the known sizes, and receives those that are learned. A size that is not known
    before is 1 at least.
    """
    for name, spec in table.items():
        array = arrays.get(name)
        if array is None:
            raise UsageError(f"it has no array {name}")
        if array.dtype.name != spec.kind or not array.dtype.isnative:
            raise UsageError(f"its array {name} is {array.dtype}, not {spec.kind}")
        if array.ndim != len(spec.shape):
            n_dim = len(spec.shape)
            raise UsageError(f"its array {name} has {array.ndim} dimensions, not {n_dim}")
        for dimension, size in zip(spec.shape, array.shape, strict=True):
            if dimension.isidentifier() and dimension not in sizes:
                sizes[dimension] = max(size, 1)
        expected = tuple(_size_of(dimension, sizes) for dimension in spec.shape)
        if array.shape != expected:
            raise UsageError(f"its array {name} has the shape {array.shape}, not {expected}")
        # False for NaN, too.
        if array.size and not (spec.low <= array.min() and array.max() <= spec.high):
            says = f"from {spec.low:g} to {spec.high:g}"
            raise UsageError(f"its array {name} has values that are not {says}")
        if spec.ascends and (array[1:] < array[:-1]).any():
            raise UsageError(f"its array {name} does not ascend")


def _size_of(dimension: str, sizes: Mapping[str, int]) -> int:
    return sum(
        prod(int(part) if part.isdigit() else sizes[part] for part in term.split(" * "))
        for term in dimension.split(" + ")
    )
