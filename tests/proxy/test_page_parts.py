"""Navigations, addresses of sites, and the markup, policies and notices of the proxy's own."""

from __future__ import annotations

from typing import Final

import pytest
import turbohtml

from tests.helpers.fixture_pages import document_keeping
from tests.helpers.hostile_metadata import ATTACKS, page_with_metadata
from thresher.filters import Filters
from thresher.filters.blocklist import BlockList
from thresher.proxy.navigation import (
    destination_of,
    has_destination,
    is_authority,
    is_navigation,
    origin_of,
    skip_reason,
    to_path,
    with_paths,
)
from thresher.proxy.notices import (
    NOTICE_STYLE,
    write_failure_page,
    write_notice,
    write_popup_page,
)
from thresher.proxy.page_parts import (
    STYLES,
    allow_source,
    hash_source,
    rule_style_source,
    write_frame_style,
    write_reader,
    write_rule_style,
    write_text_page,
)
from thresher.sites.rulebook import Rules

HASH = "'sha256-x='"


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("script-src 'self'", "script-src 'self'"),
        ("style-src 'self'", f"style-src 'self' {HASH}"),
        ("style-src 'none'", f"style-src {HASH}"),
        ("style-src 'unsafe-inline'", "style-src 'unsafe-inline'"),
        ("style-src 'unsafe-inline' 'nonce-a'", f"style-src 'unsafe-inline' 'nonce-a' {HASH}"),
        ("default-src 'self' a.b", f"default-src 'self' a.b; style-src 'self' a.b {HASH}"),
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


def test_each_selector_is_a_rule() -> None:
    """Selectors are hidden one by one; what could end the style sheet is left out."""
    rules = Rules(drop=(".promo", "a > b", "</style><script>", "p{}*", "é", "a;b"))
    style = ".promo{display:none!important}a > b{display:none!important}"
    assert f'<style data-thresher="rules">{style}</style>' == write_rule_style(rules)
    assert hash_source(style) == rule_style_source(rules)
    assert "" == write_rule_style(Rules(keep=("p",))) == rule_style_source(Rules())


def test_frames_of_blocked_hosts_that_scripts_name_are_hidden() -> None:
    """Those of other hosts, and of pages on which advertisements are allowed, stay."""
    listed = BlockList.parse(["ads.example"])
    page = (
        '<a href="https://ads.example/">Rye</a><script>f("https://ADS.example/f", "//x.example/");'
        r'g("https:\/\/a.ads.example\/g")</script>'
    )
    style = (
        '<style>iframe[src*="//a.ads.example/"],iframe[src*="//ads.example/"]'
        "{display:none!important}</style>"
    )
    assert style == write_frame_style(page, Filters(), listed, "mill.example")
    allowed = Filters(ads_allowed_on=("mill.example",))
    for filters in (allowed, Filters(ads=False)):
        assert not write_frame_style(page, filters, listed, "mill.example")
    assert not write_frame_style("<p>//ads.example/", Filters(), listed, "mill.example")


ELEMENTS: Final = frozenset("html head meta title style body main article p small h1 pre".split())
ATTRIBUTES: Final = frozenset(("charset", "class", "content", "lang", "name"))


@pytest.mark.parametrize("attack", ATTACKS)
def test_metadata_are_text_in_generated_pages(attack: str) -> None:
    """Whatever a page says of itself adds no element and no attribute to the views of it."""
    document = document_keeping(page_with_metadata(attack))
    elements = [
        element
        for write in (write_reader, write_text_page)
        for element in turbohtml.parse(write(document, None, "note")).iter_elements()
    ]
    assert {element.tag for element in elements} <= ELEMENTS
    assert {name for element in elements for name in element.attrs} <= ATTRIBUTES


CHROME = {"user-agent": "Mozilla/5.0", "accept": "text/html,*/*;q=0.8"}
FRAME = {"sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate"}
WORKED = {"sec-fetch-dest": "empty", "sec-fetch-mode": "navigate"}


@pytest.mark.parametrize(
    ("method", "headers", "expected"),
    [
        ("GET", {"sec-fetch-dest": "document", "sec-fetch-mode": "navigate"}, "document"),
        ("POST", {"sec-fetch-dest": "document", "sec-fetch-mode": "navigate"}, "document"),
        ("GET", {"sec-fetch-dest": "frame"}, "document"),
        ("GET", FRAME, "iframe"),
        ("GET", WORKED, "document"),
        ("GET", {"sec-fetch-mode": "navigate"}, "document"),
        ("GET", {"sec-fetch-dest": "empty"}, ""),
        ("GET", {"sec-fetch-dest": "empty", "sec-fetch-mode": "cors"}, ""),
        ("GET", {"sec-fetch-dest": "document", "sec-fetch-mode": "cors"}, ""),
        ("GET", {"sec-fetch-dest": "image"}, ""),
        ("GET", CHROME, "document"),
        ("GET", {"user-agent": "curl/8", "accept": "*/*"}, "document"),
        ("GET", {"user-agent": "curl/8", "accept": "*/*", "origin": "null"}, ""),
        ("GET", CHROME | {"accept": "*/*"}, ""),
        ("GET", CHROME | {"accept": "*/*", "upgrade-insecure-requests": "1"}, "document"),
        ("GET", {"accept": "application/json"}, ""),
        ("GET", CHROME | {"x-requested-with": "XMLHttpRequest"}, ""),
        ("GET", CHROME | {"range": "bytes=0-9"}, ""),
        ("PUT", CHROME, ""),
    ],
)
def test_destinations(method: str, headers: dict[str, str], expected: str) -> None:
    """Fetch Metadata decides; without it older signals; in doubt it is not a navigation.

    A page of its own is a navigation, a frame is not; a worker states no destination.
    """
    assert expected == destination_of(method, headers)
    assert (False, True) == (is_navigation(FRAME), has_destination(FRAME))
    assert (True, False) == (is_navigation(WORKED), has_destination(WORKED))


