"""Pages in the forms that other extractors take, read as text or bytes of HTML."""

from __future__ import annotations

from typing import Any

import turbohtml

from thresher.errors import InputError, UsageError
from thresher.page.decode import read_utf8
from thresher.support.quoting import quote

__all__ = ["prune", "read_input"]


def read_input(page: Any) -> str | bytes:
    """Return the HTML of text, bytes, a tree of lxml, or a response with ``data``.

    InputError for anything else.
    """
    page = getattr(page, "data", page)
    if isinstance(page, str | bytes):
        return page
    if isinstance(page, bytearray | memoryview):
        return bytes(page)
    if hasattr(page, "getroottree") or hasattr(page, "getroot"):
        from lxml.html import tostring  # only who has a tree of lxml has lxml

        markup: str = tostring(page, encoding="unicode")
        return markup
    raise InputError(f"not a page: {type(page).__name__}")


def prune(html: str | bytes, xpaths: str | list[str]) -> str:
    """Remove the elements that XPath expressions select; UsageError for an invalid one."""
    if isinstance(html, bytes):
        html = read_utf8(html)[0].decode("utf-8")
    tree = turbohtml.parse(html)
    for xpath in [xpaths] if isinstance(xpaths, str) else xpaths:
        try:
            selected = tree.xpath(xpath)
        except ValueError as error:
            raise UsageError(f"not an XPath expression: {quote(xpath)}: {error}") from error
        for node in selected if isinstance(selected, list) else ():
            if isinstance(node, turbohtml.Node):
                node.decompose()
    return tree.html
