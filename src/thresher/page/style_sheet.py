"""What a page's own style sheets hide, by the simplest selectors: a class, an id, `tag.class`.

A name that another rule shows, in any medium or state, is left alone: the rule that hides it is one
half of a menu, a tab or a layout for narrow screens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Final, NamedTuple

from thresher.page.style import hides

__all__ = ["Hiding", "read_hiding"]

_MAX_CHARS: Final = 2**16
"""Characters of style sheets that are read; more are mostly frameworks."""
_MAX_SELECTORS: Final = 512
"""Selectors that are looked up."""
_MAX_SELECTOR_CHARS: Final = 2**12
"""Characters before a rule that are searched for names."""
_SIGN: Final = re.compile(r"none|hidden|-9{3}|rect\(|inset\(")
"""What a declaration that hides contains."""
_SIMPLE: Final = re.compile(r"\s*([a-z][a-z0-9]*)?((?:[.#][\w-]+)+)\s*")
_NAME: Final = re.compile(r"[.#][\w-]+")
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


def read_hiding(sheets: Iterable[str], known: AbstractSet[str]) -> set[Hiding]:
    """Return the selectors that hide on a screen, of those that no other rule shows.

    All names of each, with their signs, are ``known``: on the page.
    """
    read: list[str] = []
    room = _MAX_CHARS
    for sheet in sheets:
        css = sheet[:room]
        room -= len(css)
        if css and _SIGN.search(css):
            read.append(_drop_comments(css))
    names = {name for css in read for name in _find_near_signs(css) if name in known}
    if not names:
        return set()
    found: set[Hiding] = set()
    shown: set[str] = set()
    for css in read:
        _read_sheet(css, names, found, shown)
    hiding = (each for each in found if each.names <= known and shown.isdisjoint(each.names))
    return set(islice(hiding, _MAX_SELECTORS))


def _drop_comments(css: str) -> str:
    first, *rest = css.split("/*")
    return first + "".join(piece.partition("*/")[2] for piece in rest)


def _find_near_signs(css: str) -> Iterator[str]:
    """Yield the names in the selectors of rules with a sign."""
    stop = 0
    for sign in _SIGN.finditer(css):
        if sign.start() < stop:
            continue
        brace = css.rfind("{", stop, sign.start())
        if brace < 0:
            continue  # in a selector
        stop = max(css.find("}", sign.end()), sign.end())
        start = max(css.rfind(end, 0, brace) for end in "{};")
        yield from _NAME.findall(css, max(start, brace - _MAX_SELECTOR_CHARS, 0), brace)


def _read_sheet(css: str, wanted: set[str], found: set[Hiding], shown: set[str]) -> None:
    """Add the selectors of one sheet that hide, and the names in those that show.

    Only those with a ``wanted`` name are read.
    """
    around: list[bool] = []
    for piece in css.split("}"):
        *heads, body = piece.split("{")
        if not heads:
            del around[-1:]  # the end of an at-rule
            continue
        around += [_ALWAYS.match(head) is not None for head in heads[:-1]]
        selectors = heads[-1]
        if wanted.isdisjoint(_NAME.findall(selectors)):
            continue
        selectors = selectors.rpartition(";")[2]
        if _SHOWS.search(body):
            shown.update(_NAME.findall(selectors))
        elif all(around) and _SIGN.search(body) and hides(body.encode()):
            for selector in selectors.split(","):
                if simple := _SIMPLE.fullmatch(selector):
                    found.add(Hiding(simple[1] or "", frozenset(_NAME.findall(simple[2]))))
