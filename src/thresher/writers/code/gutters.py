"""What stands in and beside code but is none: line numbers, buttons, the name of its language."""

from __future__ import annotations

import itertools
import re
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.rows import BoolArray
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
        " prolog properties proto protobuf ps1 pug puppet purescript py pycon python python3 qml r"
        " racket rb react reason regex rs rst ruby rust sas sass scala scheme scss sh shell"
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
    "shell session": "console",
    "terminal": "",
    "text": "",
    "typescript (tsx)": "tsx",
    "visual basic": "vb",
}
"""Other labels above code in lower case → language name, "" for none."""


def _names_language(text: str) -> bool:
    """Return whether a text is the name of a language, as it is written or as people say it."""
    name = " ".join(text.split()).lower()
    return name in LANGUAGES or name in LANGUAGE_LABELS


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
    return [row for row in others if _names_language(page.text_of(row))][:1] + copying


def _find_texts_beside(page: Page, pre: int) -> list[int]:
    first, stop = page.leaf_offset[[pre, page.end[pre]]].tolist()
    above = pre
    for _ in range(_BAR_LEVELS):
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
    for _ in range(_BAR_LEVELS + 1):
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


# -- gutters -----------------------------------------------------------------------------------
#
# Highlighters put them into the `pre`, beside it or into a bar above it. Read as text they would
# become part of the code, which could not be run any more. They are detected by their classes and
# otherwise by their content: numbers that count the lines.

_Rows = npt.NDArray[np.intp]

_BUTTONS, _CODES = flags_of("button"), flags_of("code")
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
    pre = pre[_count(keep, page, pre) > 0]
    if not pre.size:
        return no_flags
    rows = _find_named(page, is_pre).tolist()
    in_pre = page.within(is_pre)
    numeric = _flag_numeric(page, pre)
    for one in pre[~numeric].tolist():
        rows += _find_column(page, one, in_pre)
    for one in pre.tolist():
        rows += _find_counting(page, one)
        label = _find_label(page, one)
        rows += [label] if label >= 0 else []
        rows += find_bar(page, one)
    level = np.zeros(no_flags.size + 1, np.int64)
    np.add.at(level, page.leaf_offset[rows], 1)
    np.add.at(level, page.leaf_offset[page.end[rows]], -1)
    flags: BoolArray = (np.cumsum(level[:-1]) > 0) & keep
    return flags


def _find_label(page: Page, pre: int) -> int:
    """Return the row of the text that names the language above the code in a `pre`, −1 for none.

    It is the first text, in a block of its own, and is outside `code` or beside a button.
    """
    first, stop = page.leaf_offset[[pre, page.end[pre]]].tolist()
    rows = page.leaves[first:stop]
    texts = np.flatnonzero(page.tag[rows] == TEXT)
    if texts.size < 2 or not _names_language(page.leaf_text(first + int(texts[0]))):
        return -1
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
    return label if apart and code < inside.stop and (has_code or has_button) else -1


def _count(flags: BoolArray, page: Page, rows: _Rows) -> npt.NDArray[np.int64]:
    """Count the flagged leaves in each of the rows."""
    total = np.zeros(flags.size + 1, np.int64)
    np.cumsum(flags, out=total[1:])
    counts: npt.NDArray[np.int64] = (
        total[page.leaf_offset[page.end[rows]]] - total[page.leaf_offset[rows]]
    )
    return counts


def _flag_numeric(page: Page, rows: npt.NDArray[np.integer]) -> BoolArray:
    """Flag the rows whose text consists of numbers only; bool[n]."""
    starts, stops = page.text_offset[rows].tolist(), page.text_offset[page.end[rows]].tolist()
    matches = map(_NUMERIC.fullmatch, itertools.repeat(page.text), starts, stops)
    return np.fromiter(map(bool, matches), np.bool_, rows.size)


def _find_named(page: Page, is_pre: BoolArray) -> _Rows:
    """Return the rows in code that are gutters by their class or tag."""
    in_pre = page.below(is_pre)
    attributes = page.attributes
    numbered = attributes.row[attributes.matching("class", _NUMBER_CLASS)]
    copying = attributes.row[attributes.matching("class", _COPY_CLASS)]
    buttons = np.flatnonzero(page.tag == _BUTTON)
    rows = np.concatenate((numbered[_flag_numeric(page, numbered)], copying, buttons))
    inside: _Rows = rows[in_pre[rows]].astype(np.intp)
    return inside


def _find_column(page: Page, pre: int, in_pre: BoolArray) -> list[int]:
    """Return the texts directly before some code, beside it, that only count its lines.

    They may be in a `pre` of their own, in cells or in items.
    """
    first, stop = page.leaf_offset[[pre, page.end[pre]]].tolist()
    above = pre
    for _ in range(_LEVELS_UP):
        above = max(int(page.parent[above]), 0)
        if page.tag[above] == _TR:
            break
    begin = int(page.leaf_offset[above])
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

    The first begins the `pre` and each of the others begins a line; a line without a number is only
    allowed directly after a number, in a block of its own.
    """
    first, stop = page.leaf_offset[[pre, page.end[pre]]].tolist()
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
_LANGUAGE_LEVELS: Final = 3
"""Ancestors of a `pre` on which highlighters name its language, not counting those of a table that
puts line numbers beside it."""


def find_language(page: Page, pre: int) -> str:
    """Return the language of a `pre`, "" if neither it, its code nor its ancestors name one."""
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
    label = _find_label(page, pre)
    labels = [label] if label >= 0 else find_bar(page, pre)[:1]
    text = page.text_of(labels[0]) if labels else ""
    if not _names_language(text):  # nothing, or a button
        return ""
    name = " ".join(text.split()).lower()
    return LANGUAGE_LABELS.get(name, name)


def _bare_language(classes: str, *, is_code: bool) -> str:
    """Return the class that names a language, alone or next to that of a highlighter."""
    tokens = classes.lower().split()
    if not (is_code and len(tokens) == 1) and _HIGHLIGHTERS.isdisjoint(tokens):
        return ""
    return next((token for token in tokens if token in LANGUAGES), "")
