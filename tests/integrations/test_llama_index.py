"""LlamaIndex reads pages."""

from __future__ import annotations

import pytest

from tests.helpers.harbour import HARBOUR_FILE

pytest.importorskip("llama_index.core", reason="LlamaIndex is not installed")


@pytest.mark.filterwarnings("ignore")  # theirs, of what they import
def test_reader_returns_documents() -> None:
    """A document a source, with metadata and what the caller adds."""
    from thresher.integrations.llama_index import ThresherReader

    [document] = ThresherReader().load_data(HARBOUR_FILE, extra_info={"shelf": "7"})
    assert document.text.startswith("# The harbour that learned to wait")
    assert "Mara Lindqvist" == document.metadata["authors"]
    assert "7" == document.metadata["shelf"]
