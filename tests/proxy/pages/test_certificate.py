"""Certificate page: downloads without the key, and help by system."""

from __future__ import annotations

import pytest

from tests.proxy.pages.conftest import BY_PROXY, Pages

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
