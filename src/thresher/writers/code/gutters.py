"""What stands in and beside code but is none: line numbers, buttons, the name of its language."""

from __future__ import annotations

import itertools
import re
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import BLOCK, CODE_OF, TEXT, flags_of
from thresher.support.late import compile_late
from thresher.writers.code.lines import PREFORMATTED, find_fragments

_BUTTON, _CODE, _TR = (CODE_OF[name] for name in "button code tr".split())

# -- names of languages ------------------------------------------------------------------------

LANGUAGES: Final = frozenset(
    (
        "ada apache applescript armasm arduino asm assembly autohotkey awk bash basic bat batch c"
        " c# c++ clj clojure cmake cobol coffee coffeescript console cpp crystal cs csharp css csv"
        " cu cuda cypher d dart delphi diff docker dockerfile dos eiffel elisp elixir elm erb"
        " erlang ex f# fish forth fortran fs fsharp gherkin glsl go golang gradle graphql groovy"
        " haml handlebars haskell haxe hbs hcl hlsl hs html http idris ini java javascript jinja"
        " jinja2 js json json5 jsonc jsx julia kotlin kt latex lean less liquid lisp llvm lua m"
        " makefile markdown matlab md mermaid mysql nasm nginx nim nix objc objective-c objectivec"
        " ocaml octave pascal patch perl pgsql php pl plsql postgres postgresql powershell prisma"
        " prolog properties proto protobuf ps1 pug puppet purescript py pycon pytb python python3"
        " qml r racket rb react reason regex rs rst ruby rust sas sass scala scheme scss sh shell"
        " shell-session smalltalk solidity sparql sql stylus svelte swift systemverilog tcl"
        " terraform tex toml ts tsx typescript vala vb vba vbnet verilog vhdl vim vue wasm x86asm"
        " xhtml xml xquery xsl yaml yml zig zsh"
    ).split()
)
"""Names that denote a language where they are a whole class or label.

Collected by hand from the languages that highlight.js, Prism, Pygments and GitHub know, without
those that are also common words in style sheets (`text`, `plain`, `code`, `line`).
"""
LANGUAGE_LABELS: Final = {
    "c / c++": "cpp",
    "javascript (jsx)": "jsx",
    "node.js": "javascript",
    "objective c": "objectivec",
    "plain text": "",
    "plaintext": "",
    "python traceback": "pytb",
    "shell session": "console",
    "terminal": "",
    "text": "",
    "typescript (tsx)": "tsx",
    "visual basic": "vb",
}
"""Other labels above code in lower case → language name, "" for none."""


def _read_label(text: str) -> str | None:
    """Return the language that a label names, "" for one of none; None for any other text."""
    name = " ".join(text.split()).lower()
    return name if name in LANGUAGES else LANGUAGE_LABELS.get(name)


# -- bars --------------------------------------------------------------------------------------

_COPYING: Final = re.compile(
    r"(?i)cop(?:y|ied)(?: (?:code|snippet|to clipboard))?[!.]?|复制(?:代码)?|コピー|kopieren|copier"
)
"""Texts of copy buttons."""
_COPIES: Final = re.compile(r"(?i)(?<![a-z])cop(?:y|ied)(?!right)|clipboard")
"""Elements, classes and slots of copy buttons, and of what they say after a click."""
_TOOLTIP: Final = re.compile(r"(?i)tool-?tip")
_BAR_LEVELS: Final = 2
"""Elements around a `pre` that may have a bar beside it."""
_LANGUAGE_LEVELS: Final = 3
"""Ancestors of a `pre` on which highlighters name its language, not counting those of a table that
puts line numbers beside it."""
_MAX_LEAVES: Final = 4
"""Texts of such a bar: a name, and a button with its texts before and after a click."""
_MAX_ICONS: Final = 2
"""Icons of other buttons beside the name, where that stands further out."""


def find_bar(page: Page, pre: int) -> list[int]:
    """Return the texts beside a `pre` that are a copy button and the name of the language, if any.

    A bar is what the innermost element around the `pre` with other texts has besides it. Of these
    only the button, what it says when it has copied, and the language are returned, the language
    first; it may stand further out than the button. The language alone is one too if it is what the
    markup of the code says.
    """
    copying: list[int] = []
    texts, *wider = _find_texts_beside(page, pre) or [[]]
    for row in texts:
        is_button, names = _read_around(page, row, pre)
        is_sign = is_button or _TOOLTIP.search(names) is not None
        text = " ".join(page.text_of(row).split())
        if _COPIES.search(names) or (is_sign and _COPYING.fullmatch(text)):
            copying.append(row)
    languages = _find_languages(page, pre, [row for row in texts if row not in copying])
    if copying:
        around = (row for rows in wider for row in _find_languages(page, pre, rows))
        # What names none may be the title of the code.
        named = (row for row in around if _read_label(page.text_of(row)))
        return (languages or list(named))[:1] + copying
    is_alone = len(texts) == len(languages) == 1 and texts[0] < pre
    is_stated = is_alone and _read_label(page.text_of(texts[0])) == _find_stated(page, pre)
    return languages if is_stated else []


