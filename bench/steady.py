"""Check that the same bytes give the same output: in threads, in processes, under any setting.

    python -m bench.steady CORPUS… [--pages N] [--threads 4] [--method NAME]

Every page is extracted and written in every format by one thread; then by a pool of threads; by
freshly spawned processes, each with another PYTHONHASHSEED, locale and time zone; and in
the opposite order. A digest of all that was written must be the same each time.
Exits with 1 where any page differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Final

import thresher
from bench.harness import make_parser, named_corpora
from thresher.algorithms import MethodName
from thresher.errors import ThresherError

SETTINGS: Final[Sequence[Mapping[str, str]]] = (
    {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
    {"PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "TZ": "Asia/Kathmandu", "PYTHONUTF8": "1"},
    {"PYTHONHASHSEED": "4294967295", "LC_ALL": "tr_TR.UTF-8", "TZ": "America/St_Johns"},
    {"PYTHONHASHSEED": "random", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
)
"""Environments that must change nothing."""


def digest_page(html: str, url: str | None, method: MethodName) -> str:
    """Extract a page, write it in every format, and return a digest of it all."""
    digest = hashlib.sha256()
    try:
        document = thresher.extract(html, url=url, method=method)
        for format in thresher.FORMATS:
            options = thresher.WriteOptions(metadata=True, removed_links=True)
            digest.update(document.write(format, options).encode())
    except ThresherError as error:
        digest.update(repr(error).encode())
    return digest.hexdigest()


def main() -> None:
    """Compare, and print what differs."""
    parser = make_parser(__doc__, corpora=True)
    parser.add_argument("--pages", type=int, help="only the first so many pages of each corpus")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--method", default=thresher.DEFAULT_METHOD)
    parser.add_argument("--digests", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.digests:
        print(json.dumps(_digests(_read_pages(args.corpora, args.pages), args.method)))
        return
    pages = _read_pages(args.corpora, args.pages)
    alone = _digests(pages, args.method)
    print(f"{len(pages)} pages, {len(thresher.FORMATS)} formats, method {args.method}")
    runs = {"in the opposite order": _digests(pages[::-1], args.method)[::-1]}
    with ThreadPoolExecutor(args.threads) as pool:
        digests = pool.map(lambda page: digest_page(page[0], page[1], args.method), pages)
        runs[f"in {args.threads} threads"] = list(digests)
    for setting in SETTINGS:
        runs[f"in a process with {_spell(setting)}"] = _digests_elsewhere(args, setting)
    failed = 0
    for name, run in runs.items():
        differing = sum(a != b for a, b in zip(alone, run, strict=True))
        failed += differing
        print(f"{name}: {differing} pages differ")
    raise SystemExit(1 if failed else 0)


def _read_pages(paths: Sequence[Path], count: int | None) -> list[tuple[str, str | None]]:
    return [
        (page.html, page.url)
        for corpus in named_corpora(paths)
        for page in islice(corpus.pages(), count)
    ]


def _digests(pages: Iterable[tuple[str, str | None]], method: MethodName) -> list[str]:
    return [digest_page(html, url, method) for html, url in pages]


def _digests_elsewhere(args: argparse.Namespace, setting: Mapping[str, str]) -> list[str]:
    command = [sys.executable, "-m", "bench.steady", *map(str, args.corpora), "--digests"]
    command += ["--method", args.method]
    command += ["--pages", str(args.pages)] if args.pages else []
    done = subprocess.run(command, env=os.environ | setting, check=True, stdout=subprocess.PIPE)
    digests: list[str] = json.loads(done.stdout)
    return digests


def _spell(setting: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in setting.items())


if __name__ == "__main__":
    main()
