"""A function of SQL extracts a column."""

from __future__ import annotations

import pytest

from tests.helpers.harbour import HARBOUR, NO_PAGE

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")


def test_sql_extracts_a_column() -> None:
    """The function gives text, NULL for NULL and for what is no page."""
    from thresher.integrations.duckdb import register

    connection = duckdb.connect()
    register(connection, "main_content", format="text")
    rows = connection.execute(
        "SELECT main_content(html) FROM (VALUES (1, ?), (2, NULL), (3, ?)) AS page(n, html)"
        " ORDER BY n",
        [HARBOUR, NO_PAGE],
    ).fetchall()
    assert rows[0][0].startswith("The harbour that learned to wait")
    assert [(None,), (None,)] == rows[1:]
