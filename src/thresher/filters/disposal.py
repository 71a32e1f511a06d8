"""How what goes leaves a page: cut out, or hidden where scripts or the layout need it.

- **Scripts.** A script that finds nothing where it expects an element usually throws, and nothing
  after it happens. So an element that a script may look for is hidden, and what it loads is not
  loaded. Scripts in the page can be read; those that are loaded cannot, so they may name anything.
  Texts are cut out unless a framework that takes over its server's markup (hydration) compares
  them.
- **Layout.** A column of a grid or flex box, or a float, that is cut out or hidden gives its place
  to its neighbours: the content moves into the column of a menu, or its lines become as wide as the
  window. Style sheets that are loaded cannot be read here, so every box with a neighbour that stays
  is collapsed: it keeps its width but has no height. In plain flow that looks like a cut.
- **Fixed headers.** A page leaves room for them. One that is known to be fixed stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from thresher.filters.attributes import RowEdits
from thresher.filters.deletion import Boxes, Deletion
from thresher.filters.filter_context import FilterContext
from thresher.filters.tags import TAG_FILTERS
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, TEXT, flags_of

_RUNS: Final = re.compile(
    r"(?:text|application)/(?:x-)?(?:java|ecma|live)script\b.*|module|", re.IGNORECASE
)
"""Types of scripts that are run (HTML Living Standard, 4.12.1)."""
_MAX_SCRIPT_CHARS: Final = 200_000
"""Longer scripts in a page are programs, and are taken to name anything."""
_TYPE: Final = re.compile(r"""\stype\s*=\s*["']?([^"'\s>]*)""", re.IGNORECASE)
_WORDS: Final = re.compile(r"[A-Za-z_][\w-]*")
_STRING: Final = re.compile(r"""(["'`])((?:(?!\1)[^\n]){1,200})\1""")
_TAG: Final = re.compile(r"(?<![\w.#=:\[-])[a-z][a-z0-9]*(?![\w=-])")
"""Name of an element in a string, as in a selector."""
_HYDRATED_IDS: Final = frozenset(
    ("__next", "__nuxt", "___gatsby", "__NEXT_DATA__", "__NUXT_DATA__", "__docusaurus", "svelte")
)
_HYDRATED_NAMES: Final = ("data-hk", "data-reactroot", "data-v-app", "ng-version", "q:container")
_HYDRATED_MARKS: Final = (
    b"data-server-rendered",
    b"data-sveltekit-",
    b"<astro-island",
    b"__next_f",
)
"""Signs of frameworks in the markup that their servers write."""


def find_named(context: FilterContext, gone: BoolArray) -> BoolArray:
    """Flag the elements that a script of the page may look for; bool[n_row].

    ``gone`` flags what the filters delete; scripts that load from there do not run.
    """
    page = context.page
    scripts = (page.tag == _SCRIPT) & ~context.aside
    if not scripts.any():
        return np.zeros(len(page), np.bool_)
    types = context.values("type")
    loaded = [row for row in context.values("src") if scripts[row] and not gone[row]]
    if any(_RUNS.fullmatch(types.get(row, "").strip()) for row in loaded):
        return np.ones(len(page), np.bool_)
    text = "\n".join(_read_scripts(page.source))
    if len(text) > _MAX_SCRIPT_CHARS:
        return np.ones(len(page), np.bool_)
    words = set(_WORDS.findall(text))
    rows = [
        row
        for name in ("id", "class", "name")
        for row, value in context.values(name).items()
        if not words.isdisjoint(value.split())
    ]
    named = context.page.flag(rows)
    strings = {quoted[2] for quoted in _STRING.finditer(text)}
    tags = {tag for string in strings for tag in _TAG.findall(string)}
    return named | page.tagged(tags & CODE_OF.keys())


def _read_scripts(source: str) -> Iterator[str]:
    """Yield the texts of the scripts in a page that are run."""
    for tag, text in read_raw_elements(source, "script"):
        kind = _TYPE.search(tag)
        if _RUNS.fullmatch(kind[1].strip() if kind else ""):
            yield text


def read_raw_elements(source: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield start tag and text of the elements of a page whose content is not markup.

    Tags are searched in lower case, as generators write them.
    """
    at = 0
    while (opened := source.find(f"<{name}", at)) >= 0:
        start = source.find(">", opened) + 1
        at = source.find(f"</{name}", start)
        if not start or at < 0:
            return
        yield source[opened:start], source[start:at]


def is_hydrated(context: FilterContext) -> bool:
    """Return whether a framework takes over the markup of the page."""
    return (
        not _HYDRATED_IDS.isdisjoint(context.values("id").values())
        or any(context.page.attributes.rows_named(name).size for name in _HYDRATED_NAMES)
        or any(mark in context.page.utf8 for mark in _HYDRATED_MARKS)
    )


_ATTRIBUTE: Final = "data-thresher"
_COLLAPSED: Final = (
    "visibility:hidden!important;height:.1px!important;min-height:0!important;"
    "max-height:.1px!important;margin-block:0!important;padding-block:0!important;"
    "border-block-width:0!important;overflow:clip!important"
)
"""A float without any height would give its width away. Not `display: none`, for the same reason;
clipped without `hidden`, which would let a flex item shrink (CSS Flexbox, 4.5)."""
_NARROW_PX: Final = 600
"""Width of a window up to which no line is too long, so that an empty column only takes space."""
HIDING_STYLE: Final = (
    f"[{_ATTRIBUTE}=hidden]{{display:none!important}}[{_ATTRIBUTE}=collapsed]{{{_COLLAPSED}}}"
    f"@media(max-width:{_NARROW_PX}px){{[{_ATTRIBUTE}=collapsed]{{display:none!important}}}}"
)
"""Style sheet of hidden elements. A script that sets their own style does not show them."""
_HIDDEN: Final[dict[str, str | None]] = {_ATTRIBUTE: "hidden", "hidden": ""}
_BOXES: Final = flags_of(
    "article aside center div footer form header hgroup menu nav ol section table ul"
)
"""Elements that may be a column. Others, such as those of lists and lines, are just hidden."""
_MAIN: Final = flags_of("main")
_FLOW: Final = flags_of("blockquote dl h1 h2 h3 h4 h5 h6 p pre")
"""Elements of a text, whose neighbours are above and below."""
_ROWS: Final = rb"flex|grid|float|inline-block|table-cell|column"
"""Values of `display`, and properties, that put boxes beside each other."""
_NEVER_SHOWN: Final = flags_of("link meta script style")
_SCRIPT, _STYLE, _LINK = CODE_OF["script"], CODE_OF["style"], CODE_OF["link"]
_LOADING: Final = ("ads", "ad_slots", "ad_elements", "tracking_pixels", "consent_scripts")
"""Filters of what must not be loaded, even if it is only hidden."""
_LOADS: Final = flags_of("audio embed iframe img input link object script source video")
_OF_LOADS: Final = ("src", "srcset", "data", "poster", "imagesrcset", "srcdoc")
_OVERLAYS: Final = ("consent", "newsletters")
"""Filters of boxes in front of the page, which are part of no row."""
_CHOSEN: Final = tuple(name for name, _ in TAG_FILTERS)
"""Filters that the user has switched on to be rid of some elements: these are always cut out."""
_MAX_RULE_CHARS: Final = 2000
"""Characters of a rule of a style sheet, before and in its braces, that are read."""
_FIXED: Final = re.compile(r"(?<![\w-])position\s*:\s*fixed\b", re.IGNORECASE)
_AT_TOP: Final = re.compile(r"(?<![\w-])(?:top\s*:\s*0|inset\s*:\s*0)", re.IGNORECASE)
_LAST_NAME: Final = re.compile(
    r"(?:([.#])|(?<![\w.#-]))([A-Za-z_][\w-]{0,199})(?:\[[^\[\]]{0,999}\])?$"
)
_FIXED_NAMES: Final = frozenset(
    ("fixed-top", "navbar-fixed-top", "is-fixed-top", "uk-position-fixed", "sticky-header-fixed")
)
"""Classes of Bootstrap, Bulma and UIkit."""
_HEADERS: Final = flags_of("div header nav section")


@dataclass(frozen=True, slots=True)
class Disposal:
    """The rows by what happens to them; bool[n_row] each."""

    cut: BoolArray
    """Removed from the source, with their contents."""
    hidden: BoolArray
    collapsed: BoolArray
    unloaded: BoolArray
    """Elements that stay, hidden, but load nothing."""

    def attributes(self, context: FilterContext) -> RowEdits:
        """Return the edits of the rows that stay."""
        edits: RowEdits = {}
        styles = context.values("style")
        for row in np.flatnonzero(self.hidden).tolist():
            edits[row] = {**_HIDDEN, "style": "display: none !important"}
        for row in np.flatnonzero(self.collapsed).tolist():
            own = styles.get(row, "").rstrip("; ")
            edits[row] = {
                _ATTRIBUTE: "collapsed",
                "style": f"{own};{_COLLAPSED}" if own else _COLLAPSED,
            }
        tag = context.page.tag
        for row in np.flatnonzero(self.unloaded).tolist():
            edit = edits.setdefault(row, {})
            edit.update(dict.fromkeys(_OF_LOADS))
            if tag[row] == _SCRIPT:
                edit["type"] = "text/plain"  # else what stands in it would be run
            elif tag[row] == _LINK:
                edit["href"] = None
        return edits


def dispose(context: FilterContext, deleted: Deletion, boxes: Boxes) -> Disposal:
    """Decide how each row of ``boxes.removed`` leaves the page."""
    page = context.page
    goes = boxes.removed.copy()
    goes[page.n_own_row :] = False
    if not (goes.any() or boxes.hidden.any()):
        nothing = np.zeros(len(page), np.bool_)
        return Disposal(nothing, nothing, nothing, nothing)
    outer = goes & ~page.below(goes)
    is_text = page.tag == TEXT
    always = deleted.held(*_CHOSEN) & goes
    loads = deleted.held(*_LOADING) & goes
    overlays = deleted.by(*_OVERLAYS) | deleted.held(*_OVERLAYS)  # backdrops are not held
    named = find_named(context, deleted.rows | deleted.stopped)
    has_named = page.subtree_sums(named) > 0
    needed = outer & ~is_text & ~always & has_named
    collapsed = outer & ~always & ~overlays & _find_columns(context, goes)
    stays = needed | collapsed
    inside = page.within(stays)
    unloaded = inside & loads & _LOADS[page.tag] & named
    cut = outer & ~stays
    if (cut & is_text).any() and needed.any() and is_hydrated(context):
        cut &= ~is_text
    cut |= inside & ~stays & (always | (loads & ~has_named))
    hidden = (needed & ~collapsed) | boxes.hidden
    hidden &= ~page.below(stays | hidden) & ~_NEVER_SHOWN[page.tag]
    return Disposal(cut & ~page.below(cut), hidden, collapsed, unloaded)


def write_style(disposal: Disposal) -> str:
    """Return the style sheet as markup; empty if nothing is hidden."""
    if not (disposal.hidden.any() or disposal.collapsed.any()):
        return ""
    return f'<style {_ATTRIBUTE}="style">{HIDING_STYLE}</style>'


def find_fixed_headers(context: FilterContext, deleted: Deletion, boxes: Boxes) -> BoolArray:
    """Flag what need not go because it is in a header known to be fixed; bool[n_row]."""
    page = context.page
    chosen = ~boxes.removed[page.leaves]
    nothing: BoolArray = np.zeros(len(page), np.bool_)
    if not chosen.any():
        return nothing
    first = int(page.leaves[chosen][0])
    fixed = boxes.removed & _HEADERS[page.tag] & ~deleted.rows
    fixed[first:] = False
    if not fixed.any() or not (fixed := fixed & _find_fixed(context)).any():
        return nothing
    spared: BoolArray = page.within(fixed) & ~deleted.held(*_LOADING, *_CHOSEN)
    return spared | (page.subtree_sums(fixed) > 0)


def _find_columns(context: FilterContext, goes: BoolArray) -> BoolArray:
    """Flag the boxes that may share a row with one that stays; bool[n_row].

    Not those among paragraphs, nor any in a page whose styles make no rows.
    """
    page = context.page
    nothing: BoolArray = np.zeros(len(page), np.bool_)
    loaded = context.matching("rel", rb"\bstylesheet\b")
    if not (loaded.any() or context.matching("style", _ROWS).any()):
        rows = re.compile(_ROWS.decode())
        sheets = read_raw_elements(page.source, "style")
        if not any(rows.search(sheet) for _, sheet in sheets):
            return nothing
    shown = nothing.copy()
    shown[page.leaves] = ~goes[page.leaves]
    stays = ~goes & (page.subtree_sums(shown) > 0)
    stays[0] = False
    beside, flows = nothing.copy(), nothing.copy()
    beside[page.parent[stays & (_BOXES | _MAIN)[page.tag]]] = True
    flows[page.parent[stays & _FLOW[page.tag]]] = True
    columns: BoolArray = (beside & ~flows)[page.parent] & _BOXES[page.tag]
    return columns


def _find_fixed(context: FilterContext) -> BoolArray:
    """Flag the elements that the page itself says are fixed at its top; bool[n_row]."""
    styles = context.values("style")
    rows = [row for row, style in styles.items() if _FIXED.search(style) and _AT_TOP.search(style)]
    names = set(_FIXED_NAMES)
    ids: set[str] = set()
    tags: set[str] = set()
    for _, sheet in read_raw_elements(context.page.source, "style"):
        for selector in _fixed_selectors(sheet):
            if last := _LAST_NAME.search(selector.strip()):
                {"": tags, ".": names, "#": ids}[last[1] or ""].add(last[2])
    rows += [row for row, value in context.values("class").items() if names & {*value.split()}]
    rows += [row for row, value in context.values("id").items() if value in ids]
    fixed: BoolArray = context.page.flag(rows) | context.page.tagged(tags)
    return fixed


def _fixed_selectors(sheet: str) -> Iterator[str]:
    """Yield the selectors of the rules of a style sheet that fix something at the top."""
    at = 0
    while (at := sheet.find("fixed", at)) >= 0:
        start = sheet.rfind("{", max(0, at - _MAX_RULE_CHARS), at)
        stop = sheet.find("}", at, at + _MAX_RULE_CHARS)
        at += 1
        declarations = sheet[start + 1 : stop]
        if start < 0 or not (_FIXED.search(declarations) and _AT_TOP.search(declarations)):
            continue
        before = sheet[max(0, start - _MAX_RULE_CHARS) : start]
        yield from re.split(r"[{};]", before)[-1].split(",")
