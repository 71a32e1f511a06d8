"""Writers of documents: one format a file, all with the same signature, one table."""

from __future__ import annotations

from thresher.writers.formats import CHUNKED_FORMATS, FORMATS, JOINED_FORMATS, Format

__all__ = ["CHUNKED_FORMATS", "FORMATS", "JOINED_FORMATS", "Format"]
