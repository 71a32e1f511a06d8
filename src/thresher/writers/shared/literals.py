"""Literals: parts of an output that the compiled steps copy, joined into one buffer."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.page.scan import IntArray

__all__ = ["join_literals"]

_SEPARATOR: Final = "\0"


def join_literals(literals: list[str]) -> tuple[bytes, IntArray]:
    """Join literals without NUL; return their UTF-8, and where each begins there; int32[n + 1]."""
    joined = _SEPARATOR.join([*literals, ""]).encode("utf-8", "surrogatepass")
    ends = np.flatnonzero(np.frombuffer(joined, np.uint8) == ord(_SEPARATOR))
    offsets = np.append(0, ends - np.arange(ends.size)).astype(np.int32)
    return joined.replace(_SEPARATOR.encode(), b""), offsets
