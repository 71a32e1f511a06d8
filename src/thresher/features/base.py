"""What every group of features starts from: counts of each block, and how counts become features.

Features are looked up in literal tables: the logarithm of one count, or one count divided by
another. A result must be the same on every machine, so they come from sums of whole numbers,
divisions and a logarithm by the bits of a float, all of which IEEE 754 fixes to the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.page import Page

__all__ = ["Counts", "Feature", "Log", "Matrix", "Share", "list_features", "log2p1", "ratio"]

FloatArray = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float32]
"""float32[n_feature, n_block]"""
_MANTISSA_BITS: Final = 23
_BIAS: Final = np.float32(127)


@dataclass(frozen=True, slots=True)
class Feature:
    """One column of the feature matrix."""

    name: str
    group: str
    summary: str


class Log(NamedTuple):
    """A feature that is the logarithm of a count."""

    of: str
    summary: str


class Share(NamedTuple):
    """A feature that is one count divided by another."""

    part: str
    whole: str
    summary: str


@dataclass(frozen=True, slots=True)
class Counts:
    """Whole numbers known of every block, and their sums over any run of blocks."""

    page: Page
    row_of: Mapping[str, int]
    """The row of each count below."""
    values: FloatArray
    """float64[n_count, n_block]"""
    sums: FloatArray
    """What comes before each block; float64[n_count, n_block + 1]."""

    @classmethod
    def of(cls, page: Page, columns: Mapping[str, npt.NDArray[np.generic]]) -> Counts:
        """Gather columns, each of one entry a block."""
        values = np.array(list(columns.values()), np.float64)
        sums = np.zeros((len(values), values.shape[1] + 1))
        np.cumsum(values, axis=1, out=sums[:, 1:])
        return cls(page, {name: row for row, name in enumerate(columns)}, values, sums)

    def __getitem__(self, name: str) -> FloatArray:
        own: FloatArray = self.values[self.row_of[name]]
        return own

    def before(self, name: str) -> FloatArray:
        """Return what comes before each block, and last the page's total; float64[n_block + 1]."""
        sums: FloatArray = self.sums[self.row_of[name]]
        return sums

    def between(self, first: npt.NDArray[np.integer], stop: npt.NDArray[np.integer]) -> FloatArray:
        """Add up every count over the blocks ``first:stop``; float64[n_count, *shape]."""
        return self.sums[:, stop] - self.sums[:, first]

    def tabulate(
        self, values: FloatArray, logs: Mapping[str, Log], shares: Mapping[str, Share]
    ) -> Matrix:
        """Make the features of two tables; float32[n_feature, *shape]: logs first.

        ``values`` are counts as `values` and `between` have them.
        """
        row = self.row_of
        parts = values[[row[share.part] for share in shares.values()]]
        wholes = values[[row[share.whole] for share in shares.values()]]
        counted = values[[row[log.of] for log in logs.values()]]
        return np.concatenate((log2p1(counted), ratio(parts, wholes)))


def list_features(
    group: str, prefix: str, tables: Sequence[Mapping[str, Log | Share | str]]
) -> tuple[Feature, ...]:
    """List the features of tables in their order."""
    return tuple(
        Feature(prefix + name, group, entry if isinstance(entry, str) else entry.summary)
        for table in tables
        for name, entry in table.items()
    )


def log2p1(values: npt.NDArray[np.generic]) -> Matrix:
    """Return log2(1 + x), straight between powers of two, for x from 0 to 2^24.

    A float's exponent and mantissa, read as one whole number, grow just so.
    """
    bits = (values.astype(np.float32) + np.float32(1)).view(np.int32)
    log: Matrix = bits.astype(np.float32) * np.float32(2.0**-_MANTISSA_BITS) - _BIAS
    return log


def ratio(part: npt.NDArray[np.generic], whole: npt.NDArray[np.generic] | np.generic) -> Matrix:
    """Divide, and return 0 where there is nothing to divide by."""
    return np.asarray(part / np.maximum(whole, 1), np.float32)
