"""Set-up and certificate pages: how a browser is told to use the proxy, and to trust it."""

from __future__ import annotations

import hashlib
import io
import json
import socket
import ssl
from pathlib import Path
from typing import Final, NamedTuple

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from thresher.errors import MissingExtraError
from thresher.proxy.own_pages import HOST
from thresher.proxy.pages.context import context_of, render, send_download
from thresher.proxy.pages.settings import offered_lists
from thresher.support.hosts import ascii_host, is_loopback

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
    never = context_of(request).state.settings.current.never_intercept
    pac = write_pac(*_address_of(request), never)
    return Response(pac, media_type="application/x-ns-proxy-autoconfig")


async def send_code(request: Request) -> Response:
    """Send a QR code of the certificate's address, for phones."""
    try:
        import segno  # only for this picture
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
    hosts = json.dumps([ascii_host(name.removeprefix("*.")) for name in direct])
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


class _File(NamedTuple):
    """One file format of the certificate; never with its private key."""

    suffix: str
    kind: str
    is_for: str

    @property
    def name(self) -> str:
        """Name under which it is offered."""
        return f"thresher-ca.{self.suffix}"

    @property
    def source(self) -> str:
        """Name of mitmproxy's file."""
        return f"mitmproxy-ca-cert.{self.suffix}"


_FILES: Final = (
    _File("pem", "application/x-pem-file", "Linux, macOS, Firefox, curl"),
    _File("cer", "application/x-x509-ca-cert", "Android, iOS, Windows"),
    _File("p12", "application/x-pkcs12", "Windows, without password"),
)
_PRIVATE: Final = b"PRIVATE KEY"
_SYSTEMS: Final = (
    ("android", "android"),
    ("iphone", "ios"),
    ("ipad", "ios"),
    ("firefox", "firefox"),
    ("windows", "windows"),
    ("mac os", "macos"),
    ("linux", "linux"),
)
"""Substring of User-Agent → help section to open; the first match applies."""
_TEST: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="220" height="36" viewBox="0 0 220 36">'
    '<rect width="220" height="36" rx="8" fill="#2a6a35"/><g fill="none" stroke="#fff" '
    'stroke-width="3" stroke-linecap="round"><path d="M14 18l6 6 11-13"/></g><text x="44" y="23" '
    'fill="#fff" font-family="sans-serif" font-size="15">Certificate is trusted</text></svg>'
)


async def show_certificate(request: Request) -> Response:
    """Show the page, with the help for the visitor's system open."""
    agent = request.headers.get("user-agent", "").lower()
    pem = await _read(context_of(request).ca_dir / _FILES[0].source)
    return render(
        request,
        "certificate.html",
        files=_FILES,
        system=next((name for word, name in _SYSTEMS if word in agent), ""),
        fingerprint=_fingerprint(pem) if pem else "",
        test=f"https://{HOST}/certificate/test.svg",
        secure=f"https://{HOST}/certificate",
        is_secure=request.scope["scheme"] == "https",
        proxy_port=context_of(request).state.started.listen_port,
    )


async def send_certificate(request: Request) -> Response:
    """Send the certificate file."""
    wanted = request.path_params["name"]
    file = next((offered for offered in _FILES if offered.name == wanted), None)
    body = await _read(context_of(request).ca_dir / file.source) if file else None
    if file is None or body is None:
        raise HTTPException(404, "there is no such certificate")
    return send_download(body, file.name, file.kind)


async def send_test(request: Request) -> Response:
    """Send the image that a browser loads only if it trusts the certificate."""
    headers = {"Cross-Origin-Resource-Policy": "cross-origin"}
    return Response(_TEST, media_type="image/svg+xml", headers=headers)


async def _read(path: Path) -> bytes | None:
    """Return the content of a file; None if it is missing or contains a private key."""
    try:
        body = await anyio.to_thread.run_sync(path.read_bytes)
    except OSError:
        return None
    return None if _PRIVATE in body else body


def _fingerprint(pem: bytes) -> str:
    """Return the SHA-256 of a certificate as systems display it; empty if it is invalid."""
    try:
        der = ssl.PEM_cert_to_DER_cert(pem.decode("ascii").strip())
    except ValueError:
        return ""
    return hashlib.sha256(der).digest().hex(":").upper()
