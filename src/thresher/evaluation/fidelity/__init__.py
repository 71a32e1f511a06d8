"""Fidelity: how much of a page's markup is preserved, compared with the expected output.

    python -m thresher.evaluation.fidelity CORPUS... -o bench/results/fidelity.md

Text has its own metrics (`thresher.evaluation.metrics`). Here headings, lists, tables, code,
formulas, notes, links and images are compared. `cases` has pages with the expected content as HTML;
the same features are read from any HTML (`structure`), and each kind of feature has one score
(`score`). `measure` asks Thresher and other extractors and converters; `properties` checks that
nothing is lost, duplicated or invented.
"""
