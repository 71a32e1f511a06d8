"""Pages sent as XML (application/xhtml+xml), which a browser shows only if they are well-formed.

The filters read HTML, where `<div/>` is a start tag and where more may follow the end of the body.
So empty tags are spelled out before, what was added is moved into the body after, and the result is
checked: a page that is no longer well-formed passes unchanged.
"""

from __future__ import annotations

import re
from typing import Final
from xml.parsers import expat

from thresher.errors import InputError
from thresher.proxy.navigation import XHTML, media_type_of

__all__ = ["is_xhtml", "settle_xhtml", "spell_out_empty"]

_VOID: Final = frozenset(
    (
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"),
        *("param", "source", "track", "wbr"),
    )
)
_TOKEN: Final = re.compile(
    r"<!--(?>.*?-->|.*)|<!\[CDATA\[(?>.*?\]\]>|.*)|<\?(?>.*?\?>|.*)"
    r"""|<(?P<name>[\w:.-]+)(?P<attributes>(?>\s+[^\s=<>/]+\s*=\s*(?>"[^"<]*"|'[^'<]*'))*+)\s*/>""",
    re.DOTALL,
)
_BODY_END: Final = re.compile(r"</body\s*>\s*(?:</html\s*>)?")


def is_xhtml(content_type: str) -> bool:
    """Return whether a Content-Type header states that a page is XML."""
    return media_type_of(content_type) == XHTML


def spell_out_empty(xml: str) -> str:
    """Return a page whose empty elements have end tags, but for those that HTML knows as void."""
    return _TOKEN.sub(_spell_out, xml)


def settle_xhtml(html: str) -> str:
    """Return a page with what follows its end moved into the body; InputError if not XML then."""
    ends = list(_BODY_END.finditer(html))
    if not ends:
        raise InputError("the page has no end of its body")
    at, end = ends[-1].span()
    settled = f"{html[:at]}{html[end:].strip()}{html[at:end]}\n"
    try:
        expat.ParserCreate().Parse(settled.encode(), True)
    except expat.ExpatError as error:
        raise InputError(f"the page would not be well-formed: {error}") from error
    return settled


def _spell_out(match: re.Match[str]) -> str:
    name = match["name"]
    if name is None or name in _VOID:
        return match[0]
    return f"<{name}{match['attributes']}></{name}>"
