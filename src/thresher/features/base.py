"""Counts of blocks, and the formulas that compute features from them; shared by all groups.

A feature is the logarithm of a count, the ratio of two counts, or a plain value. Groups look up
their counts in literal tables and return the operands; all features are then computed at once.

Results must be the same on every machine. So they are computed from integers, by one division each,
and by a logarithm from the bits of a float: IEEE 754 defines all of these to the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.features.container_chain import ContainerChain
from thresher.page import Page
from thresher.page.scan import IntArray
from thresher.support.cached import cached_property

FeatureKind = Literal["log", "share", "value"]
FeatureTable = Mapping[str, "Log | Share | str"]
"""Features by name: formulas or summaries."""
Matrix = npt.NDArray[np.float32]
"""float32[n_feature, n_block]"""
_MANTISSA_BITS: Final = 23
_BIAS: Final = 127


@dataclass(frozen=True, slots=True)
class Feature:
    """One column of the feature matrix."""

    name: str
    group: str
    summary: str
    kind: FeatureKind
    """How it is computed: the logarithm of a count, the ratio of two counts, or a plain value."""


class Log(NamedTuple):
    """A feature that is the logarithm of a count."""

    of: str
    summary: str


class Share(NamedTuple):
    """A feature that is the ratio of two counts."""

    part: str
    whole: str
    summary: str


class Operands(NamedTuple):
    """Operands of features: matrices with one row per feature and one column per block.

    The rows of each kind are in the order of the features of that kind.
    """

    logs: Sequence[npt.NDArray[Any]] = ()
    parts: Sequence[npt.NDArray[Any]] = ()
    wholes: Sequence[npt.NDArray[Any]] = ()
    values: Sequence[npt.NDArray[Any]] = ()


@dataclass(frozen=True)
class CountFormulas:
    """Features computed from named counts: two tables, the logarithms first."""

    logs: Mapping[str, Log]
    shares: Mapping[str, Share]

    def features(self, group: str, prefix: str = "") -> tuple[Feature, ...]:
        """List the features of both tables."""
        logs = list_features(group, prefix, "log", self.logs)
        return logs + list_features(group, prefix, "share", self.shares)

    @cached_property
    def counts(self) -> tuple[str, ...]:
        """The distinct counts that are needed."""
        return tuple(dict.fromkeys(name for names in self._operands for name in names))

    def pick(self, values: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Pick the operands among `counts`, [n_count, *shape]: of logarithms, parts, wholes."""
        logs, parts, wholes = (values.take(rows, axis=0) for rows in self._rows)
        return logs, parts, wholes

    @property
    def _operands(self) -> tuple[list[str], list[str], list[str]]:
        shares = self.shares.values()
        return (
            [log.of for log in self.logs.values()],
            [share.part for share in shares],
            [share.whole for share in shares],
        )

    @cached_property
    def _rows(self) -> tuple[npt.NDArray[np.intp], ...]:
        """Indices of the operands in `counts`."""
        return tuple(
            np.array([self.counts.index(name) for name in names], np.intp)
            for names in self._operands
        )


