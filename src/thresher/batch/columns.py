"""The columns of `Record` in Arrow, as in Parquet files of the output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from thresher.batch.model import SCHEMA, Record
from thresher.errors import MissingExtraError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["COLUMNS", "arrow_schema", "arrow_table", "import_pyarrow"]

COLUMNS: Final = ("schema", *(field.name for field in fields(Record)))
"""Names of the columns, in order. The version is one, as engines drop the metadata of files."""
_SPECIAL: Final = {
    "authors": "list",
    **dict.fromkeys(("text", "markdown", "html"), "large_string"),
    **dict.fromkeys(("n_bytes", "n_repeated"), "int64"),
    **dict.fromkeys(("confidence", "elapsed_s"), "float64"),
}
"""Columns other than `string`. Content has 64-bit offsets: a part can exceed the 2 GiB of a
`string` column."""
_SCHEMA_KEY: Final = b"thresher.schema"
"""Metadata key of a Parquet file that holds the version of the columns."""


def import_pyarrow() -> Any:
    """Import pyarrow; MissingExtraError if it is not installed."""
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtraError("Parquet", "batch") from error
    return pyarrow


def arrow_schema() -> pa.Schema:
    """Return the Arrow schema of `Record`, with its version in the metadata."""
    arrow = import_pyarrow()
    types = {
        "string": arrow.string(),
        "list": arrow.list_(arrow.string()),
        "large_string": arrow.large_string(),
        "int64": arrow.int64(),
        "float64": arrow.float64(),
    }
    made = [(name, types[_SPECIAL.get(name, "string")]) for name in COLUMNS]
    return arrow.schema(made, metadata={_SCHEMA_KEY: SCHEMA.encode("ascii")})


def arrow_table(records: Sequence[Record]) -> pa.Table:
    """Return records as a table; lone surrogates, invalid in UTF-8, become question marks."""
    schema = arrow_schema()
    arrays = []
    for field in schema:
        values = list(map(attrgetter(field.name), records))
        try:
            arrays.append(import_pyarrow().array(values, field.type))
        except UnicodeEncodeError:
            arrays.append(import_pyarrow().array([_clean(value) for value in values], field.type))
    return import_pyarrow().table(arrays, schema=schema)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    return [_clean(one) for one in value] if isinstance(value, tuple) else value
