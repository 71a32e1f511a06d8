"""Pictures that only decorate a page: bullets, spacers, rules, signs of controls."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.tags import TEXT, flags_of
from thresher.support.late import compile_late

_RULES: Final = frozenset("12")
"""Pixels of a side of a line. Resizing services write 0, not these, for a side that follows."""
_MAX_BULLET: Final = 24
"""Pixels of each side of a bullet, at most: a bound from general knowledge, not tuned."""
_PIXELS: Final = re.compile(r"([0-9]{1,4})(?:\s*px)?", re.ASCII)
_SAYS_NOTHING: Final = compile_late(r"[\s*•·]*|bullet|puce|spacer", re.IGNORECASE)
"""Alternative texts of pictures that only decorate."""
_NAME: Final = compile_late(
    r"(?:[^?#]*[/_.-])?(?:(?:blank|bullet|corner(?=[_-])|divider|nothing|puce|separator|shim|spacer[hv]?)"
    r"(?:[0-9_-]|bottom|left|right|top|[bt][lr])*\.(?:gif|png|svg)"
    r"|(?:hr|pix|trans|transparent)\.gif)(?:[?#].*)?",
    re.IGNORECASE | re.DOTALL,
)
"""Addresses of such pictures."""

_SIGN_NAME: Final = compile_late(
    r"(?:[^?#]*[/_.-])?(?:(?:ajax-?|pre)?load(?:er|ing)|spinner|(?:(?:icon|btn|button)[_-])?"
    r"(?:chevron|arrow|caret|play|share)(?:[_-]?(?:alt|btn|button|circle|down|filled|icon|left|right|up"
    r"|white))*)\.(?:gif|png|svg|webp)(?:[?#].*)?",
    re.IGNORECASE | re.DOTALL,
)
"""Addresses of signs on controls: of what opens, plays, shares or loads."""
_SIGN_WORDS: Final = compile_late(
    r"(?:(?:chevron|arrow|caret)(?:[ -](?:down|left|right|up))?|collapse|expand|open|close"
    r"|toggle|(?:play|share)(?: (?:button|icon|video))?|loading(?:\.{3}|…)?)?",
    re.IGNORECASE,
)
"""Alternative texts of such signs."""
_MAX_SIGN: Final = 100
"""Pixels of each side of such a sign, at most."""
_MIN_REPEATS: Final = 4
"""Pictures of one address from which it is that of a bullet: a picture of the text may also be in a
menu and among teasers."""
_PICTURES: Final = flags_of("figure picture")
"""Elements around a picture that is no bullet."""


def is_ornament(
    page: Page, row: int, attrs: Mapping[str, str], cells: npt.NDArray[np.integer]
) -> bool:
    """Return whether a picture only decorates: a line, the sign of a control, or what says nothing.

    The last is named as such; or it is as small as a bullet or drawn again and again, and at the
    beginning of a paragraph or alone. It is in no link, and no value of a table; ``cells`` are the
    rows of the page's cells, int[n].
    """
    width, height = attrs.get("width", ""), attrs.get("height", "")
    if (width in _RULES or height in _RULES) and "srcset" not in attrs:
        return True
    alt, address = attrs.get("alt", ""), attrs.get("src", "").strip()
    is_sign = _SIGN_WORDS.fullmatch(alt.strip()) and _SIGN_NAME.fullmatch(address)
    if is_sign and all(side <= _MAX_SIGN for side in _read_sides(width, height)):
        return True
    if (alt and not _SAYS_NOTHING.fullmatch(alt)) or page.in_link[row]:
        return False
    if _NAME.fullmatch(address):
        return True
    sides = _read_sides(width, height)
    is_small = len(sides) == 2 and max(sides) <= _MAX_BULLET
    is_bullet = is_small or (max(sides, default=0) <= _MAX_SIGN and _is_repeated(page, row))
    # Of others the sides may be only their ratio.
    return is_bullet and "srcset" not in attrs and _begins_text(page, row, cells)


def _is_repeated(page: Page, row: int) -> bool:
    """Return whether a picture outside figures has an address that a page draws again and again."""
    if _PICTURES[page.tag[page.parent[row]]]:
        return False
    sources = page.attributes.distinct("src")
    at = int(sources.row.searchsorted(row))
    if at == sources.row.size or sources.row[at] != row:
        return False
    return int((sources.number == sources.number[at]).sum()) >= _MIN_REPEATS


def _read_sides(*values: str) -> list[int]:
    """Return the pixels of the sides that some values state."""
    return [int(side[1]) for value in values if (side := _PIXELS.fullmatch(value.strip()))]


def _begins_text(page: Page, row: int, cells: npt.NDArray[np.integer]) -> bool:
    """Return whether a picture is the first of its block, before a text or alone, but no value."""
    leaf = int(page.leaf_offset[row])
    block = page.blocks.of_leaf[leaf]
    first, stop = page.blocks.start[block : block + 2].tolist()
    if leaf > first or (leaf + 1 < stop and page.tag[page.leaves[leaf + 1]] != TEXT):
        return False
    place = int(cells.searchsorted(row)) - 1
    if place < 0 or page.end[cell := int(cells[place])] <= row or page.subtree_words[cell]:
        return True
    return place == 0 or page.parent[cells[place - 1]] != page.parent[cell]
