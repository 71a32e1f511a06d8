"""Content codings (RFC 9110, 8.4.1), decoded and encoded incrementally, and headers to match.

Stale lengths, validators and digests of rewritten pages are removed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from thresher.fetching.gunzip import Gunzip
from thresher.filters.disposal import HIDING_STYLE
from thresher.proxy.page_parts import SCRIPTS, STYLE_SOURCE, STYLES, allow_source, hash_source

if TYPE_CHECKING:
    from mitmproxy.http import Headers, HTTPFlow

Decode = Callable[[bytes], Iterator[bytes]]
"""Chunk of the encoded body → chunks of the body; an empty chunk ends it."""

_PIECE_BYTES: Final = 2**16
"""Bytes of output per step, so that a decompression bomb is detected early."""
_STEP_BYTES: Final = 2**9
"""Bytes of input per step, for decoders whose output cannot be limited."""
_GZIP_BITS: Final = 16 + zlib.MAX_WBITS
_ZSTD_WINDOW: Final = 2**23
"""Bytes, RFC 8878's recommended limit."""


class BadCodingError(Exception):
    """A body is not in the coding that its header states."""


def decoder_of(content_encoding: str) -> Decode | None:
    """Return the decoder of a coding; None if it is unknown or a combination of several."""
    make = _DECODERS.get(content_encoding.strip().lower())
    return make() if make else None


def _pass(piece: bytes) -> Iterator[bytes]:
    yield piece


def _make_gzip() -> Decode:
    return _checked(Gunzip(_PIECE_BYTES).feed, zlib.error)


def _make_deflate() -> Decode:
    inflater: Any = None

    def decode(piece: bytes) -> Iterator[bytes]:
        nonlocal inflater
        if piece and inflater is None:
            # Some servers omit the zlib wrapper, whose first byte has 8 in its low nibble.
            has_wrapper = piece[0] & 0x0F == 8
            inflater = zlib.decompressobj(zlib.MAX_WBITS if has_wrapper else -zlib.MAX_WBITS)
        inflated = b""
        while piece or len(inflated) == _PIECE_BYTES:
            inflated = inflater.decompress(piece, _PIECE_BYTES)
            yield inflated
            piece = inflater.unconsumed_tail

    return _checked(decode, zlib.error)


def _make_brotli() -> Decode:
    import brotli

    return _checked(_by_steps(brotli.Decompressor().process), brotli.error)


def _make_zstd() -> Decode:
    import zstandard

    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()
    return _checked(_by_steps(decompressor.decompress), zstandard.ZstdError)


def _by_steps(decompress: Callable[[bytes], bytes]) -> Decode:
    """Return a decoder that takes little at a time, as the size of its output has no limit."""

    def decode(piece: bytes) -> Iterator[bytes]:
        for start in range(0, len(piece), _STEP_BYTES):
            yield decompress(piece[start : start + _STEP_BYTES])

    return decode


def _checked(decode: Decode, failure: type[Exception]) -> Decode:
    """Return a decoder that raises BadCodingError for an error of its library."""

    def decode_checked(piece: bytes) -> Iterator[bytes]:
        try:
            yield from decode(piece)
        except failure as error:
            raise BadCodingError(str(error)) from error

    return decode_checked


_DECODERS: Final[Mapping[str, Callable[[], Decode]]] = {
    **dict.fromkeys(("", "identity"), lambda: _pass),
    **dict.fromkeys(("gzip", "x-gzip"), _make_gzip),
    "deflate": _make_deflate,
    "br": _make_brotli,
    "zstd": _make_zstd,
}


_GZIP_LEVEL: Final = 4
_BROTLI_QUALITY: Final = 4
_ZSTD_LEVEL: Final = 3


class Encoder:
    """Encoder of one body, made of three functions of a compressor.

    Levels are those at which a page takes a few milliseconds: what the proxy sends is not stored.
    """

    def __init__(
        self, add: Callable[[bytes], bytes], flush: Callable[[], bytes], end: Callable[[], bytes]
    ) -> None:
        self._add, self._flush, self._end = add, flush, end

    def encode(self, piece: bytes) -> bytes:
        """Encode a piece, so that a client can decode everything up to its end."""
        return self._add(piece) + self._flush()

    def finish(self, piece: bytes = b"") -> bytes:
        """Encode the last piece, and end the body."""
        return self._add(piece) + self._end()


def encoder_of(content_encoding: str) -> Encoder | None:
    """Return the encoder of a coding; None for none, an unknown one and a combination."""
    make = _ENCODERS.get(content_encoding.strip().lower())
    return make() if make else None


