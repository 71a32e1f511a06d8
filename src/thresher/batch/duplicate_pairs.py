"""Duplicates among the records of an engine: keys to join by, and the comparison of a pair.

`thresher.batch.duplicates` marks records in the order in which they arrive. An engine has no such
order, so here the first record is that with the smallest source and id. Each record has a key for
its words, and one for each band of its signature; it is compared with the first record of each of
its keys. So the cost grows with the records, not with their pairs, and of records that are alike
the first is never a duplicate.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from thresher.batch.model import FORMATS, import_pyarrow
from thresher.batch.signatures import are_near, make_signer
from thresher.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

EXACT: Final = "exact"
NEAR: Final = "near"


def keys_schema() -> pa.Schema:
    """Return the schema of `keys_of`."""
    arrow = import_pyarrow()
    text = arrow.string()
    names = (("key", text), ("source", text), ("id", text), ("minhash", arrow.binary()))
    return arrow.schema(names)


def pairs_schema() -> pa.Schema:
    """Return the schema of `compare_pairs`."""
    text = import_pyarrow().string()
    return import_pyarrow().schema(
        [(name, text) for name in ("source", "id", "duplicate", "duplicate_of")]
    )


def keys_of(records: pa.RecordBatch | pa.Table) -> pa.RecordBatch:
    """Return a row for each key of each record with a text: up to seventeen.

    ``minhash`` has the values of the signature where the key is of a band. Raises UsageError where
    a column ``source`` or ``id``, or all of those of the text, are missing.
    """
    there = set(records.schema.names)
    formats = [name for name in FORMATS if name in there]
    if not {"source", "id"} <= there or not formats:
        raise UsageError(
            f"duplicates are found by source, id, and one of {', '.join(FORMATS)}, which are"
            " columns of records"
        )
    sign = make_signer()
    rows: list[dict[str, Any]] = []
    for record in records.select(["source", "id", *formats]).to_pylist():
        signature = sign(next(filter(None, map(record.get, formats)), None))
        if signature is None:
            continue
        name = {"source": record["source"], "id": record["id"]}
        rows.append({"key": f"{EXACT} {signature.digest.hex()}", **name})
        values = signature.values
        if values is not None:
            minhash = values.tobytes()
            rows += [
                {"key": f"{NEAR} {band:x}", "minhash": minhash, **name} for band in signature.bands
            ]
    return import_pyarrow().RecordBatch.from_pylist(rows, schema=keys_schema())


def compare_pairs(pairs: pa.RecordBatch | pa.Table) -> pa.RecordBatch:
    """Return a row for each pair of records that are duplicates.

    ``pairs`` has the columns of `keys_of`, and with the prefix ``first_`` those of the first record
    with the key. ``duplicate`` and ``duplicate_of`` of a row are as in a record.
    """
    rows = list(_compare(pairs.to_pylist()))
    return import_pyarrow().RecordBatch.from_pylist(rows, schema=pairs_schema())


def _compare(pairs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for pair in pairs:
        source, id = pair["source"], pair["id"]
        first_source, first_id = pair["first_source"], pair["first_id"]
        if (source, id) == (first_source, first_id):
            continue
        kind = EXACT if pair["minhash"] is None else NEAR
        if kind == NEAR and not are_near(
            *(np.frombuffer(pair[name], "<u4") for name in ("minhash", "first_minhash"))
        ):
            continue
        name = first_id if first_source == source else f"{first_source}#{first_id}"
        yield {"source": source, "id": id, "duplicate": kind, "duplicate_of": name}
