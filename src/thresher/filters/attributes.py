"""Filters that edit elements, the first pass of the paper (section 4.2), and tracking pixels.

The paper's example is the one for widths of table cells. Those for click-tracking links and for
pages that cannot scroll are modern additions, as is the one for tracking pixels, which deletes
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from thresher.algorithms.crunch.ads import host_of
from thresher.analysis.links import clean_address
from thresher.filters.address_rules import is_same_site
from thresher.filters.filter_context import FilterContext
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of

RowEdits = dict[int, dict[str, str | None]]
"""Row → attributes to set, or to remove if None."""

_DECLARATION: Final = re.compile(r"""(?:[^;"'(]|"[^"]*"?|'[^']*'?|\([^)]*\)?)+""")
"""A declaration, up to a semicolon outside strings and brackets (CSS Syntax Level 3, 5)."""


def drop_declarations(style: str, goes: Callable[[str], bool]) -> str | None:
    """Return a style without the declarations to remove; None if there are none.

    ``goes`` is called with the name of a property in lower case. The rest is unchanged.
    """
    declarations = _DECLARATION.findall(style)
    kept = [
        declaration
        for declaration in declarations
        if not goes(declaration.partition(":")[0].strip().lower())
    ]
    return None if len(kept) == len(declarations) else ";".join(kept).strip()


_SEEN_THROUGH: Final = flags_of("img iframe embed object")
_LINKS: Final = flags_of("a area")
_PIXELS: Final = re.compile(r"\s*(\d{1,6})(?:\.\d*)?\s*(?:px\s*)?", re.IGNORECASE)
_STYLED_PIXELS: Final = re.compile(
    r"(?<![\w-])(width|height)\s*:\s*(\d{1,6})(?:\.\d*)?(?:px)?\s*(?:!\s*important\s*)?(?:;|$)",
    re.IGNORECASE,
)


def find_pixels(context: FilterContext) -> BoolArray:
    """Flag invisible images and frames that report the visit to another site; bool[n_row].

    Width and height are at most the setting. An image of the page's own site must have a query,
    which images used for layout do not have.
    """
    page = context.page
    sizes: dict[int, dict[str, int]] = {}
    for name in ("width", "height"):
        for row, value in context.values(name).items():
            if length := _PIXELS.fullmatch(value):
                sizes.setdefault(row, {})[name] = int(length[1])
    for row, style in context.values("style").items():
        if _SEEN_THROUGH[page.tag[row]]:
            for name, length in _STYLED_PIXELS.findall(style):
                sizes.setdefault(row, {})[name.lower()] = int(length)
    sources = context.values("data") | context.values("src")
    limit = context.filters.pixel_size
    rows = [
        row
        for row, size in sizes.items()
        if _SEEN_THROUGH[page.tag[row]]
        and len(size) == len(("width", "height"))
        and max(size.values()) <= limit
        and _tells(sources.get(row, ""), context.host)
    ]
    return context.page.flag(rows)


def _clean_links(context: FilterContext) -> RowEdits:
    """Return the edits after which links track no clicks."""
    page = context.page
    edits: RowEdits = {}
    for row, address in context.values("href").items():
        if _LINKS[page.tag[row]] and (clean := clean_address(address)) != address:
            # The query had only tracking parameters: an empty address would keep the page's query.
            edits[row] = {"href": clean or "?"}
    for row in context.page.attributes.rows_named("ping").tolist():
        if _LINKS[page.tag[row]]:
            edits.setdefault(row, {})["ping"] = None
    return edits


def _tells(address: str, page_host: str | None) -> bool:
    host = host_of(address)
    if host is None or is_same_site(host, page_host):
        return "?" in address and not address.lstrip().lower().startswith("data:")
    return True


_TABLE_PARTS: Final = flags_of("table thead tbody tfoot tr td th col colgroup")
_PICTURES: Final = flags_of("canvas img video")
_FITTING: Final = "min-width:0;max-width:100%;height:auto"
_NARROW_PX: Final = 320
_LENGTH: Final = re.compile(r"\s*(\d{1,6})(?![\d%])")
_STYLED: Final = re.compile(r"(?<![\w-])(?:min-)?width\s*:\s*(\d{1,6})(?:\.\d+)?px")
_ROOTS: Final = flags_of("html body")
_WIDTHS: Final = frozenset(("width", "min-width", "max-width"))
_BACKGROUNDS: Final = frozenset(("background", "background-color", "background-image"))
_HIDING: Final = frozenset(("display", "visibility"))
"""Style properties that are kept: without them hidden content would become visible."""
_LOCKS: Final = frozenset(("overflow", "overflow-x", "overflow-y", "position", "height"))
_SCRIPT_LINK: Final = rb"(?<![^\0])[\x01-\x20]*j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t\s*:"
"""White space in a scheme is ignored (URL Standard, 4.4)."""
_LOCKED_CLASS: Final = re.compile(
    r"(?:no|disable|lock|block|prevent|stop)[-_]?(?:body[-_]?)?scroll(?:ing)?"
    r"|(?:body[-_]?)?scroll[-_]?(?:lock(?:ed)?|disabled|blocked|off)"
    r"|overflow[-_]?hidden|is[-_](?:locked|clipped)|sp-message-open|didomi-popup-open"
    r"|(?:[a-z]+[-_])?(?:modal|pop-?up|overlay|dialog|consent|cookies?|newsletter|gdpr)"
    r"(?:[-_](?:banner|bar|box|wall))?[-_](?:is[-_])?(?:open(?:ed)?|active|visible|shown|locked)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _StyleRule:
    """The declarations that are removed, and the elements that lose them."""

    rows: BoolArray
    goes: Callable[[str], bool]
    """Matches a property's name, in lower case."""
    setting: str


def edit_attributes(
    context: FilterContext, *, emptied_cells: BoolArray, unlocks: bool
) -> tuple[RowEdits, dict[str, int]]:
    """Return all edits, and for each setting how many elements its filter edits.

    ``emptied_cells`` flags cells without visible content, bool[n_row]; ``unlocks`` says that an
    overlay was removed. Rows in `FilterContext.untouched` are not edited.
    """
    edits: RowEdits = {}
    edited: dict[str, set[int]] = {}
    for setting, changed in _changes(context, emptied_cells, unlocks=unlocks):
        new = {row: attributes for row, attributes in changed.items() if not context.untouched[row]}
        for row, attributes in new.items():
            edits.setdefault(row, {}).update(attributes)
        if new:
            edited.setdefault(setting, set()).update(new)
    return edits, {setting: len(rows) for setting, rows in edited.items()}


def _changes(
    context: FilterContext, emptied_cells: BoolArray, *, unlocks: bool
) -> Iterator[tuple[str, RowEdits]]:
    filters, tag = context.filters, context.page.tag
    everywhere = np.ones(tag.size, np.bool_)
    rules: list[_StyleRule] = []
    fitted: frozenset[int] = frozenset()
    if filters.scripts:
        yield "scripts", _script_attributes(context)
    if filters.fixed_widths:
        yield "fixed_widths", _fixed_widths(context, _TABLE_PARTS[tag])
        rules.append(_StyleRule(_TABLE_PARTS[tag], _WIDTHS.__contains__, "fixed_widths"))
        fitted = _find_pictures(context)
    if filters.shrink_cells:
        yield "shrink_cells", _fixed_widths(context, emptied_cells)
        rules.append(_StyleRule(emptied_cells, _WIDTHS.__contains__, "shrink_cells"))
    if filters.backgrounds:
        yield "backgrounds", _background_attributes(context)
        rules.append(_StyleRule(everywhere, _BACKGROUNDS.__contains__, "backgrounds"))
    if filters.style_attributes:
        rule = _StyleRule(everywhere, lambda name: name not in _HIDING, "style_attributes")
        rules.append(rule)
    if unlocks and filters.unlock_scrolling:
        yield "unlock_scrolling", _lock_classes(context)
        rules.append(_StyleRule(_ROOTS[tag], _LOCKS.__contains__, "unlock_scrolling"))
    if filters.tracking_parameters:
        yield "tracking_parameters", _clean_links(context)
    yield from _restyle(context, rules, fitted)


def _fixed_widths(context: FilterContext, rows: BoolArray) -> RowEdits:
    widths = context.values("width")
    return {
        row: {"width": None}
        for row, width in widths.items()
        if rows[row] and "%" not in width and "*" not in width
    }


def _find_pictures(context: FilterContext) -> frozenset[int]:
    """Return the pictures and players that are wider than a telephone."""
    tag = context.page.tag
    widths = [(row, _LENGTH.match(width)) for row, width in context.values("width").items()]
    widths += [(row, _STYLED.search(style)) for row, style in context.values("style").items()]
    return frozenset(
        row for row, width in widths if width and _PICTURES[tag[row]] and int(width[1]) > _NARROW_PX
    )


def _background_attributes(context: FilterContext) -> RowEdits:
    edits: RowEdits = {}
    for name in ("background", "bgcolor"):
        for row in context.page.attributes.rows_named(name).tolist():
            edits.setdefault(row, {})[name] = None
    return edits


def _script_attributes(context: FilterContext) -> RowEdits:
    """Remove event attributes and links to scripts."""
    page = context.page
    attributes = page.attributes
    raw = np.frombuffer(page.buffer, np.uint8)
    start = attributes.name_start
    events = np.flatnonzero((raw[start] == ord("o")) & (raw[start + 1] == ord("n")))
    edits: RowEdits = {}
    for entry in events.tolist():
        stop = int(attributes.start[entry]) - len('="')
        name = page.buffer[int(start[entry]) : stop].decode()
        edits.setdefault(int(attributes.row[entry]), {})[name] = None
    scripts = context.matching("href", _SCRIPT_LINK) & _LINKS[page.tag]
    for row in np.flatnonzero(scripts).tolist():
        edits.setdefault(row, {})["href"] = None
    return edits


def _lock_classes(context: FilterContext) -> RowEdits:
    """Remove the classes of html and body that prevent scrolling below an overlay."""
    edits: RowEdits = {}
    for row in np.flatnonzero(_ROOTS[context.page.tag]).tolist():
        names = (context.page.attr(row, "class") or "").split()
        kept = [name for name in names if not _LOCKED_CLASS.fullmatch(name)]
        if len(kept) < len(names):
            edits[row] = {"class": " ".join(kept) or None}
    return edits


def _restyle(
    context: FilterContext, rules: list[_StyleRule], fitted: frozenset[int]
) -> Iterator[tuple[str, RowEdits]]:
    """Edit each style once, with all rules: a second edit would undo the first.

    Fitted pictures become narrower in a window that is; without any width they could become wider
    than they were.
    """
    if not rules:
        return
    styles = context.values("style")
    for row, style in [*styles.items(), *((row, "") for row in fitted - styles.keys())]:
        left = style
        for rule in rules:
            if rule.rows[row] and (kept := drop_declarations(left, rule.goes)) is not None:
                left = kept
                yield rule.setting, {row: {"style": left or None}}
        if row in fitted:
            own = left.rstrip("; ")
            yield "fixed_widths", {row: {"style": f"{own};{_FITTING}" if own else _FITTING}}
