"""Where a picture really is: pages that load pictures late put a placeholder into `src`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from thresher.hidden import Hidden
from thresher.page import Page
from thresher.scan import IntArray
from thresher.tags import CODE_OF, TEXT
from thresher.writers.formulas import tex_of

__all__ = ["find_images", "is_pixel", "largest_of", "pick_source"]

_IMG, _MATH, _PICTURE, _SOURCE = (CODE_OF[name] for name in ("img", "math", "picture", "source"))

_LATE_SOURCES: Final = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-url")
_LATE_SETS: Final = ("data-srcset", "data-lazy-srcset")
"""Attributes that the common late-loading scripts read (lazysizes, Lazy Load, WordPress)."""
_PLACEHOLDER: Final = re.compile(
    r"data:|about:|#|.*?(?:^|[/_.-])"
    r"(?:1x1|blank|clear|empty|grey|lazy[\w-]*|loader|loading|pixel|placeholder|spacer|transparent)"
    r"\.(?:gif|png|svg|jpe?g|webp)\b",
    re.IGNORECASE,
)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_WEB_SCHEME: Final = re.compile(r"https?:", re.IGNORECASE)
_CANDIDATE: Final = re.compile(r"[\s,]*(\S*[^\s,])(?:\s+([^,]+))?\s*(?:,|$)")
"""One candidate of a srcset: address and descriptors (HTML Living Standard, 4.8.4.2.1)."""
_SIZE: Final = re.compile(r"([\d.]+)[wxh]")


def find_images(page: Page, rows: IntArray) -> dict[int, str]:
    """Return row → address for the `img` elements among ``rows`` that have a picture to show.

    ``rows`` are leaves in document order. A picture that stands twice in a row counts once, as
    where `<noscript>` repeats a late one, or where one repeats the formula before it. Pixels for
    counting visitors do not count.
    """
    found: dict[int, str] = {}
    before: int | None = None
    for row, tag in zip(rows.tolist(), page.tag[rows].tolist(), strict=True):
        if tag != _IMG:
            before = row if tag == _MATH else None
            continue
        attrs = page.attrs(row)
        place = "" if is_pixel(attrs) else pick_source(attrs, _source_sets(page, row))
        if before is not None and _repeats(page, row, place, before, found.get(before, "")):
            continue
        if place:
            found[row] = place
        before = row
    return found


def _repeats(page: Page, row: int, place: str, before: int, place_before: str) -> bool:
    """Say whether an image shows again what the leaf before it shows."""
    if page.tag[before] == _MATH:
        tex = tex_of(page, before)
        return tex is not None and tex == " ".join((page.attr(row, "alt") or "").split())
    stands_in = bool(page.hidden[row] & Hidden.NOSCRIPT)
    return bool(place_before) and (place == place_before or stands_in)


def pick_source(attrs: Mapping[str, str], source_sets: Iterable[str] = ()) -> str:
    """Return the address of an image from its attributes and its `<source>`s, "" for none.

    That is `src`, unless it is missing or a placeholder: then the largest of `srcset` or what
    late-loading scripts put elsewhere.
    """
    late = [value for name in _LATE_SOURCES if (value := attrs.get(name))]
    sets = [attrs.get("srcset", ""), *(attrs.get(name, "") for name in _LATE_SETS), *source_sets]
    places = [attrs.get("src", ""), *late, *map(largest_of, sets)]
    return next(filter(None, map(_usable, places)), "")


def largest_of(source_set: str) -> str:
    """Return the address of the largest candidate of a srcset, "" where it has none."""
    best, best_size = "", -1.0
    for match in _CANDIDATE.finditer(source_set):
        described = _SIZE.match(match[2] or "")
        size = float(described[1]) if described and described[1].count(".") < 2 else 0.0
        if size > best_size and _usable(match[1]):
            best, best_size = match[1], size
    return best


def is_pixel(attrs: Mapping[str, str]) -> bool:
    """Say whether an element is made too small to be seen: it counts visitors."""
    return any(
        attrs.get(side, "").strip().removesuffix("px") in ("0", "1") for side in ("width", "height")
    )


def _usable(place: str) -> str:
    """Return the address if it can be one of a real picture on the web, else ""."""
    place = place.strip()
    if not place or "{" in place or _PLACEHOLDER.match(place):
        return ""
    return place if _WEB_SCHEME.match(place) or not _SCHEME.match(place) else ""


def _source_sets(page: Page, row: int) -> list[str]:
    """Return the srcsets of the `<source>`s right before an image in a `<picture>`, in order."""
    sets: list[str] = []
    at, picture = row - 1, int(page.parent[row])
    while at > picture and page.tag[picture] == _PICTURE and page.tag[at] in (_SOURCE, TEXT):
        if page.tag[at] == _SOURCE:
            attrs = page.attrs(at)
            sets.append(attrs.get("srcset") or attrs.get("data-srcset", ""))
        at -= 1
    return sets[::-1]
