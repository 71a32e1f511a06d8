"""Images: the address of what each shows, and those that show nothing of the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Final, NamedTuple
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.hidden import Hidden
from thresher.page.scan import IntArray
from thresher.page.tags import AMP, CELLS, CODE_OF, TEXT, flags_of
from thresher.support.late import compile_late
from thresher.writers.fragment.ornaments import is_ornament
from thresher.writers.math.formulas import find_annotated_tex

_MATH, _PICTURE, _SOURCE, _TR = (CODE_OF[name] for name in "math picture source tr".split())

_IMAGES, _PLAYS = flags_of("amp-anim amp-img img"), flags_of("audio video")
_NOSCRIPT: Final = np.uint8(Hidden.NOSCRIPT)

_LATE_SOURCES: Final = dict.fromkeys(
    "data-src data-original data-lazy-src data-lazy data-url data-echo data-ezsrc"
    " data-pagespeed-lazy-src data-cfsrc data-lazyload data-orig-src data-opt-src"
    " data-wpfc-original-src nitro-lazy-src data-nitro-lazy-src".split()
)
_SETS: Final = ("srcset", "data-srcset", "data-lazy-srcset", "data-orig-srcset")
"""Attributes that the common lazy-loading scripts and services read: lazysizes, Lazy Load,
WordPress and its plug-ins, Echo, Ezoic, PageSpeed, Cloudflare, NitroPack."""
_PICTURE_NAME: Final = re.compile(
    r"[^\s{}]\.(?:avif|bmp|gif|jpe?g|png|svg|webp)(?![^?#])", re.IGNORECASE
)
_NAMED_URL: Final = re.compile(r'\{"(https?://[^"\s]+)":\{"contentType":"image/')
"""The first of the addresses by which Business Insider names what it tells of them, as JSON."""
_NO_ADDRESS: Final = re.compile(r"[\s{}]")
_WHITE: Final = re.compile(r"\s")
_PLACEHOLDER: Final = compile_late(
    r"data:|about:|#|.*?(?:^|[/_.-])"
    r"(?:1x1|blank|clear|empty|grey|lazy-?(?:load(?:er|ing)?)?|loader|loading|pixel(?:-\w+)?|placeholder|spacer|transparent)"
    r"\.(?:gif|png|svg|jpe?g|webp)\b",
    re.IGNORECASE,
)
_PLACEHOLDER_WORDS: Final = (
    *("data:", "about:", "#", "1x1.", "blank.", "clear.", "empty.", "grey.", "lazy", "loader."),
    *("loading.", "pixel", "placeholder.", "spacer.", "transparent."),
)
"""Strings of which each placeholder contains one, in ASCII."""
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_WEB_SCHEME: Final = re.compile(r"https?:", re.IGNORECASE)
_USUAL: Final = ("https:", "http:")
_CANDIDATE: Final = re.compile(r"([^\s,](?:[^\s,]|,+(?=[^\s,]))*)(?:\s+([^,]*))?")
"""One candidate of a srcset: URL and descriptors (HTML Living Standard, 4.8.4.2.1)."""
_SIZED: Final = re.compile(r"\s[\d.]+[wxh](?=\s*(?:,|$))")
_QUERY_OR_FRAGMENT: Final = re.compile(r"[?#]")
"""Start of what follows the file name in a URL."""
_SIZE: Final = re.compile(r"(\d+(?:\.\d*)?|\.\d+)[wxh]")
_SIZE_OF: Final = itemgetter(0)
_PIXEL_STYLE: Final = re.compile(r"(?<![\w-])(?:width|height)\s*:\s*[01]px", re.IGNORECASE)
_PIXEL_URL: Final = re.compile(
    r"(?:https?:)?//(?:www\.facebook\.com/tr\b|[\w.-]*(?:doubleclick\.net|google-analytics\.com"
    r"|scorecardresearch\.com|quantserve\.com)/|pixel\.|bat\.bing\.com/|mc\.yandex\.ru/watch"
    r"|agenciabrasil\.ebc\.com\.br/ebc\.(?:gif|png))",
    re.IGNORECASE,
)
"""Sources of tracking pixels, which nobody is meant to see."""
_PIXELS: Final = frozenset("01")
_SEEN: Final = re.compile(r"[1-9][0-9]{2,}")
"""A side that nobody gives to what is not to be seen."""
_GONE: Final = re.compile(
    r"(?<![\w-])(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE
)
_AVATAR_URL: Final = re.compile(r"gravatar\.com/avatar/|//avatars\.githubusercontent\.com/")
"""Addresses of pictures of who wrote something."""
_TAG: Final = re.compile(
    r"</?(?:(br|div|p)|a|b|em|i|span|strong|u)\b[^<>]*>", re.ASCII | re.IGNORECASE
)
"""A tag in an alternative text, which browsers show as it is: those that part words first."""
_FILE_NAME: Final = re.compile(r"\s*[^\s/]+\.(?:avif|gif|jpe?g|png|svg|webp)\s*", re.IGNORECASE)
"""An alternative text that is only the name of the file."""
_SIDES: Final = ("width", "height")
_ROW_LEVELS: Final = 8
"""Levels above an image in which its table row is looked for: a bound on the cost, not tuned."""
_SAME_NAME_CHARS: Final = 12
"""Length from which a file name is assumed to identify an image, whatever its folder."""


class _Image(NamedTuple):
    """An `img` that has something to show."""

    url: str
    """Its address."""
    attrs: dict[str, str]
    """All its attributes."""


def _is_concealed(attrs: dict[str, str]) -> bool:
    """Return whether a picture is an avatar, or is not shown and waits for no script."""
    is_gone = "style" in attrs and _GONE.search(attrs["style"])
    return bool(
        (is_gone and not any("src" in name for name in attrs if name.startswith("data-")))
        or _AVATAR_URL.search(attrs.get("src", ""))
    )


def find_images(page: Page, rows: IntArray) -> dict[int, _Image]:
    """Return row → image for the `img` and the like among ``rows`` that have one to show.

    ``rows`` are leaves in document order. An image that occurs twice in succession counts once:
    where `<noscript>` repeats a lazy one, with the URL it gives; where a blurred one is its
    placeholder; and where one repeats the formula before it. Tracking pixels do not count.
    """
    image_of: dict[int, _Image] = {}
    tag = page.tag.take(rows)
    images = _IMAGES.take(tag).nonzero()[0]
    if not images.size:
        return image_of
    cells = page.rows_of(CELLS)
    before = awaiting = -1
    """The previous leaf that shows something, and the image that `<noscript>` may repeat."""
    follows = -1
    """Position after the previous image."""
    in_noscripts = page.hidden.take(rows.take(images)) & _NOSCRIPT != 0
    pairs = zip(images.tolist(), in_noscripts.tolist(), strict=True)
    for position, in_noscript in watch(pairs):
        row = int(rows[position])
        if position != follows:
            is_math = position and tag[position - 1] == _MATH
            before, awaiting = int(rows[position - 1]) if is_math else -1, -1
        follows = position + 1
        attrs = page.attrs(row)
        is_in_player = _PLAYS[page.tag[page.parent[row]]]  # for browsers that cannot play it
        # The sides of AMP's pictures may be only their ratio.
        is_hidden = (
            is_in_player
            or _is_concealed(attrs)
            or (
                not AMP[page.tag[row]] and (is_pixel(attrs) or is_ornament(page, row, attrs, cells))
            )
        )
        url = "" if is_hidden else pick_source(attrs, _source_sets(page, row))
        if not url:
            awaiting = -1
        elif before in image_of and (
            (in_noscript and awaiting == before)
            or (
                _show_same_image(url, attrs, image_of[before])
                and not _is_meant_twice(page, cells, before, row, attrs, image_of[before].attrs)
            )
        ):
            other = image_of[before]
            if in_noscript and other.url == other.attrs.get("src", "").strip():
                image_of[before] = other._replace(url=url)
            if in_noscript and not other.attrs.get("alt"):
                other.attrs["alt"] = attrs.get("alt", "")
            awaiting = -1
        elif not _repeats_formula(page, before, attrs):
            _tidy_words(attrs, url)
            image_of[row] = _Image(url, attrs)
            before, awaiting = row, -1 if in_noscript else row
    return image_of


def _tidy_words(attrs: dict[str, str], url: str) -> None:
    """Drop what only names the file of an image, a title that says no more than its text, tags."""
    alt = attrs.get("alt", "")
    if "<" in alt:
        attrs["alt"] = alt = _TAG.sub(lambda tag: " " if tag[1] else "", alt)
    if alt and _FILE_NAME.fullmatch(alt):
        attrs["alt"] = alt = ""
    if attrs.get("title"):
        title = " ".join(attrs["title"].split()).lower()
        stem = unquote(_file_name(url)).rpartition(".")[0].lower()
        if title in (" ".join(alt.split()).lower(), stem) or _FILE_NAME.fullmatch(title):
            del attrs["title"]


def _is_meant_twice(  # noqa: PLR0917
    page: Page,
    cells: npt.NDArray[np.int64],
    before: int,
    row: int,
    attrs: Mapping[str, str],
    other: Mapping[str, str],
) -> bool:
    """Return whether a page shows an image again: in another cell, or with the same attributes.

    Stars of a rating and signs in neighbouring cells say something each time.
    """
    if page.hidden[row] & _NOSCRIPT:
        return False
    first, stop = cells.searchsorted((before, row)).tolist()
    in_other_cell = first < stop
    if attrs.get("alt", "").strip():
        # What comes in several sizes is a picture, and no sign.
        return (attrs == other and "srcset" not in attrs) or in_other_cell
    return in_other_cell and attrs == other and _is_in_worded_row(page, row)


def _is_in_worded_row(page: Page, row: int) -> bool:
    """Return whether the table row around an image has words, so that its cells are values."""
    for _ in range(_ROW_LEVELS):
        row = int(page.parent[row])
        if row < 0:
            return False
        if page.tag[row] == _TR:
            return bool(page.subtree_words[row])
    return False


def _show_same_image(url: str, attrs: Mapping[str, str], other: _Image) -> bool:
    """Return whether two images are one, possibly in different sizes, and say nothing else."""
    name = _file_name(url)
    if url == other.url or len(name) < _SAME_NAME_CHARS or name != _file_name(other.url):
        return url == other.url
    alts = {words.strip() for words in (attrs.get("alt", ""), other.attrs.get("alt", ""))}
    return len(alts - {""}) <= 1


def _file_name(url: str) -> str:
    return _QUERY_OR_FRAGMENT.split(url.rpartition("/")[2], maxsplit=1)[0]


def _is_picture_address(value: str) -> bool:
    """Return whether a text is certainly the URL of an image, whatever attribute holds it."""
    named = _PICTURE_NAME.search(value)
    return named is not None and not (
        _NO_ADDRESS.search(value, 0, named.start()) or _WHITE.search(value, named.end())
    )


def _repeats_formula(page: Page, before: int, attrs: Mapping[str, str]) -> bool:
    """Return whether an image shows the formula before it."""
    if before < 0 or page.tag[before] != _MATH:
        return False
    tex = find_annotated_tex(page, before)
    return tex is not None and tex == " ".join(attrs.get("alt", "").split())


def pick_source(attrs: Mapping[str, str], source_sets: Iterable[str] = ()) -> str:
    """Return the URL of an image from its attributes and its `<source>`s, "" for none.

    That is the largest candidate of `srcset` and the like where sizes are given, otherwise what
    lazy-loading scripts would put into `src`, otherwise `src`, otherwise any data attribute that
    can only be the URL of an image.
    """
    return next(filter(None, _candidate_urls(attrs, source_sets)), "")


def _candidate_urls(attrs: Mapping[str, str], source_sets: Iterable[str]) -> Iterator[str]:
    """Yield the possible URLs of an image, the best first, "" for unusable ones."""
    sets = [*_read_sets(attrs), *source_sets]
    for source_set in sets:
        if _SIZED.search(source_set):
            yield pick_largest(source_set)
    named = _LATE_SOURCES.keys() & attrs.keys()
    late = [attrs[name] for name in _LATE_SOURCES if name in named and attrs[name]] if named else []
    late = [value.rpartition("|")[2] for value in late]  # bLazy's for sharper screens
    # What a script would load is no placeholder, whatever its name.
    yield from map(_web_address, filter(_is_picture_address, map(str.strip, late)))
    yield _usable(attrs.get("src", ""))
    yield from map(_usable, late)
    yield from map(pick_largest, sets)
    scripted = [value for name, value in attrs.items() if name.startswith("data-")]
    yield from map(_usable, filter(_is_picture_address, scripted))
    yield from (_usable(first[1]) for value in scripted if (first := _NAMED_URL.match(value)))


def _read_sets(attrs: Mapping[str, str]) -> list[str]:
    """Return the srcsets of an element, those that scripts would set included."""
    return [attrs[name] for name in _SETS if attrs.get(name)]


def pick_largest(source_set: str) -> str:
    """Return the URL of the largest candidate of a srcset, "" if it has none."""
    candidates = _read_usual_set(source_set) or _read_set(source_set)
    # Of several of one size the first.
    best = max(candidates, key=_SIZE_OF, default=(0.0, ""))[1]
    if not best or _usable(best):
        return best
    candidates.sort(key=_SIZE_OF, reverse=True)
    return next((url for _, url in candidates if _usable(url)), "")


def _read_usual_set(source_set: str) -> list[tuple[float, str]]:
    """Return the sizes and URLs of a srcset whose candidates all have one plain descriptor.

    Empty for any other. Most are of this form, and splitting takes a fraction of a pattern's time.
    """
    candidates: list[tuple[float, str]] = []
    for candidate in watch(source_set.split(",")):
        parts = candidate.split()
        if len(parts) != 2:
            return []
        url, size = parts
        if size[-1] not in "wxh" or not (size.isascii() and size[:-1].isdigit()):
            return []
        candidates.append((float(size[:-1]), url))
    return candidates


def _read_set(source_set: str) -> list[tuple[float, str]]:
    """Return the sizes and URLs of a srcset; 0 for a candidate without a size."""
    candidates: list[tuple[float, str]] = []
    for candidate in watch(_CANDIDATE.finditer(source_set)):
        url, description = candidate.groups("")
        described = _SIZE.match(description)
        size = float(described[1]) if described else 0.0
        candidates.append((size, url))
    return candidates


def is_pixel(attrs: Mapping[str, str]) -> bool:
    """Return whether an element is too small to be seen, or comes from a source of such pixels."""
    sides = [(attrs.get(name) or "").strip().removesuffix("px").rstrip() for name in _SIDES]
    # Resizing services write 0 for the side that follows from the other: width=1024 height=0.
    if not _PIXELS.isdisjoint(sides) and not any(_SEEN.fullmatch(side) for side in sides):
        return True
    style = attrs.get("style")
    if style and _PIXEL_STYLE.search(style):
        return True
    return _PIXEL_URL.match(attrs.get("src", "")) is not None


def _usable(url: str) -> str:
    """Return the URL if it can be that of a real image on the web, otherwise ""."""
    url = _web_address(url)
    return "" if _may_be_placeholder(url) and _PLACEHOLDER.match(url) else url


def _web_address(url: str) -> str:
    """Return the URL if it can be on the web, otherwise ""."""
    url = url.strip()
    # Images inlined as data URLs can be long; their scheme is fast to check.
    is_web = url.startswith(_USUAL)
    if (not is_web and _SCHEME.match(url) and not _WEB_SCHEME.match(url)) or "{" in url:
        return ""
    return url


def _may_be_placeholder(url: str) -> bool:
    """Return whether the placeholder pattern may match: words are found faster than patterns."""
    if not url.isascii():
        return True
    lower = url.lower()
    for word in _PLACEHOLDER_WORDS:  # noqa: SIM110  a generator would take most of the time
        if word in lower:
            return True
    return False


def _source_sets(page: Page, row: int) -> list[str]:
    """Return the srcsets of the `<source>`s directly before an image in a `<picture>`, in order."""
    sets: list[str] = []
    at, picture = row - 1, int(page.parent[row])
    while at > picture and page.tag[picture] == _PICTURE and page.tag[at] in (_SOURCE, TEXT):
        if page.tag[at] == _SOURCE:
            sets += _read_sets(page.attrs(at))[::-1]
        at -= 1
    return sets[::-1]
