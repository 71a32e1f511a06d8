"""Bytes spell pages and script data."""

from __future__ import annotations

from tests.helpers.token_soup import RAW, page_of, state_of


def test_page_is_the_rest_where_the_first_byte_is_low() -> None:
    """So a fuzzer can also change single bytes of markup."""
    assert b"<p>x" == page_of(b"\0<p>x")
    assert b"{}" == state_of(b"\0{}")
    assert b"" == page_of(b"")


def test_every_byte_spells_a_word() -> None:
    """Where the first byte is high, each of the others is a word of HTML or JSON."""
    for spell in (page_of, state_of):
        assert all(spell(bytes([RAW, byte])) for byte in range(256))
    assert b"<p>" == page_of(bytes([RAW, 0]))
