"""Detection of the language of a code block."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from thresher.page import Page
from thresher.page.tags import CODE_OF, flags_of
from thresher.support.late import compile_late
from thresher.writers.code.bars import find_bar
from thresher.writers.code.gutters import find_label
from thresher.writers.code.language_names import LANGUAGE_LABELS, LANGUAGES, names_language

__all__ = ["find_language"]

_CODE: Final = CODE_OF["code"]
_TABLE_PARTS: Final = flags_of("table tbody thead tfoot tr td th")

_LANGUAGE_CLASS: Final = compile_late(
    r"(?:^|\s)(?:(?:language|lang|highlight-source|highlight|enlighter-l)[-\s]|lang:|brush:[-\s]?|sourceCode\s+)"
    r"([a-z][a-z0-9+#.-]{0,19})(?=[\s;]|$)",
    re.IGNORECASE,
)
"""How highlighters name the language: the HTML standard (4.5.15) and Prism with `language-`,
prettify with `lang-`, GitHub with `highlight-source-`, Sphinx with `highlight-`, SyntaxHighlighter
with `brush:`, Crayon with `lang:`, Pandoc with `sourceCode`, EnlighterJS with `enlighter-l-`."""
_LANGUAGE_ATTRIBUTES: Final = (
    "data-lang",
    "data-language",
    "data-code-lang",
    "data-enlighter-language",
    "language",
)
_PARAMETERS: Final = "data-syntaxhighlighter-params"
"""What Confluence has of a class of SyntaxHighlighter: `brush: x; gutter: false`."""
_LANGUAGE_NAME: Final = re.compile(r"[a-z][a-z0-9+#.-]{0,19}", re.IGNORECASE)
_NOT_LANGUAGES: Final = frozenset(
    (
        "auto block code copy default dark generic light line lines list none nohighlight"
        " notranslate numbers plain plaintext raw source table text undefined unknown wrap wrapper"
    ).split()
)
"""Values found in these places that name no language."""
_HIGHLIGHTERS: Final = frozenset(
    "chroma code codehilite highlight hljs item-decl prettyprint prism rust-example-rendered shiki"
    " sourcecode syntax syntaxhighlighter".split()
)
"""Classes next to which a bare language name is meant as the language: `hljs python`, and Hexo's
`highlight cpp`."""
_LEVELS_UP: Final = 3
"""Ancestors of a `pre` on which highlighters name its language, not counting those of a table that
puts line numbers beside it."""


def find_language(page: Page, pre: int) -> str:
    """Return the language of a `pre`, "" if neither it, its code nor its ancestors name one."""
    inside = page.tag[pre + 1 : page.end[pre]] == _CODE
    rows = [pre, *(np.flatnonzero(inside)[:1] + pre + 1).tolist()]
    n_own = len(rows)
    above, levels = int(page.parent[pre]), 0
    while above >= 0 and levels < _LEVELS_UP:
        rows.append(above)
        levels += not _TABLE_PARTS[page.tag[above]]
        above = int(page.parent[above])
    for row in rows:
        attrs = page.attrs(row)
        if not attrs:
            continue
        named = _LANGUAGE_CLASS.search(attrs.get("class", "")) or _LANGUAGE_CLASS.search(
            attrs.get(_PARAMETERS, "")
        )
        values = (attrs.get(name, "") for name in _LANGUAGE_ATTRIBUTES)
        name = named[1] if named else next(filter(None, values), "")
        name = name.lower()
        if _LANGUAGE_NAME.fullmatch(name) and name not in _NOT_LANGUAGES:
            return name
        if bare := _bare_language(attrs.get("class", ""), is_code=row in rows[:n_own]):
            return bare
    label = find_label(page, pre)
    labels = [label] if label >= 0 else find_bar(page, pre)[:1]
    text = page.text_of(labels[0]) if labels else ""
    if not names_language(text):  # nothing, or a button
        return ""
    name = " ".join(text.split()).lower()
    return LANGUAGE_LABELS.get(name, name)


def _bare_language(classes: str, *, is_code: bool) -> str:
    """Return the class that names a language, alone or next to that of a highlighter."""
    tokens = classes.lower().split()
    if not (is_code and len(tokens) == 1) and _HIGHLIGHTERS.isdisjoint(tokens):
        return ""
    return next((token for token in tokens if token in LANGUAGES), "")
