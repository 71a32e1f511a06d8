"""A column of a Polars frame is extracted, in lazy frames too."""

from __future__ import annotations

import pytest

from tests.helpers.harbour import HARBOUR, NO_PAGE

pl = pytest.importorskip("polars", reason="Polars is not installed")


def test_column_is_extracted() -> None:
    """An expression gives strings, null for null and for what is no page."""
    import thresher.integrations.polars  # noqa: F401 - registers the namespaces

    frame = pl.LazyFrame({"html": [HARBOUR, None, NO_PAGE]})
    texts = frame.select(text=pl.col("html").thresher.extract("text")).collect()
    assert pl.String == texts.schema["text"]
    assert texts["text"][0].startswith("The harbour that learned to wait")
    assert 2 == texts["text"].null_count()
    assert texts["text"].to_list() == frame.collect()["html"].thresher.extract("text").to_list()
