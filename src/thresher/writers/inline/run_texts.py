"""The text of each run: that of its leaves, collapsed, and without soft hyphens."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from thresher.page.blocks import join_leaves
from thresher.writers.inline.plain import SOFT_HYPHEN
from thresher.writers.outline.outline import Outline

__all__ = ["write_runs"]


def write_runs(outline: Outline, replaced: Mapping[int, str]) -> list[str]:
    """Return the text of each run; ``replaced`` has the texts of leaves that are not their own."""
    starts = outline.runs.start.tolist()
    texts = [_join_leaves(outline, first, stop, {}) for first, stop in pairwise(starts)]
    if replaced:
        kept = outline.kept.tolist()
        runs = [
            run
            for run, (first, stop) in enumerate(pairwise(starts))
            if not replaced.keys().isdisjoint(kept[first:stop])
        ]
        for run in runs:
            texts[run] = _join_leaves(outline, starts[run], starts[run + 1], replaced)
    return texts


def _join_leaves(outline: Outline, first: int, stop: int, replaced: Mapping[int, str]) -> str:
    """Join the texts of the kept leaves ``first:stop``."""
    leaves = outline.kept[first:stop]
    texts = outline.page.leaf_texts(leaves)
    texts = [replaced.get(leaf, text) for leaf, text in zip(leaves.tolist(), texts, strict=True)]
    gaps = outline.gaps[first:stop]
    return join_leaves([text.replace(SOFT_HYPHEN, "") for text in texts], gaps)
