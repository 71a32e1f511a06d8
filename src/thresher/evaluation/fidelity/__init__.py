"""Fidelity: how much of a page's markup is preserved, compared with the expected output.

    python -m thresher.evaluation.fidelity CORPUS... -o docs/fidelity.md

Text has its own metrics (`thresher.evaluation.metrics`). Here headings, lists, tables, code,
formulas, notes, links and images are compared. Markdown is rendered as HTML by a CommonMark library
(`render`); the same features are read from any HTML (`structure`), and each kind of feature has one
score (`score`). `pages` are pages of our own, each with one feature; `peers` are other extractors
and converters; `properties` checks that nothing is lost, duplicated or invented.
"""

from __future__ import annotations

__all__: list[str] = []
