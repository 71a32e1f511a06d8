"""Headings of a document, layout of its output, chunks, and token estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thresher.support.late import late_names

if TYPE_CHECKING:
    from thresher.chunking.layout import Join, OutputLayout, Piece
    from thresher.chunking.outline import Heading, find_headings, outline_of
    from thresher.chunking.splitting import (
        BREAKS,
        CHUNK_CHARS,
        CHUNK_TOKENS,
        MIN_CHUNK_CHARS,
        Chunk,
        split,
    )
    from thresher.chunking.tokens import QUARTERS, estimate_tokens, token_offsets

__all__ = [
    "BREAKS",
    "CHUNK_CHARS",
    "CHUNK_TOKENS",
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

_HOMES: Final = {
    "BREAKS": "thresher.chunking.splitting",
    "CHUNK_CHARS": "thresher.chunking.splitting",
    "CHUNK_TOKENS": "thresher.chunking.splitting",
    "MIN_CHUNK_CHARS": "thresher.chunking.splitting",
    "QUARTERS": "thresher.chunking.tokens",
    "Chunk": "thresher.chunking.splitting",
    "Heading": "thresher.chunking.outline",
    "Join": "thresher.chunking.layout",
    "OutputLayout": "thresher.chunking.layout",
    "Piece": "thresher.chunking.layout",
    "estimate_tokens": "thresher.chunking.tokens",
    "find_headings": "thresher.chunking.outline",
    "outline_of": "thresher.chunking.outline",
    "split": "thresher.chunking.splitting",
    "token_offsets": "thresher.chunking.tokens",
}
"""Public name → the module that defines it."""

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(__name__, _HOMES)
