"""The text of a post as shown to a reader."""

from __future__ import annotations

import numpy as np

from thresher.page import Page
from thresher.page.blocks import join_leaves
from thresher.page.scan import IntArray

__all__ = ["text_of"]


def text_of(page: Page, leaves: IntArray) -> str:
    """Join the texts of leaves in order, blocks separated by an empty line; skip pictures."""
    if not leaves.size:
        return ""
    gaps = page.gaps_of(leaves)
    begins = np.flatnonzero(np.diff(page.blocks.of_leaf[leaves], prepend=-1))
    ends = np.append(begins[1:], leaves.size)
    texts = [page.leaf_text(leaf) for leaf in leaves.tolist()]
    blocks = (
        join_leaves(texts[begin:end], gaps[begin:end])
        for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)
    )
    return "\n\n".join(block for block in blocks if block)
