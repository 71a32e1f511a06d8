"""Processing of blocks in steps, with bounded memory and single-threaded matrix products.

BLAS libraries spread a large product over all cores. On a machine with busy cores, as in any batch
job, the threads then wait for each other: a product of 0.1 ms was seen to take 40 ms. There is no
portable way to turn this off in numpy's BLAS, but small products are never spread.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline

_Matrices = npt.NDArray[Any]

_STEP_BLOCKS: Final = 500
"""Blocks processed together, which bounds the size of intermediate arrays."""
_ROWS: Final = 20
"""Rows of a product. OpenBLAS uses threads for products from rows · columns · depth = 2^18 on (its
GEMM_MULTITHREAD_THRESHOLD of 4, times 2^16); 20 rows stay below with 181 features of 64 units."""


def step_through(n_block: int, step_blocks: int = _STEP_BLOCKS) -> Iterator[slice]:
    """Yield slices of a page's blocks, checking the deadline before each."""
    for start in range(0, n_block, step_blocks):
        check_deadline()
        yield slice(start, min(start + step_blocks, n_block))


def multiply(values: _Matrices, weights: _Matrices) -> _Matrices:
    """Multiply matrices, [m or 1, n, k] by [m, k, h], a few rows at a time; [m, n, h].

    Products of integers are exact in any order, so the result does not depend on the split.
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
