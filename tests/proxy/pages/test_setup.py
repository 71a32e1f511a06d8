"""Set-up page, PAC file and QR code."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.helpers.browser import browsing, expect
from tests.proxy.pages.conftest import Pages
from thresher.proxy.pages.setup import write_pac

if TYPE_CHECKING:
    from tests.proxy.conftest import Proxy


def test_the_page_names_the_address(pages: Pages) -> None:
    """Host, port, PAC file and certificate are named; a phone cannot reach this machine's own."""
    pages.state.listening_port = 8123
    text = pages.admin.get("/setup").text
    assert "<code>127.0.0.1:8123</code>, for this machine only" in text
    assert "http://127.0.0.1:8081/proxy.pac" in text
    assert "code.svg" not in text


def test_other_devices_get_an_address_they_can_reach(pages: Pages) -> None:
    """A proxy that listens everywhere says its address in the network, and shows the code."""
    pages.state.started = replace(pages.state.started, listen_host="192.168.7.7")
    text = pages.admin.get("/setup").text
    assert "host <code>192.168.7.7</code>" in text
    assert 'src="/setup/code.svg"' in text
    pages.state.started = replace(pages.state.started, listen_host="0.0.0.0")
    assert "0.0.0.0:" not in pages.admin.get("/setup").text


def test_the_code_is_a_picture(pages: Pages) -> None:
    """The QR code is an SVG file without scripts."""
    pytest.importorskip("segno", reason="segno is not installed: the extra proxy")
    answer = pages.admin.get("/setup/code.svg")
    assert "image/svg+xml" == answer.headers["content-type"]
    assert answer.text.startswith("<svg")
    assert "<script" not in answer.text


def test_the_pac_file_excepts_hosts() -> None:
    """Hosts that are never intercepted are asked directly, in ASCII; names cannot add code."""
    pac = write_pac("::1", 8080, ("*.bank.example", "mühle.example", '"];alert(1)'))
    assert "PROXY [::1]:8080; DIRECT" in pac
    assert '["bank.example", "xn--mhle-0ra.example"' in pac
    assert r'"\"];alert(1)"' in pac


@pytest.mark.slow
def test_a_browser_follows_the_pac_file(proxy: Proxy) -> None:
    """Chromium gets the PAC file from the settings port, and its pages through the proxy."""
    port = proxy.state.started.settings_port
    with browsing(args=[f"--proxy-pac-url=http://127.0.0.1:{port}/proxy.pac"]) as browser:
        page = browser.new_page()
        page.goto("http://thresher.internal/setup")
        expect(page.locator("main")).to_contain_text(f"127.0.0.1:{proxy.port}")
        answer = page.goto("http://mill.invalid/")
        assert answer
        assert 502 == answer.status  # of the proxy: the browser alone would find no server
