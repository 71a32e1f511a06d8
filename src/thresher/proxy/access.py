"""Who may use the proxy, and which hosts its users can reach.

Users give a password by HTTP basic authentication.

Whoever uses a proxy reaches the network of its machine: the router's settings, the services that
listen on the loopback address, the metadata of a cloud. So as soon as others may use the proxy,
each address that a name has must be public, unless its administrator allows it. The address that is
connected to is checked once more, since a name may be resolved anew in between (DNS rebinding);
nothing has been sent to it by then. CONNECT opens a tunnel to any service, such as mail, so only
the ports of the setting are open.
"""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from mitmproxy import http
from mitmproxy.addons import proxyauth
from mitmproxy.proxy.mode_specs import ReverseMode, UpstreamMode

from thresher.fetching.addresses import Resolver, is_public, resolve, system_resolver
from thresher.proxy.own_pages import HOST
from thresher.proxy.passwords import Lockout, check_password
from thresher.proxy.settings import ProxySettings, is_in_networks, is_named, is_within_ports
from thresher.proxy.state import ProxyState
from thresher.proxy.stream import close_connection
from thresher.support.hosts import source_of

if TYPE_CHECKING:
    from mitmproxy.proxy.server_hooks import ServerConnectionHookData


class Access(proxyauth.ProxyAuth):
    """mitmproxy's authentication with the proxy's users; disabled while there are none."""

    name = "proxyauth"

    def __init__(self, state: ProxyState) -> None:
        super().__init__()
        self._state = state
        self._lockout = Lockout()
        self._turns: WeakValueDictionary[object, asyncio.Lock] = WeakValueDictionary()

    def load(self, loader: object) -> None:
        """Add no option: the addon that this one replaces has registered it already."""

    def configure(self, updated: set[str]) -> None:
        """Ignore mitmproxy's options."""

    @property
    def validator(self) -> proxyauth.Validator | None:
        """Function that checks a password; None while no password is required."""
        return self._check if self._state.settings.current.users else None

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
                says = f"Too many wrong passwords. Try again in {left_s} seconds."
                f.response = _refuse(says, 429, {"retry-after": str(left_s)})
                return False
            if await asyncio.to_thread(self._check, name, password):
                self._lockout.succeed(key)
            else:
                self._lockout.fail(key)
        return True

    def _check(self, name: str, password: str) -> bool:
        user = self._state.settings.current.users.get(name)
        return user is not None and check_password(password, user.password)


_NOT_PUBLIC: Final = "this address is in a private network, which users of the proxy cannot reach"
_NOT_PUBLIC_PAGE: Final = (
    "This address is in a private network, which users of this proxy cannot reach. Its "
    "administrator can allow it: allowed_private."
)


class Fences:
    """Addon that refuses tunnels and connections to where users of a shared proxy must not get."""

    def __init__(self, state: ProxyState, *, resolver: Resolver = system_resolver) -> None:
        self._state = state
        self._resolver = resolver

    # Hooks that mitmproxy calls by name.

    async def http_connect(self, flow: http.HTTPFlow) -> None:
        """Refuse tunnels to other ports than those of the setting, and into private networks."""
        settings, request = self._state.settings.current, flow.request
        if flow.response or not settings.is_shared or request.host == HOST:
            return
        if not is_within_ports(request.port, settings.connect_ports):
            flow.response = _refuse(
                f"This proxy opens no tunnels to port {request.port}. Its administrator can allow "
                "the port: connect_ports."
            )
        elif await self._is_private(request.host, request.port):
            flow.response = _refuse(_NOT_PUBLIC_PAGE)

    async def requestheaders(self, flow: http.HTTPFlow) -> None:
        """Refuse requests into private networks that would go through the upstream proxy."""
        if flow.response or not isinstance(flow.client_conn.proxy_mode, UpstreamMode):
            return
        request = flow.request
        if not self._state.settings.current.is_shared or request.pretty_host == HOST:
            return
        if await self._is_private(request.host, request.port):
            flow.response = _refuse(_NOT_PUBLIC_PAGE)

    async def server_connect(self, data: ServerConnectionHookData) -> None:
        """Refuse a connection to a name or address that is not public."""
        if not self._is_fenced(data) or not data.server.address:
            return
        if await self._is_private(*data.server.address[:2]):
            data.server.error = _NOT_PUBLIC

    def server_connected(self, data: ServerConnectionHookData) -> None:
        """Close a connection whose address is not one of those that the name had before."""
        server = data.server
        if not self._is_fenced(data) or not server.address or not server.peername:
            return
        settings = self._state.settings.current
        is_allowed = is_named(server.address[0], settings.allowed_private)
        if not is_allowed and not _is_allowed(server.peername[0], settings):
            server.error = _NOT_PUBLIC
            close_connection(data.client, server)  # before anything is sent

    # Helpers.

    def _is_fenced(self, data: ServerConnectionHookData) -> bool:
        # The one server of a reverse proxy and the upstream proxy are the administrator's choice.
        chosen = isinstance(data.client.proxy_mode, ReverseMode | UpstreamMode)
        return self._state.settings.current.is_shared and not chosen

    async def _is_private(self, host: str, port: int) -> bool:
        settings = self._state.settings.current
        if is_named(host, settings.allowed_private):
            return False
        try:
            addresses = await asyncio.to_thread(resolve, host, port, self._resolver)
        except OSError:
            return False  # mitmproxy reports it, or the upstream proxy knows the name
        return not all(_is_allowed(address, settings) for address in addresses)


def _is_allowed(address: str, settings: ProxySettings) -> bool:
    plain = address.partition("%")[0]
    return is_public(plain) or is_in_networks(plain, settings.allowed_private)


def _refuse(
    message: str, status: int = 403, more_headers: dict[str, str] | None = None
) -> http.Response:
    headers = {"content-type": "text/plain; charset=utf-8", **(more_headers or {})}
    return http.Response.make(status, f"{message}\n", headers)
