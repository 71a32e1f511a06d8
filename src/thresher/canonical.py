"""HTML text → canonical HTML, the bytes that the columns of a page are read off.

That is the parser's tree, serialised (docs/adr/0002), without what would make the bytes ambiguous:
comments, and the content of raw-text elements (scripts, styles), which no reader sees. The source
keeps them; `source_tree` parses it again for whoever needs them. A script that holds a formula is
seen: it becomes a `math` element, with the script's attributes and text.

The compiled step (native/html, docs/adr/0005) writes the same bytes without a tree, for the pages
that it does not refuse.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import turbohtml
from turbohtml.clean import strip_comments_node

from thresher.deadline import check_deadline
from thresher.errors import InputError
from thresher.native import REFUSED, compiled

__all__ = ["canonicalise", "canonicalise_by_parser", "canonicalise_fragment", "source_tree"]

_RAW_TEXT: Final = ("iframe", "noembed", "noframes", "script", "style")
"""Elements whose content the parser keeps as text that is no text of the page."""
_MATH_TYPE: Final = re.compile(r"\s*math/(?:tex|asciimath)\s*(?:;|$)", re.IGNORECASE)
"""Scripts that hold a formula in the place where it is shown (MathJax 2, math/tex)."""
_PLAIN_TEXT: Final = ("plaintext", "xmp")
"""Obsolete elements that show raw text: the standard renders them as `pre`; so they are read."""
_ROOM_SHARE: Final = 8
"""One byte in so many is kept free for end tags and escapes that the source leaves out."""
_ROOM_BYTES: Final = 4096
"""And so many in any case. What does not fit is refused."""


def canonicalise(utf8: bytes) -> bytes:
    """Return the canonical HTML of a page in UTF-8."""
    if compiled is not None:
        written = np.empty(len(utf8) + len(utf8) // _ROOM_SHARE + _ROOM_BYTES, np.uint8)
        size = compiled.canonicalise(utf8, written)
        if size != REFUSED:
            return written[:size].tobytes()
    return canonicalise_by_parser(utf8.decode())


def canonicalise_by_parser(html: str) -> bytes:
    """Canonicalise as `canonicalise` does, with the parser; its tree is not kept.

    In pieces, for as a whole the parser would need four bytes for each character, twice.
    """
    root = source_tree(html).root
    if root is None:
        raise InputError("the input has no element, not even an implied one")
    check_deadline()
    return b"".join(map(str.encode, root.serialize_iter()))


def source_tree(html: str, *, positions: bool = False) -> turbohtml.Document:
    """Parse HTML into the parser's own tree, its elements one to one with a Page's.

    Declarative shadow roots stay templates: their content is the page's. With ``positions`` each
    element knows where it was in the source.
    """
    tree = turbohtml.parse(
        html, positions=positions, source_locations=positions, allow_declarative_shadow_roots=False
    )
    _make_canonical(tree)
    return tree


def canonicalise_fragment(markup: str) -> bytes:
    """Canonicalise markup that is no whole page, in one `<div>`.

    Scripts and styles are left out with their tags, but for formulas.
    """
    tree = turbohtml.parse_fragment(markup, positions=False)
    for element in tree.find_all(["script", "style"]):
        if not _is_formula(element):
            element.decompose()
    _make_canonical(tree)
    return tree.encode()


def _make_canonical(tree: turbohtml.Document | turbohtml.Element) -> None:
    """Take out what would make the serialised tree ambiguous."""
    html = turbohtml.Namespace.HTML
    # A list, for the loop changes the tree.
    for element in list(tree.iter_elements((*_RAW_TEXT, *_PLAIN_TEXT))):
        if element.namespace is not html:
            continue
        if element.tag in _PLAIN_TEXT:
            element.tag = "pre"
        elif _is_formula(element):
            element.tag = "math"
        else:
            element.clear()
    strip_comments_node(tree)


def _is_formula(element: turbohtml.Element) -> bool:
    return element.tag == "script" and bool(_MATH_TYPE.match(element.attr("type") or ""))
