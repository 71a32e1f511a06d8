"""Site files in TOML, which can be edited by hand, what they tell people, and folders of them.

`keep` and `drop` at the top are the user's own rules. In a layout, `content`, `drop`, `items` and
the fields are only informative: they have no effect unless a user copies them into the rules.
`place` is read, one line each: path, pages, blocks, letters. `text` are the texts in their places:
key, place, pages, letters, and the wording if it repeats.

For machines that do not have the folder, its sites are packed as one value: the settings of an
engine's job go to every process that works on it, and a `PackedSites` in them goes along.
"""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

from thresher.errors import UsageError
from thresher.sites.keys import hash_path
from thresher.sites.learning import Layout, Site, SiteTexts
from thresher.sites.rulebook import Rules
from thresher.support.hosts import host_of
from thresher.support.toml_files import format_list, format_value

_MOST: Final = 0.5
"""Share of the letters in a place that must repeat for it to be dropped, and of the pages with a
place that must have a text for it to be boilerplate."""
_FEW: Final = 0.1
"""Largest share of a place's letters that may repeat if it holds content."""
_LONG_LETTERS: Final = 60
"""Minimum letters of the mean block of a content place; labels and links are shorter."""
_LISTED: Final = 8
"""Selectors listed of each kind."""
_FIELDS: Final = {
    "title": (re.compile(r"h1"), 1),
    "author": (re.compile(r"[^#.]*[#.].*(?:author|byline)", re.IGNORECASE), 3),
    "date": (re.compile(r"[^#.]*[#.].*(?:date|time|publish)", re.IGNORECASE), 2),
}
"""Pattern of a step in the path to each field, and how many of the last steps may match it."""


class Selectors(NamedTuple):
    """CSS selectors, from the root down, those with the most letters or pages first."""

    content: tuple[str, ...]
    drop: tuple[str, ...]
    items: tuple[str, ...]
    """Places with many short blocks on each page: items of lists and threads."""
    title: str | None
    author: str | None
    date: str | None


def describe(site: Site, layout: Layout) -> Selectors:
    """Describe one layout of a site."""
    repeated = _repeated_letters(site, layout)
    share = repeated / np.maximum(layout.letters, 1)
    usual = 2 * layout.seen >= layout.pages
    long = layout.letters >= _LONG_LETTERS * layout.blocks
    varies = usual & (share <= _FEW) & (layout.letters > 0)
    by_letters = np.argsort(-layout.letters, kind="stable")
    by_pages = np.lexsort((-layout.letters, -layout.seen))
    many = layout.blocks >= 4 * layout.seen
    named = {int(key): site.paths.get(int(key), "") for key in layout.place}

    def paths(flags: np.ndarray, order: np.ndarray) -> tuple[str, ...]:
        chosen = [named[int(layout.place[i])] for i in order.tolist() if flags[i]]
        return tuple(path for path in chosen if path)[:_LISTED]

    fields = {
        name: next(
            (path for path in paths(varies, by_pages) if any(map(step.match, path.split()[-n:]))),
            None,
        )
        for name, (step, n) in _FIELDS.items()
    }
    return Selectors(
        paths(varies & long, by_letters),
        paths(usual & (share >= _MOST), by_letters),
        paths(varies & ~long & many, by_letters),
        **fields,
    )


def chrome(site: Site) -> str:
    """Return the texts that most pages have in one place: navigation, contact, licence, footer.

    One paragraph per text, those on the most pages first; long ones are cut, as `Site.wording` is.
    """
    texts = site.texts
    seen = sum(
        (np.isin(texts.place, layout.place) * layout.pages for layout in site.layouts),
        np.zeros(texts.key.size, np.int64),
    )
    most = (texts.pages > 1) & (texts.pages >= _MOST * np.maximum(seen, 1))
    order = np.lexsort((texts.key, -texts.letters, -texts.pages))
    keys = [int(texts.key[i]) for i in order.tolist() if most[i]]
    return "\n\n".join(dict.fromkeys(site.wording[key] for key in keys if key in site.wording))


