"""LlamaIndex: a reader of files and web addresses.

from thresher.integrations.llama_index import ThresherReader

documents = ThresherReader().load_data(["https://example.org/story", "saved.html"])
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from thresher.integrations.reading import read_sources
from thresher.writers.formats import FormatName

__all__ = ["ThresherReader"]


class ThresherReader(BaseReader):
    """Reads the content of pages, one document each, with metadata.

    ``format`` is one of `thresher.FORMATS`. ``on_error`` "skip" leaves out the pages that cannot be
    read or fetched. ``options`` are those of `thresher.extract`.
    """

    def __init__(
        self, *, format: FormatName = "markdown", on_error: str = "raise", **options: Any
    ) -> None:
        self.format = format
        self.on_error = on_error
        self.options = options

    def lazy_load_data(
        self,
        sources: str | Path | Iterable[str | Path],
        *,
        extra_info: dict[str, Any] | None = None,
    ) -> Iterable[Document]:
        """Yield a document for each source; ``extra_info`` is added to the metadata."""
        named = [sources] if isinstance(sources, str | Path) else sources
        for text in read_sources(named, self.format, self.on_error, **self.options):
            yield Document(text=text.text, metadata=text.facts | (extra_info or {}))
