"""Site files in TOML, which can be edited by hand.

`keep` and `drop` at the top are the user's own rules. In a layout, `content`, `drop`, `items` and
the fields are only informative; `place` is read, one line each: path, pages, blocks, letters.
`text` are the texts in their places: key, place, pages, letters, and the wording if it repeats.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from thresher.errors import UsageError
from thresher.sites.description import describe
from thresher.sites.keys import hash_path
from thresher.sites.model import Layout, Site, SiteTexts
from thresher.sites.rules import Rules
from thresher.support.toml_files import format_value

__all__ = ["parse_site", "read_site", "write_site"]

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
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not a site file: {error}") from error
    except UsageError as error:
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
    yield f"keep = {_list(site.rules.keep)}"
    yield f"drop = {_list(site.rules.drop)}"
    yield f"pages = {site.pages}"
    yield f"sketches = {_list(' '.join(f'{n:x}' for n in each) for each in site.sketches)}"
    for number, layout in enumerate(site.layouts):
        found = describe(site, layout)
        yield f"\n[layout.{number}]\npages = {layout.pages}"
        for name in ("content", "drop", "items"):
            yield f"{name} = {_list(getattr(found, name), lines=True)}"
        for name in ("title", "author", "date"):
            if getattr(found, name):
                yield f"{name} = {format_value(getattr(found, name))}"
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
    for each in data.get("layout", {}).values():
        rows = sorted((hash_path(path), *numbers) for path, *numbers in each["place"])
        paths.update({hash_path(row[0]): row[0] for row in each["place"]})
        place, seen, blocks, letters = zip(*rows, strict=True) if rows else ((),) * 4
        layouts.append(
            Layout(
                each["pages"],
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
        tuple(tuple(int(n, 16) for n in each.split()) for each in data["sketches"]),
        Rules(tuple(_strings(data["keep"])), tuple(_strings(data["drop"]))),
    )


def _strings(values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise UsageError("keep and drop must be lists of CSS selectors")
    return values


def _list(values: Any, *, lines: bool = False) -> str:
    quoted = [format_value(value) for value in values]
    if lines and quoted:
        return "[\n" + "".join(f"  {value},\n" for value in quoted) + "]"
    return f"[{', '.join(quoted)}]"
