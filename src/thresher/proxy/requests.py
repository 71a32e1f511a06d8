"""What is done with a request: a page is rewritten, and what a list names is stopped.

How a page is to be rewritten is decided before it arrives, as settings may change later.

A navigation is not stopped: who opens an advertiser's page sees it. But where a list has a rule for
popups and another site opened the page, it is held back behind a link to go on. What kind of
request it is comes from Fetch Metadata, or else from the file's name and `Accept`; the page it is
for from `Referer` or `Origin`, which a site may hide. An answer with the right type and no content
keeps a page's scripts from failing, as an error would not.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from thresher.filters.address_rules import KINDS, Request
from thresher.filters.blocklist import AdRules, ad_rules_of
from thresher.filters.overlays import is_consent_service
from thresher.proxy.internal import make_badge
from thresher.proxy.navigation import (
    address_of,
    destination_of,
    has_destination,
    is_navigation,
    origin_of,
    wants_text,
)
from thresher.proxy.notices import write_popup_page
from thresher.proxy.picker import write_picker
from thresher.proxy.rewrite_model import RewriteOptions
from thresher.proxy.settings import Profile, is_named
from thresher.proxy.state import ProxyState
from thresher.sites import Rules
from thresher.sites.rulebook import HostRules
from thresher.support.hosts import host_of

if TYPE_CHECKING:
    from mitmproxy import http


@dataclass(frozen=True, slots=True)
class PageRequest:
    """View, rules and options of a page at the time of its request; settings may change later."""

    user: str | None
    url: str
    profile: Profile
    rules: HostRules
    options: RewriteOptions
    result: str = ""
    """Name under which a result of a form is to be kept; empty for other pages."""
    name: str = ""
    """Name under which the page is to be kept for the list of what was removed; or empty."""


def read_request(
    request: http.Request,
    user: str | None,
    state: ProxyState,
    *,
    result: str = "",
    client_host: str = "",
) -> PageRequest | None:
    """Return how the requested page is to be rewritten; None if it is not, or not a page.

    ``result`` is the name of a result of a form that answers the request, ``client_host`` the host
    and port by which the client knows the site.
    """
    headers = lower_names(request.headers)
    destination = destination_of(request.method, headers)
    if not destination or is_named(request.pretty_host, state.settings.current.never_intercept):
        return None
    url = address_of(request)
    profile = state.settings.current.profile_of(user)
    rules = state.rules_of(user, url)
    temporary = state.temporary_views.get(user, url)
    if temporary is None and wants_text(headers):
        temporary = "text"
    if request.method == "POST" and not result:
        result = secrets.token_urlsafe(16)
    view = temporary or rules.view or profile.view
    if view == "original" and not (temporary or rules.view):
        return None  # originals by default: the proxy must then be invisible
    is_part = destination == "iframe"
    has_badge = state.settings.current.mark and not is_part
    name = secrets.token_urlsafe(16) if has_badge and view == "inplace" else ""
    badge = (
        make_badge(state, user, url, view, result=result, client_host=client_host, page=name)
        if has_badge
        else None
    )
    picks = has_badge and bool(state.picking.take(user, url))
    options = RewriteOptions(
        forced=bool(temporary or rules.view),
        is_part=is_part,
        is_guess=not has_destination(headers),
        is_plain="text/html" not in headers.get("accept", ""),
        badge=badge,
        picker=write_picker(url) if picks else "",
        of_application=state.site_kinds.is_application(url),
        hidden_origin=origin_of(url) if state.is_reverse else "",
    )
    restored = Rules(keep=state.restored.get(user, url) or ())
    rules = HostRules(restored, view).over(rules)
    return PageRequest(user, url, profile, rules, options, result, name)


def lower_names(headers: http.Headers) -> dict[str, str]:
    """Return headers with their names in lower case."""
    return {name.lower(): value for name, value in headers.items()}


_KIND_OF_DESTINATION: Final[Mapping[str, str]] = {
    **dict.fromkeys(("script", "worker", "sharedworker", "serviceworker"), "script"),
    **dict.fromkeys(("audioworklet", "paintworklet"), "script"),
    "image": "image",
    "font": "font",
    **dict.fromkeys(("style", "xslt"), "stylesheet"),
    **dict.fromkeys(("audio", "video", "track"), "media"),
    **dict.fromkeys(("embed", "object"), "object"),
    **dict.fromkeys(("iframe", "frame", "fencedframe"), "subdocument"),
    "websocket": "websocket",
    "report": "ping",
}
_KIND_OF_NAME: Final[Mapping[str, str]] = {
    **dict.fromkeys(("js", "mjs"), "script"),
    **dict.fromkeys(("avif", "gif", "ico", "jpeg", "jpg", "png", "svg", "webp"), "image"),
    "css": "stylesheet",
    **dict.fromkeys(("woff", "woff2", "ttf", "otf"), "font"),
    **dict.fromkeys(("mp3", "mp4", "m3u8", "ogg", "webm"), "media"),
    **dict.fromkeys(("htm", "html"), "subdocument"),
}
_ASKING: Final = KINDS["script"] | KINDS["subdocument"]
"""Kinds of requests by which a consent service shows its dialog."""
_PIXEL: Final = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
"""A transparent GIF of one pixel."""
_EMPTY: Final[Mapping[str, tuple[int, bytes, str]]] = {
    "script": (200, b"", "text/javascript; charset=utf-8"),
    "stylesheet": (200, b"", "text/css; charset=utf-8"),
    "image": (200, _PIXEL, "image/gif"),
    "subdocument": (200, b"<!doctype html><title></title>", "text/html; charset=utf-8"),
}
"""Kind → status, body and type; for others 204."""


def stop_reason(
    url: str, headers: Mapping[str, str], user: str | None, state: ProxyState
) -> str | None:
    """Return the rule by which a request is stopped, None if it is not.

    Names in ``headers`` are in lower case.
    """
    settings = state.settings.current
    request = _read_request(url, headers) if settings.stop_requests else None
    if request is None:
        return None
    profile = settings.profile_of(user)
    stopping = _find_filter(request, ad_rules_of(profile.filters, state.blocklist))
    if stopping is None:
        return None
    page = _page_of(headers)
    rules = state.rules_of(user, page)
    is_original = (rules.view or profile.view) == "original"
    if is_original or state.temporary_views.shows_original(user, page):
        return None
    name, reason = stopping
    return reason if dict(rules.filters).get(name, getattr(profile.filters, name)) else None


def _find_filter(request: Request, ads: AdRules) -> tuple[str, str] | None:
    """Return the filter that stops a request, by its setting, and the reason; None if none does."""
    if ads.stops(request):
        return "ads", ads.explain(request)
    host = host_of(request.url)
    if request.kinds & _ASKING and is_consent_service(host, request.page_host):
        return "consent_scripts", f"{host} asks for consent"
    return None


def answer_stopped(url: str, headers: Mapping[str, str]) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers of the answer to a stopped request.

    It is empty, or for a popup a page with a link to go on. Any origin may read it, as scripts and
    fonts with ``crossorigin`` ask for.
    """
    if _is_popup(headers):
        return write_popup_page(url)
    kinds = _kinds_of(url, headers)
    status, body, content_type = _EMPTY.get(kinds[0], (204, b"", ""))
    origin = headers.get("origin")
    given = {
        "cache-control": "no-store",
        "access-control-allow-origin": origin or "*",
        "cross-origin-resource-policy": "cross-origin",
        "x-thresher": "stopped",
    }
    if content_type:
        given["content-type"] = content_type
    if origin:
        given["access-control-allow-credentials"] = "true"
        given["vary"] = "origin"
        for name in ("headers", "method"):
            if asked := headers.get(f"access-control-request-{name}"):
                given[f"access-control-allow-{name}{'s' if name == 'method' else ''}"] = asked
    return status, body, given


