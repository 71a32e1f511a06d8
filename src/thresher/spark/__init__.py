"""Spark: extraction of the pages of a DataFrame, on a laptop or a cluster.

    from thresher.spark import Settings, extract

    records = extract(spark.read.parquet("pages"), Settings(formats=("markdown",)))
    records.write.parquet("records")

`extract_warcs` does the same for the pages of WARC archives; `write_warcs` writes a file for each
archive, and goes on where an earlier job ended. Thresher must be installed on every machine with
the extra ``spark``. docs/scale.md describes the settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from thresher.batch.guard import Guard
from thresher.batch.known import read_known
from thresher.batch.model import Settings, arrow_schema, import_pyarrow
from thresher.batch.signatures import compare_pairs, keys_of, keys_schema, pairs_schema
from thresher.batch.splitting import part_name, split_archive
from thresher.batch.table import (
    ROWS,
    ArchiveReport,
    as_batches,
    extract_archive,
    extract_batch,
    write_archive,
)
from thresher.batch.work import extract_item
from thresher.batch.worker import Work
from thresher.errors import MissingExtraError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

__all__ = [
    "ArchiveReport",
    "Settings",
    "extract",
    "extract_warcs",
    "find_duplicates",
    "part_name",
    "read_known",
    "spark_schema",
    "split_archive",
    "write_warcs",
]


def extract(
    df: DataFrame,
    settings: Settings | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    timeout_s: float | None = None,
    work: Work = extract_item,
) -> DataFrame:
    """Return a row of `thresher.batch.model.Record` for each page of a DataFrame, lazily.

    ``columns`` maps ``id``, ``html`` (text or bytes), ``url`` and ``charset`` to other column
    names; without ids the URL is the id. A page that crashes, hangs or cannot be read becomes a row
    with an error and fails no task. ``timeout_s`` and ``work`` are as for
    `thresher.batch.guard.Guard`, which runs once in every task.
    """
    chosen = settings or Settings()

    def step(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with Guard(chosen, timeout_s=timeout_s, work=work) as guard:
            for batch in batches:
                for start in range(0, batch.num_rows, ROWS):
                    part = batch.slice(start, ROWS)
                    yield extract_batch(part, chosen, columns=columns, guard=guard)

    return df.mapInArrow(step, spark_schema())


def extract_warcs(
    session: SparkSession,
    paths: Sequence[str],
    settings: Settings | None = None,
    *,
    max_damaged: int | None = None,
    timeout_s: float | None = None,
    work: Work = extract_item,
) -> DataFrame:
    """Return a row for each page in WARC archives, lazily, with one task per archive.

    ``paths`` are local to every machine, or URIs as for `thresher.batch.table.extract_archive`,
    which also describes the handling of damage, and what raises, so that Spark repeats the task.
    Requires `fastwarc` on every machine.
    """
    chosen = settings or Settings()
    take = partial(extract_archive, settings=chosen, max_damaged=max_damaged)
    import_pyarrow()

    def step(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with Guard(chosen, timeout_s=timeout_s, work=work) as guard:
            for batch in batches:
                for path in batch["path"].to_pylist():
                    yield from as_batches(take(path, guard=guard))

    rows = session.sparkContext.parallelize([(path,) for path in paths], max(len(paths), 1))
    return session.createDataFrame(rows, "path string").mapInArrow(step, spark_schema())


def write_warcs(
    session: SparkSession,
    paths: Sequence[str],
    out: str,
    settings: Settings | None = None,
    *,
    only_errors: bool = False,
    max_damaged: int | None = None,
    timeout_s: float | None = None,
    work: Work = extract_item,
) -> list[ArchiveReport]:
    """Write a Parquet file of records for each WARC archive into a folder, with a task for each.

    ``paths`` and ``out`` are local to every machine, or URIs. Archives whose files are there are
    skipped, so the same call continues a job that failed. `thresher.batch.table.write_archive`
    describes this, ``only_errors`` and what raises.
    """
    chosen = settings or Settings()
    write = partial(
        write_archive, out=out, settings=chosen, only_errors=only_errors, max_damaged=max_damaged
    )

    def step(some: Iterable[str]) -> Iterator[ArchiveReport]:
        with Guard(chosen, timeout_s=timeout_s, work=work) as guard:
            for path in some:
                yield write(path, guard=guard)

    rows = session.sparkContext.parallelize(list(paths), max(len(paths), 1))
    reports: list[ArchiveReport] = rows.mapPartitions(step).collect()
    return reports


def find_duplicates(records: DataFrame) -> DataFrame:
    """Return a row for each record that has the text of another, or nearly so, lazily.

    ``records`` has the columns ``source`` and ``id``, which occur once together, and some of those
    of the text. A row has ``source``, ``id``, ``duplicate`` and ``duplicate_of``, as in a record.
    `thresher.batch.signatures` says which of several records is none. Requires `rensa` on
    every machine.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    keys = records.mapInArrow(_apply(keys_of), _spark_schema_of(keys_schema()))
    first = f.min(f.struct(*_COMPARED)).over(Window.partitionBy("key")).alias("first")
    beside = keys.select("*", first).select(
        "*", *(f.col(f"first.{name}").alias(f"first_{name}") for name in _COMPARED)
    )
    # Most keys have one record; these need not go to Python.
    several = beside.where("not (source <=> first_source and id <=> first_id)").drop("first")
    pairs = several.mapInArrow(_apply(compare_pairs), _spark_schema_of(pairs_schema()))
    # Exact comes before near; then the first of several records.
    best = f.min(f.struct("duplicate", "duplicate_of")).alias("best")
    return pairs.groupBy("source", "id").agg(best).select("source", "id", "best.*")


_COMPARED: Final = ("source", "id", "minhash")


def _apply(
    change: Callable[[pa.RecordBatch], pa.RecordBatch],
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return a step of Spark that changes each batch."""

    def step(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from map(change, batches)

    return step


def spark_schema() -> StructType:
    """Return the Spark schema of the records; MissingExtraError without PySpark."""
    return _spark_schema_of(arrow_schema())


def _spark_schema_of(schema: pa.Schema) -> StructType:
    try:
        from pyspark.sql.pandas.types import from_arrow_schema
    except ImportError as error:
        raise MissingExtraError("Spark", "spark") from error
    made: Any = from_arrow_schema(schema)
    return made
