"""A notice of the proxy runs nothing and is not kept."""

from __future__ import annotations

from thresher.proxy.csp import hash_source
from thresher.proxy.notices import NOTICE_STYLE, write_notice


def test_only_the_style_of_a_notice_is_allowed() -> None:
    """Its policy names the style sheet that stands in it, and what a page adds to the policy."""
    style = f"{NOTICE_STYLE}a{{color:red}}"
    policy = "; frame-ancestors 'none'"
    body, headers = write_notice("Rye", "<h1>Rye</h1>", style=style, mark="stopped", policy=policy)
    assert f"<style>{style}</style>\n<h1>Rye</h1>".encode() in body
    allowed = headers["content-security-policy"]
    assert allowed.startswith(f"default-src 'none'; style-src {hash_source(style)}; base-uri")
    assert allowed.endswith("; frame-ancestors 'none'")
    assert ("no-store", "stopped") == (headers["cache-control"], headers["x-thresher"])
