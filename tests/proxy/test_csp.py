"""Extension of policies by one style sheet."""

from __future__ import annotations

import pytest

from thresher.proxy.csp import STYLES, allow_source, hash_source

HASH = "'sha256-x='"


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("script-src 'self'", "script-src 'self'"),
        ("style-src 'self'", f"style-src 'self' {HASH}"),
        ("style-src 'none'", f"style-src {HASH}"),
        ("style-src 'self' 'unsafe-inline'", "style-src 'self' 'unsafe-inline'"),
        ("style-src 'unsafe-inline' 'nonce-a'", f"style-src 'unsafe-inline' 'nonce-a' {HASH}"),
        ("default-src 'self' a.b", f"default-src 'self' a.b; style-src 'self' a.b {HASH}"),
        ("default-src 'none'", f"default-src 'none'; style-src {HASH}"),
        ("default-src *; style-src b", f"default-src *; style-src b {HASH}"),
        ("style-src a; style-src-elem b", f"style-src a; style-src-elem b {HASH}"),
        ("Style-Src a;;", f"Style-Src a {HASH}"),
        ("style-src a, style-src b", f"style-src a {HASH}, style-src b {HASH}"),
        ("", ""),
    ],
)
def test_a_style_sheet_is_allowed(policy: str, expected: str) -> None:
    """The governing directive gets the hash, unless it allows all inline styles."""
    assert expected == allow_source(policy, HASH, STYLES)


def test_hash_source() -> None:
    """The hash is that of the UTF-8 text (example of CSP Level 2)."""
    expected = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
    assert expected == hash_source("alert('Hello, world.');")
