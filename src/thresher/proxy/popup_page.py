"""The page that is shown in place of a popup, with a link to go on.

The link leads to the address itself. A browser says of its request that it comes from the same
site, so it is not held back again, and no choice has to be stored.
"""

from __future__ import annotations

from html import escape
from typing import Final

from thresher.proxy.notice_page import NOTICE_STYLE, write_notice
from thresher.support.hosts import host_of

__all__ = ["write_popup_page"]

_STYLE: Final = f"{NOTICE_STYLE}a{{display:inline-block;padding:.5rem 0}}"
_FORBIDDEN: Final = 403


def write_popup_page(url: str) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers of the page for an address that was held back."""
    host = escape(host_of(url) or url)
    content = (
        f"<h1>Thresher has held back a popup of {host}</h1>\n"
        "<p>Another site opened this page, and your block lists have its address among those of"
        " popups. If you followed a link to it, go on; otherwise close this tab.</p>\n"
        f'<p><a href="" rel="nofollow noreferrer">Go on to {host}</a></p>\n'
        f"<p>To never be asked for this host, add the line <code>@@||{host}^$popup</code> to your"
        " rules for advertisements in the settings.</p>\n"
    )
    title = f"Popup held back: {host}"
    policy = "; frame-ancestors 'none'"
    return _FORBIDDEN, *write_notice(title, content, style=_STYLE, mark="stopped", policy=policy)
