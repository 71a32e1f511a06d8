"""Alignment of a page's blocks with a text, such as its gold: which blocks are in the text."""

from __future__ import annotations

from thresher.evaluation.alignment.blocks import Alignment, align_blocks

__all__ = ["Alignment", "align_blocks"]
