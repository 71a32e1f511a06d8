"""Polars: ``.thresher`` extracts a column of pages, in expressions and series.

import thresher.integrations.polars

frame.with_columns(text=pl.col("html").thresher.extract())
"""

from __future__ import annotations

from typing import Any

import polars as pl

from thresher.integrations.reading import extract_texts
from thresher.writers.formats import FormatName

__all__ = ["ExpressionNamespace", "SeriesNamespace"]


@pl.api.register_series_namespace("thresher")
class SeriesNamespace:
    """Extraction of a series of HTML, strings or binary."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def extract(self, format: FormatName = "markdown", **options: Any) -> pl.Series:
        """Return the content of each page in a format; null for none, or one that is no page.

        ``options`` are those of `thresher.extract`; each page has ten seconds unless ``deadline_s``
        says otherwise.
        """
        texts = list(extract_texts(self._series, format, **options))
        return pl.Series(self._series.name, texts, dtype=pl.String)


@pl.api.register_expr_namespace("thresher")
class ExpressionNamespace:
    """The same in an expression, which may be lazy."""

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def extract(self, format: FormatName = "markdown", **options: Any) -> pl.Expr:
        """Return an expression of the content of each page, as `SeriesNamespace.extract`."""

        def extract(series: pl.Series) -> pl.Series:
            return SeriesNamespace(series).extract(format, **options)

        return self._expression.map_batches(extract, return_dtype=pl.String, is_elementwise=True)
