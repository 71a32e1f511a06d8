"""Hashed tokens of what a page declares about itself in its head and URL.

The OpenGraph type, the types of its JSON-LD, the generator, and the words and shape of its URL.
Many pages declare nothing or something wrong, so these are only hints, like names.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

import numpy as np

from thresher.features.hashing import Hashes, hash_words
from thresher.page import Page

_OPEN_GRAPH, _JSON_LD, _GENERATOR, _URL, _URL_SHAPE = range(16, 21)
"""Salts that distinguish equal words of different origin."""
_LD_SIGN, _LD_TYPE = b"@", b'"@type"'
_LD_NAME: Final = re.compile(rb'\s*:\s*(?:\[\s*)?"([A-Za-z]{2,40})"')
_MAX_LD_TYPES: Final = 64
"""Types of JSON-LD that are read; long lists are repetitive."""
_WORD: Final = re.compile(r"[a-z]{2,30}")


def read_declared(page: Page) -> Hashes:
    """Read what a page declares about itself; uint64[n], distinct tokens."""
    words = {
        *((_OPEN_GRAPH, word) for word in _read_meta(page, "property", b"og:type")),
        *((_GENERATOR, word) for word in _read_meta(page, "name", b"generator")[:2]),
        *((_JSON_LD, word) for word in _find_types(page.utf8)),
        *_read_address(page.url),
    }
    if not words:
        return np.zeros(0, np.uint64)
    salts, names = zip(*sorted(words), strict=True)
    return hash_words(names) + np.array(salts, np.uint64)


def _read_meta(page: Page, attribute: str, name: bytes) -> list[str]:
    """Return the words of the first meta element with a name, which needs no escaping."""
    attributes = page.attributes
    entries = attributes.named(attribute)
    for entry, value in zip(entries.tolist(), attributes.escaped(entries), strict=True):
        if value.lower() == name:
            content = page.attr(attributes.row.item(entry), "content") or ""
            return _WORD.findall(content.lower())
    return []


def _find_types(source: bytes) -> set[str]:
    """Find the type names of JSON-LD."""
    types: set[str] = set()
    n_seen = 0
    # Searching for one character is many times faster than for several.
    at = source.find(_LD_SIGN)
    while at >= 0 and n_seen < _MAX_LD_TYPES:
        after = at + 1
        if source.startswith(_LD_TYPE, at - 1):
            n_seen += 1
            after = at + len(_LD_TYPE)
            name = _LD_NAME.match(source, after - 1)
            if name:
                types.add(name[1].decode().lower())
        at = source.find(_LD_SIGN, after)
    return types


def _read_address(url: str | None) -> set[tuple[int, str]]:
    """Return the words of a URL, and tokens of its shape."""
    if not url:
        return set()
    try:
        parts = urlsplit(url)
    except ValueError:
        return set()
    if not parts.netloc:
        return set()
    segments = [segment for segment in parts.path.lower().split("/") if segment]
    shape = {f"depth{chr(ord('a') + min(len(segments), 6))}"}
    if parts.query:
        shape.add("query")
    if segments:
        last = segments[-1]
        shape.add(f"hyphens{chr(ord('a') + min(last.count('-'), 9))}")
        if any(character.isdigit() for character in last):
            shape.add("digits")
        if "." in last:
            shape.add("suffix")
    words = {word for segment in segments for word in _WORD.findall(segment)}
    return {(_URL_SHAPE, name) for name in shape} | {(_URL, word) for word in words}
