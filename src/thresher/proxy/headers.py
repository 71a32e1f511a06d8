"""Header changes for rewritten pages: stale lengths, validators and digests are removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thresher.filters.disposal import HIDING_STYLE
from thresher.proxy.csp import SCRIPTS, STYLES, allow_source, hash_source
from thresher.proxy.page_parts import STYLE_SOURCE

if TYPE_CHECKING:
    from mitmproxy.http import Headers, HTTPFlow

_OF_THE_BYTES: Final = (
    "content-length content-encoding transfer-encoding trailer accept-ranges content-digest "
    "repr-digest digest content-md5 signature signature-input etag last-modified expires age pragma"
).split()
"""Invalid after a change: length and coding (RFC 9110), digests (RFC 9530, 3230, 1864), signatures
(RFC 9421), ranges and validators. Freshness is replaced by `Cache-Control` below."""
_CONDITIONS: Final = (
    "if-none-match if-modified-since if-match if-unmodified-since if-range"
).split()
_POLICIES: Final = ("content-security-policy", "content-security-policy-report-only")
_OF_THE_SITE: Final = (
    *_POLICIES,
    *"link nel report-to reporting-endpoints refresh origin-agent-cluster".split(),
    *"cross-origin-embedder-policy cross-origin-opener-policy document-policy".split(),
)
"""Headers about the site's own scripts and styles, which a generated page does not have."""
_STYLE_SOURCES: Final = (STYLE_SOURCE, hash_source(HIDING_STYLE))
"""Our own style sheets: of the badge, and of what is hidden."""
_NO_STORE: Final = "no-store"
_CACHE_CONTROL: Final = "private, no-cache"
"""A changed page depends on the user and the current settings: a browser may keep it for its back
button only, and must revalidate otherwise."""


def mark_changed(
    headers: Headers,
    *,
    content_type: str | None = None,
    is_encoded: bool = False,
    style_source: str = "",
    script_source: str = "",
) -> None:
    """Adapt the headers, in place, to a body that was changed.

    ``content_type`` replaces the server's; ``is_encoded``: the body is in the same coding again.
    The sources are those of a style sheet and of a script of ours in this page, besides the style
    sheets that any page may have.
    """
    coding = headers.get("content-encoding", "")
    for name in _OF_THE_BYTES:
        headers.pop(name, None)
    if is_encoded and coding:
        headers["content-encoding"] = coding
    is_secret = _NO_STORE in headers.get("cache-control", "").lower()
    headers["cache-control"] = f"{_CACHE_CONTROL}, {_NO_STORE}" if is_secret else _CACHE_CONTROL
    if content_type:
        headers["content-type"] = content_type
    for name in _POLICIES:
        if name in headers:
            values = headers.get_all(name)
            for source in filter(None, (*_STYLE_SOURCES, style_source)):
                values = [allow_source(value, source, STYLES) for value in values]
            if script_source:
                values = [allow_source(value, script_source, SCRIPTS) for value in values]
            headers.set_all(name, [value for value in values if value])


def replace_policy(headers: Headers, policy: str) -> None:
    """Replace the headers about the site's page by the policy of a generated page."""
    for name in _OF_THE_SITE:
        headers.pop(name, None)
    headers["content-security-policy"] = policy
    headers["x-content-type-options"] = "nosniff"


def drop_conditions(headers: Headers) -> None:
    """Remove the conditional headers of a request.

    Otherwise a server could answer 304 Not Modified, and a changed view would never show.
    """
    for name in _CONDITIONS:
        headers.pop(name, None)


def mark_early(flow: HTTPFlow, *, is_encoded: bool, style_source: str = "") -> None:
    """Mark a page as changed whose head is sent before its length is known."""
    response = flow.response
    assert response
    mark_changed(response.headers, is_encoded=is_encoded, style_source=style_source)
    if not response.is_http2 and flow.request.http_version != "HTTP/1.0":
        response.http_version = "HTTP/1.1"
        response.headers["transfer-encoding"] = "chunked"
