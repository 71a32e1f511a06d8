"""Addresses in clean HTML are replaced, and nothing else."""

from __future__ import annotations

from thresher.writers.fragment.clean import rewrite_addresses


def test_every_kind_of_address() -> None:
    """Links, pictures, candidates and posters are replaced; texts that look like one are not."""
    html = (
        '<a href="/a?b&amp;c">/a</a><img src="/a" srcset="/a 1x, /b 2x"><video poster="/c"></video>'
        '<code>&lt;img src="/a"&gt;</code>'
    )
    expected = (
        '<a href="x/a?b&amp;c">/a</a><img src="x/a" srcset="x/a 1x, x/b 2x">'
        '<video poster="x/c"></video><code>&lt;img src="/a"&gt;</code>'
    )
    assert expected == rewrite_addresses(html, lambda url: f"x{url}")
