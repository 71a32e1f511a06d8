"""Elements that a page's own scripts may look for, and that must not be missing.

A script that finds nothing where it expects an element usually throws, and everything after it
does not happen. Scripts in the page can be read; those that are loaded cannot, so they may name
anything.
Frameworks that take over markup of their server (hydration) compare it node by node, texts too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from thresher.filters.filter_context import BoolArray, FilterContext
from thresher.page.tags import CODE_OF

__all__ = ["find_named", "is_hydrated", "read_raw_elements"]

_SCRIPT: Final = CODE_OF["script"]
_RUNS: Final = re.compile(
    r"(?:text|application)/(?:x-)?(?:java|ecma|live)script\b.*|module|", re.IGNORECASE
)
"""Types of scripts that are run (HTML Living Standard, 4.12.1)."""
_MAX_SCRIPT_CHARS: Final = 200_000
"""Longer scripts in a page are programs, and are taken to name anything."""
_TYPE: Final = re.compile(r"""\stype\s*=\s*["']?([^"'\s>]*)""", re.IGNORECASE)
_WORDS: Final = re.compile(r"[A-Za-z_][\w-]*")
_STRING: Final = re.compile(r"""(["'`])((?:(?!\1)[^\n]){1,200})\1""")
_TAG: Final = re.compile(r"(?<![\w.#=:\[-])[a-z][a-z0-9]*(?![\w=-])")
"""Name of an element in a string, as in a selector."""
_HYDRATED_IDS: Final = frozenset(
    ("__next", "__nuxt", "___gatsby", "__NEXT_DATA__", "__NUXT_DATA__", "__docusaurus", "svelte")
)
_HYDRATED_NAMES: Final = ("data-hk", "data-reactroot", "data-v-app", "ng-version", "q:container")
_HYDRATED_MARKS: Final = (
    b"data-server-rendered",
    b"data-sveltekit-",
    b"<astro-island",
    b"__next_f",
)
"""Signs of frameworks in the markup that their servers write."""


def find_named(context: FilterContext, gone: BoolArray) -> BoolArray:
    """Flag the elements that a script of the page may look for; bool[n_row].

    ``gone`` flags what the filters delete; scripts that load from there do not run.
    """
    page = context.page
    scripts = (page.tag == _SCRIPT) & ~context.aside
    if not scripts.any():
        return np.zeros(len(page), np.bool_)
    types = context.values("type")
    loaded = [row for row in context.values("src") if scripts[row] and not gone[row]]
    if any(_RUNS.fullmatch(types.get(row, "").strip()) for row in loaded):
        return np.ones(len(page), np.bool_)
    text = "\n".join(_read_scripts(page.source))
    if len(text) > _MAX_SCRIPT_CHARS:
        return np.ones(len(page), np.bool_)
    words = set(_WORDS.findall(text))
    rows = [
        row
        for name in ("id", "class", "name")
        for row, value in context.values(name).items()
        if not words.isdisjoint(value.split())
    ]
    named = context.flag(rows)
    strings = {found[2] for found in _STRING.finditer(text)}
    tags = {tag for string in strings for tag in _TAG.findall(string)}
    return named | page.tagged(tags & CODE_OF.keys())


def _read_scripts(source: str) -> Iterator[str]:
    """Yield the texts of the scripts in a page that are run."""
    for tag, text in read_raw_elements(source, "script"):
        kind = _TYPE.search(tag)
        if _RUNS.fullmatch(kind[1].strip() if kind else ""):
            yield text


def read_raw_elements(source: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield start tag and text of the elements of a page whose content is not markup.

    Tags are searched in lower case, as generators write them.
    """
    at = 0
    while (opened := source.find(f"<{name}", at)) >= 0:
        start = source.find(">", opened) + 1
        at = source.find(f"</{name}", start)
        if not start or at < 0:
            return
        yield source[opened:start], source[start:at]


def is_hydrated(context: FilterContext) -> bool:
    """Return whether a framework takes over the markup of the page."""
    return (
        not _HYDRATED_IDS.isdisjoint(context.values("id").values())
        or any(context.rows_with(name).size for name in _HYDRATED_NAMES)
        or any(mark in context.page.utf8 for mark in _HYDRATED_MARKS)
    )
