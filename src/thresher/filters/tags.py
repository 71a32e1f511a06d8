"""The paper's first set of filters, which remove all elements of some tags (section 3).

The grouping of tags under switches follows the authors' program. Elements inside a drawing (`svg`)
are part of it and kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from thresher.algorithms.crunch.filters import find_image_links, find_images, find_text_links
from thresher.filters.filter_context import FilterContext
from thresher.page.attributes import whole
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, flags_of

_BUTTON_TYPES: Final = whole(rb"submit|button|reset|image")
_BUTTON, _IMG, _INPUT, _LINK, _META, _SCRIPT, _STYLE, _SVG = (
    CODE_OF[name] for name in "button img input link meta script style svg".split()
)
_INPUTS: Final = flags_of("textarea select")
_DATA_TYPES: Final = rb"json|(?<![^\0])\s*text/(?:template|html|x-|plain)"
"""Types of script elements that are data and not executed."""


def _find_scripts(context: FilterContext) -> BoolArray:
    page = context.page
    is_data = _having(context, "type", _DATA_TYPES)
    preloads = (page.tag == _LINK) & _having(context, "as", whole(rb"script"))
    modules = (page.tag == _LINK) & _having(context, "rel", rb"\bmodulepreload\b")
    scripts: BoolArray = ((page.tag == _SCRIPT) & ~is_data) | preloads | modules
    return scripts


def _find_styles(context: FilterContext) -> BoolArray:
    page = context.page
    styles: BoolArray = (page.tag == _STYLE) & ~page.within(page.tag == _SVG)
    return styles


def _find_external_styles(context: FilterContext) -> BoolArray:
    kinds = _having(context, "rel", rb"\bstylesheet\b") | _having(context, "as", whole(rb"style"))
    sheets: BoolArray = kinds & (context.page.tag == _LINK)
    return sheets


def _find_inputs(context: FilterContext) -> BoolArray:
    page = context.page
    other = _having(context, "type", _BUTTON_TYPES) | _having(context, "type", whole(rb"hidden"))
    inputs: BoolArray = _INPUTS[page.tag] | ((page.tag == _INPUT) & ~other)
    return inputs


def _find_buttons(context: FilterContext) -> BoolArray:
    page = context.page
    inputs = (page.tag == _INPUT) & _having(context, "type", _BUTTON_TYPES)
    buttons: BoolArray = (page.tag == _BUTTON) | inputs
    return buttons


def _find_refreshes(context: FilterContext) -> BoolArray:
    refreshes: BoolArray = _having(context, "http-equiv", whole(rb"refresh")) & (
        context.page.tag == _META
    )
    return refreshes


def _tagged(names: str) -> Callable[[FilterContext], BoolArray]:
    flags = flags_of(names)

    def find(context: FilterContext) -> BoolArray:
        return flags[context.page.tag]

    return find


def _having(context: FilterContext, name: str, pattern: bytes) -> BoolArray:
    return context.flag(context.matching(name, pattern))


TAG_FILTERS: Final[tuple[tuple[str, Callable[[FilterContext], BoolArray]], ...]] = (
    ("text_links", lambda context: find_text_links(context.page, context.params)),
    ("image_links", lambda context: find_image_links(context.page, context.params)),
    ("images", lambda context: find_images(context.page, context.params)),
    ("scripts", _find_scripts),
    ("styles", _find_styles),
    ("external_styles", _find_external_styles),
    ("forms", _tagged("form")),
    ("inputs", _find_inputs),
    ("buttons", _find_buttons),
    ("objects", _tagged("object embed applet")),
    ("media", _tagged("audio video bgsound")),
    ("iframes", _tagged("iframe")),
    ("refreshes", _find_refreshes),
)
"""Setting → function that flags the elements it removes; bool[n_row]."""


def read_alternatives(context: FilterContext, removed: BoolArray) -> dict[int, str]:
    """Return row → alternative text that replaces the element.

    ``removed`` flags what the filters of images and image links delete; bool[n_row]. Images that
    the method did not select are omitted.
    """
    page = context.page
    pictures = removed & (page.tag == _IMG)
    if context.keep is not None:
        pictures &= context.flag(page.leaves[context.keep])
    outermost = page.nearest(removed & ~page.below(removed))
    texts: dict[int, list[str]] = {}
    for row, text in context.values("alt").items():
        if pictures[row] and text.strip():
            texts.setdefault(int(outermost[row]), []).append(text.strip())
    return {row: " ".join(parts) for row, parts in texts.items()}
