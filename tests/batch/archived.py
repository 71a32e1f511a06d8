"""WARC archives for tests."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

__all__ = ["response", "write_warc"]


def response(url: str, html: str) -> bytes:
    """Return a response record (ISO 28500) of a page, with its URL as id."""
    body = html.encode()
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
    block = http + b"Content-Length: %d\r\n\r\n" % len(body) + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <{url}>\r\n"
        f"WARC-Target-URI: {url}\r\nWARC-Date: 2026-11-01T00:00:00Z\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def write_warc(path: Path, records: Sequence[bytes]) -> str:
    """Write an archive with one member per record, as crawlers do; return its path."""
    path.write_bytes(b"".join(gzip.compress(record) for record in records))
    return str(path)
