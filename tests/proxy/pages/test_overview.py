"""Overview, log, set-up and certificate pages."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.helpers.browser import browsing, expect
from tests.proxy.pages.conftest import BY_PROXY, Pages
from thresher.filters import Filters
from thresher.proxy.pages.setup import write_pac
from thresher.proxy.state import PageRecord

if TYPE_CHECKING:
    from tests.proxy.conftest import Proxy
    from tests.proxy.site import Site


def test_counts(pages: Pages) -> None:
    """Pages, removals, reasons and times are shown; hosts only to the administrator."""
    count = pages.state.statistics.count
    removed = {"ads": 7, "tracking_pixels": 2}
    page = PageRecord("mill.example", "inplace", "", 5000, 1000, 0.0042, removed, 1234)
    count(replace(page, queued_s=0.0013))
    count(PageRecord("weir.example", "left alone", "a portal or list of results", 10, 10))
    text = pages.admin.get("/").text
    times = ("5.0 kB received", "1.0 kB sent", "4.2 ms", "1.3 ms")
    for expected in (*times, "1,234", ">9<", "tracking pixels", "a portal or list", "weir.example"):
        assert expected in text
    pages.add_users("anna")
    assert "weir.example" not in pages.by(BY_PROXY, "anna").get("/").text


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/lists", "/lists"), ("//evil.example", "/"), ("https://evil.example", "/"), ("/\\e", "/")],
)
def test_colours(pages: Pages, path: str, expected: str) -> None:
    """The theme is saved, and the redirect is local."""
    client = pages.admin
    answer = pages.post(client, "/theme", theme="dark", next=path)
    assert (303, expected) == (answer.status_code, answer.headers["location"])
    assert 'data-theme="dark"' in client.get("/").text


def test_the_log_is_searched(pages: Pages) -> None:
    """Words are found in every field, and addresses are shown as text."""
    pages.state.log.add(None, "http://mill.example/<b>", "left alone", "a portal")
    pages.state.log.add("anna", "http://ads.example/x", "stopped", "||ads.example^ in the lists")
    text = pages.admin.get("/log").text
    assert "http://mill.example/&lt;b&gt;" in text
    assert text.index("ads.example") < text.index("mill.example")
    found = pages.admin.get("/log?words=STOPPED+anna").text
    assert "ads.example/x" in found
    assert "mill.example" not in found
    assert "No request contains this." in pages.admin.get("/log?words=barn").text


@pytest.mark.slow
def test_requests_are_logged_with_reasons(proxy: Proxy, site: Site) -> None:
    """A page and a stopped request of it are in the log, with the rule that stopped it."""
    proxy.set(filters=Filters(ad_rules=("/banners/*",)))
    page = f"{site.http}/article"
    proxy.get(page, "-H", "Accept: text/html", "-H", "User-Agent: Mozilla/5.0")
    proxy.get(f"{site.http}/banners/1", "-H", "Sec-Fetch-Dest: script", "-e", page)
    log = proxy.get("http://thresher.internal/log").text
    rows = [re.sub(r"<[^>]*>", "|", row) for row in re.findall(r"<tr>(.*?)</tr>", log)]
    stopped, shown = rows[1:3]
    assert "/banners/1||stopped||/banners/* in your rules" in stopped
    assert f"{page}||inplace||" in shown


def test_the_page_names_the_address(pages: Pages) -> None:
    """Host, port, PAC file and certificate are named; other devices get an address, and a code."""
    pages.state.listening_port = 8123
    text = pages.admin.get("/setup").text
    assert "<code>127.0.0.1:8123</code>, for this machine only" in text
    assert "http://127.0.0.1:8081/proxy.pac" in text
    assert "code.svg" not in text
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


PEM = "-----BEGIN CERTIFICATE-----\nAAECAw==\n-----END CERTIFICATE-----\n"
KEY = "-----BEGIN PRIVATE KEY-----\nAAECAw==\n-----END PRIVATE KEY-----\n"
SHA_256 = "05:4E:DE:C1:D0:21:1F:62:4F:ED:0C:BC:A9:D4:F9:40:0B:0E:49:1C:43:74:2A:F2:C5:B0:AB:EB:F0:C9:90:D8"  # noqa: E501


def test_download(pages: Pages) -> None:
    """Any visitor can download the certificate, and its fingerprint is shown."""
    assert 404 == pages.admin.get("/certificate/thresher-ca.pem").status_code
    (pages.ca_dir / "mitmproxy-ca-cert.pem").write_text(PEM)
    answer = pages.by(BY_PROXY).get("/certificate/thresher-ca.pem")
    assert PEM == answer.text
    assert 'attachment; filename="thresher-ca.pem"' == answer.headers["content-disposition"]
    assert SHA_256 in pages.admin.get("/certificate").text


@pytest.mark.parametrize("name", ["mitmproxy-ca.pem", "..%2fmitmproxy-ca.pem", "proxy.toml"])
def test_nothing_else(pages: Pages, name: str) -> None:
    """No other file of the folder, and no private key, can be downloaded."""
    (pages.ca_dir / "mitmproxy-ca.pem").write_text(KEY + PEM)
    (pages.ca_dir / "mitmproxy-ca-cert.pem").write_text(KEY + PEM)
    assert 404 == pages.admin.get(f"/certificate/{name}").status_code
    assert 404 == pages.admin.get("/certificate/thresher-ca.pem").status_code
    assert "PRIVATE" not in pages.admin.get("/certificate").text


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/140", "Linux"),
        ("Mozilla/5.0 (Linux; Android 16) Chrome/140", "Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)", "iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) Firefox/140.0", "Firefox"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15)", "macOS"),
    ],
)
def test_help(pages: Pages, agent: str, expected: str) -> None:
    """The help for the visitor's system is open."""
    text = pages.admin.get("/certificate", headers={"user-agent": agent}).text
    assert 1 == text.count('class="card help" open')
    assert f'class="card help" open><summary>{expected}' in text


def test_the_test(pages: Pages) -> None:
    """The test image is allowed over HTTP; over HTTPS the page itself is the proof."""
    answer = pages.by(BY_PROXY).get("/certificate/test.svg")
    assert "cross-origin" == answer.headers["cross-origin-resource-policy"]
    assert "image/svg+xml" == answer.headers["content-type"]
    assert "The certificate works" not in pages.by(BY_PROXY).get("/certificate").text
    assert "The certificate works" in pages.by("https://thresher.internal").get("/certificate").text
