"""DuckDB: a function of SQL that extracts a column of pages, over Arrow.

from thresher.integrations.duckdb import register

register(connection)
connection.sql("SELECT url, thresher(html) AS text FROM 'pages.parquet'")
"""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa

from thresher.integrations.reading import extract_texts
from thresher.writers.formats import FormatName

__all__ = ["register"]


def register(
    connection: duckdb.DuckDBPyConnection,
    name: str = "thresher",
    format: FormatName = "markdown",
    **options: Any,
) -> None:
    """Add a function ``name(html VARCHAR) -> VARCHAR`` to a connection.

    It is NULL for NULL, and for a page that cannot be read. ``options`` are those of
    `thresher.extract`; each page has ten seconds unless ``deadline_s`` says otherwise.
    """

    def extract(pages: pa.ChunkedArray) -> pa.Array:
        return pa.array(extract_texts(pages.to_pylist(), format, **options), pa.string())

    connection.create_function(
        name, extract, ["VARCHAR"], "VARCHAR", type="arrow", null_handling="special"
    )
