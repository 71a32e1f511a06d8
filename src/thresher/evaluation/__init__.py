"""Evaluation of extraction methods: metrics, corpora, and runs of methods over corpora.

`metrics` compares extracted text with the gold standard. `corpora` reads labelled pages. `evaluate`
runs methods over them, `summary` computes means, `tables` and `report` present them. The engine
does not depend on this package.
"""

from __future__ import annotations

__all__: list[str] = []
