"""One job of an engine over WARC archives, as a process that can be measured or killed.

    python -m bench.engine_jobs ENGINE OUT ARCHIVE… [-j 2] [--method NAME] [--text-alone]
        [--poison] [--fails-after BYTES]

ENGINE is one of batch, dedupe (a batch that finds duplicates), spark and ray, or bare: the
extraction in this process, which writes nothing. Batches resume what is in OUT, Spark and Ray write
the files that are not there; archives and OUT may be URIs for them. With ``--poison`` pages may ask
for a crash (`tests.batch.misbehaving`). ``--fails-after`` breaks the disk of a batch: no archive
can be read beyond so many bytes. The exit status is 0 if every page has its record.
"""

from __future__ import annotations

import errno
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

import thresher
from bench.harness import make_parser
from tests.batch.failing import break_file
from tests.batch.misbehaving import misbehave
from thresher.batch.guard import Guard
from thresher.batch.model import Item, Settings
from thresher.batch.reporting import ProgressLines
from thresher.batch.run import Job, run_batch
from thresher.batch.sources import SOURCES
from thresher.batch.sources.base import ReadOptions, SourceTally
from thresher.batch.sources.plan import find_places
from thresher.batch.work import extract_item
from thresher.batch.worker import Work
from thresher.limits import Limits

ROOT: Final = Path(__file__).parent.parent
_PER_PART: Final = 100
"""Records of a part of a batch: what is done before a kill stays."""
_POISON_LIMITS: Final = Limits(max_bytes=2**20, deadline_s=2.0)
_POISON_TIMEOUT_S: Final = 10.0
"""Seconds that a page may wait for nothing; then its worker is killed."""
_POISON_MEMORY_BYTES: Final = 512 * 2**20
_SPARK_FAILURES: Final = 4


def read_settings(args: Namespace) -> tuple[Settings, float | None, Work]:
    """Return the settings, the time limit of a page, and the work on it."""
    settings = Settings(method=args.method, metadata=not args.text_alone)
    if not args.poison:
        return settings, None, extract_item
    settings = replace(settings, limits=_POISON_LIMITS, max_memory_bytes=_POISON_MEMORY_BYTES)
    return settings, _POISON_TIMEOUT_S, misbehave


def read_items(inputs: Iterable[str]) -> Iterator[Item]:
    """Yield the pages of inputs."""
    for place in find_places(list(inputs)):
        read = SOURCES[place.kind].read
        entries = read(place, ReadOptions(), SourceTally(), lambda position: False)
        yield from (entry for _, entry in entries if isinstance(entry, Item))


def run_bare(args: Namespace) -> bool:
    """Extract the pages, one after another."""
    settings, _, work = read_settings(args)
    for item in read_items(args.archives):
        work(item, settings)
    return True


def run_on_batch(args: Namespace) -> bool:
    """Run or resume a batch; return whether it is done."""
    settings, timeout_s, work = read_settings(args)
    if args.fails_after is not None:
        for path in args.archives:
            break_file(pytest.MonkeyPatch(), Path(path), errno.EIO, args.fails_after)
    job = Job(
        Path(args.out),
        "parquet",
        settings,
        # As of an engine, of whose pages no more is read either.
        ReadOptions(max_bytes=settings.limits.max_bytes),
        n_worker=args.jobs,
        dedupe=args.engine == "dedupe",
        n_per_part=_PER_PART,
    )
    report = run_batch(
        job,
        lambda: list(find_places(args.archives)),
        lambda settings, n_worker: Guard(
            settings, n_worker=n_worker, timeout_s=timeout_s, work=work
        ),
        ProgressLines(lambda line: None),
        resume=True,
    )
    return report.is_done


def run_on_spark(args: Namespace) -> bool:
    """Write the files of archives with Spark on this machine; an exception fails the job."""
    from thresher.spark import write_warcs

    settings, timeout_s, work = read_settings(args)
    with spark_session(args.jobs) as session:
        write_warcs(session, args.archives, args.out, settings, timeout_s=timeout_s, work=work)
    return True


def run_on_ray(args: Namespace) -> bool:
    """Write the files of archives with Ray on this machine; an exception fails the job."""
    import ray

    from thresher.ray import write_warcs

    settings, timeout_s, work = read_settings(args)
    ray.init(
        address="local",
        num_cpus=args.jobs,
        include_dashboard=False,
        object_store_memory=200 * 2**20,
        runtime_env={"env_vars": {"PYTHONPATH": _python_path()}},
        logging_level="warning",
    )
    try:
        write_warcs(
            args.archives, args.out, settings, n_actor=args.jobs, timeout_s=timeout_s, work=work
        )
    finally:
        ray.shutdown()
    return True


@contextmanager
def spark_session(n_core: int) -> Iterator[Any]:
    """Provide a session on this machine, whose workers find this folder's packages."""
    from pyspark.sql import SparkSession

    os.environ |= {
        "PYTHONPATH": _python_path(),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    builder = SparkSession.builder.master(f"local[{n_core},{_SPARK_FAILURES}]")
    session = (
        builder.config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "1g")
        .config("spark.python.daemon.module", "bench.spark_daemon")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    try:
        yield session
    finally:
        session.stop()


def _python_path() -> str:
    return os.pathsep.join((str(ROOT), str(ROOT / "src")))


ENGINES: Final[dict[str, Callable[[Namespace], bool]]] = {
    "bare": run_bare,
    "batch": run_on_batch,
    "dedupe": run_on_batch,
    "spark": run_on_spark,
    "ray": run_on_ray,
}
"""Engine → its job."""


def job_command(engine: str, out: str, archives: Sequence[str], *options: str) -> list[str]:
    """Return the command of a job."""
    command = [sys.executable, "-m", "bench.engine_jobs", engine, out, *archives]
    return [*command, *options]


def main() -> int:
    """Run a job; return its exit status."""
    parser = make_parser(__doc__)
    parser.add_argument("engine", choices=tuple(ENGINES), metavar="ENGINE")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("archives", nargs="+", metavar="ARCHIVE")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--method", default=thresher.DEFAULT_METHOD)
    parser.add_argument("--text-alone", action="store_true", help="without metadata")
    parser.add_argument("--poison", action="store_true", help="let pages crash their workers")
    parser.add_argument("--fails-after", type=int, metavar="BYTES")
    args = parser.parse_args()
    return 0 if ENGINES[args.engine](args) else 1


if __name__ == "__main__":
    sys.exit(main())
