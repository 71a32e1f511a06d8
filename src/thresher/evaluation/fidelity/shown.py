"""Characters and spaces of Markdown, compared with a plain rendering of the page's elements.

- characters: nothing is written that the kept text does not have, but quotation marks of a `q`,
brackets around the readings of characters, and signs of lists in cells;
- spaces: where the characters are the same, none is written inside a word that the page shows
whole, and none is missing between words that it parts.

A page shows a word whole in one text, and in texts that only elements without a class or the like
part: how others are displayed is up to style sheets, as is what is between two links.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from thresher.page import Page
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, TEXT, flags_of

__all__ = ["compare_shown"]

_Flags = np.ndarray[tuple[int], np.dtype[np.bool_]]

_JOINED, _PARTED, _STYLED = range(3)
"""Between two characters: nothing, white space or an edge of a block, what styles decide."""
_A, _BR, _LI = (CODE_OF[name] for name in ("a", "br", "li"))
_CELLS: Final = flags_of("td th")
_PLAIN: Final = flags_of("a abbr b bdi bdo big code del dfn em font i ins kbd mark s samp small")
_PLAIN_TOO: Final = flags_of("span strike strong sub sup tt u var wbr")
_INLINE: Final = _PLAIN | _PLAIN_TOO
"""Elements that do not part a word unless a style sheet says so."""
_MATH: Final = CODE_OF["math"]
_ENCLOSED: Final = (("q", "\"'“”‘’„‚«»‹›「」『』"), ("rt", "()"))
"""Elements that get signs around them."""
_INVISIBLE: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f"
_STYLES: Final = ("class", "id", "style")
_EXCERPT_CHARS: Final = 40


class _Shown(NamedTuple):
    """The visible characters of a page, white space left out."""

    chars: str
    before: list[int]
    """What is before each character: `_JOINED`, `_PARTED` or `_STYLED`."""


def compare_shown(
    page: Page, keep: _Flags, written: Page | None, added: Iterable[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield violations as property and detail; ``keep`` flags the kept leaves, bool[n_leaf].

    ``written`` is the page that the Markdown was converted back to, ``added`` are texts that are
    written besides.
    """
    if written is None:
        return
    expected = _read_shown(page, keep)
    found = _read_shown(written, np.ones(written.leaves.size, np.bool_))
    extra = Counter(found.chars) - Counter(expected.chars) - Counter("".join(added))
    for name, signs in _ENCLOSED:
        if (page.tag == CODE_OF[name]).any():
            extra = Counter({char: n for char, n in extra.items() if char not in signs})
    if (page.within(_CELLS[page.tag]) & (page.tag == _LI)).any():
        extra = Counter({char: n for char, n in extra.items() if char not in "-."})
    if invented := "".join(char for char in extra if not char.isdigit()):
        yield "characters", invented[:_EXCERPT_CHARS]
    if expected.chars != found.chars:
        return
    for place, (wanted, given) in enumerate(zip(expected.before, found.before, strict=True)):
        if place and {wanted, given} == {_JOINED, _PARTED}:
            verb = "parted" if given == _PARTED else "joined"
            around = slice(max(place - 15, 0), place + 15)
            yield (
                "spaces",
                f"{verb} before {found.chars[place : place + 5]!r}: {found.chars[around]}",
            )
            return


def _read_shown(page: Page, keep: _Flags) -> _Shown:
    leaves = np.flatnonzero(keep).tolist()
    styled = np.zeros(len(page), np.bool_)
    for name in _STYLES:
        styled[list(page.attributes.values(name))] = True
    parts = styled | ~_INLINE[page.tag]
    link = page.nearest(page.tag == _A)
    chars: list[str] = []
    before: list[int] = []
    gap = _PARTED
    for leaf, following in pairwise([*leaves, -1]):
        row = int(page.leaves[leaf])
        if page.tag[row] == TEXT:
            for char in page.text[page.text_offset[row] : page.text_offset[row + 1]]:
                if char.isspace():
                    gap = _PARTED
                elif char not in _INVISIBLE:
                    chars.append(char)
                    before.append(gap)
                    gap = _JOINED
        elif page.tag[row] == _MATH:
            gap = _STYLED
        if following >= 0 and gap != _PARTED:
            gap = max(_read_gap(page, leaf, following, parts, link), gap, key=_RANK.__getitem__)
    return _Shown("".join(chars), before)


_RANK: Final = {_JOINED: 0, _STYLED: 1, _PARTED: 2}
"""Which of several gaps counts."""


def _read_gap(page: Page, leaf: int, following: int, parts: _Flags, link: IntArray) -> int:
    """Return what is between two leaves."""
    if following != leaf + 1:
        return _STYLED
    if page.blocks.of_leaf[leaf] != page.blocks.of_leaf[following]:
        return _PARTED
    first, second = int(page.leaves[leaf]), int(page.leaves[following])
    between = page.text[page.text_offset[page.end[first]] : page.text_offset[second]]
    if between or (page.tag[first:second] == _BR).any():
        return _PARTED
    inside = slice(int(page.end[first]), second)
    are_links = link[first] != link[second] and min(link[first], link[second]) >= 0
    if page.tag[second] != TEXT or parts[inside].any() or are_links:
        return _STYLED
    for row, other in ((first, second), (second, first)):
        above = int(page.parent[row])
        while not above <= other < page.end[above]:
            if parts[above]:
                return _STYLED
            above = int(page.parent[above])
    return _JOINED
