"""TEI equivalents of HTML elements: what each accepts, and what must enclose it or be in it."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

__all__ = ["BLOCKS", "EMPTY", "INLINE", "NEEDED", "PARTS", "Kind"]


class Kind(Enum):
    """The content that an element accepts."""

    DIVISION = auto()
    """Blocks, followed by divisions."""
    FLOW = auto()
    """Blocks."""
    MIXED = auto()
    """Blocks and text."""
    TEXT = auto()
    """Text and inline elements."""
    LIST = auto()
    GLOSSES = auto()
    """Labels and items, alternating."""
    TABLE = auto()
    ROW = auto()


INLINE: Final = {
    "a": "ref",
    "abbr": "abbr",
    "b": 'hi rend="bold"',
    "cite": 'hi rend="cite"',
    "code": "code",
    "del": "del",
    "dfn": "term",
    "em": 'hi rend="italic"',
    "i": 'hi rend="italic"',
    "ins": "add",
    "kbd": "code",
    "mark": 'hi rend="highlight"',
    "q": "q",
    "s": "del",
    "samp": "code",
    "small": 'hi rend="small"',
    "strong": 'hi rend="bold"',
    "sub": 'hi rend="subscript"',
    "sup": 'hi rend="superscript"',
    "time": "date",
    "u": 'hi rend="underline"',
    "var": 'hi rend="italic"',
}
"""Inline element of HTML → of TEI; of others only the text is written."""
BLOCKS: Final = {
    "blockquote": ("quote", Kind.FLOW),
    "dl": ('list type="gloss"', Kind.GLOSSES),
    "figure": ("figure", Kind.FLOW),
    "h1": ('ab type="head" subtype="h1"', Kind.TEXT),
    "h2": ('ab type="head" subtype="h2"', Kind.TEXT),
    "h3": ('ab type="head" subtype="h3"', Kind.TEXT),
    "h4": ('ab type="head" subtype="h4"', Kind.TEXT),
    "h5": ('ab type="head" subtype="h5"', Kind.TEXT),
    "h6": ('ab type="head" subtype="h6"', Kind.TEXT),
    "ol": ('list rend="numbered"', Kind.LIST),
    "p": ("p", Kind.TEXT),
    "summary": ('p rend="summary"', Kind.TEXT),
    "table": ("table", Kind.TABLE),
    "ul": ('list rend="bulleted"', Kind.LIST),
}
"""Block of HTML → of TEI, and the content it accepts. The headings are those in quotes, items and
cells."""
PARTS: Final = {
    "caption": (Kind.TABLE, "head", Kind.TEXT),
    "dd": (Kind.GLOSSES, "item", Kind.MIXED),
    "dt": (Kind.GLOSSES, "label", Kind.TEXT),
    "figcaption": (Kind.FLOW, "head", Kind.TEXT),
    "li": (Kind.LIST, "item", Kind.MIXED),
    "td": (Kind.ROW, "cell", Kind.MIXED),
    "th": (Kind.ROW, 'cell role="label"', Kind.MIXED),
    "tr": (Kind.TABLE, "row", Kind.ROW),
}
"""Part of HTML → the element it must be in, its name in TEI, the content it accepts."""
NEEDED: Final = {
    Kind.LIST: ("item", Kind.MIXED),
    Kind.GLOSSES: ("item", Kind.MIXED),
    Kind.TABLE: ("row", Kind.ROW),
    Kind.ROW: ("cell", Kind.MIXED),
    Kind.FLOW: ("p", Kind.TEXT),
    Kind.DIVISION: ("p", Kind.TEXT),
}
"""The element needed around text that an element does not accept."""
EMPTY: Final = {
    Kind.LIST: "<item/>",
    Kind.GLOSSES: "<label/><item/>",
    Kind.TABLE: "<row><cell/></row>",
    Kind.ROW: "<cell/>",
    Kind.FLOW: "<p/>",
    Kind.DIVISION: "<p/>",
}
"""Content of an element that would be empty but must not be."""
