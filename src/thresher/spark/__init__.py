"""Spark: extraction of the pages of a DataFrame, on a laptop or a cluster.

    from thresher.spark import Settings, extract

    records = extract(spark.read.parquet("pages"), Settings(formats=("markdown",)))
    records.write.parquet("records")

`extract_warcs` does the same for the pages of WARC archives. Thresher must be installed on every
machine with the extra ``spark``. docs/scale.md describes the settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from thresher.batch.archives import extract_archive
from thresher.batch.columns import arrow_schema, import_pyarrow
from thresher.batch.guard import Guard
from thresher.batch.model import Settings
from thresher.batch.table import ROWS, as_batches, extract_batch
from thresher.batch.work import extract_item
from thresher.batch.worker import Work
from thresher.errors import MissingExtraError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

__all__ = ["Settings", "extract", "extract_warcs", "spark_schema"]

_Step = Callable[[Iterable["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]


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
    schema = spark_schema()
    return df.mapInArrow(_make_step(chosen, columns, timeout_s, work), schema)


def extract_warcs(
    session: SparkSession,
    paths: Sequence[str],
    settings: Settings | None = None,
    *,
    timeout_s: float | None = None,
    work: Work = extract_item,
) -> DataFrame:
    """Return a row for each page in WARC archives, lazily, with one task per archive.

    ``paths`` are local to every machine, or URIs as for `thresher.batch.archives.extract_archive`,
    which also describes the handling of damage. Requires `fastwarc` on every machine.
    """
    chosen = settings or Settings()
    rows = session.sparkContext.parallelize([(path,) for path in paths], max(len(paths), 1))
    return session.createDataFrame(rows, "path string").mapInArrow(
        _make_warc_step(chosen, timeout_s, work), spark_schema()
    )


def spark_schema() -> StructType:
    """Return the Spark schema of the records; MissingExtraError without PySpark."""
    try:
        from pyspark.sql.pandas.types import from_arrow_schema  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("Spark", "spark") from error
    schema: Any = from_arrow_schema(arrow_schema())
    return schema


def _make_step(
    settings: Settings, columns: Mapping[str, str] | None, timeout_s: float | None, work: Work
) -> _Step:
    import_pyarrow()

    def step(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with Guard(settings, timeout_s=timeout_s, work=work) as guard:
            for batch in batches:
                for start in range(0, batch.num_rows, ROWS):
                    part = batch.slice(start, ROWS)
                    yield extract_batch(part, settings, columns=columns, guard=guard)

    return step


def _make_warc_step(settings: Settings, timeout_s: float | None, work: Work) -> _Step:
    import_pyarrow()

    def step(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with Guard(settings, timeout_s=timeout_s, work=work) as guard:
            for batch in batches:
                for path in batch["path"].to_pylist():
                    yield from as_batches(extract_archive(path, settings, guard=guard))

    return step