def _repeated_letters(site: Site, layout: Layout) -> np.ndarray:
    """Sum, for each place of a layout, the letters of texts that several pages have there."""
    texts = site.texts
    several = (texts.pages > 1).nonzero()[0]
    at = np.searchsorted(layout.place, texts.place[several])
    in_layout = layout.place.take(at, mode="clip") == texts.place[several]
    letters = texts.letters[several].astype(np.int64) * texts.pages[several]
    return np.bincount(at[in_layout], letters[in_layout], layout.place.size)


_VERSION: Final = 1
_MANY_PAGES: Final = 8
"""Pages from which texts of only one page are not written."""
_LONE_TEXTS: Final = 400
"""Texts of only one page that are written for a site of fewer pages: the longest."""
_HEAD: Final = """\
# A site, learned by Thresher. keep and drop are yours: lists of CSS selectors that
# always hold. The rest is what pages of the site have in common.
"""


def write_site(site: Site) -> str:
    """Format a site as TOML."""
    return "\n".join(_write(site)) + "\n"


def read_site(path: str | Path) -> Site:
    """Read a site file; UsageError if it is invalid, OSError as raised by `open`."""
    try:
        return parse_site(Path(path).read_text(encoding="utf-8"))
    except (UnicodeDecodeError, UsageError) as error:
        raise UsageError(f"{path} is not a site file: {error}") from error


def parse_site(text: str) -> Site:
    """Parse the output of `write_site`; UsageError if it is invalid."""
    try:
        data = tomllib.loads(text)
        if data["version"] != _VERSION:
            raise UsageError(f"version {data['version']}, not {_VERSION}")
        return _read(data)
    except (tomllib.TOMLDecodeError, KeyError, TypeError, OverflowError) as error:
        raise UsageError(f"{type(error).__name__}: {error}") from error
    except ValueError as error:
        raise UsageError(str(error)) from error


def _write(site: Site) -> Iterator[str]:
    yield _HEAD
    yield f"version = {_VERSION}"
    yield f"keep = {format_list(site.rules.keep)}"
    yield f"drop = {format_list(site.rules.drop)}"
    yield f"pages = {site.pages}"
    sketches = (" ".join(f"{number:x}" for number in sketch) for sketch in site.sketches)
    yield f"sketches = {format_list(sketches)}"
    for number, layout in enumerate(site.layouts):
        selectors = describe(site, layout)
        yield f"\n[layout.{number}]\npages = {layout.pages}"
        for name in ("content", "drop", "items"):
            yield f"{name} = {format_list(getattr(selectors, name), max_chars=0)}"
        for name in ("title", "author", "date"):
            if getattr(selectors, name):
                yield f"{name} = {format_value(getattr(selectors, name))}"
        columns = (layout.place, layout.seen, layout.blocks, layout.letters)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        yield "place = ["
        for key, *numbers in sorted(rows, key=lambda row: (-row[1], -row[3], row[0])):
            if key in site.paths:
                yield f"  [{format_value(site.paths[key])}, {', '.join(map(str, numbers))}],"
        yield "]"
    yield "\n[texts]\ntext = ["
    yield from _write_texts(site.texts, site.wording)
    yield "]"


def _write_texts(texts: SiteTexts, wording: dict[int, str]) -> Iterator[str]:
    n_lone = _LONE_TEXTS if texts.pages.max(initial=0) < _MANY_PAGES else 0
    wanted = int((texts.pages > 1).sum()) + n_lone
    columns = (texts.key, texts.place, texts.pages, texts.letters)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    ranked = sorted(rows, key=lambda row: (-row[2], -row[3], row[0]))
    for key, place, pages, letters in ranked[:wanted]:
        shown = f", {format_value(wording[key])}" if key in wording else ""
        yield f'  ["{key:x}", "{place:x}", {pages}, {letters}{shown}],'


