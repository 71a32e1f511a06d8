"""Labelled pages: packed corpora with one page per line, and folders of pages with their texts.

A packed corpus is `NAME.jsonl`, or that compressed, `NAME.jsonl.gz` or `.xz`: one JSON object per
page, with at least ``html``. Its role is given by a `MANIFEST.tsv` beside it (columns ``corpus``
and ``role``). A folder of pages has `NAME.html` and, for each labelled page, the main content as
plain text in `NAME.txt`.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import lzma
import os
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from thresher.errors import InputError, UsageError
from thresher.page.decode import decode
from thresher.support.quoting import quote

CORPORA_VARIABLE: Final = "THRESHER_CORPORA"
"""Environment variable with the folder of corpora to use if none is given."""
_OPENERS: Final[Mapping[str, Callable[..., Any]]] = {
    ".jsonl": open,
    ".jsonl.gz": gzip.open,
    ".jsonl.xz": lzma.open,
}
"""Suffix of a packed corpus → what opens it."""
_PACKED: Final = "NAME.jsonl, .jsonl.gz or .jsonl.xz"

SAMPLE_SEED: Final = 2026
"""Seed of the draw where only some pages of a corpus are read."""
_MANIFEST: Final = "MANIFEST.tsv"


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page with its labels; None for missing ones."""

    corpus: str
    id: str
    html: str
    url: str | None = None
    text: str | None = None
    """The main content; empty if there is none."""
    title: str | None = None
    author: str | None = None
    date: str | None = None
    page_type: str | None = None
    """Article, forum, product …, in the corpus's own words."""
    lang: str | None = None
    gold_html: str | None = None
    """The main content as HTML or Markdown."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A named set of labelled pages on disk."""

    name: str
    path: Path
    role: str | None = None
    """Permitted use of the corpus (train, measure …), if a manifest says so."""

    def pages(self) -> Iterator[LabelledPage]:
        """Read the pages, one at a time; InputError if the corpus is broken."""
        try:
            yield from self._folder_pages() if self.path.is_dir() else self._packed_pages()
        except OSError as error:
            raise InputError(f"{error.filename or self.path}: {error.strerror or error}") from error

    def labelled(
        self, count: int | None = None, *, also: Collection[str] = ()
    ) -> Iterator[LabelledPage]:
        """Read the pages that have a text label, and those whose ids are in ``also``.

        With a count, that many are drawn at random (`SAMPLE_SEED`), from each page type in
        proportion to its number, and read in the order of the corpus: the first rows of a corpus
        are often of one kind. The corpus is then read twice.
        """

        def read() -> Iterator[LabelledPage]:
            return (page for page in self.pages() if page.text is not None or page.id in also)

        if count is None:
            return read()
        drawn = frozenset(draw([page.page_type or "" for page in read()], count))
        return (page for place, page in enumerate(read()) if place in drawn)

    def digest(self) -> str | None:
        """Return the SHA-256 of a packed corpus, which makes scores comparable; otherwise None."""
        return None if self.path.is_dir() else digest_file(self.path)

    def _packed_pages(self) -> Iterator[LabelledPage]:
        number = 0
        try:
            with _OPENERS[_suffix_of(self.path)](self.path, "rt", encoding="utf-8") as lines:
                for number, line in enumerate(lines, 1):
                    yield _read_page(self.name, number, json.loads(line))
        except _BROKEN as error:
            raise InputError(f"{self.path}: broken after line {number}: {error}") from error

    def _folder_pages(self) -> Iterator[LabelledPage]:
        for file in sorted(self.path.glob("*.html")):
            label = file.with_suffix(".txt")
            text = label.read_text(encoding="utf-8", errors="replace") if label.exists() else None
            yield LabelledPage(self.name, file.stem, decode(file.read_bytes()).text, text=text)


