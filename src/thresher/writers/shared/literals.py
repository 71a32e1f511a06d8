"""Literals: parts of an output that the compiled steps copy, joined into one buffer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from thresher.page.scan import IntArray

__all__ = ["Literals", "join_literals"]


class Literals(NamedTuple):
    """Joined literals."""

    joined: bytes
    """Their UTF-8."""
    offset: IntArray
    """Where each begins there, last the end; int32[n + 1]."""


_NONE: Final = Literals(b"", np.zeros(1, np.int32))


def join_literals(literals: Sequence[str], after: Literals = _NONE) -> Literals:
    """Join literals, after others that are joined already."""
    parts = [each.encode("utf-8", "surrogatepass") for each in literals]
    n_before = after.offset.size
    offset = np.empty(n_before + len(parts), np.int32)
    offset[:n_before] = after.offset
    offset[n_before:] = list(map(len, parts))
    offset[n_before - 1 :].cumsum(out=offset[n_before - 1 :])
    return Literals(after.joined + b"".join(parts), offset)
