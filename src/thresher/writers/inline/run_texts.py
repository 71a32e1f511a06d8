"""The text of each run: that of its leaves, collapsed, and without soft hyphens."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from thresher.deadline import watch
from thresher.page.blocks import join_leaves
from thresher.writers.inline.plain import SOFT_HYPHEN
from thresher.writers.outline.outline import Outline

__all__ = ["write_runs"]


def write_runs(outline: Outline, replaced: Mapping[int, str]) -> list[str]:
    """Return the text of each run; ``replaced`` has the texts of leaves that are not their own."""
    kept, gaps = outline.kept, outline.gaps
    texts = outline.page.leaf_texts(kept)
    if replaced:
        leaves = zip(kept.tolist(), texts, strict=True)
        texts = [replaced.get(leaf, text) for leaf, text in leaves]
    texts = [text.replace(SOFT_HYPHEN, "") for text in texts]
    spans = pairwise(outline.runs.start.tolist())
    return [join_leaves(texts[first:stop], gaps[first:stop]) for first, stop in watch(spans)]
