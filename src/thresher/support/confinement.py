"""Limits of a process that works on pages: one core, and a bounded amount of memory.

`thresher.batch` and `thresher.serving` each start such processes in their own way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["ONE_CORE", "limit_memory"]

ONE_CORE: Final[Mapping[str, str]] = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
"""Environment of a worker: threads that wait for each other on a busy core cost more than
they gain for arrays of this size."""


def limit_memory(max_bytes: int | None) -> None:
    """Limit the memory of this process (None: unlimited), and disable core dumps.

    ``RLIMIT_DATA`` counts private writable memory (Linux 4.7 and newer); ``RLIMIT_AS`` would also
    count libraries and address space that is only reserved. A lower limit stays. Raises ImportError
    on Windows.
    """
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # thousands of bad pages would fill a disk
    if max_bytes is None:
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard == resource.RLIM_INFINITY or hard > max_bytes:
        resource.setrlimit(resource.RLIMIT_DATA, (max_bytes, hard))
