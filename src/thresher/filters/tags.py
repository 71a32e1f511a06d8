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
from thresher.page.tags import flags_of

_BUTTON_TYPES: Final = whole(rb"submit|button|reset|image")
_BUTTON, _IMG, _INPUT, _LINK, _META, _SCRIPT, _STYLE, _SVG = (
    flags_of(name) for name in "button img input link meta script style svg".split()
)
_INPUTS: Final = flags_of("textarea select")
_DATA_TYPES: Final = rb"json|(?<![^\0])\s*text/(?:template|html|x-|plain)"
"""Types of script elements that are data and not executed."""


def _find_scripts(context: FilterContext) -> BoolArray:
    tag, matching = context.page.tag, context.matching
    fetched_ahead = matching("as", whole(rb"script")) | matching("rel", rb"\bmodulepreload\b")
    return (_SCRIPT[tag] & ~matching("type", _DATA_TYPES)) | (_LINK[tag] & fetched_ahead)


def _find_styles(context: FilterContext) -> BoolArray:
    page = context.page
    return _STYLE[page.tag] & ~page.within(_SVG[page.tag])


def _find_external_styles(context: FilterContext) -> BoolArray:
    kinds = context.matching("rel", rb"\bstylesheet\b") | context.matching("as", whole(rb"style"))
    return _LINK[context.page.tag] & kinds


def _find_inputs(context: FilterContext) -> BoolArray:
    tag = context.page.tag
    hidden = context.matching("type", whole(rb"hidden"))
    return _INPUTS[tag] | (_INPUT[tag] & ~hidden & ~context.matching("type", _BUTTON_TYPES))


def _find_buttons(context: FilterContext) -> BoolArray:
    tag = context.page.tag
    return _BUTTON[tag] | (_INPUT[tag] & context.matching("type", _BUTTON_TYPES))


def _find_refreshes(context: FilterContext) -> BoolArray:
    return _META[context.page.tag] & context.matching("http-equiv", whole(rb"refresh"))


def _tagged(names: str) -> Callable[[FilterContext], BoolArray]:
    flags = flags_of(names)

    def find(context: FilterContext) -> BoolArray:
        return flags[context.page.tag]

    return find


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
    pictures = removed & _IMG[page.tag]
    if context.keep is not None:
        pictures &= context.page.flag(page.leaves[context.keep])
    outermost = page.nearest(removed & ~page.below(removed))
    texts: dict[int, list[str]] = {}
    for row, text in context.values("alt").items():
        if pictures[row] and text.strip():
            texts.setdefault(int(outermost[row]), []).append(text.strip())
    return {row: " ".join(parts) for row, parts in texts.items()}
