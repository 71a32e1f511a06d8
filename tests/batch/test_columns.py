"""The columns in Arrow."""

from __future__ import annotations

from thresher.batch.columns import COLUMNS, arrow_schema, arrow_table
from thresher.batch.model import SCHEMA, Record

FULL = Record("a", text="rye", authors=("Ann", "Ben"), n_bytes=7, confidence=0.5, elapsed_s=1.5)


def test_every_column_is_there() -> None:
    """A row has the values of its record, and the schema has its version."""
    table = arrow_table([FULL, Record("b", error="InputError: no page")])
    assert list(COLUMNS) == table.schema.names
    assert SCHEMA.encode() == table.schema.metadata[b"thresher.schema"]
    rows = table.to_pylist()
    assert SCHEMA == rows[0].pop("schema")
    assert FULL == Record(**{**rows[0], "authors": tuple(rows[0]["authors"])})
    assert ("InputError: no page", [], None) == tuple(
        rows[1][name] for name in ("error", "authors", "text")
    )


def test_no_records_are_a_table_too() -> None:
    """Without records the table has all columns and no rows."""
    assert arrow_schema() == arrow_table([]).schema
    assert 0 == arrow_table([]).num_rows


def test_lone_surrogates_become_question_marks() -> None:
    """Lone surrogates become question marks and raise no error."""
    record = Record("a", text="rye \ud800", authors=("Ann \udfff",))
    row = arrow_table([record, FULL]).to_pylist()[0]
    assert ("rye ?", ["Ann ?"]) == (row["text"], row["authors"])
