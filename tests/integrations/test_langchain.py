"""LangChain loads pages, and transforms documents of HTML."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.helpers.harbour import HARBOUR, HARBOUR_FILE, NO_PAGE

documents = pytest.importorskip("langchain_core.documents", reason="LangChain is not installed")


def test_loader_yields_documents(tmp_path: Path) -> None:
    """A document a page, with metadata, lazily and asynchronously; unreadable ones are skipped."""
    from thresher.integrations.langchain import ThresherLoader

    broken = tmp_path / "broken.html"
    broken.write_text(NO_PAGE, encoding="utf-8")
    loader = ThresherLoader([broken, HARBOUR_FILE], on_error="skip", scope="article")
    [document] = loader.load()
    assert document.page_content.startswith("# The harbour that learned to wait")
    assert str(HARBOUR_FILE) == document.metadata["source"]
    assert "Mara Lindqvist" == document.metadata["authors"]

    async def load() -> list[object]:
        return [document async for document in loader.alazy_load()]

    assert [document] == asyncio.run(load())


def test_transformer_replaces_html() -> None:
    """HTML becomes its content, known metadata stay, and what is no page is left as it is."""
    from thresher.integrations.langchain import ThresherTransformer

    page = documents.Document(page_content=HARBOUR, metadata={"source": "x", "title": "Mine"})
    other = documents.Document(page_content=NO_PAGE)
    changed, same = ThresherTransformer(format="text").transform_documents([page, other])
    assert changed.page_content.startswith("The harbour that learned to wait")
    assert ("x", "Mine") == (changed.metadata["source"], changed.metadata["title"])
    assert other == same
