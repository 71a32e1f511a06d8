"""What stands for other markup until a script of the page puts that in its place.

Parts that React streams behind the page, addresses that Cloudflare hides, and players that wait for
a click.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.deadline import watch
from thresher.page.parts import CLASS_PARTS
from thresher.page.rearranging import Markup, Moved, Rewrite
from thresher.page.tags import CODE_OF, flags_of

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


# -- players that wait for a click -----------------------------------------------------------------

_IDS: Final = ("videoid", "data-youtube-id", "data-video-id")
"""Attributes of `lite-youtube`, `lite-vimeo`, Discourse and others."""
_CLASSED: Final = CLASS_PARTS.bits(b"youtube-player")
_PLAYER: Final = rb"(?<![^\s\0])youtube-player(?![^\s\0])"
_FRAMES: Final = flags_of("iframe")
_TITLES: Final = ("title", "data-title", "data-video-title", "playlabel")
_ADDRESSES: Final = (
    (b"youtube", re.compile(r"[\w-]{11}", re.ASCII), "https://www.youtube.com/embed/"),
    (b"vimeo", re.compile(r"[0-9]{6,12}"), "https://player.vimeo.com/video/"),
)
"""What the start tag has of a service, its numbers of videos, and the address of its player."""


def show_players(page: Page) -> Iterator[Rewrite]:
    """Put the player that a click would load in the place of its picture."""
    ids: dict[int, str] = {}
    for name in _IDS:
        ids |= page.attributes.values(name)
    for row in page.attributes.rows_classed(_CLASSED, _PLAYER).tolist():
        ids.setdefault(row, page.attr(row, "data-id") or "")
    frames = page.rows_of(_FRAMES) if ids else np.zeros(0, np.int64)
    for row, video in watch(ids.items()):
        first, stop = frames.searchsorted((row, page.end[row])).tolist()
        tag = page.start_tag(row).lower()
        address = next(
            (
                url + video
                for service, pattern, url in _ADDRESSES
                if service in tag and pattern.fullmatch(video)
            ),
            None,
        )
        if not address or first < stop:
            continue  # it has a player already
        attrs = page.attrs(row)
        title = escape(next(filter(None, map(attrs.get, _TITLES)), ""))
        start = page.open_start.item(row)
        frame = f'<iframe src="{address}" title="{title}"></iframe>'.encode("utf-8", "replace")
        yield Rewrite(start, page.close_stop.item(row), (Markup(frame, (start,)),))
