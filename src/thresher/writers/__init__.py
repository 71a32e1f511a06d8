"""Writers of documents: one format a file, all with the same signature, one table."""

from __future__ import annotations

# Nearly every caller writes these two: they are there before a process forks.
from thresher.writers import markdown, text  # noqa: F401
from thresher.writers.formats import CHUNKED_FORMATS, FORMATS, JOINED_FORMATS, Format

__all__ = ["CHUNKED_FORMATS", "FORMATS", "JOINED_FORMATS", "Format"]
