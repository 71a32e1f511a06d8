"""Parts found in texts that are in no page."""

from __future__ import annotations

import numpy as np

from thresher.page.parts import PartBits, Parts, find_parts


def find_parts_in(texts: list[bytes], parts: Parts) -> PartBits:
    """Find which parts occur in each of some texts, with ASCII letters of any case; uint32[n]."""
    ends = np.zeros(len(texts) + 1, np.int32)
    np.cumsum(np.fromiter(map(len, texts), np.int32, len(texts)), out=ends[1:])
    return find_parts(b"".join(texts), ends[:-1], ends[1:], parts)
