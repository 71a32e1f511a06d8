"""Haystack: a converter of HTML to documents, in the place of ``HTMLToDocument``.

from thresher.integrations.haystack import ThresherConverter

documents = ThresherConverter().run(sources=["saved.html"])["documents"]
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from haystack import Document, component
from haystack.components.converters.utils import get_bytestream_from_source, normalize_metadata
from haystack.dataclasses import ByteStream

from thresher.errors import InputError, LimitError
from thresher.integrations.reading import read_text
from thresher.writers.formats import FormatName

__all__ = ["ThresherConverter"]

_log = logging.getLogger(__name__)


@component
class ThresherConverter:
    """Converts files and byte streams of HTML to documents with metadata.

    ``format`` is one of `thresher.FORMATS`; ``extraction_kwargs`` are options of
    `thresher.extract`. Sources that cannot be read are skipped, with a warning in the log, as
    Haystack's converters do.
    """

    def __init__(
        self, format: FormatName = "markdown", extraction_kwargs: dict[str, Any] | None = None
    ) -> None:
        self.format = format
        self.extraction_kwargs = extraction_kwargs

    @component.output_types(documents=list[Document])
    def run(
        self,
        sources: list[str | Path | ByteStream],
        meta: dict[str, Any] | list[dict[str, Any]] | None = None,
    ) -> dict[str, list[Document]]:
        """Convert the sources; ``meta`` and that of byte streams is added to the metadata."""
        documents = []
        for source, given in zip(sources, normalize_metadata(meta, len(sources)), strict=True):
            try:
                stream = get_bytestream_from_source(source)
                options = {"url": stream.meta.get("url")} | (self.extraction_kwargs or {})
                text = read_text(stream.data, self.format, **options)
            except (OSError, InputError, LimitError) as error:
                _log.warning("could not convert %s: %s", source, error)
                continue
            documents.append(Document(content=text.text, meta=text.facts | stream.meta | given))
        return {"documents": documents}
