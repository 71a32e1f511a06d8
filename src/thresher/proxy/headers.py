"""Headers of a page that was changed: no length, no validator, no digest of what it was before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thresher.proxy.badge import STYLE_SOURCE
from thresher.proxy.csp import allow_style

if TYPE_CHECKING:
    from mitmproxy.http import Headers

__all__ = ["drop_conditions", "mark_changed", "replace_policy"]

_OF_THE_BYTES: Final = (
    # What no longer holds: of the length and the coding (RFC 9110), their digests (RFC 9530, 3230,
    # 1864), signatures over both (RFC 9421), and parts of it.
    *("content-length", "content-encoding", "transfer-encoding", "trailer", "accept-ranges"),
    *("content-digest", "repr-digest", "digest", "content-md5", "signature", "signature-input"),
    *("etag", "last-modified"),
    # How long it is fresh: `Cache-Control` below says that.
    *("expires", "age", "pragma"),
)
_CONDITIONS: Final = (
    *("if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range"),
)
_POLICIES: Final = ("content-security-policy", "content-security-policy-report-only")
_OF_THE_SITE: Final = (
    *_POLICIES,
    *("link", "nel", "report-to", "reporting-endpoints", "refresh", "origin-agent-cluster"),
    *("cross-origin-embedder-policy", "cross-origin-opener-policy", "document-policy"),
)
"""What speaks of a page's own scripts and styles, which a page of ours has none of."""
_NO_STORE: Final = "no-store"
_CACHE_CONTROL: Final = "private, no-cache"
"""A changed page is this user's, with the settings of now: a browser may keep it for its back
button, and asks again for anything else."""


def mark_changed(headers: Headers, *, content_type: str | None = None) -> None:
    """Change the headers of a page in place for a body that is not the server's.

    With ``content_type`` in place of the server's.
    """
    for name in _OF_THE_BYTES:
        headers.pop(name, None)
    is_secret = _NO_STORE in headers.get("cache-control", "").lower()
    headers["cache-control"] = f"{_CACHE_CONTROL}, {_NO_STORE}" if is_secret else _CACHE_CONTROL
    if content_type:
        headers["content-type"] = content_type
    for name in _POLICIES:
        if name in headers:
            values = [allow_style(value, STYLE_SOURCE) for value in headers.get_all(name)]
            headers.set_all(name, [value for value in values if value])


def replace_policy(headers: Headers, policy: str) -> None:
    """Put the policy of a page of ours in the place of all that was about the site's."""
    for name in _OF_THE_SITE:
        headers.pop(name, None)
    headers["content-security-policy"] = policy
    headers["x-content-type-options"] = "nosniff"


def drop_conditions(headers: Headers) -> None:
    """Take the conditions out of a request: a browser may have the page as it was before.

    Without this a server could say that nothing has changed, and a changed view would never show.
    """
    for name in _CONDITIONS:
        headers.pop(name, None)
