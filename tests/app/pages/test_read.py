"""Read page without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

from starlette.testclient import TestClient

from thresher.app.reading import DOWNLOADS
from thresher.errors import FetchError
from thresher.fetching.model import Fetched

PAGE = """<html lang="en"><head><title>Rye &amp; oats</title></head><body>
<nav><a href="/x">Home page</a>
</nav><article><h1>Rye &amp; oats</h1><p>Rye is sown in autumn, and stands green through the winter
while other fields lie bare, and oats are sown in March when the frost is out of the ground.</p>
<p><script>alert(1)</script><a href="javascript:alert(1)" onclick="x()">Old farm books</a> say so.
<img src="https://e.org/a.png" alt="A field"></p></article></body></html>"""


@pytest.fixture
def page(app: TestClient, post: Callable[..., Any]) -> str:
    """Path of a cached page."""
    answer = post(app, "/read", data={"html": PAGE, "url": "example.org/notes/rye"})
    assert 303 == answer.status_code
    path: str = answer.headers["location"]
    return path


def test_html_is_shown_when_pasted(app: TestClient, page: str) -> None:
    """Pasted HTML is shown safely, with the removed links at the end."""
    text = app.get(page).text
    assert '<h1 id="title" dir="auto">Rye &amp; oats</h1>' in text
    assert "stands green through the winter" in text
    assert "alert" not in text and "onclick" not in text
    assert '<a href="https://example.org/x" rel="noreferrer" dir="auto">Home page</a>' in text
    assert '<a href="https://example.org/notes/rye" rel="noreferrer">Original</a>' in text


def test_files_are_shown_when_uploaded(app: TestClient, post: Callable[..., Any]) -> None:
    """Uploaded files are decoded by their declared encoding."""
    body = "<meta charset=koi8-r><p>Рожь сеют осенью.".encode("koi8-r")
    answer = post(app, "/read", files={"file": ("рожь.html", body, "text/html")})
    text = app.get(answer.headers["location"]).text
    assert "Рожь сеют осенью." in text
    assert "рожь.html" in text


def test_addresses_are_fetched(
    app: TestClient, post: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Public addresses are fetched by form or bookmarklet, with a default scheme."""
    asked = []

    def fetch(url: str, **options: Any) -> Fetched:
        asked.append((url, options["allow_private"]))
        body = "<p>Größe".encode("latin-1")
        return Fetched("https://e.org/new", body, "latin-1", "text/html", 200, is_public=True)

    monkeypatch.setattr("thresher.fetching.fetch.fetch", fetch)
    answer = post(app, "/read", data={"url": " e.org/old "})
    text = app.get(answer.headers["location"]).text
    assert "Größe" in text and "https://e.org/new" in text
    assert 303 == app.get("/read?url=http://e.org/2").status_code
    assert [("https://e.org/old", False), ("http://e.org/2", False)] == asked


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "localhost", "file:///etc/passwd", "http://["]
)
def test_addresses_are_refused_when_they_are_not_public(
    app: TestClient, post: Callable[..., Any], url: str
) -> None:
    """The form is shown again with the address and an error."""
    answer = post(app, "/read", data={"url": url})
    assert 502 == answer.status_code
    assert f'value="{url}"' in answer.text
    assert 'role="alert"' in answer.text


def test_form_comes_back_when_it_is_empty(app: TestClient, post: Callable[..., Any]) -> None:
    """An empty form shows an error."""
    answer = post(app, "/read", data={"url": " ", "html": "\n"})
    assert 400 == answer.status_code
    assert "Enter an address" in answer.text
    assert "/" == app.get("/read").headers["location"]


def test_what_is_no_page_is_said(app: TestClient, post: Callable[..., Any]) -> None:
    """A PDF is rejected with a message."""
    answer = post(app, "/read", files={"file": ("a.pdf", b"%PDF-1.7 ...", "application/pdf")})
    shown = app.get(answer.headers["location"])
    assert 422 == shown.status_code
    assert "PDF" in shown.text


def test_pages_are_gone_when_unknown(app: TestClient) -> None:
    """Unknown ids return 404."""
    assert 404 == app.get("/read/none").status_code
    assert 404 == app.get("/read/none/download").status_code


