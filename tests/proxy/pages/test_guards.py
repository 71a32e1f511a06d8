"""Request guards of the settings pages."""

from __future__ import annotations

import pytest

from tests.proxy.pages.conftest import BY_PORT, BY_PROXY, Pages

PATHS = (
    *("/", "/filters", "/preview", "/sites", "/lists", "/proxy", "/setup", "/certificate"),
    *("/log", "/files"),
)


@pytest.mark.parametrize("path", [*PATHS, "/nothing", "/static/base.css"])
def test_every_answer_is_guarded(pages: Pages, path: str) -> None:
    """Every response has the security headers."""
    answer = pages.admin.get(path)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "DENY" == answer.headers["x-frame-options"]
    assert "nosniff" == answer.headers["x-content-type-options"]
    assert "<style" not in answer.text
    assert " style=" not in answer.text
    assert " onclick" not in answer.text


@pytest.mark.parametrize(
    ("base_url", "host", "status"),
    [
        (BY_PORT, "127.0.0.1:8081", 200),
        (BY_PORT, "localhost:8081", 200),
        (BY_PORT, "[::1]:8081", 200),
        (BY_PORT, "thresher.internal", 403),
        (BY_PORT, "rebound.example:8081", 403),
        (BY_PORT, "[", 403),
        (BY_PROXY, "thresher.internal", 200),
        (BY_PROXY, "thresher.internal:80", 200),
        (BY_PROXY, "127.0.0.1", 403),
        (BY_PROXY, "evil.example", 403),
    ],
)
def test_names(pages: Pages, base_url: str, host: str, status: int) -> None:
    """Only loopback names are served on the port, and only the own name through the proxy."""
    assert status == pages.by(base_url).get("/", headers={"host": host}).status_code


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://thresher.internal.evil.example"},
        {"origin": "https://thresher.internal"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_no_other_page_sends_a_form(pages: Pages, headers: dict[str, str]) -> None:
    """Forms from other origins are rejected, even with a token."""
    client = pages.by(BY_PROXY)
    data = {"csrf": pages.state.token(None, "settings"), **pages.spelled(), "view": "reader"}
    assert 403 == client.post("/filters", data=data, headers=headers).status_code
    assert "inplace" == pages.state.settings.current.view
    own = {"origin": "http://thresher.internal", "sec-fetch-site": "same-origin"}
    assert 303 == client.post("/filters", data=data, headers=own).status_code
    assert "reader" == pages.state.settings.current.view


def test_forms_need_their_token(pages: Pages) -> None:
    """Forms without a valid token are rejected."""
    pages.add_users("anna", "bert")
    anna = pages.by(BY_PROXY, "anna")
    state = pages.state
    for token in (
        "",
        "0" * 32,
        state.token("anna", "/-/remember"),
        state.token("bert", "settings"),
        state.token(None, "settings"),
    ):
        data = {"csrf": token, **pages.spelled(), "view": "text"}
        assert 403 == anna.post("/filters", data=data).status_code
    assert "inplace" == state.settings.current.profile_of("anna").view
    assert 415 == anna.post("/filters", json={"csrf": state.token("anna", "settings")}).status_code


def test_links_change_nothing(pages: Pages) -> None:
    """Changes require POST."""
    token = pages.state.token(None, "settings")
    for path in ("/filters/reset", "/lists/update", "/proxy/user", "/theme"):
        assert pages.admin.get(path, params={"csrf": token}).status_code in (404, 405)
