"""The page in place of a popup says why it is there, and runs nothing."""

from __future__ import annotations

from thresher.proxy.notices import write_popup_page


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
