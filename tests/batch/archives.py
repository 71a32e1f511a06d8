"""Pages and WARC archives for the tests of batches."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Self

from thresher.batch.model import Item, Record, Settings


def page_of(number: int, words: str = "rye barley oats wheat") -> bytes:
    """Return a page whose text contains its number."""
    text = " ".join(f"{word}{number}" for word in words.split())
    return f"<title>Page {number}</title><h1>Sheaf {number}</h1><p>{text} in the barn.</p>".encode()


def record_of(
    id: str,
    body: bytes,
    *,
    url: str = "http://farm.example/",
    kind: str = "response",
    headers: str = "Content-Type: text/html; charset=utf-8",
    status: str = "200 OK",
) -> bytes:
    """Return a record of a WARC archive (ISO 28500); its id is a URN, unless it is an address."""
    name = id if ":" in id else f"urn:{id}"
    lines = "".join(f"{line}\r\n" for line in headers.splitlines())
    block = f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <{name}>\r\n"
        f"WARC-Date: 2026-11-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: application/http; msgtype={kind}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def archived(numbers: Iterable[int]) -> list[bytes]:
    """Return a record for the page of each number."""
    return [
        record_of(str(number), page_of(number), url=f"http://farm.example/{number}")
        for number in numbers
    ]


def response(url: str, html: str) -> bytes:
    """Return the record of a page, with its URL as id."""
    return record_of(url, html.encode(), url=url)


def write_warc(path: Path, records: Sequence[bytes]) -> str:
    """Write an archive with one member per record, as crawlers do; return its path."""
    path.write_bytes(b"".join(map(gzip.compress, records)))
    return str(path)


def spans_of(records: Sequence[bytes]) -> list[tuple[int, int]]:
    """Return the first byte and the end of each record in such an archive."""
    return list(pairwise(accumulate(map(len, map(gzip.compress, records)), initial=0)))


def archive(numbers: Iterable[int]) -> bytes:
    """Return an archive of these records, each compressed separately, as crawlers do."""
    return b"".join(map(gzip.compress, archived(numbers)))


class Inline:
    """Replaces the guard: works in this process, and returns the words of the page."""

    def __init__(self, settings: Settings, n_worker: int) -> None:
        self.settings = settings
        self.n_begun = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *trouble: object) -> None:
        return None

    def extract(self, items: Iterable[Item]) -> Iterator[Record]:
        for item in items:
            self.n_begun += 1
            body = item.body.encode() if isinstance(item.body, str) else item.body
            text = body.decode("utf-8", "replace")
            yield Record(item.id, item.url, text=text, verdict="content", n_bytes=len(body))
