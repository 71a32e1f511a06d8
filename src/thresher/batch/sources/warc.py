"""WARC archives (ISO 28500): their HTML responses.

`fastwarc` reads the records. It ends silently at a truncation, and stops at a malformed header. So
it reads one member of the file at a time, each record is compared with its declared length, and
after damage the next record is searched for.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, Final

from thresher.batch.model import Item
from thresher.batch.sources.base import (
    Entry,
    IsDone,
    Place,
    ReadOptions,
    SourceTally,
    Unreadable,
    open_source,
)
from thresher.batch.sources.files import Members, sniff_codec
from thresher.errors import MissingExtraError

WARC_START: Final = b"WARC/"
_MARK: Final = b"\r\n\r\nWARC/1."
"""The start of a record, after a blank line; used to find the next record after damage."""
_SCAN_BYTES: Final = 2**20
_HTML_TYPES: Final = ("text/html", "application/xhtml+xml")
_OK: Final = range(200, 300)
"""HTTP statuses of pages; other responses are not pages of the site."""
_DIGEST_BYTES: Final = 12
"""Digest size of an id, large enough to avoid collisions among a billion ids."""
_ROOM: Final = 16
"""Maximum size of a record relative to a page: an encoded body can be longer."""


def read_warc(
    place: Place, options: ReadOptions, tally: SourceTally, is_done: IsDone
) -> Iterator[tuple[int, Entry]]:
    """Read the HTML responses of one archive (a `thresher.batch.sources.base.Read`).

    The file is plain or compressed with gzip or Zstandard, per record or as a whole.
    """
    with open_source(Path(place.paths[0]), tally) as file:
        codec = sniff_codec(file)
        if codec:
            members = Members(file, codec, tally, name=place.name, starts_with=WARC_START)
            ids = _RecordIds()
            while members.next_member():
                yield from _read_stream(members, place.name, options, tally, is_done, ids=ids)
        else:
            yield from _read_plain(file, place.name, options, tally, is_done)
    tally.n_byte = place.n_byte


def _read_plain(
    file: BinaryIO, name: str, options: ReadOptions, tally: SourceTally, is_done: IsDone
) -> Iterator[tuple[int, Entry]]:
    """Read an uncompressed archive, from one damaged place to the next."""
    start: int | None = 0
    ids = _RecordIds()
    while start is not None:
        file.seek(start)
        window = _Window(file, start)
        n_damage = len(tally.damage)
        yield from _read_stream(window, name, options, tally, is_done, ids=ids)
        if len(tally.damage) == n_damage:
            return
        start = find_record(file, window.last_start + len(WARC_START))


class _Window:
    """The rest of a file as a stream."""

    is_whole = True

    def __init__(self, file: BinaryIO, start: int) -> None:
        self._file = file
        self._start = start
        self.last_start = start
        """Offset in the file of the last intact record."""

    def read(self, size: int) -> bytes:
        return self._file.read(size)

    def tell(self) -> int:
        return self._file.tell() - self._start

    def note(self, position: int) -> None:
        self.last_start = self._start + position


def find_record(file: BinaryIO, at: int) -> int | None:
    """Return the place from which the next record of a plain file begins; None without one."""
    while True:
        file.seek(at)
        window = file.read(_SCAN_BYTES + len(_MARK))
        offset = window.find(_MARK)
        if offset >= 0:
            return at + offset + len(_MARK) - len(b"WARC/1.")
        if len(window) <= _SCAN_BYTES:
            return None
        at += _SCAN_BYTES


class _RecordIds:
    """Makes the ids of records unique: concatenated archives may contain a record twice."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()
        """Digests of the ids so far; an archive has tens of thousands."""

    def make(self, id: str, position: int) -> str:
        """Return the id of a record, with its position appended if the id was used before."""
        digest = blake2b(id.encode("utf-8", "surrogateescape"), digest_size=_DIGEST_BYTES).digest()
        if digest in self._seen:
            return f"{id}#{position}"
        self._seen.add(digest)
        return id


def _read_stream(
    stream: Members | _Window,
    name: str,
    options: ReadOptions,
    tally: SourceTally,
    is_done: IsDone,
    *,
    ids: _RecordIds,
) -> Iterator[tuple[int, Entry]]:
    """Read records until the end of a stream or a malformed header."""
    records = iter(_open(stream))
    while True:
        try:
            record = next(records, None)
        except Exception as error:
            if stream.is_whole:  # otherwise the damage is already noted
                tally.damage.append(f"{name}: a record cannot be read: {error}")
            return
        if record is None:
            return
        if isinstance(stream, _Window):
            tally.n_byte = stream.tell()
            stream.note(record.stream_pos)
        declared = record.headers.get("Content-Length")
        if declared is None:  # the header itself is cut off
            if stream.is_whole:
                tally.damage.append(f"{name}: it ends within the header of a record")
            return
        kind = _refuse(record)
        if kind:
            tally.skipped[kind] += 1
            continue
        position = tally.take()
        id = ids.make(str(record.record_id), position)
        raw = _read_raw(record, options)
        if isinstance(raw, bytes) and len(raw) < _wanted(record, options) and stream.is_whole:
            tally.damage.append(f"{name}: it ends within the record {id}")
        if not is_done(position):  # one that is done may still be damage
            yield position, _entry_of(record, raw, options, id=id)


