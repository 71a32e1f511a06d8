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

__all__ = [
    "APART",
    "SOFT_HYPHEN",
    "adapt_attributes",
    "adapt_texts",
    "drop_soft_hyphens",
    "may_need_adapting",
]

APART: Final = "\ufddc"
"""Mark that keeps its neighbours apart and is removed at the end, a noncharacter."""
SOFT_HYPHEN: Final = "\u00ad"
_ADAPTED: Final = re.compile(
    b"&nbsp;|\xc2\xa0|\xe3\x80\x80|\xe2\x80[\x80-\x8a\xaf]|\xe2\x81\x9f"
    rb"|>\s*(?:\d{1,9}[.)]|[-+]+|#+)[A-Za-z0-9_\x80-\xff]"
)
"""White space beyond ASCII, or a sign at the start of a text with a word directly after it."""
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
    return _ADAPTED.search(fragment) is not None


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
        data = text.data
        if (data[:1].isspace() or data[-1:].isspace()) and not _is_literal(text):
            data = _trim(text, data)
        if _WIDE_SPACES.search(data) and _is_in(text, _HEADINGS):
            data = _WIDE_SPACES.sub(" ", data)
        found = _BLOCK_SIGN.match(data)
        if found and not _is_literal(text):
            data = f"{found[1]}{APART}{data[found.end() :]}"
        if data != text.data:
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