def _read(data: dict[str, Any]) -> Site:
    layouts, paths = [], {}
    for layout in data.get("layout", {}).values():
        rows = sorted((hash_path(path), *numbers) for path, *numbers in layout["place"])
        paths.update({hash_path(row[0]): row[0] for row in layout["place"]})
        place, seen, blocks, letters = zip(*rows, strict=True) if rows else ((),) * 4
        layouts.append(
            Layout(
                layout["pages"],
                np.array(place, np.uint64),
                np.array(seen, np.int32),
                np.array(blocks, np.int32),
                np.array(letters, np.int64),
            )
        )
    texts = sorted(
        (int(key, 16), int(place, 16), pages, letters, *wording)
        for key, place, pages, letters, *wording in data["texts"]["text"]
    )
    key, place, pages, letters = (
        zip(*(row[:4] for row in texts), strict=True) if texts else 4 * [()]
    )
    return Site(
        data["pages"],
        tuple(layouts),
        SiteTexts(
            np.array(key, np.uint64),
            np.array(place, np.uint64),
            np.array(pages, np.int32),
            np.full(len(texts), data["pages"] - 1, np.int32),
            np.array(letters, np.int32),
        ),
        paths,
        {row[0]: row[4] for row in texts if len(row) > 4},
        tuple(tuple(int(n, 16) for n in sketch.split()) for sketch in data["sketches"]),
        Rules(tuple(_strings(data["keep"])), tuple(_strings(data["drop"]))),
    )


def _strings(values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise UsageError("keep and drop must be lists of CSS selectors")
    return values


_KEPT: Final = 64
"""Sites cached, at some 100 kB each: a crawl returns to its hosts."""


@dataclass(frozen=True, slots=True)
class SiteFolder:
    """The sites in a folder, by host; small when pickled. Their files are assumed not to change."""

    path: Path

    def file_of(self, host: str) -> Path:
        """Return the path of a host's site file, which may not exist."""
        return self.path / self.name_of(host)

    @staticmethod
    def name_of(host: str) -> str:
        """Return the name of a host's site file."""
        return f"{quote(host, safe='')}.toml"

    def site_of(self, url: str | None) -> Site | None:
        """Return the site of a page; None if it has no host, or the host has no file.

        UsageError for a file that is not a site file, or cannot be read.
        """
        host = host_of(url)
        return _read_of_host(self.file_of(host)) if host else None


@lru_cache(maxsize=_KEPT)
def _read_of_host(path: Path) -> Site | None:
    try:
        return read_site(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error


_DIGEST_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class PackedSites:
    """The sites of a folder, by host, each compressed to some 10 kB."""

    digest: str
    """Of the files; with it the settings of a job say which sites it had."""
    data: bytes = field(repr=False)
    """A ZIP archive of the files."""

    def site_of(self, url: str | None) -> Site | None:
        """Return the site of a page; None if it has no host, or the host has no file.

        UsageError for a file that is not a site file.
        """
        host = host_of(url)
        return _read_packed(self, host) if host else None


def pack_sites(folder: SiteFolder) -> PackedSites:
    """Return the sites in a folder as one value; OSError if it cannot be read.

    Equal files give an equal value.
    """
    packed, digest = io.BytesIO(), blake2b(digest_size=_DIGEST_BYTES)
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path in sorted(folder.path.iterdir()):
            if path.suffix == ".toml":
                content = path.read_bytes()
                digest.update(b"%d %s %d " % (len(path.name), path.name.encode(), len(content)))
                digest.update(content)
                # With a time of its own, the same files would not be the same archive.
                archive.writestr(ZipInfo(path.name), content, ZIP_DEFLATED)
    return PackedSites(digest.hexdigest(), packed.getvalue())


@lru_cache(maxsize=_KEPT)
def _read_packed(sites: PackedSites, host: str) -> Site | None:
    name = SiteFolder.name_of(host)
    archive = _open_packed(sites)
    if name not in archive.NameToInfo:
        return None
    try:
        return parse_site(archive.read(name).decode("utf-8"))
    except (UnicodeDecodeError, UsageError) as error:
        raise UsageError(f"{name} is not a site file: {error}") from error


@lru_cache(maxsize=1)
def _open_packed(sites: PackedSites) -> ZipFile:
    return ZipFile(io.BytesIO(sites.data))
