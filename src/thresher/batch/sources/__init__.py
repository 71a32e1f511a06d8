"""Sources of pages for a batch: archives, rows of files, and lists of URLs.

`plan` finds the files named on the command line, and the kind of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from thresher.batch.sources.base import Source
from thresher.batch.sources.rows import read_html, read_jsonl, read_parquet
from thresher.batch.sources.urls import read_urls
from thresher.batch.sources.warc import read_warc
from thresher.page.archives import ARCHIVE_SUFFIXES

__all__ = ["SOURCES"]

SOURCES: Final[Mapping[str, Source]] = {
    "warc": Source(read_warc, (".warc",), (b"WARC/",)),
    "html": Source(read_html, (".html", ".htm", ".xhtml", ".shtml", *ARCHIVE_SUFFIXES), (b"<",)),
    "jsonl": Source(read_jsonl, (".jsonl", ".ndjson"), (b"{",)),
    "parquet": Source(read_parquet, (".parquet",), (b"PAR1",)),
    "urls": Source(read_urls, (".urls",), (b"http://", b"https://")),
}
"""Every source by its kind."""
