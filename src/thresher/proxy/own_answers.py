"""mitmproxy addons that answer for others: requests to the proxy itself, and pages that failed.

Clients of a reverse or transparent proxy cannot reach the proxy by name. For them it answers below
a well-known path (RFC 8615) of every site, and there only the links of the badge.

Only a person who opens a page sees an explanation of a failure; programs and scripts get
mitmproxy's errors. If a host cannot be reached, browsers show nothing of what a proxy answers to
CONNECT, so a browser's tunnel is accepted all the same, and the page is the answer to the request
in it.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

from mitmproxy import http, tls
from mitmproxy.addons import asgiapp
from mitmproxy.proxy.mode_specs import RegularMode, UpstreamMode

from thresher.proxy import internal
from thresher.proxy.navigation import address_of, destination_of, origin_of, site_name_of
from thresher.proxy.notices import write_failure_page
from thresher.proxy.own_pages import HOST, PREFIX, Question, RefusedError
from thresher.proxy.removed_page import REMOVED, answer_removed
from thresher.proxy.requests import lower_names
from thresher.proxy.settings import is_named
from thresher.proxy.state import ProxyState
from thresher.proxy.stream import ACCEPTS_TUNNEL, CLIENT_HOST, FAILURE
from thresher.serving.pool import Pool

if TYPE_CHECKING:
    from thresher.serving.http_server import AsgiApp


class OwnAnswers:
    """Answers to the links of the badge, and the settings application."""

    def __init__(self, state: ProxyState, pool: Pool, pages: AsgiApp) -> None:
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
            try:
                if question.path == REMOVED and not is_local:
                    said = await answer_removed(self._state, self._pool, question)
                else:
                    said = internal.answer(self._state, question)
            except RefusedError as error:
                said = error.answer
            flow.response = http.Response.make(said.status, said.body, dict(said.headers))
        else:

            async def ask(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
                scope["state"] = {"user": user}
                scope["scheme"] = scope["scheme"].lower()
                await self._pages(scope, receive, send)

            await asgiapp.serve(ask, flow)


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
    authenticated = flow.metadata.get("proxyauth")
    return authenticated[0] if authenticated else None


class Failures:
    """Pages in the place of errors."""

    def __init__(self, state: ProxyState) -> None:
        self._state = state

    # Hooks that mitmproxy calls by name.

    def http_connect(self, flow: http.HTTPFlow) -> None:
        """Accept a browser's tunnel whether or not its host can be reached."""
        is_passed = is_named(flow.request.host, self._state.settings.current.never_intercept)
        if not flow.response and not is_passed and _is_browser(flow.request):
            flow.metadata[ACCEPTS_TUNNEL] = True

    def tls_clienthello(self, hello: tls.ClientHelloData) -> None:
        """Try no host again that could not be reached just now."""
        if hello.context.server.error:
            hello.establish_server_tls_first = False

    def error(self, flow: http.HTTPFlow) -> None:
        """Write the page for a person."""
        if not flow.error or flow.response:
            return
        request, url = flow.request, address_of(flow.request)
        headers = lower_names(request.headers)
        is_page = destination_of(request.method, headers) and "html" in headers.get("accept", "")
        if not is_page or not _is_browser(request):
            return
        user = user_of(flow)
        is_offered = (
            self._state.started.mode == "regular"
            and request.scheme == "https"
            and self._state.settings.current.may_administer(user)
        )
        status, body, given = write_failure_page(
            site_name_of(request),
            flow.error.msg,
            never=internal.never_address(url) if is_offered else "",
            is_form=request.method == "POST",
        )
        self._state.log.add(user, url, "failed", flow.error.msg)
        flow.metadata[FAILURE] = http.Response.make(status, body, given)


def _is_browser(request: http.Request) -> bool:
    return "mozilla" in request.headers.get("user-agent", "").lower()
