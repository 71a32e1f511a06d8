"""The picture that a page names as its own, and the videos embedded in its content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import urljoin, urlsplit

import numpy as np

from thresher.analysis.companions import is_player
from thresher.analysis.links import ADDRESS_BREAKS
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, flags_of

__all__ = ["find_lead_media"]

_IMAGES: Final = flags_of("amp-anim amp-img img")
_FIGURE: Final = CODE_OF["figure"]
_VIDEOS: Final = flags_of("amp-dailymotion amp-video amp-vimeo amp-youtube video")
_FRAMES: Final = flags_of("amp-iframe embed iframe object")
_PICTURES: Final = _IMAGES | flags_of("source")
_ASIDE: Final = flags_of("aside footer nav")
_IMAGE_NAMES: Final = frozenset(("og:image", "og:image:url", "og:image:secure_url"))
_SOURCES: Final = ("src", "data-src", "data-original", "data-lazy-src", "srcset", "data-srcset")
_SUFFIX: Final = re.compile(r"\.(?:avif|gif|jpe?g|png|svg|webp)$")
_MAX_FIGURE_WORDS: Final = 100


def find_lead_media(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the leaves to be kept beside those selected, ``keep``; bool[n_leaf]."""
    rows = np.zeros(len(page), np.bool_)
    picture = _find_picture(page)
    if picture is not None:
        rows[_with_caption(page, picture)] = True
    chosen = page.leaves[keep]
    if chosen.size:
        first, last = int(chosen[0]), int(chosen[-1])
        is_video = _VIDEOS[page.tag]
        if (_FRAMES[page.tag]).any():
            for name in ("src", "data-src", "data"):
                for row, address in page.attributes.values(name).items():
                    if _FRAMES[page.tag[row]] and is_player(address):
                        is_video[row] = True
        is_video[:first] = False
        is_video[last + 1 :] = False
        if is_video.any():
            rows |= is_video & ~page.within(_ASIDE[page.tag])
    if not rows.any():
        return np.zeros(keep.size, np.bool_)
    found: BoolArray = page.within(rows)[page.leaves]
    return found


def _find_picture(page: Page) -> int | None:
    """Return the row of the first picture with the address that the page names; None without."""
    contents = page.attributes.values("content")
    wanted = {
        key
        for row, name in page.attributes.values("property").items()
        if name.strip().lower() in _IMAGE_NAMES and (key := _key(page, contents.get(row, "")))
    }
    if not wanted:
        return None
    # Reading an address takes long; most do not even have the name of the file.
    names = {key.partition("?")[0].rpartition("/")[2] for key in wanted}
    found = sorted(
        row
        for name in _SOURCES
        for row, value in page.attributes.values(name).items()
        if _PICTURES[page.tag[row]]
        and _has_any(value, names)
        and any(_key(page, each) in wanted for each in _addresses(value))
    )
    return next((image for row in found if (image := _image_of(page, row)) is not None), None)


def _image_of(page: Page, row: int) -> int | None:
    """Return the `img` of a `source`, or the row itself if it is one."""
    if _IMAGES[page.tag[row]]:
        return row
    parent = int(page.parent[row])
    images = np.flatnonzero(_IMAGES[page.tag[parent : page.end[parent]]])
    return parent + int(images[0]) if images.size else None


def _with_caption(page: Page, row: int) -> slice:
    """Return the rows of the figure around a picture, or of the picture alone."""
    box = row
    while box > 0 and page.tag[box] != _FIGURE:
        box = int(page.parent[box])
    words = int(page.words_before[page.end[box]] - page.words_before[box])
    if box > 0 and words <= _MAX_FIGURE_WORDS:
        return slice(box, int(page.end[box]))
    return slice(row, int(page.end[row]))


def _addresses(value: str) -> Iterator[str]:
    """Yield the addresses of a `src` or `srcset`."""
    yield value
    if "," in value or " " in value.strip():
        for part in value.split(","):
            yield part.split()[0] if part.split() else ""


def _has_any(value: str, names: Iterable[str]) -> bool:
    lower = ADDRESS_BREAKS.sub("", value).lower()
    return any(name in lower for name in names)


def _key(page: Page, address: str) -> str:
    """Return what two addresses of one picture share: its path, and the query of no plain file.

    Empty for one without a path.
    """
    if not address.strip():
        return ""
    try:
        parts = urlsplit(urljoin(page.url or "", address.strip()))
    except ValueError:
        return ""
    path = parts.path.lower()
    if not path or path == "/":
        return ""
    return path if _SUFFIX.search(path) else f"{path}?{parts.query}"
