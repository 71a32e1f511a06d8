"""Preformatted text: which language code is in, and where its lines end."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from thresher.page import Page
from thresher.tags import CODE_OF, TEXT
from thresher.writers.outline import Outline

__all__ = ["CodeText", "find_language", "preformatted_texts"]

_BR, _CODE = (CODE_OF[name] for name in ("br", "code"))

CodeText = tuple[int, bool]
"""The row of a text in a `pre`, and whether a line ends before it."""

_LANGUAGE_CLASS: Final = re.compile(
    r"(?:^|\s)(?:(?:language|lang|highlight-source|highlight|brush:)[-\s]?|sourceCode\s+)"
    r"([a-z][a-z0-9+#.-]{0,19})(?=[\s;]|$)",
    re.IGNORECASE,
)
"""How highlighters name the language: the HTML standard (4.5.15) and Prism with `language-`,
prettify with `lang-`, GitHub with `highlight-source-`, Sphinx with `highlight-`, SyntaxHighlighter
with `brush:`, Pandoc with `sourceCode`."""
_LANGUAGE_NAME: Final = re.compile(r"[a-z][a-z0-9+#.-]{0,19}", re.IGNORECASE)
_NOT_LANGUAGES: Final = frozenset(("default", "none", "text", "plain", "plaintext", "notranslate"))
_LEVELS_UP: Final = 3
"""Elements around a `pre` in which highlighters name its language."""


def find_language(page: Page, pre: int) -> str:
    """Return the language of a `pre`, "" where none is named in it, its code or around it."""
    rows = [pre, *range(pre + 1, min(pre + 3, int(page.end[pre])))]
    rows = [row for row in rows if row == pre or page.tag[row] == _CODE]
    above = int(page.parent[pre])
    for _ in range(_LEVELS_UP):
        if above >= 0:
            rows.append(above)
            above = int(page.parent[above])
    for row in rows:
        attrs = page.attrs(row)
        named = _LANGUAGE_CLASS.search(attrs.get("class", ""))
        name = named[1] if named else attrs.get("data-lang") or attrs.get("data-language") or ""
        if _LANGUAGE_NAME.fullmatch(name) and name.lower() not in _NOT_LANGUAGES:
            return name.lower()
    return ""


def preformatted_texts(outline: Outline, pre: int) -> list[CodeText]:
    """Return the texts of a `pre` that are written, in order, white space included.

    A line ends at a line break, and at the edge of a block where the text has no line end itself.
    """
    page = outline.page
    rows = slice(pre + 1, int(page.end[pre]))
    blank = np.diff(page.char_offset[rows.start : rows.stop + 1]) == 0
    shown = outline.holds[rows] | (blank & outline.holds[page.parent[rows]])
    wanted = (page.tag[rows] == _BR) | ((page.tag[rows] == TEXT) & shown)
    first_rows = outline.first_row
    first, last = np.searchsorted(first_rows, (rows.start, rows.stop))
    begins = set(first_rows[first + 1 : last].tolist())

    texts: list[CodeText] = []
    line_ended, broken = True, False
    for row in (np.flatnonzero(wanted) + rows.start).tolist():
        if page.tag[row] == _BR:
            # A second break in a row stands for a blank line.
            if broken:
                texts.append((row, True))
            line_ended, broken = False, True
            continue
        text = page.text[page.text_offset[row] : page.text_offset[row + 1]]
        at_edge = row in begins and not line_ended and not text.startswith("\n")
        texts.append((row, broken or at_edge))
        line_ended, broken = text.endswith("\n"), False
    return texts
