"""What a page's own style sheets hide, by the simplest selectors: a class, an id, `tag.class`.

A name that another rule shows, in any medium or state, is left alone: the rule that hides it is one
half of a menu, a tab or a layout for narrow screens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from thresher.page.style import hides

__all__ = ["Hiding", "read_hiding"]

_MAX_CHARS: Final = 2**16
"""Characters of style sheets that are read; more are mostly frameworks."""
_MAX_SELECTORS: Final = 128
"""Selectors of a sheet that are looked up."""
_MAX_SELECTOR_CHARS: Final = 2**12
"""Characters before a rule that are searched for names."""
_MAX_RULES: Final = 256
"""Rules between a rule and the head of the at-rule around it, at most."""
_SIGNS: Final = ("none", "hidden", "-999", "rect(", "inset(")
"""What a declaration that hides contains."""
_SIMPLE: Final = re.compile(r"\s*([a-z][a-z0-9]*)?((?:[.#][\w-]+)+)\s*")
_NAME: Final = re.compile(r"[.#][\w-]+")
_NAME_GOES_ON: Final = re.compile(r"[\w-]")
_SHOWS: Final = re.compile(
    r"(?<![\w-])(?:display\s*:\s*(?!\s|none)|visibility\s*:\s*visible|opacity\s*:\s*(?:1|0?\.))"
)
_ALWAYS: Final = re.compile(r"\s*@(?:layer|supports|media\s+(?:only\s+)?(?:all|screen)\s*\Z)")
"""At-rules whose content holds on the screens of all readers."""


class Hiding(NamedTuple):
    """A selector that hides: an element of this name, or any, with all of these classes and ids."""

    tag: str
    names: frozenset[str]
    """Each with its sign, `.` or `#`."""


def read_hiding(sheets: Iterable[str], is_known: Callable[[str], bool]) -> set[Hiding]:
    """Return the selectors that hide on a screen, of those that no other rule shows.

    ``is_known`` tells of a name with its sign whether it may be on the page.
    """
    read: list[str] = []
    room = _MAX_CHARS
    for sheet in sheets:
        css = sheet[:room]
        room -= len(css)
        if any(sign in css for sign in _SIGNS):
            read.append(_drop_comments(css))
    found = {each for css in read for each in islice(_find_hiding(css, is_known), _MAX_SELECTORS)}
    shown = {
        name
        for name in {name for each in found for name in each.names}
        if any(_is_shown(css, name) for css in read)
    }
    return {each for each in found if shown.isdisjoint(each.names)}


def _drop_comments(css: str) -> str:
    first, *rest = css.split("/*")
    return first + "".join(piece.partition("*/")[2] for piece in rest)


def _find_signs(css: str) -> list[int]:
    """Return the places of what a declaration that hides contains, in order."""
    places: list[int] = []
    for sign in _SIGNS:
        at = css.find(sign)
        while at >= 0:
            places.append(at)
            at = css.find(sign, at + len(sign))
    return sorted(places)


def _find_hiding(css: str, is_known: Callable[[str], bool]) -> Iterator[Hiding]:
    """Yield the simple selectors, of known names, of rules that hide."""
    stop = 0
    for sign in _find_signs(css):
        if sign < stop:
            continue
        brace = css.rfind("{", stop, sign)
        if brace < 0:
            continue  # in a selector
        end = css.find("}", sign)
        stop = len(css) if end < 0 else end
        start = max(css.rfind(edge, 0, brace) for edge in "{};") + 1
        start = max(start, brace - _MAX_SELECTOR_CHARS)
        known = [
            Hiding(simple[1] or "", frozenset(names))
            for selector in css[start:brace].split(",")
            if (simple := _SIMPLE.fullmatch(selector))
            and all(map(is_known, names := _NAME.findall(simple[2])))
        ]
        if known and hides(css[brace + 1 : stop].encode()) and _holds_always(css, start):
            yield from known


def _holds_always(css: str, at: int) -> bool:
    """Return whether a rule is in no at-rule that holds for some screens or states alone."""
    depth = css.count("{", 0, at) - css.count("}", 0, at)
    n_closed = 0
    for _ in range(_MAX_RULES):
        if depth <= 0:
            return True
        opens, closes = css.rfind("{", 0, at), css.rfind("}", 0, at)
        at = max(opens, closes)
        if closes > opens:
            n_closed += 1
        elif n_closed:
            n_closed -= 1
        else:
            head = max(css.rfind(edge, 0, opens) for edge in "{};") + 1
            if not _ALWAYS.match(css[head:opens]):
                return False
            depth -= 1
    return False


def _is_shown(css: str, name: str) -> bool:
    """Return whether a rule with a name in its selectors shows something."""
    at = css.find(name)
    while at >= 0:
        at += len(name)
        brace, end = css.find("{", at), css.find("}", at)
        if brace < 0:
            return False
        stop = len(css) if end < 0 else end
        if stop > brace and not _NAME_GOES_ON.match(css, at):
            if _SHOWS.search(css, brace + 1, stop):
                return True
            at = stop
        at = css.find(name, stop if stop < brace else at)
    return False