def _find_languages(page: Page, pre: int, rows: list[int]) -> list[int]:
    """Return the texts among some beside a `pre` that name a language, and are no buttons."""
    return [
        row
        for row in rows
        if _read_label(page.text_of(row)) is not None and not _read_around(page, row, pre)[0]
    ]


def _find_texts_beside(page: Page, pre: int) -> list[list[int]]:
    """Return the texts beside a `pre` in the innermost element with any, and in those around it."""
    first, stop = page.leaf_span(pre)
    beside: list[list[int]] = []
    above = pre
    for level in range(_LANGUAGE_LEVELS):
        above = int(page.parent[above])
        if above < 0 or (level >= _BAR_LEVELS and not beside):
            break
        start, end = page.leaf_span(above)
        if (end - start) - (stop - first) > _MAX_LEAVES + _MAX_ICONS * bool(beside):
            break
        if end - start > stop - first:
            beside.append([*page.leaves[start:first].tolist(), *page.leaves[stop:end].tolist()])
    return beside


def _read_around(page: Page, row: int, pre: int) -> tuple[bool, str]:
    """Return whether a text is in a button, and the names of the elements that hold only it."""
    is_button = False
    names: list[str] = []
    for _ in range(_BAR_LEVELS + 1):
        row = int(page.parent[row])
        if row < 0 or row <= pre < page.end[row]:
            break
        is_button |= bool(page.tag[row] == _BUTTON)
        if page.leaf_offset[page.end[row]] - page.leaf_offset[row] == 1:
            attrs = page.attrs(row)
            names += page.name(row), attrs.get("class", ""), attrs.get("slot", "")
    return is_button, " ".join(names)


# -- gutters -----------------------------------------------------------------------------------
#
# Highlighters put them into the `pre`, beside it or into a bar above it. Read as text they would
# become part of the code, which could not be run any more. They are detected by their classes and
# otherwise by their content: numbers that count the lines.

_BUTTONS, _CODES, _TABLES = flags_of("button"), flags_of("code"), flags_of("table")
_NUMBER_CLASS: Final = (
    rb"(?<![\w-])(?:gutter(?:-\w+)*|rouge-gutter|blob-num|ln|lnt|lnos|line-?num(?:ber)?s?|linenos?|"
    rb"linenodiv|hljs-ln-n(?:umbers)?|line-numbers-rows|code-?line-?num(?:ber)?s?|ln-num|"
    rb"react-syntax-highlighter-line-number|crayon-nums?|cm-gutters?|codemirror-linenumber)"
    rb"(?![\w-])"
)
"""Classes of line numbers: Pygments (`lineno`, `linenos`, `linenodiv`), Rouge, Chroma (`ln`,
`lnt`), highlight.js and its plugin, Prism, GitHub (`blob-num`), Hexo (`gutter`), Expressive Code,
Crayon, CodeMirror, react-syntax-highlighter. They count only on elements that hold nothing but
numbers."""
_COPY_CLASS: Final = (
    rb"(?<![\w])(?:copy(?:-?to-?clipboard)?-?(?:button|btn)|(?:btn|button)-?-?copy|copybtn|"
    rb"hljs-copy-button|clipboard-?(?:button|btn|copy)?|copy-code(?:-\w+)?)(?![\w])"
)
_NUMBER_EDGES: Final = " \t\r\n.:|\xa0"
"""Characters that may surround a line number."""
_NUMERIC: Final = re.compile(rf"[{_NUMBER_EDGES}]*[0-9][0-9{_NUMBER_EDGES}]*")
_MAX_DIGITS: Final = 6
"""Maximum digits of a line number."""
_LEVELS_UP: Final = 3
"""Ancestors of a `pre` that may contain its line numbers."""