def _zlib_encoder(bits: int) -> Encoder:
    deflater = zlib.compressobj(_GZIP_LEVEL, wbits=bits)
    return Encoder(deflater.compress, partial(deflater.flush, zlib.Z_SYNC_FLUSH), deflater.flush)


def _brotli_encoder() -> Encoder:
    import brotli

    compressor = brotli.Compressor(quality=_BROTLI_QUALITY)
    return Encoder(compressor.process, compressor.flush, compressor.finish)


def _zstd_encoder() -> Encoder:
    import zstandard

    compressor = zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compressobj()
    flush = partial(compressor.flush, zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    return Encoder(compressor.compress, flush, compressor.flush)


_ENCODERS: Final[Mapping[str, Callable[[], Encoder]]] = {
    **dict.fromkeys(("gzip", "x-gzip"), partial(_zlib_encoder, _GZIP_BITS)),
    "deflate": partial(_zlib_encoder, zlib.MAX_WBITS),
    "br": _brotli_encoder,
    "zstd": _zstd_encoder,
}


_OF_THE_BYTES: Final = (
    "content-length content-encoding transfer-encoding trailer accept-ranges content-digest "
    "repr-digest digest content-md5 signature signature-input etag last-modified expires age pragma"
).split()
"""Invalid after a change: length and coding (RFC 9110), digests (RFC 9530, 3230, 1864), signatures
(RFC 9421), ranges and validators. Freshness is replaced by `Cache-Control` below."""
_CONDITIONS: Final = (
    "if-none-match if-modified-since if-match if-unmodified-since if-range"
).split()
_POLICIES: Final = ("content-security-policy", "content-security-policy-report-only")
_OF_THE_SITE: Final = (
    *_POLICIES,
    *"link nel report-to reporting-endpoints refresh origin-agent-cluster".split(),
    *"cross-origin-embedder-policy cross-origin-opener-policy document-policy".split(),
)
"""Headers about the site's own scripts and styles, which a generated page does not have."""
_STYLE_SOURCES: Final = (STYLE_SOURCE, hash_source(HIDING_STYLE))
"""Our own style sheets: of the badge, and of what is hidden."""
_NO_STORE: Final = "no-store"
_CACHE_CONTROL: Final = "private, no-cache"
"""A changed page depends on the user and the current settings: a browser may keep it for its back
button only, and must revalidate otherwise."""


def mark_changed(
    headers: Headers,
    *,
    content_type: str | None = None,
    is_encoded: bool = False,
    style_source: str = "",
    script_source: str = "",
) -> None:
    """Adapt the headers, in place, to a body that was changed.

    ``content_type`` replaces the server's; ``is_encoded``: the body is in the same coding again.
    The sources are those of a style sheet and of a script of ours in this page, besides the style
    sheets that any page may have.
    """
    coding = headers.get("content-encoding", "")
    for name in _OF_THE_BYTES:
        headers.pop(name, None)
    if is_encoded and coding:
        headers["content-encoding"] = coding
    is_secret = _NO_STORE in headers.get("cache-control", "").lower()
    headers["cache-control"] = f"{_CACHE_CONTROL}, {_NO_STORE}" if is_secret else _CACHE_CONTROL
    if content_type:
        headers["content-type"] = content_type
    for name in _POLICIES:
        if name in headers:
            values = headers.get_all(name)
            for source in filter(None, (*_STYLE_SOURCES, style_source)):
                values = [allow_source(value, source, STYLES) for value in values]
            if script_source:
                values = [allow_source(value, script_source, SCRIPTS) for value in values]
            headers.set_all(name, [value for value in values if value])


def replace_policy(headers: Headers, policy: str) -> None:
    """Replace the headers about the site's page by the policy of a generated page."""
    for name in _OF_THE_SITE:
        headers.pop(name, None)
    headers["content-security-policy"] = policy
    headers["x-content-type-options"] = "nosniff"


def drop_conditions(headers: Headers) -> None:
    """Remove the conditional headers of a request.

    Otherwise a server could answer 304 Not Modified, and a changed view would never show.
    """
    for name in _CONDITIONS:
        headers.pop(name, None)


def mark_early(flow: HTTPFlow, *, is_encoded: bool, style_source: str = "") -> None:
    """Mark a page as changed whose head is sent before its length is known."""
    response = flow.response
    assert response
    mark_changed(response.headers, is_encoded=is_encoded, style_source=style_source)
    if not response.is_http2 and flow.request.http_version != "HTTP/1.0":
        response.http_version = "HTTP/1.1"
        response.headers["transfer-encoding"] = "chunked"
