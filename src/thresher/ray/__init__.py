"""Ray Data: extraction of the pages of a Dataset, on a laptop or a cluster.

    from thresher.ray import Settings, extract

    records = extract(ray.data.read_parquet("pages"), Settings(formats=("markdown",)))
    records.write_parquet("records")

Thresher must be installed on every machine with the extra ``ray``. docs/scale.md describes the
settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from thresher.batch.columns import arrow_schema, import_pyarrow
from thresher.batch.guard import Guard
from thresher.batch.model import Settings
from thresher.batch.table import ROWS, extract_batch
from thresher.batch.work import extract_item
from thresher.batch.worker import Work
from thresher.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    import pyarrow as pa
    from ray.data import Dataset

__all__ = ["Settings", "extract"]


def extract(
    ds: Dataset,
    settings: Settings | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    n_actor: int | None = None,
    num_cpus: float = 0.5,
    batch_size: int = ROWS,
    timeout_s: float | None = None,
    work: Work = extract_item,
) -> Dataset:
    """Return a row of `thresher.batch.model.Record` for each page of a Dataset, lazily.

    ``columns`` maps ``id``, ``html`` (text or bytes), ``url`` and ``charset`` to other column
    names; without ids the URL is the id. A page that crashes, hangs or cannot be read becomes a row
    with an error, and no block is lost.

    ``n_actor`` actors do the work, each with one worker process; by default one per core of the
    cluster. Ray reserves ``num_cpus`` for each of them: with a whole core each, none would be left
    for reading. ``timeout_s`` and ``work`` are as for `thresher.batch.guard.Guard`, which runs once
    in every actor.
    """
    try:
        import ray  # noqa: PLC0415
        from ray.data import ActorPoolStrategy  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("Ray", "ray") from error
    import_pyarrow()
    if n_actor is not None and n_actor < 1:
        raise UsageError(f"n_actor is a number above 0, not {n_actor!r}")
    if n_actor is None:
        if not ray.is_initialized():
            ray.init()
        n_actor = max(1, int(ray.cluster_resources().get("CPU", 1)))
    return ds.map_batches(
        _Extractor,
        fn_constructor_args=(settings or Settings(), columns, timeout_s, work),
        batch_format="pyarrow",
        batch_size=batch_size,
        num_cpus=num_cpus,
        compute=ActorPoolStrategy(size=n_actor),
    )


class _Extractor:
    """The work of an actor, with one guard for its lifetime."""

    def __init__(
        self,
        settings: Settings,
        columns: Mapping[str, str] | None,
        timeout_s: float | None,
        work: Work,
    ) -> None:
        self._settings = settings
        self._columns = columns
        self._guard = Guard(settings, timeout_s=timeout_s, work=work)

    def __call__(self, table: pa.Table) -> pa.Table:
        """Extract the pages of a block's table."""
        arrow = import_pyarrow()
        batches = [
            extract_batch(batch, self._settings, columns=self._columns, guard=self._guard)
            for batch in table.to_batches()
        ]
        return arrow.Table.from_batches(batches, schema=arrow_schema())
