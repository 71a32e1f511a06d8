"""The page for a host that cannot be reached."""

from __future__ import annotations

import pytest

from thresher.proxy.notices import write_failure_page


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
