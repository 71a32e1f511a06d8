"""thresher.analysis.system_signs: class names by which systems are recognised."""

from __future__ import annotations

from thresher.analysis.system_signs import SIGNS, find_signed
from thresher.page.parse import parse


def test_elements_with_a_sign_are_found() -> None:
    """A sign may be part of a class, in any case; others are not found."""
    page = parse("<div class='Paywall x'><p class=MW-BODY>a<p class=wally>b<p id=wall>c")
    rows = find_signed(page, SIGNS.bits(b"mw-body", b"wall")).tolist()
    assert ["Paywall x", "MW-BODY", "wally"] == [page.attr(row, "class") for row in rows]
    assert not find_signed(page, SIGNS.bits(b"dokuwiki")).size
    assert not find_signed(parse("a"), SIGNS.bits(b"wall")).size
