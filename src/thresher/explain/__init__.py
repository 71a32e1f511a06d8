"""Explanation of an extraction: the evidence for each block, as data and as a report."""

from __future__ import annotations

from thresher.explain.explanation import ExplainedBlock, Explanation, explain
from thresher.explain.page import write_explanation

__all__ = ["ExplainedBlock", "Explanation", "explain", "write_explanation"]
