r"""Texts of a tree before Markdown is rendered: white space at edges, soft hyphens, escapes.

turbohtml 1.15 writes white space as an entity where Markdown would not keep it: no-break spaces at
the edges of lines and in headings, line ends in attributes. It escapes every sign that could begin
a block, as in `10\.9 secs`, whatever follows the sign.
"""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Element, Text

from thresher.deadline import watch
from thresher.writers.inline.marks import APART

__all__ = [
    "SOFT_HYPHEN",
    "adapt_attributes",
    "adapt_texts",
    "drop_soft_hyphens",
    "may_need_adapting",
]

SOFT_HYPHEN: Final = "\u00ad"
_WIDE_SPACE_BYTES: Final = re.compile(b"\xe2(?:\x80[\x80-\x8a\xaf]|\x81\x9f)")
"""White space of three bytes in UTF-8, except the ideographic space."""
_SIGN_BYTES: Final = re.compile(rb">\s*(?:\d{1,9}[.)]|[-+]+|#+)[A-Za-z0-9_\x80-\xff]")
"""A sign at the start of a text with a word directly after it."""
_SIGNS: Final = frozenset("0123456789-+#")
_BLOCK_SIGN: Final = re.compile(r"(\s*(?:\d{1,9}(?=[.)])|(?=[-+#])))(?=[.)]\w|[-+]+\w|#+\w)")
"""A sign that begins a list or a heading only if white space follows (CommonMark 0.31.2, 4.2,
5.2)."""
_WIDE_SPACES: Final = re.compile("[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
"""White space beyond ASCII."""
_SHOWN: Final = ("alt", "title")
"""Attributes that Markdown shows."""
_HEADINGS: Final = "h1, h2, h3, h4, h5, h6"
_INLINE: Final = ("a", "code", "img", "input", "math")
"""Elements with which a text shares its line."""


def may_need_adapting(fragment: bytes) -> bool:
    """Return whether `adapt_texts` may change the tree of a fragment in UTF-8."""
    # A search for a literal is some twenty times faster than one for alternatives.
    return (
        any(space in fragment for space in (b"&nbsp;", b"\xc2\xa0", b"\xe3\x80\x80"))
        or _WIDE_SPACE_BYTES.search(fragment) is not None
        or _SIGN_BYTES.search(fragment) is not None
    )


def drop_soft_hyphens(tree: Element) -> None:
    """Remove the soft hyphens from the texts of a tree, except for code, in place."""
    for text in watch(list(tree.descendants)):
        if isinstance(text, Text) and SOFT_HYPHEN in text.data and not _is_literal(text):
            text.data = text.data.replace(SOFT_HYPHEN, "")


def adapt_texts(tree: Element) -> None:
    """Prepare the texts of a tree for the renderer, in place.

    White space beyond ASCII becomes a space in headings, and at the edges of lines, where the
    renderer drops it. Signs that begin no block where they are get a mark, so that they are not
    escaped.
    """
    for text in watch(list(tree.descendants)):
        if not isinstance(text, Text):
            continue
        old = data = text.data
        if not data.isascii():
            if (data[:1].isspace() or data[-1:].isspace()) and not _is_literal(text):
                data = _trim(text, data)
            if _WIDE_SPACES.search(data) and _is_in(text, _HEADINGS):
                data = _WIDE_SPACES.sub(" ", data)
        if data.lstrip()[:1] in _SIGNS:
            found = _BLOCK_SIGN.match(data)
            if found and not _is_literal(text):
                data = f"{found[1]}{APART}{data[found.end() :]}"
        if data != old:
            text.data = data


def adapt_attributes(tree: Element) -> None:
    """Collapse the white space in the alternative texts and titles of a tree, in place."""
    for element in watch(tree.select("img, a[title]")):
        for name in _SHOWN:
            value = element.attr(name)
            if value and (collapsed := " ".join(value.replace(SOFT_HYPHEN, "").split())) != value:
                element.attrs[name] = collapsed


def _trim(text: Text, data: str) -> str:
    """Return the data of a text with a space in place of white space at the edges of its line."""
    inner = data.lstrip()
    if not data[: len(data) - len(inner)].isascii() and not _is_inline(text.previous_sibling):
        data = f" {inner}"
    inner = data.rstrip()
    if not data[len(inner) :].isascii() and not _is_inline(text.next_sibling):
        data = f"{inner} "
    return data


def _is_inline(node: object) -> bool:
    return isinstance(node, Text) or (isinstance(node, Element) and node.tag in _INLINE)


def _is_literal(text: Text) -> bool:
    """Return whether a text is code, which is written unchanged."""
    return _is_in(text, "code, pre")


def _is_in(text: Text, selector: str) -> bool:
    parent = text.parent
    return isinstance(parent, Element) and parent.closest(selector) is not None
