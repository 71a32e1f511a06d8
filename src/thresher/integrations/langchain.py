"""LangChain: a loader of pages, and a transformer of documents that hold HTML.

from thresher.integrations.langchain import ThresherLoader

documents = ThresherLoader(["https://example.org/story", "saved.html"]).load()
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import BaseDocumentTransformer, Document

from thresher.errors import InputError, LimitError
from thresher.integrations.reading import read_sources, read_text
from thresher.writers.formats import FormatName

__all__ = ["ThresherLoader", "ThresherTransformer"]


class ThresherLoader(BaseLoader):
    """Loads the content of files and web addresses, one document each, with metadata.

    ``format`` is one of `thresher.FORMATS`. ``on_error`` "skip" leaves out the pages that cannot be
    read or fetched. ``options`` are those of `thresher.extract`. Addresses are fetched as
    `thresher extract` does (docs/fetching.md).
    """

    def __init__(
        self,
        sources: Iterable[str | Path],
        *,
        format: FormatName = "markdown",
        on_error: str = "raise",
        **options: Any,
    ) -> None:
        self.sources = list(sources)
        self.format = format
        self.on_error = on_error
        self.options = options

    def lazy_load(self) -> Iterator[Document]:
        """Yield the documents one by one; `alazy_load` does it in another thread."""
        for text in read_sources(self.sources, self.format, self.on_error, **self.options):
            yield Document(page_content=text.text, metadata=text.facts)


class ThresherTransformer(BaseDocumentTransformer):
    """Replaces HTML in documents by its content; metadata are added to those there are.

    A document that cannot be read as a page stays as it is.
    """

    def __init__(self, *, format: FormatName = "markdown", **options: Any) -> None:
        self.format = format
        self.options = options

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """Return the transformed documents; ``source`` in their metadata is the page's address."""
        return [self._transform(document) for document in documents]

    def _transform(self, document: Document) -> Document:
        url = document.metadata.get("source")
        options = {"url": url if isinstance(url, str) else None} | self.options
        try:
            text = read_text(document.page_content, self.format, **options)
        except (InputError, LimitError):
            return document
        metadata = text.facts | document.metadata
        return document.model_copy(update={"page_content": text.text, "metadata": metadata})
