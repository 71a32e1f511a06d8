"""Notices in the place of pages that are not shown: one sentence, and what to do next."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import Final

from thresher.proxy.page_parts import hash_source
from thresher.support.hosts import host_of

_FORBIDDEN, _BAD_GATEWAY, _TIMED_OUT = 403, 502, 504
NOTICE_STYLE: Final = (
    ":root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;"
    "margin:3rem auto;padding:0 1rem;overflow-wrap:anywhere}h1{font-size:1.4rem}"
)
"""Rules of every notice; each adds those of its links."""


def write_notice(
    title: str, content: str, *, style: str, mark: str, policy: str = ""
) -> tuple[bytes, dict[str, str]]:
    """Return body and headers of a notice.

    ``title`` and ``content`` are markup. ``mark`` is the value of X-Thresher, and ``policy`` is
    added to the Content Security Policy.
    """
    body = (
        '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n{content}"
    )
    headers = {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": f"default-src 'none'; style-src {hash_source(style)};"
        f" base-uri 'none'; form-action 'none'{policy}",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-thresher": mark,
    }
    return body.encode("utf-8", "replace"), headers


_POPUP_STYLE: Final = f"{NOTICE_STYLE}a{{display:inline-block;padding:.5rem 0}}"


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
    return _FORBIDDEN, *write_notice(
        title, content, style=_POPUP_STYLE, mark="stopped", policy=policy
    )


_FAILURE_STYLE: Final = (
    f"{NOTICE_STYLE}a{{display:inline-block;padding:.5rem 1rem .5rem 0}}small{{opacity:.8}}"
)


@dataclass(frozen=True, slots=True)
class _Cause:
    """Why a page cannot be opened; heading and advice with ``{host}``."""

    signs: re.Pattern[str]
    """Found in the message of mitmproxy or of the system."""
    heading: str
    advice: str
    status: int = _BAD_GATEWAY
    passes_unopened: bool = False
    """Whether the host may work if the proxy does not open its connections."""


_CAUSES: Final = (
    _Cause(
        re.compile("private network"),
        "{host} is in a private network",
        "Users of this proxy do not reach private networks. Its administrator can allow this host:"
        " allowed_private.",
        _FORBIDDEN,
    ),
    _Cause(
        re.compile(r"(?i)certificate"),
        "{host} has no valid certificate",
        "The proxy cannot verify that this is {host}: somebody may be impersonating it, or the"
        " site's certificate is expired, for another name or self-signed. Check the address and"
        " this machine's clock. If the site is yours, start the proxy with --upstream-ca and the"
        " authority's certificate, or leave the check to your browser.",
        passes_unopened=True,
    ),
    _Cause(
        re.compile(r"(?i)\b(?:tls|ssl|openssl|handshake)\b"),
        "{host} and the proxy do not agree on encryption",
        "The site may need a client certificate, an outdated version of TLS, or a browser rather"
        " than a proxy.",
        passes_unopened=True,
    ),
    _Cause(
        re.compile(r"(?i)not known|name resolution|getaddrinfo|nodename|no address associated"),
        "There is no site at {host}",
        "No address is known for this name. Check how it is spelled; if other sites fail too, the"
        " proxy's machine may be offline.",
    ),
    _Cause(
        re.compile(r"(?i)timed? ?out|Errno (?:110|60|10060)\b"),
        "{host} does not answer",
        "The site may be overloaded or down for a while. Try again in a minute.",
        _TIMED_OUT,
    ),
    _Cause(
        re.compile(r"(?i)unreachable|no route|Errno (?:101|113|51|65)\b"),
        "{host} cannot be reached from here",
        "The proxy's machine has no way to this site: it may be offline, or a firewall may block"
        " it.",
    ),
    _Cause(
        re.compile(r"(?i)connect call failed|refused|Errno (?:111|61)\b"),
        "{host} refuses connections",
        "Nothing answers at this address and port. Check the address; the site may be down for a"
        " while.",
    ),
    _Cause(
        re.compile(r"(?i)clos|disconnect|reset|Errno (?:104|54)\b"),
        "{host} closed the connection",
        "The site sent no answer. It may be restarting, or not accept connections through a proxy.",
        passes_unopened=True,
    ),
)
_OTHER: Final = _Cause(
    re.compile(""), "{host} sent nothing that can be shown", "The proxy did not understand it."
)


def write_failure_page(
    host: str, message: str, *, never: str = "", is_form: bool = False
) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers of the page for a host that could not be reached.

    ``never`` is the address where the host can be put on the list of those never intercepted, and
    offered where that may help; ``is_form``: the page was to receive a form.
    """
    cause = next((cause for cause in _CAUSES if cause.signs.search(message)), _OTHER)
    name = escape(host)
    heading, advice = cause.heading.format(host=name), cause.advice.format(host=name)
    again = (
        "<p>What you sent may not have arrived. Go back in your browser and send it again.</p>"
        if is_form
        else '<p><a href="">Try again</a>'
    )
    if never and cause.passes_unopened:
        again += f'<a href="{escape(never)}" rel="noreferrer">Never open this host…</a>'
    content = (
        f"<h1>{heading}</h1>\n<p>{advice}</p>\n{again}\n"
        f"<p><small>Thresher, the proxy of this browser, reports: {escape(message)}</small></p>\n"
    )
    body, headers = write_notice(heading, content, style=_FAILURE_STYLE, mark="failed")
    # On the same connection mitmproxy would report the failure again, without another try.
    return cause.status, body, {**headers, "connection": "close"}
