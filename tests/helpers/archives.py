"""Pages saved as archives, for tests."""

from __future__ import annotations

import base64
import plistlib
import quopri


def mhtml(
    page: str,
    *,
    charset: str = "utf-8",
    encoding: str = "quoted-printable",
    kind: str = "text/html",
    url: str = "https://mill.example/1",
) -> bytes:
    """Write an archive as a browser does, with a style sheet behind the page."""
    body = page.encode(charset)
    if encoding == "base64":
        body = base64.encodebytes(body)
    elif encoding == "quoted-printable":
        body = quopri.encodestring(body)
    head = (
        "From: <Saved by a browser>\r\n"
        f"Snapshot-Content-Location: {url}\r\nSubject: A page\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/related;\r\n\ttype="text/html";\r\n'
        '\tboundary="----Part--7"\r\n\r\n'
        f'------Part--7\r\nContent-Type: {kind}; charset="{charset}"\r\n'
        f"Content-Transfer-Encoding: {encoding}\r\nContent-Location: {url}\r\n\r\n"
    )
    tail = (
        "\r\n------Part--7\r\nContent-Type: text/css\r\n"
        "Content-Location: cid:style\r\n\r\np { color: red }\r\n------Part--7--\r\n"
    )
    return head.encode() + body + tail.encode()


def webarchive(
    page: str,
    *,
    charset: str = "utf-8",
    fmt: plistlib.PlistFormat = plistlib.FMT_BINARY,
    url: str = "https://mill.example/1",
) -> bytes:
    """Write an archive as Safari does, with a picture and a frame beside the page."""
    main = {
        "WebResourceData": page.encode(charset),
        "WebResourceFrameName": "",
        "WebResourceMIMEType": "text/html",
        "WebResourceTextEncodingName": charset,
        "WebResourceURL": url,
    }
    picture = {
        "WebResourceData": b"GIF89a" + bytes(300),
        "WebResourceMIMEType": "image/gif",
        "WebResourceURL": "https://mill.example/a.gif",
    }
    frame = {"WebMainResource": {**main, "WebResourceData": b"<p>A frame about oats."}}
    whole = {
        "WebMainResource": main,
        "WebSubframeArchives": [frame],
        "WebSubresources": [picture, picture],
    }
    return plistlib.dumps(whole, fmt=fmt)
