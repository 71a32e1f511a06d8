"""A column of a pandas frame is extracted."""

from __future__ import annotations

import pytest

from tests.helpers.harbour import HARBOUR, NO_PAGE

pd = pytest.importorskip("pandas", reason="pandas is not installed")


def test_series_is_extracted() -> None:
    """Texts have the index and name of the pages; what is no page is missing."""
    import thresher.integrations.pandas  # noqa: F401 - registers the accessor

    pages = pd.Series([HARBOUR, None, NO_PAGE], index=["a", "b", "c"], name="html")
    texts = pages.thresher.extract("text")
    assert ["a", "b", "c"] == list(texts.index)
    assert "html" == texts.name
    assert texts["a"].startswith("The harbour that learned to wait")
    assert [False, True, True] == texts.isna().tolist()
