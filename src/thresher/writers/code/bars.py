"""Detection of bars beside code: buttons that copy it, and the name of its language."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from thresher.page import Page
from thresher.page.tags import CODE_OF
from thresher.writers.code.language_names import names_language

__all__ = ["find_bar"]

_BUTTON: Final = CODE_OF["button"]
_COPYING: Final = re.compile(
    r"(?i)cop(?:y|ied)(?: (?:code|snippet|to clipboard))?[!.]?|复制(?:代码)?|コピー|kopieren|copier"
)
"""Texts of copy buttons."""
_COPIES: Final = re.compile(r"(?i)(?<![a-z])cop(?:y|ied)(?!right)|clipboard")
"""Elements, classes and slots of copy buttons, and of what they say after a click."""
_TOOLTIP: Final = re.compile(r"(?i)tool-?tip")
_LEVELS_UP: Final = 2
"""Elements around a `pre` that may have a bar beside it."""
_MAX_LEAVES: Final = 4
"""Texts of such a bar: a name, and a button with its texts before and after a click."""


class _TextAround(NamedTuple):
    """The elements around a text beside code, few levels up."""

    is_button: bool
    names: str
    """Elements, classes and slots of those that hold nothing else."""


def find_bar(page: Page, pre: int) -> list[int]:
    """Return the texts beside a `pre` that are a copy button and the name of the language, if any.

    A bar is what the innermost element around the `pre` with other texts has besides it. Of these
    only the button, what it says when it has copied, and the language are returned, the language
    first.
    """
    bar = {row: _read_around(page, row, pre) for row in _find_texts_beside(page, pre)}
    copying = [row for row, around in bar.items() if _copies(page.text_of(row), around)]
    if not copying:
        return []
    others = [row for row, around in bar.items() if not around.is_button and row not in copying]
    return [row for row in others if names_language(page.text_of(row))][:1] + copying


def _find_texts_beside(page: Page, pre: int) -> list[int]:
    first, stop = page.leaf_offset[[pre, page.end[pre]]].tolist()
    above = pre
    for _ in range(_LEVELS_UP):
        above = int(page.parent[above])
        if above < 0:
            break
        start, end = page.leaf_offset[[above, page.end[above]]].tolist()
        if 0 < (end - start) - (stop - first) <= _MAX_LEAVES:
            rows: list[int] = [*page.leaves[start:first].tolist(), *page.leaves[stop:end].tolist()]
            return rows
        if end - start > stop - first:
            break
    return []


def _read_around(page: Page, row: int, pre: int) -> _TextAround:
    is_button = False
    names: list[str] = []
    for _ in range(_LEVELS_UP + 1):
        row = int(page.parent[row])
        if row < 0 or row <= pre < page.end[row]:
            break
        is_button |= bool(page.tag[row] == _BUTTON)
        if page.leaf_offset[page.end[row]] - page.leaf_offset[row] == 1:
            attrs = page.attrs(row)
            names += page.name(row), attrs.get("class", ""), attrs.get("slot", "")
    return _TextAround(is_button, " ".join(names))


def _copies(text: str, around: _TextAround) -> bool:
    """Return whether a text is on a button that copies, or said when it has."""
    if _COPIES.search(around.names):
        return True
    is_sign = around.is_button or _TOOLTIP.search(around.names) is not None
    return is_sign and _COPYING.fullmatch(" ".join(text.split())) is not None
