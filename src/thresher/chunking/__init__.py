"""Headings of a document, layout of its output, chunks, and token estimates."""

from __future__ import annotations

from thresher.chunking.layout import Join, OutputLayout, Piece
from thresher.chunking.outline import Heading, find_headings, outline_of
from thresher.chunking.split import BREAKS, MIN_CHUNK_CHARS, Chunk, split
from thresher.chunking.tokens import QUARTERS, estimate_tokens, token_offsets

__all__ = [
    "BREAKS",
    "MIN_CHUNK_CHARS",
    "QUARTERS",
    "Chunk",
    "Heading",
    "Join",
    "OutputLayout",
    "Piece",
    "estimate_tokens",
    "find_headings",
    "outline_of",
    "split",
    "token_offsets",
]
