"""Upper bound for the number of elements in a page's tree, computed from its tags before parsing.

Formatting elements that a block leaves open are reconstructed in the next one (HTML Living
Standard, 13.2.4.3): 500 `<b>` in one paragraph are repeated in each of the thousand after it, and
50 kB become half a million elements. The parser builds them all before it reports their number, so
callers check here first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from thresher.deadline import watch
from thresher.page.active_formatting import (
    FORMATTING,
    MAX_BLOCKS,
    MAX_CLONES,
    MAX_EQUAL,
    MAX_REOPENED,
    Formatting,
)

__all__ = ["is_within"]

_MAX_SHARE: Final = 2
"""Apparent start tags, in multiples of the limit, above which a page certainly exceeds it."""


def _any_case(name: str) -> str:
    return "".join(f"[{letter}{letter.upper()}]" for letter in name)


_RAW: Final = frozenset(
    ("iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", "title", "xmp")
)
_WHOLE: Final = re.compile(
    r"""</?[a-z][^<>"']*(?:"[^"<>]*"[^<>"']*|'[^'<>]*'[^<>"']*)*>|<!--(?!-?>)[^-]*(?:-[^-]+)*-->""",
    re.DOTALL | re.IGNORECASE,
)
"""Tags and comments that end unambiguously."""
_FORMATTING_TAG: Final = re.compile(
    # Both cases are listed, because a case-insensitive expression does not jump to the next <.
    rf"<(?:{'|'.join(map(_any_case, sorted(FORMATTING - {'a'})))})(?=[\s/>])[^>]*".encode()
)
_LINK: Final = re.compile(rb"<[aA](?=[\s/>])")
_LESS_THAN: Final = ord("<")


def is_within(utf8: bytes, max_elements: int) -> bool:
    """Return whether a page's tree certainly has at most so many elements, except implied ones.

    Cost: linear; 0.1 µs per tag, 2 µs if there are very many and much formatting, next to nothing
    for pages of a few thousand tags.
    """
    n_mark = int(np.count_nonzero(np.frombuffer(utf8, np.uint8) == _LESS_THAN))
    if n_mark * (1 + MAX_REOPENED) <= max_elements:
        return True
    n_open = _count_kinds(utf8)
    n_moved = MAX_BLOCKS * (1 + MAX_CLONES) if n_open else 0
    if n_mark * (1 + n_moved + n_open) <= max_elements:
        return True
    # In scripts and comments some are not tags, but nowhere most of them.
    if n_mark - utf8.count(b"</") - utf8.count(b"<!") > _MAX_SHARE * max_elements:
        return False
    formatting = Formatting()
    return all(n_element <= max_elements for n_element in _follow(formatting, utf8.decode()))


def _count_kinds(utf8: bytes) -> int:
    """Count the formatting elements that can be open at once: three of each kind, and one link."""
    tags = _FORMATTING_TAG.findall(utf8)
    kinds = set(tags)
    n_link = int(_LINK.search(utf8) is not None)
    # A value may contain a >, and tags that differ after it are distinct.
    cut = {tag for tag in kinds if tag.count(b'"') % 2 or tag.count(b"'") % 2}
    n_cut = sum(tag in cut for tag in tags) if cut else 0
    return min(n_link + MAX_EQUAL * (len(kinds) - len(cut)) + n_cut, MAX_REOPENED)


def _follow(formatting: Formatting, html: str, *, is_inner: bool = False) -> Iterator[int]:
    """Process the tags of a page; yield the bound of the elements so far.

    ``is_inner`` for the text of a `<noscript>`: scripts are off, so it is markup.
    """
    import turbohtml  # noqa: PLC0415 - most pages are read by the compiled step

    start_tag, end_tag = turbohtml.TokenType.START_TAG, turbohtml.TokenType.END_TAG
    opened = ""
    for token in watch(turbohtml.tokenize(html, resolve_references=False)):
        tag = token.tag
        if tag is not None and token.type == start_tag:
            formatting.start(token, tag)
            opened = tag
        elif tag is not None and token.type == end_tag:
            formatting.end(tag)
            opened = ""
        elif "<" in (text := token.data or ""):
            is_noscript = opened == "noscript"
            if is_noscript and not (formatting.is_mixed or is_inner or "<" in _WHOLE.sub("", text)):
                yield from _follow(formatting, text, is_inner=True)
            elif is_noscript or formatting.is_mixed:
                formatting.raw(text)
        yield formatting.n_element
    if is_inner and opened in _RAW:
        formatting.mix()
