"""Bodies of pages: decoded and encoded in pieces, buffered, and never lost."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.proxy.buffered_body import BROKEN, TOO_LARGE, BufferedBody
from thresher.proxy.codings import BadCodingError, decoder_of, encoder_of

HEAD = b'<!DOCTYPE html><html><head><meta charset="utf-8"><title>\xc3\xa9</title></head>'
PAGE = HEAD + b"<body>" + b"<p>The mill stood by the weir.</p>" * 200


def hold(
    coding: str = "", *, early: bool = True, is_utf8: bool = False, most: int = 10**6
) -> BufferedBody:
    """Return an empty buffer."""
    decode = decoder_of(coding)
    assert decode
    return BufferedBody(decode, most, early=early, is_utf8=is_utf8)


@given(cuts=st.lists(st.integers(0, len(PAGE)), max_size=6), early=st.booleans())
@pytest.mark.parametrize("coding", ["", "gzip"])
def test_all_comes_through(coding: str, cuts: list[int], early: bool) -> None:
    """Early and later bytes add up to the page, decoded or unchanged."""
    coded = gzip.compress(PAGE) if coding else PAGE
    edges = [0, *sorted(min(cut, len(coded)) for cut in cuts), len(coded)]
    held = hold(coding, early=early)
    sent, is_over = b"", False
    for number, (start, stop) in enumerate(pairwise(edges)):
        piece = coded[start:stop]
        if is_over:
            sent += b"".join(held.pass_on(piece))
        else:
            sent += held.feed(piece)
        if number == len(edges) // 2 and not is_over:
            is_over = True
            sent += b"".join(held.give_up())
    if not is_over:
        sent += b"".join(held.give_up())
    assert sent == (PAGE if held.n_sent else coded)


def test_the_head_is_sent_once_it_is_there() -> None:
    """The head is sent as soon as the body tag is recognized."""
    held = hold()
    assert b"" == held.feed(HEAD + b"<bod")
    assert HEAD == held.feed(b"y ")
    assert b"" == held.feed(b"class=a>")
    assert len(HEAD) == held.n_sent
    assert HEAD + b"<body class=a>" == held.body


@pytest.mark.parametrize(
    ("head", "is_utf8", "goes"),
    [
        (b"<html><head><title>x</title>", False, False),
        (b'<html><head><meta charset="windows-1251">', False, False),
        (b"<html><head><title>\xe9</title>", True, False),
        (b"", True, False),
        (b"<html lang=en class='js modal-open'><head>", True, False),
        (b'<html style="overflow:hidden"><head>', True, False),
        (b"<html " + b"data-x=1 " * 1000 + b"><head>", True, False),
        (b"<html>", True, True),
        (b"<html class=js xmlns:og='http://opengraph.example/'>", True, True),
        (b"<meta http-equiv=x content='text/html; charset=UTF-8'>", False, True),
        (b"\xef\xbb\xbf<html>", False, True),
    ],
)
def test_heads_that_go_and_wait(head: bytes, is_utf8: bool, goes: bool) -> None:
    """Heads that are surely UTF-8, by header, meta or BOM, and do not lock scrolling are sent."""
    held = hold(is_utf8=is_utf8)
    assert goes == bool(held.feed(head + b"<body><p>x</p>"))
    assert goes == bool(held.n_sent)


@pytest.mark.parametrize("early", [True, False])
def test_too_large(early: bool) -> None:
    """Beyond the limit or with an invalid coding a page fails, and all bytes are available."""
    coded = gzip.compress(PAGE)
    held = hold("gzip", early=early, most=1000)
    sent = held.feed(coded)
    assert TOO_LARGE == held.failure
    assert coded == sent + b"".join(held.give_up())
    held = hold("gzip")
    assert b"" == held.feed(b"no gzip")
    assert BROKEN == held.failure
    assert b"no gzip" == b"".join(held.give_up())
    assert b" at all" == b"".join(held.pass_on(b" at all"))


TEXT = b"The mill stood by the weir. " * 500


def _raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


CASES: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "identity": ("identity", bytes),
    "gzip": ("gzip", gzip.compress),
    "two members": ("GZIP", lambda data: gzip.compress(data[:99]) + gzip.compress(data[99:])),
    "padding": ("x-gzip", lambda data: gzip.compress(data) + b"\0\0\0"),
    "zlib": ("deflate", zlib.compress),
    "raw deflate": ("deflate", _raw_deflate),
    "brotli": ("br", lambda data: bytes(pytest.importorskip("brotli").compress(data))),
    "zstd": ("zstd", lambda data: bytes(pytest.importorskip("zstandard").compress(data))),
}


@pytest.mark.parametrize("case", CASES)
@given(size=st.integers(1, 5000))
def test_pieces(case: str, size: int) -> None:
    """Chunks of any size are decoded to the same body."""
    name, pack = CASES[case]
    coded = pack(TEXT)
    decode = decoder_of(name)
    assert decode
    pieces = [coded[start : start + size] for start in range(0, len(coded), size)]
    assert TEXT == b"".join(b"".join(decode(piece)) for piece in pieces)


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_broken_bodies(name: str) -> None:
    """Invalid bodies raise an error, bombs come in small pieces, unknown codings have no coder."""
    if name in ("br", "zstd"):
        pytest.importorskip({"br": "brotli", "zstd": "zstandard"}[name])
    decode, bombed = decoder_of(name), decoder_of("gzip")
    assert decode and bombed
    with pytest.raises(BadCodingError):
        list(decode(b"\xff\xff this is no such thing" * 20))
    assert 2**16 == max(len(piece) for piece in bombed(gzip.compress(b"\0" * 2**24)))
    for unknown in (f"{name}, br", "compress", "aes128gcm"):
        assert decoder_of(unknown) is None
        assert encoder_of(unknown) is None
    assert encoder_of("") is None is encoder_of("identity")


PIECES = (b"<head>" * 500, b"", b"<body>" * 500, b"end")


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "deflate", "br", "zstd"])
def test_each_piece_can_be_decoded_at_once(coding: str) -> None:
    """A client decodes every piece as soon as it arrives, and the end is right."""
    if coding in ("br", "zstd"):
        pytest.importorskip({"br": "brotli", "zstd": "zstandard"}[coding])
    encoder, decode = encoder_of(f" {coding.upper()} "), decoder_of(coding)
    assert encoder
    assert decode
    for piece in PIECES:
        encoded = encoder.encode(piece)
        assert piece == b"".join(decode(encoded))
        assert len(encoded) < max(100, len(piece) // 4)
    assert b"last" == b"".join(decode(encoder.finish(b"last")))
