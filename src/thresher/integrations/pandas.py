"""pandas: ``series.thresher`` extracts a column of pages.

import thresher.integrations.pandas

frame["text"] = frame["html"].thresher.extract()
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from thresher.integrations.reading import extract_texts
from thresher.writers.formats import FormatName

__all__ = ["SeriesAccessor"]


@pd.api.extensions.register_series_accessor("thresher")
class SeriesAccessor:
    """Extraction of a series of HTML, text or bytes."""

    def __init__(self, series: pd.Series) -> None:
        self._series = series

    def extract(self, format: FormatName = "markdown", **options: Any) -> pd.Series:
        """Return the content of each page in a format, with the same index and name.

        A missing value stays missing, and a page that cannot be read becomes one. ``options`` are
        those of `thresher.extract`; each page has ten seconds unless ``deadline_s`` says otherwise.
        """
        texts = list(extract_texts(self._series, format, **options))
        return pd.Series(texts, index=self._series.index, name=self._series.name, dtype=object)
