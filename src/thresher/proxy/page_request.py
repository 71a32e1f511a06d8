"""A request for a page: what is to become of the page, as it is known before the page comes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from thresher.proxy.internal import make_badge
from thresher.proxy.navigation import destination_of
from thresher.proxy.rewrite import RewriteOptions
from thresher.proxy.settings import Profile
from thresher.proxy.state import ProxyState
from thresher.sites.rulebook import NO_RULES, HostRules

if TYPE_CHECKING:
    from mitmproxy import http

__all__ = ["PageRequest", "lower_names", "read_request"]


@dataclass(frozen=True, slots=True)
class PageRequest:
    """What is known of a page when its request came: it may end under other settings."""

    user: str | None
    url: str
    profile: Profile
    rules: HostRules
    options: RewriteOptions


def read_request(request: http.Request, user: str | None, state: ProxyState) -> PageRequest | None:
    """Return what is to become of the page that a request may be for; None for no page."""
    headers = lower_names(request.headers)
    destination = destination_of(request.method, headers)
    if not destination or _is_below(request.pretty_host, state.settings.never_intercept):
        return None
    url = request.pretty_url
    profile = state.settings.profile_of(user)
    rules = state.rulebook.of(url)
    once = state.temporary_views.get(user or "", url)
    view = once or rules.view or profile.view
    if view == "original" and not (once or rules.view):
        return None  # of all pages: nothing is to be seen of the proxy then
    is_part = destination == "iframe"
    has_badge = state.settings.mark and not is_part
    options = RewriteOptions(
        forced=bool(once or rules.view),
        is_part=is_part,
        is_guess="sec-fetch-dest" not in headers,
        is_plain="text/html" not in headers.get("accept", ""),
        badge=make_badge(state, user, url, view) if has_badge else None,
    )
    rules = replace(rules if rules else NO_RULES, view=view)
    return PageRequest(user, url, profile, rules, options)


def lower_names(headers: http.Headers) -> dict[str, str]:
    """Return headers by their names in lower case."""
    return {name.lower(): value for name, value in headers.items()}


def _is_below(host: str, hosts: tuple[str, ...]) -> bool:
    name = host.lower().rstrip(".")
    return any(name == each or name.endswith(f".{each}") for each in map(str.lower, hosts))
