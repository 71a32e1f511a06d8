"""datatrove: an extractor for pipelines over crawls.

from thresher.integrations.datatrove import ThresherExtractor

pipeline = [WarcReader("crawl/"), ThresherExtractor(), JsonlWriter("texts/")]
"""

from __future__ import annotations

from typing import Any

from datatrove.pipeline.extractors.base import BaseExtractor

import thresher
from thresher.writers.formats import FormatName

__all__ = ["ThresherExtractor"]


class ThresherExtractor(BaseExtractor):
    """Replaces the HTML of each document by its content; datatrove drops documents without any.

    ``timeout`` are the seconds a page may take, in a process of its own. ``options`` are those of
    `thresher.extract`.
    """

    name = "🌾 Thresher"

    def __init__(self, timeout: float = 1, *, format: FormatName = "text", **options: Any) -> None:
        super().__init__(timeout)
        self.format = format
        self.options = options

    def extract(self, text: str) -> str:
        """Return the content of a page; datatrove counts what this raises, and goes on."""
        if not text:  # datatrove's way to start the process
            return ""
        return thresher.extract(text, **self.options).write(self.format)
