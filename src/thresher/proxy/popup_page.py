"""The page that is shown in place of a popup, with a link to go on.

The link leads to the address itself. A browser says of its request that it comes from the same
site, so it is not held back again, and no choice has to be stored.
"""

from __future__ import annotations

from html import escape
from typing import Final

from thresher.proxy.csp import hash_source
from thresher.support.hosts import host_of

__all__ = ["write_popup_page"]

_STYLE: Final = (
    ":root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;"
    "margin:3rem auto;padding:0 1rem;overflow-wrap:anywhere}h1{font-size:1.4rem}"
    "a{display:inline-block;padding:.5rem 0}"
)
_POLICY: Final = (
    f"default-src 'none'; style-src {hash_source(_STYLE)}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_FORBIDDEN: Final = 403


def write_popup_page(url: str) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers of the page for an address that was held back."""
    host = escape(host_of(url) or url)
    body = (
        '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>Popup held back: {host}</title>\n<style>{_STYLE}</style>\n"
        f"<h1>Thresher has held back a popup of {host}</h1>\n"
        "<p>Another site opened this page, and your block lists have its address among those of"
        " popups. If you followed a link to it, go on; otherwise close this tab.</p>\n"
        f'<p><a href="" rel="nofollow noreferrer">Go on to {host}</a></p>\n'
        f"<p>To never be asked for this host, add the line <code>@@||{host}^$popup</code> to your"
        " rules for advertisements in the settings.</p>\n"
    )
    headers = {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": _POLICY,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-thresher": "stopped",
    }
    return _FORBIDDEN, body.encode(), headers
