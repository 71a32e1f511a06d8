"""Ray Data: extraction of the pages of a Dataset, on a laptop or a cluster.

    from thresher.ray import Settings, extract

    records = extract(ray.data.read_parquet("pages"), Settings(formats=("markdown",)))
    records.write_parquet("records")

`extract_warcs` does the same for the pages of WARC archives; `write_warcs` writes a file for each
archive, and goes on where an earlier job ended. Thresher must be installed on every machine with
the extra ``ray``. docs/scale.md describes the settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from thresher.batch.guard import Guard
from thresher.batch.known import read_known
from thresher.batch.model import Settings, arrow_schema, import_pyarrow
from thresher.batch.signatures import compare_pairs, keys_of, pairs_schema
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
from thresher.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    import pyarrow as pa
    from ray.data import Dataset

__all__ = [
    "ArchiveReport",
    "Settings",
    "extract",
    "extract_warcs",
    "find_duplicates",
    "part_name",
    "read_known",
    "split_archive",
    "write_warcs",
]

_N_RETRY: Final = 4
"""Times that a task of an archive is repeated after an error, or the death of its actor."""


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
    chosen = settings or Settings()
    make_guard = partial(Guard, chosen, timeout_s=timeout_s, work=work)
    extract_these = partial(extract_batch, settings=chosen, columns=columns)
    arguments = (make_guard, extract_these)
    return _map(ds, _Extractor, arguments, n_actor, num_cpus=num_cpus, batch_size=batch_size)


def extract_warcs(
    paths: Sequence[str],
    settings: Settings | None = None,
    *,
    n_actor: int | None = None,
    num_cpus: float = 0.5,
    max_damaged: int | None = None,
    timeout_s: float | None = None,
    work: Work = extract_item,
) -> Dataset:
    """Return a row for each page in WARC archives, lazily, with one task per archive.

    ``paths`` are local to every machine, or URIs as for `thresher.batch.table.extract_archive`,
    which also describes the handling of damage, and what raises: Ray repeats the task some times.
    The other arguments are as for `extract`.
    """
    chosen = settings or Settings()
    make_guard = partial(Guard, chosen, timeout_s=timeout_s, work=work)
    take = partial(extract_archive, settings=chosen, max_damaged=max_damaged)
    return _map_archives(paths, _ArchiveReader, (make_guard, take), n_actor, num_cpus)


def write_warcs(
    paths: Sequence[str],
    out: str,
    settings: Settings | None = None,
    *,
    n_actor: int | None = None,
    num_cpus: float = 0.5,
    only_errors: bool = False,
    max_damaged: int | None = None,
    timeout_s: float | None = None,
    work: Work = extract_item,
) -> list[ArchiveReport]:
    """Write a Parquet file of records for each WARC archive into a folder, with a task for each.

    ``paths`` and ``out`` are local to every machine, or URIs. Archives whose files are there are
    skipped, so the same call continues a job that failed. `thresher.batch.table.write_archive`
    describes this, ``only_errors`` and what raises. The other arguments are as for `extract`.
    """
    chosen = settings or Settings()
    make_guard = partial(Guard, chosen, timeout_s=timeout_s, work=work)
    write = partial(
        write_archive, out=out, settings=chosen, only_errors=only_errors, max_damaged=max_damaged
    )
    done = _map_archives(paths, _ArchiveWriter, (make_guard, write), n_actor, num_cpus)
    return [ArchiveReport(**row) for row in done.take_all()]


def find_duplicates(ds: Dataset) -> Dataset:
    """Return a row for each record that has the text of another, or nearly so, lazily.

    ``ds`` has the columns ``source`` and ``id``, which occur once together, and some of those of
    the text. A row has ``source``, ``id``, ``duplicate`` and ``duplicate_of``, as in a record.
    `thresher.batch.signatures` says which of several records is none. Requires `rensa` on
    every machine.
    """
    _import_ray()
    pairs = (
        ds.map_batches(_table_of_keys, batch_format="pyarrow")
        .groupby("key")
        .map_groups(_compare_with_first, batch_format="pyarrow")
    )
    return pairs.groupby(["source", "id"]).map_groups(_best, batch_format="pyarrow")


_COMPARED: Final = ("source", "id", "minhash")
_BEST: Final = [("duplicate", "ascending"), ("duplicate_of", "ascending")]
"""Exact comes before near; then the first of several records."""


def _table_of_keys(records: pa.Table) -> pa.Table:
    return import_pyarrow().Table.from_batches([keys_of(records)])


def _compare_with_first(records: pa.Table) -> pa.Table:
    """Compare the records of a key with the first of them."""
    arrow = import_pyarrow()
    ordered = records.sort_by([("source", "ascending"), ("id", "ascending")])
    for name in _COMPARED:
        value = ordered[name][0].as_py()
        first = arrow.array([value] * ordered.num_rows, ordered.schema.field(name).type)
        ordered = ordered.append_column(f"first_{name}", first)
    return arrow.Table.from_batches([compare_pairs(ordered)], schema=pairs_schema())


def _best(pairs: pa.Table) -> pa.Table:
    return pairs.sort_by(_BEST).slice(0, 1)


def _map(
    ds: Dataset, actor: type, arguments: tuple[object, ...], n_actor: int | None, **options: float
) -> Dataset:
    """Let actors do the work for the batches of a Dataset."""
    ray = _import_ray()
    from ray.data import ActorPoolStrategy

    import_pyarrow()
    if n_actor is None:
        if not ray.is_initialized():
            ray.init()
        n_actor = max(1, int(ray.cluster_resources().get("CPU", 1)))
    elif n_actor < 1:
        raise UsageError(f"n_actor is a number above 0, not {n_actor!r}")
    return ds.map_batches(
        actor,
        fn_constructor_args=arguments,
        batch_format="pyarrow",
        compute=ActorPoolStrategy(size=n_actor),
        **options,
    )


def _map_archives(
    paths: Sequence[str],
    actor: type,
    arguments: tuple[object, ...],
    n_actor: int | None,
    num_cpus: float,
) -> Dataset:
    """Let actors do the work for archives, each a task that is repeated after an error."""
    rows = [{"path": path} for path in paths]
    ds = _import_ray().data.from_items(rows, override_num_blocks=max(len(rows), 1))
    ds.context.actor_task_retry_on_errors = True
    return _map(
        ds, actor, arguments, n_actor, num_cpus=num_cpus, batch_size=1, max_task_retries=_N_RETRY
    )


def _import_ray() -> Any:
    try:
        import ray.data
    except ImportError as error:
        raise MissingExtraError("Ray", "ray") from error
    return ray


class _Actor:
    """Does its work with one guard for its lifetime."""

    def __init__(self, make_guard: Callable[[], Guard], work: Callable[..., Any]) -> None:
        self._work = partial(work, guard=make_guard())


class _Extractor(_Actor):
    def __call__(self, table: pa.Table) -> pa.Table:
        batches = list(map(self._work, table.to_batches()))
        return import_pyarrow().Table.from_batches(batches, schema=arrow_schema())


class _ArchiveReader(_Actor):
    def __call__(self, table: pa.Table) -> Iterator[pa.Table]:
        for path in table["path"].to_pylist():
            for batch in as_batches(self._work(path)):
                yield import_pyarrow().Table.from_batches([batch])


class _ArchiveWriter(_Actor):
    def __call__(self, table: pa.Table) -> pa.Table:
        reports = [asdict(self._work(path)) for path in table["path"].to_pylist()]
        return import_pyarrow().Table.from_pylist(reports)