@pytest.mark.parametrize("format", DOWNLOADS)
def test_articles_are_sent_as_files(app: TestClient, page: str, format: str) -> None:
    """Each format is sent as a file with its name, type and a sandbox policy."""
    answer = app.get(f"{page}/download?format={format}")
    assert 200 == answer.status_code
    assert DOWNLOADS[format].media_type == answer.headers["content-type"]
    suffix = DOWNLOADS[format].suffix
    assert f'attachment; filename="Rye-oats{suffix}"' in answer.headers["content-disposition"]
    assert answer.headers["content-security-policy"].endswith("sandbox")


def test_files_are_named_in_any_script(app: TestClient, post: Callable[..., Any]) -> None:
    """Non-ASCII titles are encoded in the file name."""
    html = "<title>Рожь/../зимой</title><p>Рожь сеют осенью."
    page = post(app, "/read", data={"html": html}).headers["location"]
    header = app.get(f"{page}/download").headers["content-disposition"]
    assert 'filename="article.md"' in header
    assert "filename*=UTF-8''Рожь-..-зимой.md" in unquote(header)


def test_choices_count(app: TestClient, page: str) -> None:
    """Method and scope in the query apply to the page and its downloads."""
    assert "by the method keep_all" in app.get(f"{page}?method=keep_all").text
    assert "Home page" in app.get(f"{page}/download?method=keep_all").text
    assert "Home page" not in app.get(f"{page}/download").text
    assert 'value="article" selected' in app.get(f"{page}?scope=article").text
    for wrong in ("method=x", "scope=x", "favor=x"):
        assert 400 == app.get(f"{page}?{wrong}").status_code
    assert 400 == app.get(f"{page}/download?format=x").status_code


def test_weights_are_not_chosen_from_outside(app: TestClient, page: str) -> None:
    """The query cannot choose a file of weights."""
    text = app.get(f"{page}?learned.model=/nowhere.npz&model=/nowhere.npz").text
    assert "stands green" in text


def test_images_are_shown_when_asked_for(app: TestClient, page: str) -> None:
    """Images are shown only on request, through the app."""
    assert "<img" not in app.get(page).text.partition('class="text"')[2]
    shown = app.get(f"{page}?images=on&method=keep_all").text.partition('class="text"')[2]
    assert set(re.findall(r'<img src="([^?]*)', shown)) == {f"{page}/image"}


def test_images_are_remembered_until_they_are_switched_off(app: TestClient, page: str) -> None:
    """The choice of the form holds for other pages, but a link from elsewhere is no choice."""

    def is_shown(path: str, **headers: str) -> bool:
        text = app.get(path, headers=headers).text
        assert ("images=on" in text.partition("Export")[2]) == (f'src="{page}/image' in text)
        return f'src="{page}/image' in text

    plain = f"{page}?method=keep_all"
    assert is_shown(f"{plain}&images=on", **{"sec-fetch-site": "cross-site"})
    assert not is_shown(plain)
    assert is_shown(f"{plain}&images=off&images=on", **{"sec-fetch-site": "same-origin"})
    assert is_shown(plain)
    assert not is_shown(f"{plain}&images=off", **{"sec-fetch-site": "same-origin"})
    assert not is_shown(plain)


def test_images_can_be_off(open_app: Callable[..., Any], post: Callable[..., Any]) -> None:
    """With images disabled, none are offered or fetched."""
    with open_app(images=False) as client:
        page = post(client, "/read", data={"html": PAGE}).headers["location"]
        text = client.get(f"{page}?images=on").text
        assert f"{page}/image" not in text and "fetched by this server" not in text
        assert 403 == client.get(f"{page}/image?url=https://e.org/a.png").status_code


def test_failures_are_counted(app: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Failed fetches are counted in the metrics."""

    def fail(url: str, **options: Any) -> Fetched:
        raise FetchError("no <answer>", url=url)

    monkeypatch.setattr("thresher.fetching.fetch.fetch", fail)
    answer = app.get("/read?url=e.org")
    assert "no &lt;answer&gt;." in answer.text
    assert 'outcome="FetchError"' in app.get("/metrics").text
