"""How much of a page's markup survives: what was written against what should have been.

    python -m thresher.evaluation.fidelity CORPUS... -o docs/fidelity.md

Text has its own measures (`thresher.evaluation.metrics`). Here headings, lists, tables, code,
formulas, notes, links and pictures are compared. Markdown is made HTML by a CommonMark library
(`render`); of HTML, whoever wrote it, the same things are read (`structure`), and each kind of
thing has one score (`score`). `pages` are pages of our own, each with one feature; `peers` are
other extractors and converters; `properties` checks that nothing is lost, doubled or invented.
"""

from __future__ import annotations

__all__: list[str] = []
