"""Evaluation of extraction methods: metrics, corpora, and runs of methods over corpora.

`metrics` compares extracted text with the gold standard. `corpora` reads labelled pages. `evaluate`
runs methods over them, `summary` computes means and presents them. The engine does not depend on
this package.
"""
