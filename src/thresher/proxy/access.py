"""HTTP basic authentication for the users in the settings, with a lock-out after failures."""

from __future__ import annotations

import asyncio
import math
from weakref import WeakValueDictionary

from mitmproxy import http
from mitmproxy.addons import proxyauth

from thresher.proxy.lockout import Lockout
from thresher.proxy.passwords import check_password
from thresher.proxy.state import ProxyState
from thresher.support.hosts import source_of

__all__ = ["Access"]


class Access(proxyauth.ProxyAuth):
    """mitmproxy's authentication with the proxy's users; disabled while there are none."""

    name = "proxyauth"

    def __init__(self, state: ProxyState, lockout: Lockout | None = None) -> None:
        super().__init__()
        self._state = state
        self._lockout = lockout or Lockout()
        self._turns: WeakValueDictionary[object, asyncio.Lock] = WeakValueDictionary()

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
        if await self._check_ahead(f):
            super().http_connect(f)

    async def requestheaders(self, f: http.HTTPFlow) -> None:
        """Require a password before a request, unless the connection is authenticated."""
        if await self._check_ahead(f):
            super().requestheaders(f)

    async def _check_ahead(self, f: http.HTTPFlow) -> bool:
        """Check a password in a thread, to not block the event loop; the result is cached.

        Return False, with an answer in the flow, if none is checked because of earlier failures.
        """
        if not self.validator or f.client_conn in self.authenticated:
            return True
        header = proxyauth.http_auth_header(proxyauth.is_http_proxy(f))
        try:
            _, name, password = proxyauth.parse_http_basic_auth(f.request.headers.get(header, ""))
        except ValueError:
            return True  # none was given
        key = (source_of(f.client_conn.peername[0]), name)
        # One after the other: many guesses at once would all be checked before the first failure.
        async with self._turns.setdefault(key, asyncio.Lock()):
            if left_s := math.ceil(self._lockout.left_s(key)):
                f.response = _put_off(left_s)
                return False
            if await asyncio.to_thread(self._check, name, password):
                self._lockout.succeed(key)
            else:
                self._lockout.fail(key)
        return True

    def _check(self, name: str, password: str) -> bool:
        user = self._state.settings.users.get(name)
        return user is not None and check_password(password, user.password)


def _put_off(left_s: int) -> http.Response:
    return http.Response.make(
        429,
        f"Too many wrong passwords. Try again in {left_s} seconds.\n",
        {"content-type": "text/plain; charset=utf-8", "retry-after": str(left_s)},
    )
