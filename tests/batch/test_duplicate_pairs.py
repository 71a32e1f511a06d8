"""Duplicates by keys and pairs, as engines find them."""

from __future__ import annotations

import sqlite3
from itertools import groupby
from operator import itemgetter

import pytest

pytest.importorskip("pyarrow", reason="the extra batch is not installed")
pytest.importorskip("rensa", reason="the extra batch is not installed")

import pyarrow as pa

from tests.batch.contract import Row, check_duplicates
from thresher.batch.duplicates import Duplicates
from thresher.batch.model import Record
from thresher.batch.signatures import compare_pairs, keys_of
from thresher.errors import UsageError


def find_inline(rows: list[Row]) -> list[Row]:
    """Find duplicates as an engine of one process, which groups and joins rows by itself."""
    name = itemgetter("source", "id")
    keys = sorted(keys_of(pa.Table.from_pylist(rows)).to_pylist(), key=itemgetter("key"))
    pairs: list[Row] = []
    for _, group in groupby(keys, itemgetter("key")):
        of_key = sorted(group, key=name)
        first = {f"first_{column}": value for column, value in of_key[0].items()}
        pairs += compare_pairs(pa.Table.from_pylist([row | first for row in of_key])).to_pylist()
    pairs.sort(key=itemgetter("source", "id", "duplicate", "duplicate_of"))
    return [next(group) for _, group in groupby(pairs, name)]


def test_pairs_are_those_of_the_contract() -> None:
    """What engines do with the keys of records gives each duplicate once."""
    check_duplicates(find_inline)


def test_duplicates_are_those_of_a_batch() -> None:
    """Records in the order of their ids are marked as a batch marks them."""
    words = [f"sheaf{number}" for number in range(300)]
    texts = [" ".join([*words[: 300 - 6 * (number % 5)], str(number // 5)]) for number in range(20)]
    mark = Duplicates(sqlite3.connect(":memory:")).mark
    records = [Record(f"{number:02}", source="a", text=text) for number, text in enumerate(texts)]
    marked = {record.id: record.duplicate for record in map(mark, records) if record.duplicate}
    rows = [{"source": "a", "id": record.id, "text": record.text} for record in records]
    found = {row["id"]: row["duplicate"] for row in find_inline(rows)}
    assert marked == found
    assert 10 < len(found) < 20


def test_the_first_format_with_text_counts() -> None:
    """A record without plain text is compared by its Markdown; one without any has no keys."""
    rows = [
        {"source": "a", "id": "0", "text": None, "markdown": "rye and oats"},
        {"source": "a", "id": "1", "text": "", "markdown": None},
    ]
    assert ["0"] == keys_of(pa.Table.from_pylist(rows))["id"].to_pylist()


@pytest.mark.parametrize("missing", ["source", "id", "text"])
def test_records_need_names_and_text(missing: str) -> None:
    """Without a column that is needed, UsageError says which are."""
    row = {name: "rye" for name in ("source", "id", "text") if name != missing}
    with pytest.raises(UsageError, match="source, id, and one of text"):
        keys_of(pa.Table.from_pylist([row]))
