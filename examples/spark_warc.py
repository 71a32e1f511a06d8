"""Extract the pages of a crawl's WARC archives with Spark.

    pip install 'thresher[batch,spark]'
    python examples/spark_warc.py warc.paths.gz --prefix s3a://commoncrawl/ --out records

PATHS is a list of archives, one on a line, as Common Crawl publishes it for every crawl
(https://data.commoncrawl.org/crawl-data/CC-MAIN-2026-43/warc.paths.gz). ``--prefix`` is put before
each: a folder that every machine has, or an address such as s3a://commoncrawl/. Each archive is one
task. Run it by itself for all cores of this machine, with spark-submit on a cluster.

The output is a Parquet file for each archive: a row for every page, also for those of which nothing
came (column `error`), and for every damaged place of the archive. Run it again after a failure, and
it goes on; with ``--only-errors`` it tries pages with an error again. The exit status is 1 if an
archive is damaged.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from thresher.spark import Settings, write_warcs


def main() -> int:
    """Extract, write, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", type=Path, help="list of WARC files, plain or gzip")
    parser.add_argument("--prefix", default="", help="put before each path")
    parser.add_argument("--out", required=True, help="folder of the output, local or s3a")
    parser.add_argument("--format", default="text", choices=("text", "markdown", "html"))
    parser.add_argument("--archives", type=int, help="only the first so many")
    parser.add_argument("--memory-mb", type=int, default=2048, help="what a worker may have")
    parser.add_argument("--only-errors", action="store_true", help="try pages with an error again")
    parser.add_argument("--max-damaged", type=int, help="damaged places of an archive that may be")
    args = parser.parse_args()

    data = args.paths.read_bytes()
    lines = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode().split()
    paths = [args.prefix + line for line in lines[: args.archives]]
    settings = Settings(formats=(args.format,), max_memory_bytes=args.memory_mb * 2**20)

    session = SparkSession.builder.appName("thresher").getOrCreate()
    reports = write_warcs(
        session,
        paths,
        args.out,
        settings,
        only_errors=args.only_errors,
        max_damaged=args.max_damaged,
    )
    records = session.read.parquet(args.out)
    kinds = f.coalesce(
        "verdict", f.concat(f.lit("error: "), f.split_part("error", f.lit(":"), f.lit(1)))
    )
    records.groupBy(kinds.alias("outcome")).count().orderBy(f.desc("count")).show(
        50, truncate=False
    )
    session.stop()
    for report in reports:
        if report.n_damage:
            print(f"damaged in {report.n_damage} places: {report.source}")
    return 1 if any(report.n_damage for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main())
