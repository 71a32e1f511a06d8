"""What styles hide: declarations of an element (as in native/page/hidden.c), and style sheets.

Of a page's own style sheets the simplest selectors are read: a class, an id, `tag.class`, and each
of them inside another element, as they hold in a window on a desktop. A name that another rule
shows, in any medium or state, is left alone: the rule that hides it is one half of a menu, a tab or
a layout for narrow screens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page.scan import IntArray

_DECLARATION: Final = re.compile(rb"(?<![\w-])([\w-]+)\s*:(?=\s*(.{0,64}))", re.DOTALL)
_FAR: Final = rb"-(?:[0-9]{5}|[5-9][0-9]{3}|999(?![0-9]))"
_ZERO: Final = rb"0(?:\.0*)?(?![0-9.])"
_SAYS: Final = {
    name: tuple((word, re.compile(pattern)) for word, pattern in words.items())
    for names, words in (
        ("display", {"gone": rb"none"}),
        ("visibility content-visibility", {"unseen": rb"hidden|collapse"}),
        ("opacity", {"clear": _ZERO}),
        ("font-size", {"tiny": _ZERO + rb"|1px"}),
        ("position", {"placed": rb"absolute|fixed"}),
        ("overflow", {"cut": rb"hidden"}),
        ("width", {"narrow": rb"1px"}),
        ("height max-height", {"low": rb"1px", "flat": _ZERO + rb"|1px"}),
        ("clip", {"gone": rb"rect\([01px ,%]*\)"}),
        ("clip-path", {"gone": rb"inset\((?:50|100)%"}),
        ("left top right text-indent margin-left", {"gone": _FAR}),
    )
    for name in names.encode().split()
}
"""Property → what it says, and of which values; some hide only together."""
_MOVES: Final = (b"trans", b"anim", b"will-change", b"-webkit-trans", b"-webkit-anim")
"""Properties of what a script lets appear when it is scrolled to."""


def hides(style: bytes) -> bool:
    """Return whether declarations hide an element for everyone who looks at it."""
    said = _read(style)
    return (
        "gone" in said
        or ("unseen" in said and "moves" not in said)
        or ({"clear", "placed"} <= said and "moves" not in said)
        or {"narrow", "low", "cut"} <= said
        or ({"flat", "cut"} <= said and said.isdisjoint(("moves", "padded")))
    )


def shrinks(style: bytes) -> bool:
    """Return whether declarations make letters invisibly small."""
    return "tiny" in _read(style)


def _read(style: bytes) -> set[str]:
    """Return what the declarations of a style say."""
    said: set[str] = set()
    for name, value in _DECLARATION.findall(style.lower()):
        said.update(word for word, pattern in _SAYS.get(name, ()) if pattern.match(value))
        if name.startswith(_MOVES):
            said.add("moves")
        elif name.startswith(b"padding"):
            said.add("padded")
    return said


_MAX_BYTES: Final = 2**16
"""Bytes of style sheets that are read; more are mostly frameworks."""
_MAX_RULES: Final = 128
"""Rules that hide, of a sheet, whose selectors are read."""
_MAX_SELECTOR_BYTES: Final = 2**12
"""Bytes before a rule that are searched for names."""
_SIGNS: Final = (b"none", b"hidden", b"-999", b"rect(", b"inset(")
"""What a declaration that hides contains."""
_HIDES, _SHOWS = np.uint8(1), np.uint8(2)
_COMPOUND: Final = rb"([a-z][a-z0-9]*)?((?:[.#][\w\x80-\xff-]+)%s)"
_SIMPLE: Final = re.compile(rb"\s*(?:(?=[\w.#])%s\s+)?%s\s*" % (_COMPOUND % b"*", _COMPOUND % b"+"))
_NAME: Final = re.compile(rb"[.#][\w\x80-\xff-]+")
_SHOWN: Final = re.compile(
    rb"(?<![\w-])(?:display\s*:\s*(?!\s|none)|visibility\s*:\s*visible|opacity\s*:\s*(?:1|0?\.))",
    re.IGNORECASE,
)
_PASSING: Final = re.compile(rb":(?:hover|focus)")
"""States in which only a tooltip is shown, or a menu."""
_ALWAYS: Final = re.compile(
    rb"\s*@(?:layer|supports|media\s+(?:only\s+)?(?:all|screen)\s*\Z)", re.IGNORECASE
)
"""At-rules whose content holds on the screens of all readers."""
_PRINT: Final = re.compile(rb"\s*@media\s+(?:only\s+)?print\s*\Z", re.IGNORECASE)
"""Those whose content holds on no screen."""
_MEDIA: Final = re.compile(rb"@media(?=[\s(])([^@{};]*)(?={)")
_TERMS: Final = re.compile(rb"(?: |(?<=\)))and ")
_MIN_WIDTH: Final = re.compile(
    rb"\(\s*(?:min-(?:device-)?width\s*:|width\s*>=?)\s*(\d+(?:\.\d+)?|\.\d+)(px|r?em)\s*\)"
)
_SCREENS: Final = frozenset((b"", b"all", b"screen", b"only all", b"only screen"))
"""Conditions that hold in every wide window, besides those of a width."""
_WINDOW_PIXELS: Final = 1280
"""Minimum width of a window on a desktop."""
_EM_PIXELS: Final = 16
_NOT_IN_QUERY: Final = re.compile(r"[@{};]")


class Compound(NamedTuple):
    """An element of this name, or of any if it is empty, with all of these classes and ids."""

    tag: bytes
    names: frozenset[bytes]
    """Each with its sign, `.` or `#`."""


class Hiding(NamedTuple):
    """A selector that hides an element, or one inside another."""

    element: Compound
    around: Compound | None = None


def read_hiding(sheets: Iterable[bytes], is_known: Callable[[bytes], bool]) -> set[Hiding]:
    """Return the selectors that hide on a screen, of those that no other rule shows.

    ``is_known`` tells of a name with its sign whether it may be on the page.
    """
    hiding: list[bytes] = []
    showing: list[bytes] = []
    room = _MAX_BYTES
    for sheet in sheets:
        css = sheet[:room]
        room -= len(css)
        if not any(sign in css for sign in _SIGNS):
            continue
        css = _MEDIA.sub(_settle_media, _drop_comments(css))
        start, stop, tells = find_telling_rules(css)
        start = np.maximum(start, stop - _MAX_SELECTOR_BYTES)
        spans = zip(start.tolist(), stop.tolist(), strict=True)
        rules = [css[slice(*span)] for span in spans]
        hiding += [rules[rule] for rule in (tells & _HIDES).nonzero()[0][:_MAX_RULES].tolist()]
        showing += [rules[rule] for rule in (tells & _SHOWS).nonzero()[0].tolist()]
    selectors = {
        parsed
        for selector in b",".join(hiding).split(b",")
        if all(map(is_known, _NAME.findall(selector))) and (parsed := _parse(selector))
    }
    names = {name for selector in selectors for name in selector.element.names}
    if names:
        shown = (part for part in b",".join(showing).split(b",") if not _PASSING.search(part))
        names.difference_update(_NAME.findall(b",".join(shown)))
    return {selector for selector in selectors if names.issuperset(selector.element.names)}


def limit_sheet(css: bytes, media: str) -> bytes:
    """Return a sheet whose rules hold in the media that an attribute of its element names."""
    if not media or media.isspace() or _NOT_IN_QUERY.search(media):
        return css
    return b"@media %s{%s}" % (media.encode(), css)


def _settle_media(rule: re.Match[bytes]) -> bytes:
    """Return the head of an at-rule, that of all media if it holds in all wide windows."""
    queries = b" ".join(rule[1].lower().split()).split(b",")
    return b"@media all" if any(map(_holds_in_wide_windows, queries)) else rule[0]


def _holds_in_wide_windows(query: bytes) -> bool:
    """Return whether all terms of a query, in lower case, hold on screens and in wide windows."""
    for term in _TERMS.split(b" ".join(query.split())):
        width = _MIN_WIDTH.fullmatch(term)
        pixels = float(width[1]) * (1 if width[2] == b"px" else _EM_PIXELS) if width else 0.0
        if pixels > _WINDOW_PIXELS or not (width or term in _SCREENS):
            return False
    return True


def _parse(selector: bytes) -> Hiding | None:
    """Parse a selector; None if it is not one of the simplest."""
    simple = _SIMPLE.fullmatch(selector)
    if not simple:
        return None
    *around, tag, names = (group or b"" for group in simple.groups())
    element = Compound(tag, frozenset(_NAME.findall(names)))
    if not any(around):
        return Hiding(element)
    return Hiding(element, Compound(around[0], frozenset(_NAME.findall(around[1]))))


def _drop_comments(css: bytes) -> bytes:
    first, *rest = css.split(b"/*")
    return first + b"".join(piece.partition(b"*/")[2] for piece in rest)


_Rules = tuple[IntArray, IntArray, npt.NDArray[np.uint8]]


def _find_telling_rules_by_step(steps: Steps, css: bytes) -> _Rules | None:
    return steps.find_telling_rules(css, css.count(b"{"))


@kernel_with(_find_telling_rules_by_step)
def find_telling_rules(css: bytes) -> _Rules:
    """Find the rules that hide on every screen or show on some, without comments in between.

    Returns where the selectors of each start and stop, int32[n], and whether it hides, 1, or shows,
    2; uint8[n].
    """
    around: list[tuple[bool, bool]] = []
    rules: list[tuple[int, int, int]] = []
    chunk_start = 0
    for chunk in css.split(b"}"):
        *heads, declarations = chunk.split(b"{")
        stop = chunk_start
        for place, head in enumerate(heads):
            start, stop = stop + head.rfind(b";") + 1, stop + len(head) + 1
            if place < len(heads) - 1:
                always = _ALWAYS.match(css, start, stop - 1) is not None
                around.append((not always, _PRINT.match(css, start, stop - 1) is not None))
                continue
            is_narrow = any(narrow for narrow, _ in around)
            tells = int(_HIDES) * (not is_narrow and hides(declarations))
            tells |= int(_SHOWS) * (_SHOWN.search(declarations) is not None)
            if tells and not any(on_paper for _, on_paper in around):
                rules.append((start, stop - 1, tells))
        if not heads and around:
            around.pop()
        chunk_start += len(chunk) + 1
    table = np.array(rules, np.int32).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2].astype(np.uint8)
