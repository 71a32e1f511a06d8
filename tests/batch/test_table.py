"""Tables of an engine: pages in, records out."""

from __future__ import annotations

import pytest

from thresher.batch.model import COLUMNS, SCHEMA, Record, arrow_schema, arrow_table

pytest.importorskip("pyarrow", reason="the extra batch is not installed")

import pyarrow as pa

from tests.batch.misbehaving import GOOD, misbehave
from thresher.batch.guard import Guard
from thresher.batch.model import Item, Settings
from thresher.batch.sources.base import Entry, Unreadable
from thresher.batch.table import as_batches, extract_batch, extract_entries, pages_of
from thresher.errors import UsageError

SETTINGS = Settings(metadata=False)


def test_every_row_becomes_a_row() -> None:
    """Every row gives a row in the same position, whether good, bad or missing."""
    batch = pa.RecordBatch.from_pydict(
        {
            "key": ["a", "b", "c", "d"],
            "address": ["https://example.org/a", None, None, None],
            "page": [GOOD.encode(), b"segfault:", None, GOOD.encode()],
            "other": [1, 2, 3, 4],
        }
    )
    with Guard(SETTINGS, work=misbehave) as guard:
        columns = {"id": "key", "url": "address", "html": "page"}
        out = extract_batch(batch, SETTINGS, columns=columns, guard=guard)
    assert arrow_schema() == out.schema
    assert ["a", "b", "c", "d"] == out["id"].to_pylist()
    assert ["https://example.org/a", None, None, None] == out["url"].to_pylist()
    errors = out["error"].to_pylist()
    assert [None, None] == [errors[0], errors[3]]
    assert "ChildProcessError: its worker died: SIGSEGV" == errors[1]
    assert "InputError: the row has no page" == errors[2]
    assert "sheaves" in out["text"][3].as_py()


def test_a_batch_alone_needs_no_guard() -> None:
    """A single batch needs no guard, not even an empty one."""
    batch = pa.RecordBatch.from_pydict({"url": ["https://example.org/"], "html": [GOOD]})
    assert ["https://example.org/"] == extract_batch(batch, SETTINGS)["id"].to_pylist()
    assert 0 == extract_batch(batch.slice(0, 0), SETTINGS).num_rows


@pytest.mark.parametrize(
    ("names", "columns", "message"),
    [
        (["id", "text"], None, 'no column "html"'),
        (["id", "html"], {"url": "address"}, 'no column "address"'),
        (["html"], None, "ids or of URLs"),
    ],
)
def test_missing_column_is_a_usage_error(
    names: list[str], columns: dict[str, str] | None, message: str
) -> None:
    """A missing column raises UsageError."""
    batch = pa.RecordBatch.from_pydict({name: ["x"] for name in names})
    with pytest.raises(UsageError, match=message):
        list(pages_of(batch, columns))


def test_entries_that_cannot_be_read_keep_their_place() -> None:
    """An unreadable entry gives an error record in its position."""
    bad = [Unreadable(name, "InputError: cut off") for name in "abcd"]
    entries: list[Entry] = [bad[0], Item("1", GOOD), bad[1], bad[2], Item("2", GOOD), bad[3]]
    with Guard(SETTINGS) as guard:
        records = list(extract_entries(entries, SETTINGS, guard=guard))
    assert ["a", "1", "b", "c", "2", "d"] == [record.id for record in records]
    cut = "InputError: cut off"
    assert [cut, None, cut, cut, None, cut] == [record.error for record in records]


def test_records_are_cut_into_batches() -> None:
    """Batches have at most the given length, and are never empty."""
    batches = list(as_batches((Record(str(number)) for number in range(5)), 2))
    assert [2, 2, 1] == [batch.num_rows for batch in batches]
    assert ["0", "1", "2", "3", "4"] == [id for batch in batches for id in batch["id"].to_pylist()]


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
