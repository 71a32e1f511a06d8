"""TeX that a page states beside what it shows: in images, scripts and marked texts; made safe."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, TEXT, flags_of
from thresher.support.late import compile_late

# -- delimiters --------------------------------------------------------------------------------

_WRAPPED: Final = compile_late(
    r"(?:\$\$(.*)\$\$|\$(.*)\$|\\\((.*)\\\)|\\\[(.*)\\\]|\{\\(?:display|text)style(.*)\})",
    re.DOTALL,
)
"""TeX inside delimiters that only mark it as TeX."""
_MAX_WRAPPINGS: Final = 8
"""Pairs of delimiters that are removed; pages put one or two around a formula."""


def unwrap_tex(tex: str) -> str:
    """Remove the delimiters that only mark a text as TeX."""
    for _ in range(_MAX_WRAPPINGS):
        if not (match := _WRAPPED.fullmatch(tex)):
            break
        inner = next(group for group in match.groups() if group is not None).strip()
        if not inner or not _is_balanced(inner):
            break
        tex = inner
    return tex


def _is_balanced(tex: str) -> bool:
    """Return whether no brace closes before it opens, so that the outer two were a pair."""
    depth = -1 if "$" in tex else 0
    for brace in re.findall(r"(?<!\\)[{}]", tex):
        if depth < 0:
            break
        depth += 1 if brace == "{" else -1
    return depth >= 0


# -- commands that make links ------------------------------------------------------------------
#
# MathJax (`\href`, `\class`, `\style`, `\cssId`, and what `\require` loads) and KaTeX (`\href`,
# `\url`, `\includegraphics`, `\htmlClass` and the like) execute such commands from an untrusted
# page. No formula needs them to be readable.

_WITH_ADDRESS: Final = "href|html(?:Class|Data|Id|Style)|class|style|cssId|require"
"""Commands whose first argument is not displayed."""
_ALL: Final = rf"{_WITH_ADDRESS}|url|includegraphics|csname"
_MAYBE: Final = compile_late(rf"\\(?:{_ALL})(?![A-Za-z])")
_UNSAFE_COMMAND: Final = compile_late(
    rf"\\(?:(?:{_WITH_ADDRESS})\s*\{{[^{{}}]*\}}|(?:{_ALL})(?![A-Za-z]))"
)
_MAX_ROUNDS: Final = 8
"""Rounds of removal, since removing commands can form new ones; after the last round the
backslashes go too."""


def drop_tex_links(tex: str) -> str:
    """Return TeX without commands that make links or markup, keeping their displayed content."""
    for _ in range(_MAX_ROUNDS):
        if not _MAYBE.search(tex):
            return tex
        tex = _UNSAFE_COMMAND.sub(" ", tex)
    return tex.replace("\\", " ") if _MAYBE.search(tex) else tex


# -- images ------------------------------------------------------------------------------------

MAYBE_TEX: Final = (b"tex", b"math", b"\\", b"/render/")
"""Byte strings of which the start tag of every image of a formula contains one."""
_TEX_CLASS: Final = re.compile(
    r"(?:^|\s)(?:latex|tex|tex-image|math|mwe-math-fallback-image-\w+)\b"
)
_TEX_SERVICE: Final = re.compile(r"(?:latex\.php|latex\.codecogs\.com|/render/(?:svg|png)/)")
_CODECOGS: Final = re.compile(r"latex\.codecogs\.com/[^?]{0,100}\?(.+)")
_ENVIRONMENT: Final = re.compile(r"\\begin\s*\{")
_COMMAND: Final = re.compile(r"\\[A-Za-z]{2,}")
_ARGUMENTS: Final = "{^_"
"""Characters of which a formula has one somewhere after a command."""


def read_tex_of_image(attrs: dict[str, str]) -> str | None:
    """Return the TeX that an image shows, None for other images."""
    alt, place = attrs.get("alt", "").strip(), attrs.get("src", "")
    is_formula = _TEX_CLASS.search(attrs.get("class", "")) or _TEX_SERVICE.search(place)
    if alt and (is_formula or _is_tex(alt)):
        return unwrap_tex(" ".join(alt.split()))
    asked = _CODECOGS.search(place)
    return " ".join(unquote(asked[1]).split()) if asked and not alt else None


def _is_tex(text: str) -> bool:
    """Return whether a text is certainly TeX."""
    command = _COMMAND.search(text)
    if command and any(text.find(sign, command.end()) >= 0 for sign in _ARGUMENTS):
        return True
    return _ENVIRONMENT.search(text) is not None


# -- texts whose element says so ---------------------------------------------------------------
#
# `<math-renderer>$x$</math-renderer>` of GitHub, `<span class="math inline">\(x\)</span>` of
# Pandoc, and the same of Sphinx, Drupal, CKEditor and Python-Markdown: their scripts are bundled
# or loaded elsewhere, so that nothing else in the page tells that its dollar signs are no prices.

_ELEMENT: Final = b"<math-renderer"
_MATH: Final = CLASS_PARTS.bits(b"arithmatex", b"math")
_MARKED_CLASS: Final = rb"(?<![\w-])(?:math|arithmatex|math-tex|mathjax-tex)(?![\w-])"
_NUMBER: Final = "eqno"
"""The class of the number before a formula: Sphinx."""
_KATEX: Final = b"katex"
"""The renderer of the texts without delimiters that Pandoc writes for it."""
_STYLE_ATTRIBUTE: Final = "data-math-style"
"""Attribute of the `code` of a formula in a line: GitLab."""
_INLINE_CODE: Final = CODE_OF["code"]
_CODE: Final = flags_of("code listing pre")
_DISPLAYS: Final = ("$$", "\\[", "\\begin")
"""Beginnings of display formulas."""


def find_marked_texts(page: Page, keep: BoolArray) -> dict[int, tuple[str, bool]]:
    """Return the row of each kept text that is a marked formula → its TeX, and whether displayed.

    ``keep`` is bool[n_leaf].
    """
    rows = page.attributes.rows_classed(_MATH, _MARKED_CLASS).tolist()
    at = page.buffer.find(_ELEMENT)
    while at >= 0:
        rows.append(int(page.open_start.searchsorted(at)))
        at = page.buffer.find(_ELEMENT, at + 1)
    marked: dict[int, tuple[str, bool]] = {}
    stated = page.attributes.values(_STYLE_ATTRIBUTE)
    others = [row for row in stated if page.tag[row] == _INLINE_CODE]
    rows = list(dict.fromkeys((*rows, *others)))
    in_code = page.within(_CODE[page.tag]) if rows else keep
    for row in watch(rows):
        leaf, stop = page.leaf_span(row)
        if page.attr(int(page.parent[page.leaves[leaf]]), "class") == _NUMBER:
            leaf += 1
        if stop - leaf != 1 or not keep[leaf] or (in_code[row] and row not in stated):
            continue
        if page.tag[page.leaves[leaf]] != TEXT:
            continue
        text = " ".join(page.leaf_text(leaf).split())
        tex = unwrap_tex(text)
        names = set((page.attr(row, "class") or "").split())
        bare = not names.isdisjoint(("inline", "display")) and _KATEX in page.utf8
        if tex != text or text.startswith("\\begin") or bare or row in stated:
            display = text.startswith(_DISPLAYS) or "display" in names
            marked[int(page.leaves[leaf])] = (tex, display)
    return marked


# -- scripts -----------------------------------------------------------------------------------
#
# `<script type="math/tex">` holds the TeX in the place of the formula; a preview and MathJax's
# rendering may precede it. Site generators write such scripts, and a page saved from a browser
# has all three. The parser turns the script into a `math` element (`thresher.page.parse`). The
# script takes precedence: it is what the author wrote.

_TYPE: Final = "math/"
_TEX_TYPE: Final = "math/tex"
_DISPLAY: Final = re.compile(r"mode\s*=\s*display")
_CDATA: Final = re.compile(r"\s*(?:%\s*)?<!\[CDATA\[")
_CDATA_END: Final = "]]>"
"""How kramdown protects TeX from XML parsers: both delimiters may follow a `%`."""
_DRAWN: Final = re.compile(
    r"(?:^|\s)(?:MathJax(?:_(?:Preview|Display|CHTML|SVG|SVG_Display|MathML|PlainSource))?"
    r"|MJXc-display|mjx-chtml)(?:$|\s)"
)
"""Classes of previews, and of the output of MathJax 2's renderers."""


def is_script(page: Page, row: int) -> bool:
    """Return whether a `math` element was a script."""
    return (page.attr(row, "type") or "").strip().lower().startswith(_TYPE)


def read_script(page: Page, row: int) -> tuple[str, bool] | None:
    """Return the TeX of a script and whether it is a display formula; None for other languages."""
    kind = (page.attr(row, "type") or "").strip().lower()
    if not kind.startswith(_TEX_TYPE):
        return None
    text = page.text_of(row)
    protected = _CDATA.match(text)
    if protected and (inner := text.rstrip()).endswith(_CDATA_END):
        text = inner[protected.end() : -len(_CDATA_END)].rstrip().removesuffix("%")
    tex = " ".join(text.split())
    return (tex, _DISPLAY.search(kind) is not None) if tex else None


def find_forms(page: Page, row: int) -> list[int]:
    """Return the rows of the elements directly before a script that show the same formula."""
    parent, forms, at = int(page.parent[row]), [], row - 1
    while at > parent:
        while page.parent[at] != parent:
            at = int(page.parent[at])
        if page.tag[at] != TEXT:
            if not _DRAWN.search(page.attr(at, "class") or ""):
                break
            forms.append(at)
        elif page.text_of(at).strip():
            break
        at -= 1
    return forms