def _read_request(url: str, headers: Mapping[str, str]) -> Request | None:
    """Return a request of a page; None for a navigation that is no popup."""
    if _is_popup(headers):
        return Request(url, KINDS["popup"], host_of(_page_of(headers)) or None, True)
    if is_navigation(headers):
        return None
    kinds = sum(KINDS[kind] for kind in set(_kinds_of(url, headers)))
    site = headers.get("sec-fetch-site", "")
    is_third_party = {"cross-site": True, "same-site": False, "same-origin": False}.get(site)
    return Request(url, kinds, host_of(_page_of(headers)) or None, is_third_party)


def _is_popup(headers: Mapping[str, str]) -> bool:
    """Return whether another site opens a page; a popup cannot be told from a link.

    Forms are not meant: what was typed into one would be lost.
    """
    is_cross_site = headers.get("sec-fetch-site") == "cross-site"
    return is_cross_site and is_navigation(headers) and "origin" not in headers


def _page_of(headers: Mapping[str, str]) -> str:
    return headers.get("referer") or headers.get("origin") or ""


def _kinds_of(url: str, headers: Mapping[str, str]) -> tuple[str, ...]:
    """Return the kinds that a request may be of, the most likely first."""
    if headers.get("upgrade", "").lower() == "websocket":
        return ("websocket",)
    destination = headers.get("sec-fetch-dest")
    if destination and (kind := _KIND_OF_DESTINATION.get(destination)):
        return (kind,)
    accepted = headers.get("accept", "")
    if accepted.startswith("image/"):
        named = "image"
    elif accepted.startswith("text/css"):
        named = "stylesheet"
    else:
        name = url.partition("?")[0].rpartition("/")[2]
        named = _KIND_OF_NAME.get(name.rpartition(".")[2].lower() if "." in name else "", "")
    # A service worker asks for what a page needs without its destination.
    fetched = ("xmlhttprequest", "ping") if destination in ("empty", None) else ("other",)
    if named and "x-requested-with" not in headers and destination in ("empty", None):
        is_cors = headers.get("sec-fetch-mode") == "cors"
        return (*fetched, named) if is_cors else (named, *fetched)
    return fetched
