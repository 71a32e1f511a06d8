"""Detection of bars above code, with a button that copies it and maybe the name of its language."""

from __future__ import annotations

import re
from typing import Final

from thresher.page import Page
from thresher.page.tags import CODE_OF
from thresher.writers.code.language_names import names_language

__all__ = ["find_bar"]

_BUTTON: Final = CODE_OF["button"]
_COPYING: Final = re.compile(
    r"(?i)cop(?:y|ied)(?: (?:code|snippet|to clipboard))?[!.]?|复制(?:代码)?|コピー|kopieren|copier"
)
"""Texts of copy buttons."""
_LEVELS_UP: Final = 2
"""Elements around a `pre` that may have a bar above it."""
_MAX_LEAVES: Final = 4
"""Texts of such a bar: a name, and a button with its texts before and after a click."""


def find_bar(page: Page, pre: int) -> list[int]:
    """Return the texts above a `pre` that are a copy button and the name of the language, if any.

    A bar has a button to copy and nothing but buttons and names, of a file, say; of these only the
    button and the language are returned, the language first.
    """
    bar = _texts_above(page, pre)
    buttons = [row for row in bar if _is_within_button(page, row)]
    copying = [row for row in buttons if _COPYING.fullmatch(" ".join(page.text_of(row).split()))]
    if not copying:
        return []
    names = [row for row in bar if row not in buttons and names_language(page.text_of(row))]
    return names[:1] + copying


def _texts_above(page: Page, pre: int) -> list[int]:
    """Return the few texts between a `pre` and the beginning of an element around only these."""
    first, stop = page.leaf_offset[[pre, page.end[pre]]].tolist()
    above = pre
    for _ in range(_LEVELS_UP):
        above = int(page.parent[above])
        if above < 0:
            break
        start, end = page.leaf_offset[[above, page.end[above]]].tolist()
        if end > stop or first - start > _MAX_LEAVES:
            break
        if start < first:
            texts: list[int] = page.leaves[start:first].tolist()
            return texts
    return []


def _is_within_button(page: Page, row: int) -> bool:
    """Return whether a text is a button, or the only text of an element in one."""
    for _ in range(_LEVELS_UP + 1):
        row = int(page.parent[row])
        if row < 0 or page.tag[row] == _BUTTON:
            return row >= 0
    return False
