"""Sources of pages for a batch, one module per kind.

`plan` finds the files named on the command line, and the kind of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from thresher.batch.sources.base import Read
from thresher.batch.sources.html import read_html
from thresher.batch.sources.jsonl import read_jsonl
from thresher.batch.sources.parquet import read_parquet
from thresher.batch.sources.urls import read_urls
from thresher.batch.sources.warc import read_warc

__all__ = ["SOURCES"]

SOURCES: Final[Mapping[str, Read]] = {
    "warc": read_warc,
    "html": read_html,
    "jsonl": read_jsonl,
    "parquet": read_parquet,
    "urls": read_urls,
}
"""Kind → function that reads it."""
