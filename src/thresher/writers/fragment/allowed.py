"""The attributes that outputs may have."""

from __future__ import annotations

from typing import Final

__all__ = ["ALLOWED_ATTRIBUTES"]

ALLOWED_ATTRIBUTES: Final = {
    "*": frozenset({"dir", "id", "lang"}),
    "a": frozenset({"href", "hreflang", "title"}),
    "abbr": frozenset({"title"}),
    "annotation": frozenset({"encoding"}),
    "blockquote": frozenset({"cite"}),
    "code": frozenset({"class"}),
    "del": frozenset({"cite", "datetime"}),
    "dfn": frozenset({"title"}),
    "img": frozenset({"alt", "height", "src", "title", "width"}),
    "input": frozenset({"checked", "disabled", "type"}),
    "ins": frozenset({"cite", "datetime"}),
    "li": frozenset({"value"}),
    "math": frozenset({"alttext", "display"}),
    "ol": frozenset({"reversed", "start", "type"}),
    "q": frozenset({"cite"}),
    "td": frozenset({"align", "colspan", "rowspan", "style"}),
    "th": frozenset({"align", "colspan", "rowspan", "scope", "style"}),
    "time": frozenset({"datetime"}),
}
"""Element, or `*` for all → its attributes that stay."""
