"""Blocks in steps: bounded memory, and products that BLAS does in the calling thread.

A BLAS library spreads a large product over all cores. On a machine whose cores are busy, as in any
batch job, its threads then wait for each other: one product of 0.1 ms was seen to take 40 ms. There
is no portable way to tell numpy's BLAS to leave that; but small products it never spreads.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline

__all__ = ["multiply", "step_through"]

_Matrices = npt.NDArray[Any]

_STEP_BLOCKS: Final = 500
"""Blocks that are worked on together, so that what is made of them on the way stays small."""
_ROWS: Final = 20
"""Rows of a product. OpenBLAS spreads products from rows · columns · depth = 2^18 on (its
GEMM_MULTITHREAD_THRESHOLD of 4, times 2^16); 20 rows stay below with 181 features of 64 units."""


def step_through(n_block: int, step_blocks: int = _STEP_BLOCKS) -> Iterator[slice]:
    """Cut a page's blocks into steps; keeps to the deadline."""
    for start in range(0, n_block, step_blocks):
        check_deadline()
        yield slice(start, min(start + step_blocks, n_block))


def multiply(values: _Matrices, weights: _Matrices) -> _Matrices:
    """Multiply matrices, [m or 1, n, k] by [m, k, h], a few rows at a time; [m, n, h].

    Of whole numbers, each product is exact whatever the order, so the cut changes nothing.
    """
    n_row, n_in = values.shape[1:]
    n_out = weights.shape[2]
    n_step = n_row // _ROWS
    n_even = n_step * _ROWS
    product = np.empty((len(weights), n_row, n_out), weights.dtype)
    steps = values[:, :n_even].reshape(len(values), n_step, _ROWS, n_in)
    out = product[:, :n_even].reshape(len(weights), n_step, _ROWS, n_out)
    np.matmul(steps, weights[:, None], out=out)
    np.matmul(values[:, n_even:], weights, out=product[:, n_even:])
    return product