def find_gutters(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the kept leaves in and beside code that are not code; bool[n_leaf].

    ``keep`` is bool[n_leaf]. Nothing is flagged in a page without kept code.
    """
    no_flags = np.zeros(page.leaves.size, np.bool_)
    is_pre = PREFORMATTED[page.tag]
    is_pre[find_fragments(page)] = True
    if not is_pre.any():
        return no_flags
    pre = np.flatnonzero(is_pre & ~page.below(is_pre))
    kept = sum_before(keep)
    pre = pre[kept[page.leaf_offset[page.end[pre]]] > kept[page.leaf_offset[pre]]]
    if not pre.size:
        return no_flags
    rows = _find_named(page, is_pre).tolist()
    in_pre = page.within(is_pre)
    numeric = _flag_numeric(page, pre)
    for one in pre[~numeric].tolist():
        rows += _find_column(page, one, in_pre)
    for one in pre.tolist():
        rows += _find_counting(page, one)
        rows += _find_label(page, one)
        rows += find_bar(page, one)
    return page.within(page.flag(rows))[page.leaves] & keep


def _find_label(page: Page, pre: int) -> list[int]:
    """Return the first text in a `pre` if it names the language above the code."""
    first, stop = page.leaf_span(pre)
    rows = page.leaves[first:stop]
    texts = np.flatnonzero(page.tag[rows] == TEXT)
    if texts.size < 2 or _read_label(page.leaf_text(first + int(texts[0]))) is None:
        return []
    label, *others = rows[texts].tolist()
    inside = slice(pre + 1, int(page.end[pre]))

    def within(row: int, tags: BoolArray) -> bool:
        """Return whether a row is inside an element of the `pre` with one of these tags."""
        around = np.flatnonzero(tags[page.tag[inside.start : row]]) + inside.start
        return bool((page.end[around] > row).any())

    code = next((row for row in others if not within(row, _BUTTONS)), inside.stop)
    blocks = np.flatnonzero(BLOCK[page.tag[inside.start : label]]) + inside.start
    apart = bool(((page.end[blocks] > label) & (page.end[blocks] <= code)).any())
    has_code = bool((page.tag[inside] == _CODE).any()) and not within(label, _CODES)
    has_button = bool((page.tag[inside] == _BUTTON).any())
    return [label] if apart and code < inside.stop and (has_code or has_button) else []


def _flag_numeric(page: Page, rows: npt.NDArray[np.integer]) -> BoolArray:
    """Flag the rows whose text consists of numbers only; bool[n]."""
    starts, stops = page.text_offset[rows].tolist(), page.text_offset[page.end[rows]].tolist()
    matches = map(_NUMERIC.fullmatch, itertools.repeat(page.text), starts, stops)
    return np.fromiter(map(bool, matches), np.bool_, rows.size)


def _find_named(page: Page, is_pre: BoolArray) -> npt.NDArray[np.integer]:
    """Return the rows in code that are gutters by their class or tag."""
    attributes = page.attributes
    numbered = attributes.rows_matching("class", _NUMBER_CLASS)
    copying = attributes.rows_matching("class", _COPY_CLASS)
    buttons = np.flatnonzero(page.tag == _BUTTON)
    rows = np.concatenate((numbered[_flag_numeric(page, numbered)], copying, buttons))
    inside: npt.NDArray[np.integer] = rows[page.below(is_pre)[rows]]
    return inside


def _find_column(page: Page, pre: int, in_pre: BoolArray) -> list[int]:
    """Return the texts before some code, in a `pre`, cells or items, that only count its lines."""
    first, stop = page.leaf_span(pre)
    above = pre
    for _ in range(_LEVELS_UP):
        above = max(int(page.parent[above]), 0)
        if page.tag[above] == _TR:
            break
    ends = page.end.take(page.rows_of(_TABLES))
    # What is in another table is data.
    begin = int(page.leaf_offset[max(above, ends[ends <= pre].max(initial=0))])
    numbers: list[int] = []
    leaf = first
    while leaf > begin and _NUMERIC.fullmatch(text := page.leaf_text(leaf - 1)):
        words = (word.strip(_NUMBER_EDGES) for word in text.split())
        numbers += reversed(
            [int(word) for word in words if len(word) <= _MAX_DIGITS and word.isdigit()]
        )
        leaf -= 1
    counts = all(after - before == 1 for after, before in itertools.pairwise(numbers))
    if not numbers or not counts:
        return []
    rows: list[int] = page.leaves[leaf:first].tolist()
    n_break = page.text_of(pre).strip("\n").count("\n") + 1
    n_line = int(page.lines.of_leaf[stop - 1] - page.lines.of_leaf[first]) + 1
    if in_pre[rows[0]]:
        return rows if page.tag[above] == _TR or abs(n_break - len(numbers)) <= 1 else []
    return rows if len(numbers) in (n_break, n_line) and len(numbers) > 1 else []


def _find_counting(page: Page, pre: int) -> list[int]:
    """Return the texts that count the lines of a `pre`, empty if they do not count all of them.

    A line without a number is only allowed directly after a number, in a block of its own.
    """
    first, stop = page.leaf_span(pre)
    if stop - first < 2 or not _is_number(page.leaf_text(first)):
        return []
    starts = set(page.lines.start[page.lines.of_leaf[first] : page.lines.of_leaf[stop - 1] + 1])
    expected = int(page.leaf_text(first).strip(_NUMBER_EDGES))
    rows: list[int] = []
    number_before = False
    for leaf in range(first, stop):
        row = int(page.leaves[leaf])
        text = page.leaf_text(leaf)
        at = int(page.text_offset[row])
        before = page.text[max(0, at - 64) : at].rstrip(" \t")
        begins = leaf == first or leaf in starts or before.endswith("\n") or text[:1] == "\n"
        if begins and _is_number(text) and int(text.strip(_NUMBER_EDGES)) == expected:
            rows.append(row)
            expected += 1
            number_before = True
            continue
        if (begins and not number_before) or "\n" in text.strip("\n"):
            return []
        number_before = False
    return rows if len(rows) > 1 else []


def _is_number(text: str) -> bool:
    digits = text.strip(_NUMBER_EDGES)
    return digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS


# -- the language of a block -------------------------------------------------------------------

_TABLE_PARTS: Final = flags_of("table tbody thead tfoot tr td th")

_LANGUAGE_CLASS: Final = compile_late(
    r"(?:^|\s)(?:(?:language|lang)[-\s]|(?:highlight-source|highlight-text|highlight|enlighter-l)-"
    r"|lang:|brush:[-\s]?|sourceCode\s+)"
    r"([a-z][a-z0-9+#.-]{0,19})(?=[\s;]|$)",
    re.IGNORECASE,
)
"""How highlighters name the language: the HTML standard (4.5.15) and Prism with `language-`,
prettify with `lang-`, GitHub with `highlight-source-`, Sphinx with `highlight-`, SyntaxHighlighter
with `brush:`, Crayon with `lang:`, Pandoc with `sourceCode`, EnlighterJS with `enlighter-l-`."""
_LANGUAGE_ATTRIBUTES: Final = (
    "data-canonical-lang",
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
_PYTHON_SESSION: Final = re.compile(r"\s*>>> (?!\$)(?!(?s:.*)^>(?!>>(?:\s|$)))", re.MULTILINE)
"""Python's prompt before the first line, and no line with fewer of its signs, as in a mail; before
a variable it is that of PHP."""


def find_language(page: Page, pre: int) -> str:
    """Return the language of a `pre`, "" if neither its markup nor a label nor a prompt tells."""
    if stated := _find_stated(page, pre):
        return stated
    labels = _find_label(page, pre) or find_bar(page, pre)[:1]
    # Without a language, the first is a button.
    named = _read_label(page.text_of(labels[0])) if labels else None
    return named or ("pycon" if _PYTHON_SESSION.match(page.text_of(pre)) else "")


def _find_stated(page: Page, pre: int) -> str:
    """Return the language that a `pre`, its code or its ancestors name; "" for none."""
    inside = page.tag[pre + 1 : page.end[pre]] == _CODE
    rows = [pre, *(np.flatnonzero(inside)[:1] + pre + 1).tolist()]
    n_own = len(rows)
    above, levels = int(page.parent[pre]), 0
    while above >= 0 and levels < _LANGUAGE_LEVELS:
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
        if row == pre and not name and attrs.get("lang", "") in LANGUAGES:
            name = attrs["lang"]
        name = name.lower()
        if _LANGUAGE_NAME.fullmatch(name) and name not in _NOT_LANGUAGES:
            return name
        if bare := _bare_language(attrs.get("class", ""), is_code=row in rows[:n_own]):
            return bare
    return ""


def _bare_language(classes: str, *, is_code: bool) -> str:
    """Return the class that names a language, alone or next to that of a highlighter."""
    tokens = classes.lower().split()
    if not (is_code and len(tokens) == 1) and _HIGHLIGHTERS.isdisjoint(tokens):
        return ""
    return next((token for token in tokens if token in LANGUAGES), "")