def digest_file(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def draw(kinds: Sequence[str], count: int) -> list[int]:
    """Draw places at random, of each kind in proportion to how often it occurs.

    What is left by rounding goes to the kinds with the largest remainders, so the draw has exactly
    ``count`` places, or all if there are fewer. The same kinds and count give the same places.
    """
    places: dict[str, list[int]] = {}
    for place, kind in enumerate(kinds):
        places.setdefault(kind, []).append(place)
    count = min(count, len(kinds))
    shares = {kind: count * len(own) / len(kinds) for kind, own in places.items()}
    quotas = {kind: int(share) for kind, share in shares.items()}
    by_remainder = sorted(shares, key=lambda kind: quotas[kind] - shares[kind])
    for kind in by_remainder[: count - sum(quotas.values())]:
        quotas[kind] += 1
    random = Random(SAMPLE_SEED)
    return sorted(
        place for kind in sorted(places) for place in random.sample(places[kind], quotas[kind])
    )


def find_corpora(paths: Sequence[Path | str], *, role: str | None = None) -> tuple[Corpus, ...]:
    """Find the corpora at paths, in their order: packed ones, folders of them, folders of pages.

    Without a path it is that of `CORPORA_VARIABLE`, if set. ``role`` selects only those whose
    manifest gives them this role. Raises UsageError if a path contains no corpus, two have the same
    name, or none is left.
    """
    default = os.environ.get(CORPORA_VARIABLE)
    candidates = [
        corpus for path in paths or filter(None, [default]) for corpus in _find_at(Path(path))
    ]
    corpora = {corpus.name: corpus for corpus in candidates if role in (None, corpus.role)}
    if len(corpora) < sum(role in (None, corpus.role) for corpus in candidates):
        raise UsageError("two corpora have the same name")
    if not corpora:
        if role and candidates:
            raise UsageError(f"no corpus has the role {quote(role)} in a {_MANIFEST} beside it")
        raise UsageError(f"no corpus: name a file {_PACKED} or a folder, or set {CORPORA_VARIABLE}")
    return tuple(corpora.values())


def _find_at(path: Path) -> list[Corpus]:
    if path.is_dir():
        files = sorted(file for file in path.glob("*.jsonl*") if _suffix_of(file))
        if not files:
            if not any(path.glob("*.html")):
                raise UsageError(f"{path} holds neither {_PACKED} nor *.html")
            return [Corpus(path.resolve().name, path)]
    elif path.is_file() and _suffix_of(path):
        files = [path]
    else:
        raise UsageError(f"{path} is neither a file {_PACKED} nor a folder")
    roles = _read_roles(files[0].with_name(_MANIFEST))
    names = [file.name.removesuffix(_suffix_of(file)) for file in files]
    return [Corpus(name, file, roles.get(name)) for name, file in zip(names, files, strict=True)]


def _suffix_of(file: Path) -> str:
    return next((suffix for suffix in _OPENERS if file.name.endswith(suffix)), "")


def _read_roles(manifest: Path) -> dict[str, str]:
    if not manifest.exists():
        return {}
    with manifest.open(newline="", encoding="utf-8", errors="replace") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        return {row.get("corpus") or "": row.get("role") or "" for row in rows}


def _read_page(corpus: str, number: int, fields: Mapping[str, Any]) -> LabelledPage:
    """Read the fields that are present and of the right type; ValueError if there is no HTML."""
    if not isinstance(fields, dict) or not isinstance(fields.get("html"), str):
        raise ValueError(f"line {number} has no html")
    texts = {name: value for name in _TEXT_FIELDS if isinstance(value := fields.get(name), str)}
    return LabelledPage(corpus, html=fields["html"], **{"id": str(number), **texts})


_BROKEN: Final = (
    *(EOFError, RecursionError, ValueError),
    *(gzip.BadGzipFile, lzma.LZMAError, zlib.error),
)
"""What reading a broken file raises."""
_TEXT_FIELDS: Final = tuple("id url text title author date page_type lang gold_html".split())
