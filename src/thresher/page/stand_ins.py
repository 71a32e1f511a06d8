"""What stands for other markup until a script of the page puts that in its place.

Parts that React streams behind the page, and addresses that Cloudflare hides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Final

from thresher.deadline import watch
from thresher.page.rearranging import Markup, Moved, Rewrite
from thresher.page.tags import CODE_OF

if TYPE_CHECKING:
    from thresher.page.page import Page

_A, _TEMPLATE = CODE_OF["a"], CODE_OF["template"]

# -- parts that are streamed -----------------------------------------------------------------------
#
# React's server renderer writes `<template id="B:1">` where something is still loading, and later
# `<div hidden id="S:1">` with it, which a script moves there.

_PLACES: Final = "B:"
_PARTS: Final = "S:"


def place_streamed(page: Page) -> Iterator[Rewrite]:
    """Put the content of each streamed part in its place."""
    if not (page.attributes.named("hidden").size and (page.tag == _TEMPLATE).any()):
        return
    ids = page.attributes.values("id")
    parts = {value: row for row, value in ids.items() if value.startswith(_PARTS)}
    for row, value in watch(ids.items()) if parts else ():
        part = parts.pop(_PARTS + value[len(_PLACES) :], 0)
        if not (part and value.startswith(_PLACES) and page.tag[row] == _TEMPLATE):
            continue
        if row < part:
            content = Moved(page.open_stop.item(part), page.close_start.item(part))
            yield Rewrite(*content)
            yield Rewrite(page.open_start.item(row), page.close_stop.item(row), (content,))


# -- addresses that are hidden ---------------------------------------------------------------------

_HIDDEN: Final = "data-cfemail"
_HIDDEN_LINK: Final = b"/cdn-cgi/l/email-protection#"
_CODES: Final = re.compile(r"(?:[0-9a-f]{2}){4,200}", re.IGNORECASE)


def reveal_addresses(page: Page) -> Iterator[Rewrite]:
    """Put e-mail addresses in the place of Cloudflare's "[email protected]"."""
    shown = page.attributes.values(_HIDDEN)
    for row, value in watch(shown.items()):
        address = _decode(value)
        if address and page.end[row] <= row + 2:
            text = escape(address).encode()
            if page.tag[row] == _A:
                yield _link(page, row, text)
            yield Rewrite(page.open_stop.item(row), page.close_start.item(row), (Markup(text),))
    if _HIDDEN_LINK in page.buffer:
        for row, value in watch(page.attributes.values("href").items()):
            address = _decode(value.partition(_HIDDEN_LINK.decode())[2].strip())
            if address and page.tag[row] == _A and row not in shown:
                yield _link(page, row, escape(address).encode())


def _link(page: Page, row: int, text: bytes) -> Rewrite:
    """Make a link one to an address, in UTF-8."""
    start = page.open_start.item(row)
    tag = Markup(b'<a href="mailto:%b">' % text, (start,))
    return Rewrite(start, page.open_stop.item(row), (tag,))


def _decode(value: str) -> str:
    """Decode an address: bytes in hexadecimal, of which the first one is to be xored with all."""
    if not _CODES.fullmatch(value):
        return ""
    key, *codes = bytes.fromhex(value)
    try:
        text = bytes(code ^ key for code in codes).decode()
    except UnicodeDecodeError:
        return ""
    return text if "@" in text and text.isprintable() else ""
