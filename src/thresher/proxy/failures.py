"""mitmproxy addon: explains to a person why a page could not be opened.

Only a person who opens a page sees an explanation; programs and scripts get mitmproxy's errors. If
a host cannot be reached, browsers show nothing of what a proxy answers to CONNECT, so a browser's
tunnel is accepted all the same, and the page is the answer to the request in it.
"""

from __future__ import annotations

from mitmproxy import http, tls

from thresher.proxy.failure_page import write_failure_page
from thresher.proxy.navigation import destination_of
from thresher.proxy.never_form import never_address
from thresher.proxy.own_answers import user_of
from thresher.proxy.page_request import lower_names
from thresher.proxy.setting_checks import is_named
from thresher.proxy.site_addresses import address_of, site_name_of
from thresher.proxy.state import ProxyState
from thresher.proxy.stream import ACCEPTS_TUNNEL, FAILURE

__all__ = ["Failures"]


class Failures:
    """Pages in the place of errors."""

    def __init__(self, state: ProxyState) -> None:
        self._state = state

    # Hooks that mitmproxy calls by name.

    def http_connect(self, flow: http.HTTPFlow) -> None:
        """Accept a browser's tunnel whether or not its host can be reached."""
        is_passed = is_named(flow.request.host, self._state.settings.never_intercept)
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
            and self._state.settings.may_administer(user)
        )
        status, body, given = write_failure_page(
            site_name_of(request),
            flow.error.msg,
            never=never_address(url) if is_offered else "",
            is_form=request.method == "POST",
        )
        self._state.log.add(user, url, "failed", flow.error.msg)
        flow.metadata[FAILURE] = http.Response.make(status, body, given)


def _is_browser(request: http.Request) -> bool:
    return "mozilla" in request.headers.get("user-agent", "").lower()