@dataclass(frozen=True, slots=True)
class Counts:
    """Integer counts of every block, and their sums over any run of blocks."""

    page: Page
    chain: ContainerChain
    row_of: Mapping[str, int]
    """The row of each count in both matrices."""
    values: IntArray
    """int32[n_count, n_block]"""
    sums: IntArray
    """Prefix sums before each block, last the page's total; int32[n_count, n_block + 1]."""

    @classmethod
    def of(
        cls, page: Page, chain: ContainerChain, columns: Mapping[str, npt.NDArray[np.generic]]
    ) -> Counts:
        """Build from columns with one entry per block."""
        values = np.array(list(columns.values()), np.int32)
        sums = np.zeros((len(values), values.shape[1] + 1), np.int32)
        values.cumsum(axis=1, out=sums[:, 1:])
        return cls(page, chain, {name: row for row, name in enumerate(columns)}, values, sums)

    @property
    def n_block(self) -> int:
        """Blocks of the page."""
        return len(self.page.blocks)

    def __getitem__(self, name: str) -> IntArray:
        own: IntArray = self.values[self.row_of[name]]
        return own

    def before(self, name: str) -> IntArray:
        """Return the sums before each block, and last the page's total; int32[n_block + 1]."""
        sums: IntArray = self.sums[self.row_of[name]]
        return sums

    def between(
        self, name: str, first: npt.NDArray[np.integer], stop: npt.NDArray[np.integer]
    ) -> IntArray:
        """Sum a count over the blocks ``first:stop``; int32[*first.shape]."""
        sums = self.before(name)
        return sums.take(stop) - sums.take(first)

    def of_blocks(self, formulas: CountFormulas) -> tuple[IntArray, IntArray, IntArray]:
        """Pick operands of each block: of logarithms, parts, wholes; int32[n, n_block]."""
        return formulas.pick(self.values.take(self._rows_of(formulas), axis=0))

    def of_runs(
        self,
        formulas: CountFormulas,
        first: npt.NDArray[np.integer],
        stop: npt.NDArray[np.integer],
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Pick operands summed over the blocks ``first:stop``; int32[n, *first.shape]."""
        sums = self.sums.take(self._rows_of(formulas), axis=0)
        inside = sums.take(stop, axis=1)
        inside -= sums.take(first, axis=1)
        return formulas.pick(inside)

    def of_page(self, formulas: CountFormulas) -> tuple[IntArray, IntArray, IntArray]:
        """Pick operands summed over the page; int32[n]."""
        return formulas.pick(self.sums[self._rows_of(formulas), -1])

    def everywhere(self, values: npt.ArrayLike) -> IntArray:
        """Repeat values of the page for each of its blocks; int32[n_value, n_block]."""
        return np.array(values, np.int32)[:, None].repeat(self.n_block, axis=1)

    def _rows_of(self, formulas: CountFormulas) -> list[int]:
        return [self.row_of[name] for name in formulas.counts]


def list_features(
    group: str, prefix: str, kind: FeatureKind, table: FeatureTable
) -> tuple[Feature, ...]:
    """List the features of a table in its order."""
    return tuple(
        Feature(prefix + name, group, entry if isinstance(entry, str) else entry.summary, kind)
        for name, entry in table.items()
    )


def compute(
    rows_of: Mapping[FeatureKind, npt.NDArray[np.intp]], operands: Sequence[Operands]
) -> Matrix:
    """Compute features from the operands of their groups; ``rows_of`` are the rows of each kind."""
    logs, parts, wholes, values = (
        np.concatenate(kind, dtype=np.float32)
        for kind in (
            [rows for one in operands for rows in one.logs],
            [rows for one in operands for rows in one.parts],
            [rows for one in operands for rows in one.wholes],
            [rows for one in operands for rows in one.values],
        )
    )
    computed = np.empty((len(logs) + len(parts) + len(values), logs.shape[1]), np.float32)
    computed[rows_of["log"]] = log2p1(logs)
    computed[rows_of["share"]] = ratio(parts, wholes)
    computed[rows_of["value"]] = values
    return computed


def log2p1(values: npt.NDArray[np.generic]) -> npt.NDArray[np.float32]:
    """Return log2(1 + x), linear between powers of two, for x from 0 to 2^24.

    This is how a float's exponent and mantissa grow when read as one integer.
    """
    shifted = values.astype(np.float32)
    shifted += 1
    logs = shifted.view(np.int32).astype(np.float32)
    logs *= 2.0**-_MANTISSA_BITS
    logs -= _BIAS
    return logs


def ratio(part: npt.NDArray[np.generic], whole: npt.NDArray[np.generic]) -> npt.NDArray[np.float32]:
    """Divide; a divisor below 1 counts as 1."""
    return np.asarray(part / np.maximum(whole, 1), np.float32)
