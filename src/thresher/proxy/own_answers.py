"""mitmproxy addon: answers requests to the proxy itself, at its own name or below a site's path.

Clients of a reverse or transparent proxy cannot reach the proxy by name. For them it answers below
a well-known path (RFC 8615) of every site, and there only the links of the badge.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from mitmproxy import http
from mitmproxy.addons import asgiapp
from mitmproxy.proxy.mode_specs import RegularMode, UpstreamMode

from thresher.proxy import internal
from thresher.proxy.own_pages import HOST, PREFIX, Question
from thresher.proxy.removed_page import REMOVED, answer_removed
from thresher.proxy.site_addresses import address_of, origin_of
from thresher.proxy.state import ProxyState
from thresher.proxy.stream import CLIENT_HOST
from thresher.serving.pool import Pool

__all__ = ["AsgiApp", "OwnAnswers", "client_host_of", "is_own", "user_of"]

AsgiApp = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]


class OwnAnswers:
    """Answers to the links of the badge, and the settings application."""

    def __init__(self, state: ProxyState, pool: Pool, pages: AsgiApp | None = None) -> None:
        """``pages`` is the settings application, served at the proxy's own address."""
        self._state = state
        self._pool = pool
        self._pages = pages

    async def request(self, flow: http.HTTPFlow) -> None:
        """Answer a request to the proxy itself."""
        if flow.response or not is_own(flow):
            return
        user = user_of(flow)
        path, _, query = flow.request.path.partition("?")
        is_local = flow.request.pretty_host != HOST
        if is_local or path.startswith(PREFIX):
            question = Question(
                flow.request.method,
                path,
                query,
                flow.request.content or b"",
                flow.request.headers.get("origin"),
                user,
                site=origin_of(address_of(flow.request)) if is_local else "",
            )
            if question.path == REMOVED and not is_local:
                said = await answer_removed(self._state, self._pool, question)
            else:
                said = internal.answer(self._state, question)
            flow.response = http.Response.make(said.status, said.body, dict(said.headers))
        elif self._pages is not None:
            pages = self._pages

            async def ask(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
                scope["state"] = {"user": user}
                scope["scheme"] = scope["scheme"].lower()
                await pages(scope, receive, send)

            await asgiapp.serve(ask, flow)
        else:
            flow.response = http.Response.make(404, b"The settings page is not installed.")


def is_own(flow: http.HTTPFlow) -> bool:
    """Return whether a request is to the proxy itself."""
    if flow.request.pretty_host == HOST:
        return True
    is_named = isinstance(flow.client_conn.proxy_mode, RegularMode | UpstreamMode)
    return not is_named and flow.request.path.startswith(internal.LOCAL_PREFIX)


def client_host_of(flow: http.HTTPFlow) -> str:
    """Return the host and port by which a client knows the site; empty if it named none.

    A web server in front of the proxy may have put its own address in the place of what the client
    named; most then say the client's in X-Forwarded-Host.
    """
    forwarded = str(flow.request.headers.get("x-forwarded-host", "")).partition(",")[0].strip()
    return forwarded or flow.metadata.get(CLIENT_HOST) or ""


def user_of(flow: http.HTTPFlow) -> str | None:
    """Return the name of the authenticated user; None without authentication."""
    found = flow.metadata.get("proxyauth")
    return found[0] if found else None
