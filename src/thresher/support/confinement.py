"""What a process that works on pages may have: one core, and so much memory.

`thresher.batch` and `thresher.serving` start such processes, each in its own way.
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
"""Environment of a worker: threads that wait for each other on a busy core cost more than they
bring for arrays of this size."""


def limit_memory(max_bytes: int | None) -> None:
    """Let this process have no more memory of its own (None: as much as there is), nor dump core.

    ``RLIMIT_DATA`` counts what can be written and is not shared (Linux 4.7 and newer). Not
    ``RLIMIT_AS``: that counts libraries, and address space that is only set aside. A limit that is
    narrower already stays. ImportError on Windows.
    """
    import resource  # noqa: PLC0415

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # thousands of bad pages would fill a disk
    if max_bytes is None:
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard == resource.RLIM_INFINITY or hard > max_bytes:
        resource.setrlimit(resource.RLIMIT_DATA, (max_bytes, hard))
