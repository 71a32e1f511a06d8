"""Set-up page: how a browser is told to use the proxy, by hand or by a PAC file."""

from __future__ import annotations

import io
import json
import socket
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from thresher.errors import MissingExtraError
from thresher.proxy.own_pages import HOST
from thresher.proxy.pages.context import context_of, render
from thresher.proxy.pages.lists import offered_lists
from thresher.proxy.setting_checks import is_loopback
from thresher.support.hosts import ascii_host

__all__ = ["send_code", "send_pac", "show", "write_pac"]

_ANYWHERE: Final = ("", "0.0.0.0", "::")
_OUTSIDE: Final = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): nothing is sent there, only a route is looked up."""
_CERTIFICATE: Final = f"http://{HOST}/certificate"
_CODE_SCALE: Final = 5
"""Pixels of each module of the QR code."""


async def show(request: Request) -> Response:
    """Show the proxy's address, and the steps for each browser."""
    state = context_of(request).state
    host, port = _address_of(request)
    own = state.started.settings_port
    return render(
        request,
        "setup.html",
        host=host,
        port=port,
        is_shared=not is_loopback(host),
        # A browser without the proxy reaches the port only.
        pac=f"http://{f'127.0.0.1:{own}' if own else HOST}/proxy.pac",
        certificate=_CERTIFICATE,
        offered=offered_lists(context_of(request)),
        is_regular=state.started.mode == "regular",
    )


async def send_pac(request: Request) -> Response:
    """Send the PAC file, from which browsers learn what goes through the proxy."""
    never = context_of(request).state.settings.never_intercept
    pac = write_pac(*_address_of(request), never)
    return Response(pac, media_type="application/x-ns-proxy-autoconfig")


async def send_code(request: Request) -> Response:
    """Send a QR code of the certificate's address, for phones."""
    try:
        import segno  # noqa: PLC0415 - only for this picture
    except ImportError as error:
        raise MissingExtraError("the QR code", "proxy") from error
    picture = io.BytesIO()
    code = segno.make_qr(_CERTIFICATE)
    code.save(picture, kind="svg", scale=_CODE_SCALE, light="white", xmldecl=False)
    return Response(picture.getvalue(), media_type="image/svg+xml")


def write_pac(host: str, port: int, direct: tuple[str, ...]) -> str:
    """Write a PAC file: everything goes through the proxy, but for some hosts and local names.

    If the proxy does not run, browsers ask servers directly.
    """
    place = f"[{host}]" if ":" in host else host
    hosts = json.dumps([ascii_host(each.removeprefix("*.")) for each in direct])
    return (
        "function FindProxyForURL(url, host) {\n"
        f'  if (host === "{HOST}") return "PROXY {place}:{port}";\n'
        '  if (isPlainHostName(host)) return "DIRECT";\n'
        f"  var direct = {hosts};\n"
        "  for (var i = 0; i < direct.length; i++)\n"
        '    if (host === direct[i] || dnsDomainIs(host, "." + direct[i])) return "DIRECT";\n'
        f'  return "PROXY {place}:{port}; DIRECT";\n'
        "}\n"
    )


def _address_of(request: Request) -> tuple[str, int]:
    """Return the address by which browsers reach the proxy."""
    state = context_of(request).state
    host = state.started.listen_host
    port = state.listening_port or state.started.listen_port
    return (_find_own_address() if host in _ANYWHERE else host), port


def _find_own_address() -> str:
    """Return this machine's address in its network, or its name if it has none."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(_OUTSIDE)
            return str(probe.getsockname()[0])
    except OSError:
        return socket.gethostname()
