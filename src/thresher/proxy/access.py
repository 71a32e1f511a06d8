"""HTTP basic authentication for the users in the settings."""

from __future__ import annotations

import asyncio

from mitmproxy import http
from mitmproxy.addons import proxyauth

from thresher.proxy.passwords import check_password
from thresher.proxy.state import ProxyState

__all__ = ["Access"]


class Access(proxyauth.ProxyAuth):
    """mitmproxy's authentication with the proxy's users; disabled while there are none."""

    name = "proxyauth"

    def __init__(self, state: ProxyState) -> None:
        super().__init__()
        self._state = state

    def load(self, loader: object) -> None:
        """Add no option: the addon that this one replaces has registered it already."""

    def configure(self, updated: set[str]) -> None:
        """Ignore mitmproxy's options."""

    @property
    def validator(self) -> proxyauth.Validator | None:
        """Function that checks a password; None while no password is required."""
        return self._check if self._state.settings.users else None

    async def http_connect(self, f: http.HTTPFlow) -> None:
        """Require a password before a tunnel is opened."""
        await self._check_ahead(f)
        super().http_connect(f)

    async def requestheaders(self, f: http.HTTPFlow) -> None:
        """Require a password before a request, unless the connection is authenticated."""
        await self._check_ahead(f)
        super().requestheaders(f)

    async def _check_ahead(self, f: http.HTTPFlow) -> None:
        """Check a password in a thread, to not block the event loop; the result is cached."""
        if not self.validator or f.client_conn in self.authenticated:
            return
        header = proxyauth.http_auth_header(proxyauth.is_http_proxy(f))
        try:
            _, name, password = proxyauth.parse_http_basic_auth(f.request.headers.get(header, ""))
        except ValueError:
            return
        await asyncio.to_thread(self._check, name, password)

    def _check(self, name: str, password: str) -> bool:
        user = self._state.settings.users.get(name)
        return user is not None and check_password(password, user.password)
