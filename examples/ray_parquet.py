"""Extract the pages of Parquet files with Ray Data.

    pip install 'thresher[batch,ray]'
    python examples/ray_parquet.py pages/*.parquet --html content --url url --out records

Each row of the input is a page: its HTML (text or bytes) and its URL are in the columns that are
named. The output is Parquet: a row for every page, also for those of which nothing came (column
`error`).
"""

from __future__ import annotations

import argparse

import ray

from thresher.ray import Settings, extract


def main() -> None:
    """Extract, write, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+", help="Parquet files or folders, local or s3")
    parser.add_argument("--out", required=True, help="folder of the output, local or s3")
    parser.add_argument("--html", default="html", help="column of the HTML")
    parser.add_argument("--url", default="url", help="column of the URL")
    parser.add_argument("--id", help="column of the id (default: the URL)")
    parser.add_argument("--format", default="text", choices=("text", "markdown", "html"))
    parser.add_argument("--actors", type=int, help="default: one a core")
    parser.add_argument("--blocks", type=int, help="pieces to cut the input into")
    parser.add_argument("--memory-mb", type=int, default=2048, help="what a worker may have")
    args = parser.parse_args()

    columns = {"html": args.html, "url": args.url, **({"id": args.id} if args.id else {})}
    settings = Settings(formats=(args.format,), max_memory_bytes=args.memory_mb * 2**20)
    # Small files become one block, and one block is the work of one actor.
    pages = ray.data.read_parquet(args.paths, override_num_blocks=args.blocks)
    pages = pages.select_columns(sorted(set(columns.values())))
    extract(pages, settings, columns=columns, n_actor=args.actors).write_parquet(args.out)

    records = ray.data.read_parquet(args.out).select_columns(["error"])
    n_page = n_error = 0
    for batch in records.iter_batches(batch_format="pyarrow"):
        n_page += batch.num_rows
        n_error += batch.num_rows - batch["error"].null_count
    print(f"{n_page:,} records, {n_error:,} of them errors")


if __name__ == "__main__":
    main()
