"""Haystack converts pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.harbour import HARBOUR, HARBOUR_FILE, NO_PAGE

pytest.importorskip("haystack", reason="Haystack is not installed")


@pytest.mark.filterwarnings("ignore")  # theirs, of what they import
def test_converter_returns_documents(tmp_path: Path) -> None:
    """Files and byte streams become documents; what is no page, or not there, is left out."""
    from haystack.dataclasses import ByteStream

    from thresher.integrations.haystack import ThresherConverter

    stream = ByteStream(HARBOUR.encode(), meta={"url": "https://tidewater.example/harbour"})
    sources = [HARBOUR_FILE, stream, ByteStream(NO_PAGE.encode()), tmp_path / "missing.html"]
    converter = ThresherConverter(format="text", extraction_kwargs={"scope": "article"})
    documents = converter.run(sources=sources, meta={"shelf": "7"})["documents"]
    assert 2 == len(documents)
    assert {"7"} == {document.meta["shelf"] for document in documents}
    assert "https://tidewater.example/harbour" == documents[1].meta["url"]
    assert documents[0].content.startswith("The harbour that learned to wait")