@pytest.mark.parametrize(
    ("status", "headers", "expected"),
    [
        (200, {}, None),
        (200, {"content-type": "Text/HTML; charset=x"}, None),
        (200, {"content-type": "application/xhtml+xml"}, None),
        (200, {"content-type": "application/xml"}, ""),
        (404, {}, ""),
        (200, {"content-disposition": "Attachment; x"}, ""),
        (200, {"content-range": "bytes 0-9/10"}, ""),
        (200, {"content-length": "1001"}, "too large"),
        (200, {"content-length": "9" * 5_000}, "too large"),
        (200, {"content-length": "1000"}, None),
        (200, {"cache-control": "public, No-Transform"}, "the server forbids changes"),
    ],
)
def test_pages(status: int, headers: dict[str, str], expected: str | None) -> None:
    """Pages are HTML responses with status 200 that may be changed, if that is to be obeyed."""
    headers = {"content-type": "text/html"} | headers
    assert expected == skip_reason(status, headers, max_bytes=1000, obey_no_transform=True)
    if "cache-control" in headers:
        assert skip_reason(status, headers, max_bytes=1000, obey_no_transform=False) is None


SITE = "http://inner.example:8000"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"{SITE}/a/b?c=d#e", "/a/b?c=d#e"),
        ("HTTP://INNER.example:8000/a", "/a"),
        (SITE, "/"),
        (f"{SITE}?a", "/?a"),
        (f"{SITE}//evil.example/a", "/evil.example/a"),
        (f"{SITE}/\\evil.example", "/evil.example"),
        ("http://inner.example:8001/a", "http://inner.example:8001/a"),
        ("https://inner.example:8000/a", "https://inner.example:8000/a"),
        ("http://inner.example:8000@evil.example/", "http://inner.example:8000@evil.example/"),
        ("/a", "/a"),
        ("mailto:a@inner.example", "mailto:a@inner.example"),
        ("http://[", "http://["),
    ],
)
def test_addresses_of_the_site_become_paths(url: str, expected: str) -> None:
    """An address of the site is a path that no browser reads as a host; others are unchanged."""
    assert expected == to_path(url, SITE)


def test_a_fragment_keeps_what_it_says() -> None:
    """Links, pictures and candidates lead to paths, with or without default port; text stays."""
    said = f'<p>At <code>&lt;a href="{SITE}/a"&gt;</code> {SITE}/b</p>'
    linked = f'<p><a href="{SITE}/a?b&amp;c">d</a><img src="{SITE}/e" srcset="{SITE}/f 2x"></p>'
    paths = '<p><a href="/a?b&amp;c">d</a><img src="/e" srcset="/f 2x"></p>'
    assert said + paths == with_paths(said + linked, SITE)
    assert "https://a.example" == origin_of("https://a.example:443/b")
    assert "/b" == to_path("https://a.example:443/b", "https://a.example")
    assert "http://[::1]:80" != origin_of("http://[::1]:80/") == "http://[::1]"


@pytest.mark.parametrize("host", ["a.example:80", "[::1]", "10.0.0.1"])
def test_hosts(host: str) -> None:
    """A Host header is a name or an address, with or without a port, and nothing else."""
    assert is_authority(host)
    assert not is_authority(f"{host}/a")
    assert not is_authority(f'{host}"')


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


def test_what_others_say_is_escaped() -> None:
    """No address, host or message becomes markup; what a page offers depends on the cause."""
    status, body, headers = write_popup_page("https://a.example/<script>?b")
    assert 403 == status
    assert b"<script" not in body
    assert b'<a href="" ' in body
    assert b"a.example" in body
    assert "default-src 'none'" in headers["content-security-policy"]
    assert b"<b>" not in write_popup_page("https://<b>/")[1]
    never = "http://thresher.internal/-/never"
    page = write_failure_page("<b>", "certificate <i>", never=never)[1].decode()
    assert "<b>" not in page
    assert "<i>" not in page
    assert never in page
    assert never not in write_failure_page("a.example", "refused", never=never)[1].decode()


@pytest.mark.parametrize(
    ("message", "status", "heading"),
    [
        ("[Errno -2] Name or service not known", 502, "There is no site at a.example"),
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
