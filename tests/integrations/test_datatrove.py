"""datatrove runs the extractor in its pipelines."""

from __future__ import annotations

import pytest

from tests.helpers.harbour import HARBOUR, NO_PAGE

data = pytest.importorskip("datatrove.data", reason="datatrove is not installed")


@pytest.mark.filterwarnings("ignore")  # theirs, of the processes that they start
def test_pipeline_has_the_content() -> None:
    """Documents hold the content; one that is no page is skipped."""
    from thresher.integrations.datatrove import ThresherExtractor

    pages = [data.Document(HARBOUR, "1"), data.Document(NO_PAGE, "2")]
    [document] = ThresherExtractor(timeout=60).run(iter(pages))
    assert document.text.startswith("The harbour that learned to wait")