def _refuse(record: Any) -> str | None:
    """Return why a record is not a page, None if it is one."""
    kind = str(record.record_type)
    if kind != "response":
        return f"{kind} record"
    http = record.http_headers
    if not record.is_http or http is None:
        return "response that is not HTTP"
    if http.status_code not in _OK:
        return f"HTTP status {http.status_code}"
    media = (
        record.headers.get("WARC-Identified-Payload-Type")
        or (http.get("Content-Type") or "").partition(";")[0]
    )
    media = media.strip().lower()
    if media and media not in _HTML_TYPES:
        return "media type that is not HTML"
    return None


def _wanted(record: Any, options: ReadOptions) -> int:
    """Return the number of bytes to read of a record."""
    return int(min(record.content_length, options.max_bytes * _ROOM))


def _read_raw(record: Any, options: ReadOptions) -> bytes | Exception:
    """Return the content of a record, as far as it is there, or why it cannot be read."""
    wanted = _wanted(record, options)
    try:
        raw: bytes = record.reader.read(wanted) if wanted else b""
        while len(raw) < wanted and (more := record.reader.read(wanted - len(raw))):
            raw += more
    except Exception as error:
        return error
    return raw


def _entry_of(record: Any, raw: bytes | Exception, options: ReadOptions, *, id: str) -> Entry:
    """Return the page of a record; a truncated one is unreadable."""
    url = record.headers.get("WARC-Target-URI")
    url = url.strip("<>") if url else None
    if isinstance(raw, Exception):
        return Unreadable(id, f"InputError: the record cannot be read: {raw}", url)
    if len(raw) < _wanted(record, options):
        return Unreadable(id, f"InputError: the archive is damaged within the record {id}", url)
    http = record.http_headers
    transfer, content = http.get("Transfer-Encoding") or "", http.get("Content-Encoding") or ""
    body = decode_body(raw, transfer, content, options.max_bytes + 1)
    return Item(id, body, url, record.http_charset)


def _open(stream: Members | _Window) -> Any:
    try:
        from fastwarc.warc import ArchiveIterator
    except ImportError as error:
        raise MissingExtraError("reading WARC files", "batch") from error
    make: Any = ArchiveIterator  # accepts any object with `read`
    return make(stream, parse_http=True, auto_decode="none", stream_detect=False)


_CHUNK_LINE: Final = re.compile(rb"(?:\r?\n)?([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?\r?\n")
"""Size line of a chunk (RFC 9112, 7.1), after the end of the previous one."""
_PIECE_BYTES: Final = 65536
_ZLIB_BITS: Final = (47, -15)
"""Window bits: gzip or zlib by header detection; raw deflate, which some servers send."""


def decode_body(raw: bytes, transfer: str, content: str, max_bytes: int) -> bytes:
    """Undo the Transfer-Encoding and the Content-Encoding of a body, given as header values.

    At most ``max_bytes`` are returned; of a truncated or corrupt body, the part before the error.
    """
    from fastwarc import stream_io

    body = raw
    if "chunked" in transfer.lower():
        body = _join_chunks(body) or body
    # The last coding of the list was applied last (RFC 9110, 8.4).
    for coding in reversed([name.strip().lower() for name in content.split(",")]):
        match coding:
            case "gzip" | "x-gzip" | "deflate":
                body = _inflate(body, max_bytes)
            case "br":
                body = _read(stream_io.BrotliReader, body, max_bytes)
            case "zstd":
                body = _read(stream_io.ZstdReader, body, max_bytes)
    return body[:max_bytes]


def _join_chunks(body: bytes) -> bytes:
    # fastwarc's reader returns nothing for a truncated body, and does not support extensions.
    chunks, at = [], 0
    while (line := _CHUNK_LINE.match(body, at)) and (size := int(line[1], 16)):
        chunks.append(body[line.end() : line.end() + size])
        at = line.end() + size
    return b"".join(chunks)


def _inflate(body: bytes, max_bytes: int) -> bytes:
    for bits in _ZLIB_BITS:
        decoder = zlib.decompressobj(wbits=bits)
        try:
            return decoder.decompress(body, max_bytes)
        except zlib.error:
            # One call returns all or nothing, so the intact part is decoded in small steps.
            part = _inflate_part(body, bits, max_bytes)
            if part:
                return part
    return body


def _inflate_part(body: bytes, bits: int, max_bytes: int) -> bytes:
    decoder, out = zlib.decompressobj(wbits=bits), b""
    try:
        for at in range(0, len(body), 256):
            out += decoder.decompress(body[at : at + 256], max_bytes - len(out) or 1)
            if len(out) >= max_bytes:
                break
    except zlib.error:
        pass
    return out


def _read(make: Any, body: bytes, max_bytes: int) -> bytes:
    pieces, n_byte = [], 0
    try:
        reader = make(io.BytesIO(body))
        while n_byte < max_bytes and (piece := reader.read(_PIECE_BYTES)):
            pieces.append(piece)
            n_byte += len(piece)
    except OSError:
        pass
    return b"".join(pieces) or body
