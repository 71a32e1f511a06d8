"""Request for a page: how the page is to be rewritten, decided before it arrives."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from thresher.proxy.internal import make_badge
from thresher.proxy.navigation import destination_of, has_destination, wants_text
from thresher.proxy.picker import write_picker
from thresher.proxy.rewrite_model import RewriteOptions
from thresher.proxy.setting_checks import is_named
from thresher.proxy.settings import Profile
from thresher.proxy.site_addresses import address_of, origin_of
from thresher.proxy.state import ProxyState
from thresher.sites import Rules
from thresher.sites.rulebook import NO_RULES, HostRules

if TYPE_CHECKING:
    from mitmproxy import http

__all__ = ["PageRequest", "lower_names", "read_request"]


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
    if not destination or is_named(request.pretty_host, state.settings.never_intercept):
        return None
    url = address_of(request)
    profile = state.settings.profile_of(user)
    rules = state.rules_of(user, url)
    temporary = state.temporary_views.get(user or "", url)
    if temporary is None and wants_text(headers):
        temporary = "text"
    if request.method == "POST" and not result:
        result = secrets.token_urlsafe(16)
    view = temporary or rules.view or profile.view
    if view == "original" and not (temporary or rules.view):
        return None  # originals by default: the proxy must then be invisible
    is_part = destination == "iframe"
    has_badge = state.settings.mark and not is_part
    name = secrets.token_urlsafe(16) if has_badge and view == "inplace" else ""
    badge = (
        make_badge(state, user, url, view, result=result, client_host=client_host, page=name)
        if has_badge
        else None
    )
    picks = has_badge and bool(state.picking.take(user or "", url))
    if restored := state.restored.get(user or "", url):
        rules = replace(rules, rules=_restore(rules.rules, restored))
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
    rules = replace(rules if rules else NO_RULES, view=view)
    return PageRequest(user, url, profile, rules, options, result, name)


def _restore(rules: Rules, restored: tuple[str, ...]) -> Rules:
    """Return rules that keep some more."""
    return Rules(tuple(dict.fromkeys((*rules.keep, *restored))), rules.drop)


def lower_names(headers: http.Headers) -> dict[str, str]:
    """Return headers with their names in lower case."""
    return {name.lower(): value for name, value in headers.items()}
