"""Pages in the place of one that is not shown: they say why, and run nothing."""

from __future__ import annotations

import pytest

from thresher.proxy.own_pages import (
    NOTICE_STYLE,
    write_failure_page,
    write_notice,
    write_popup_page,
)
from thresher.proxy.page_parts import hash_source


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


def test_names_are_escaped_and_the_link_leads_to_the_address_itself() -> None:
    """An address is chosen by whoever opens the popup."""
    status, body, headers = write_popup_page("https://a.example/<script>?b")
    assert 403 == status
    assert b"<script" not in body
    assert b'<a href="" ' in body
    assert b"a.example" in body
    assert "default-src 'none'" in headers["content-security-policy"]


def test_an_address_without_a_host_is_escaped_too() -> None:
    """What cannot be read as a host is shown as it is."""
    assert b"<b>" not in write_popup_page("https://<b>/")[1]


@pytest.mark.parametrize(
    ("message", "status", "heading"),
    [
        ("[Errno -2] Name or service not known", 502, "There is no site at a.example"),
        ("[Errno 11001] getaddrinfo failed", 502, "There is no site at a.example"),
        ("[Errno 111] Connect call failed ('127.0.0.1', 1)", 502, "a.example refuses connections"),
        ("[Errno 110] Connect call failed ('10.0.0.1', 1)", 504, "a.example does not answer"),
        ("[Errno 113] Connect call failed", 502, "a.example cannot be reached from here"),
        ("Certificate verify failed: expired", 502, "a.example has no valid certificate"),
        ("TLS handshake failed", 502, "a.example and the proxy do not agree on encryption"),
        ("server disconnected", 502, "a.example closed the connection"),
        ("Connection killed: it is in a private network", 403, "a.example is in a private network"),
        ("?", 502, "a.example sent nothing that can be shown"),
    ],
)
def test_causes(message: str, status: int, heading: str) -> None:
    """Each message of the system or of mitmproxy has a cause, and a status."""
    answered, body, headers = write_failure_page("a.example", message)
    assert status == answered
    assert f"<h1>{heading}</h1>" in body.decode()
    assert "default-src 'none'" in headers["content-security-policy"]


def test_what_servers_say_is_escaped() -> None:
    """Neither a host nor a message becomes markup, and the offer depends on the cause."""
    never = "http://thresher.internal/-/never"
    page = write_failure_page("<b>", "certificate <i>", never=never)[1].decode()
    assert "<b>" not in page
    assert "<i>" not in page
    assert never in page
    assert never not in write_failure_page("a.example", "refused", never=never)[1].decode()
