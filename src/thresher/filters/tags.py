"""The paper's first set of filters: whole tags are ignored (section 3).

Which tags stand under which switch follows the settings of the authors' program. Elements inside
a drawing (`svg`) are part of it and stay.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from thresher.algorithms.crunch import links
from thresher.filters.case import BoolArray, Case, whole
from thresher.page.tags import CODE_OF, flags_of

__all__ = ["TAG_FILTERS", "read_alternatives"]

_BUTTON_TYPES: Final = whole(rb"submit|button|reset|image")
_BUTTON, _IMG, _INPUT, _LINK, _META, _SCRIPT, _STYLE, _SVG = (
    CODE_OF[name] for name in "button img input link meta script style svg".split()
)
_OBJECTS: Final = flags_of("object embed applet")
_MEDIA: Final = flags_of("audio video bgsound")
_INPUTS: Final = flags_of("textarea select")
_DATA_TYPES: Final = rb"json|(?<![^\0])\s*text/(?:template|html|x-|plain)"
"""Types of script elements that are data, and do nothing."""


def _find_scripts(case: Case) -> BoolArray:
    page = case.page
    is_data = _having(case, "type", _DATA_TYPES)
    preloads = (page.tag == _LINK) & _having(case, "as", whole(rb"script"))
    modules = (page.tag == _LINK) & _having(case, "rel", rb"\bmodulepreload\b")
    found: BoolArray = ((page.tag == _SCRIPT) & ~is_data) | preloads | modules
    return found


def _find_styles(case: Case) -> BoolArray:
    page = case.page
    found: BoolArray = (page.tag == _STYLE) & ~page.within(page.tag == _SVG)
    return found


def _find_external_styles(case: Case) -> BoolArray:
    kinds = _having(case, "rel", rb"\bstylesheet\b") | _having(case, "as", whole(rb"style"))
    found: BoolArray = kinds & (case.page.tag == _LINK)
    return found


def _find_inputs(case: Case) -> BoolArray:
    page = case.page
    other = _having(case, "type", _BUTTON_TYPES) | _having(case, "type", whole(rb"hidden"))
    found: BoolArray = _INPUTS[page.tag] | ((page.tag == _INPUT) & ~other)
    return found


def _find_buttons(case: Case) -> BoolArray:
    page = case.page
    inputs = (page.tag == _INPUT) & _having(case, "type", _BUTTON_TYPES)
    found: BoolArray = (page.tag == _BUTTON) | inputs
    return found


def _find_refreshes(case: Case) -> BoolArray:
    found: BoolArray = _having(case, "http-equiv", whole(rb"refresh")) & (case.page.tag == _META)
    return found


def _tagged(flags: BoolArray) -> Callable[[Case], BoolArray]:
    def find(case: Case) -> BoolArray:
        return flags[case.page.tag]

    return find


def _having(case: Case, name: str, pattern: bytes) -> BoolArray:
    return case.flag(case.matching(name, pattern))


TAG_FILTERS: Final[tuple[tuple[str, Callable[[Case], BoolArray]], ...]] = (
    ("text_links", lambda case: links.find_text_links(case.page, case.params)),
    ("image_links", lambda case: links.find_image_links(case.page, case.params)),
    ("images", lambda case: links.find_images(case.page, case.params)),
    ("scripts", _find_scripts),
    ("styles", _find_styles),
    ("external_styles", _find_external_styles),
    ("forms", _tagged(flags_of("form"))),
    ("inputs", _find_inputs),
    ("buttons", _find_buttons),
    ("objects", _tagged(_OBJECTS)),
    ("media", _tagged(_MEDIA)),
    ("iframes", _tagged(flags_of("iframe"))),
    ("refreshes", _find_refreshes),
)
"""Setting → what flags the elements it removes; bool[n_row]."""


def read_alternatives(case: Case, removed: BoolArray) -> dict[int, str]:
    """Return row → alternative texts, for the elements in whose place they are to stand.

    ``removed`` flags what the filters of pictures and their links delete; bool[n_row]. Pictures
    that a method did not choose have none.
    """
    page = case.page
    pictures = removed & (page.tag == _IMG)
    if case.keep is not None:
        pictures &= case.flag(page.leaves[case.keep])
    outermost = page.nearest(removed & ~page.below(removed))
    texts: dict[int, list[str]] = {}
    for row, text in case.values("alt").items():
        if pictures[row] and text.strip():
            texts.setdefault(int(outermost[row]), []).append(text.strip())
    return {row: " ".join(parts) for row, parts in texts.items()}
