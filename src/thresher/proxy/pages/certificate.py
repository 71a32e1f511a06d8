"""Certificate page: download and installation of the proxy's CA certificate, and a trust test."""

from __future__ import annotations

import hashlib
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from thresher.proxy.own_pages import HOST
from thresher.proxy.pages.context import context_of, render

__all__ = ["send", "send_test", "show"]


@dataclass(frozen=True, slots=True)
class _File:
    """One file format of the certificate; never with its private key."""

    name: str
    source: str
    """Name of mitmproxy's file."""
    kind: str
    is_for: str


_FILES: Final = (
    _File(
        "thresher-ca.pem",
        "mitmproxy-ca-cert.pem",
        "application/x-pem-file",
        "Linux, macOS, Firefox, curl",
    ),
    _File(
        "thresher-ca.cer",
        "mitmproxy-ca-cert.cer",
        "application/x-x509-ca-cert",
        "Android, iOS, Windows",
    ),
    _File(
        "thresher-ca.p12",
        "mitmproxy-ca-cert.p12",
        "application/x-pkcs12",
        "Windows, without password",
    ),
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


async def show(request: Request) -> Response:
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
        proxy_port=context_of(request).started.listen_port,
    )


async def send(request: Request) -> Response:
    """Send the certificate file."""
    wanted = request.path_params["name"]
    file = next((each for each in _FILES if each.name == wanted), None)
    body = await _read(context_of(request).ca_dir / file.source) if file else None
    if file is None or body is None:
        raise HTTPException(404, "there is no such certificate")
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return Response(body, media_type=file.kind, headers=headers)


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
