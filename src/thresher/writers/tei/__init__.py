"""TEI P5: a text of divisions, paragraphs, lists and tables, under a header."""

from __future__ import annotations

from thresher.writers.tei.document import write

__all__ = ["write"]
