"""Opening of pages, and Read without scripts."""

from __future__ import annotations

import io
import re
from html import unescape
from urllib.parse import unquote
from zipfile import ZipFile

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp, Post, Web
from tests.helpers.archives import mhtml
from tests.helpers.data import read_data
from thresher.app.pages.read import media_type_of
from thresher.app.reading import DOWNLOADS

SHORT = "<title>Rye</title><article><h1>Rye</h1><p>Rye is sown in autumn, before the frost.</p>"
VIEWS = ("read", "inspect", "compare")


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_takes_html_and_files(app: TestClient, post: Post, view: str) -> None:
    """Pasted HTML, files and the sample open in the view whose form they were sent from."""
    for sent in ({"data": {"html": SHORT}}, {"files": {"file": ("a.html", SHORT, "text/html")}}):
        answer = post(app, f"/{view}", **sent)
        assert 303 == answer.status_code
        path = answer.headers["location"]
        assert path.startswith(f"/{view}/")
        assert "Rye" in app.get(path).text
    path = app.get(f"/sample/{view}").headers["location"]
    assert path.startswith(f"/{view}/")
    text = app.get(path).text
    assert "The first sack came with a carter" in text
    if view == "read":
        assert "Accept all" not in text and "All rights reserved" not in text
        assert app.get("/sample/other").headers["location"].startswith("/read/")


@pytest.mark.parametrize("view", VIEWS)
def test_a_form_comes_back_with_its_problem(app: TestClient, post: Post, view: str) -> None:
    """Where nothing can be opened, the same form has the address, text and reason, or the file."""
    for url in ("http://127.0.0.1:1/", "localhost", "file:///etc/passwd", "http://["):
        answer = post(app, f"/{view}", data={"url": url})
        assert 502 == answer.status_code
        assert f'action="/{view}"' in answer.text
        assert f'value="{url}"' in answer.text and 'role="alert"' in answer.text
    answer = post(app, f"/{view}", data={"url": " ", "html": "\n"})
    assert 400 == answer.status_code and "Enter an address" in answer.text
    assert 'outcome="FetchError"' in app.get("/metrics").text
    if view == "read":
        assert "/" == app.get("/read").headers["location"]
    typed = "\n%PDF-1.7 </textarea> & typed"
    path = post(app, f"/{view}", data={"html": typed, "url": "mill.example"})
    answer = app.get(path.headers["location"])
    assert 422 == answer.status_code
    assert f'action="/{view}"' in answer.text
    # The parser drops the first line end of a text area.
    assert re.search(
        r"<details[^>]* open[^>]*>[^%]*<textarea[^>]*>\n\s*\n%PDF-1.7 &lt;", answer.text
    )
    assert "&amp; typed</textarea>" in answer.text
    assert 'value="https://mill.example"' in answer.text
    path = post(app, f"/{view}", files={"file": ("a.html", b"%PDF-1.7", "text/html")})
    assert "Choose a.html again" in app.get(path.headers["location"]).text


PAGE = read_data("rye-and-oats.html")


@pytest.fixture
def page(app: TestClient, post: Post) -> str:
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


def test_files_are_decoded_and_archives_opened(app: TestClient, post: Post) -> None:
    """A file is decoded as it declares; an archive is its page, with the address that it notes."""
    russian = "<title>Рожь/../зимой</title><meta charset=koi8-r><p>Рожь сеют осенью."
    file = ("рожь.html", russian.encode("koi8-r"), "text/html")
    page = post(app, "/read", files={"file": file}).headers["location"]
    text = app.get(page).text
    assert "Рожь сеют осенью." in text and "рожь.html" in text
    header = app.get(f"{page}/download").headers["content-disposition"]
    assert 'filename="article.md"' in header
    assert "filename*=UTF-8''Рожь-..-зимой.md" in unquote(header)
    archive = mhtml(PAGE, url="https://example.org/notes/rye")
    answer = post(app, "/read", files={"file": ("rye.mhtml", archive, "multipart/related")})
    assert 'href="https://example.org/x"' in app.get(answer.headers["location"]).text


def test_addresses_are_fetched(app: TestClient, post: Post, web: Web) -> None:
    """Public addresses are fetched by form or bookmarklet, with a default scheme."""
    web.moved = dict.fromkeys(("https://e.org/old", "http://e.org/2"), "https://e.org/new")
    web.pages["https://e.org/new"] = "<p>Größe"
    answer = post(app, "/read", data={"url": " e.org/old "})
    text = app.get(answer.headers["location"]).text
    assert "Größe" in text and "https://e.org/new" in text
    assert 303 == app.get("/read?url=http://e.org/2").status_code
    asked = [(url, options["allow_private"]) for url, options in web.asked]
    assert [("https://e.org/old", False), ("http://e.org/2", False)] == asked
    # A fetched page has its address in its path, a pasted one has not.
    assert answer.headers["location"].endswith("?url=https%3A%2F%2Fe.org%2Fnew")
    pasted = post(app, "/read", data={"html": PAGE, "url": "https://e.org/a"})
    assert "?" not in pasted.headers["location"]


@pytest.mark.parametrize("format", DOWNLOADS)
def test_articles_are_sent_as_files(app: TestClient, page: str, format: str) -> None:
    """Each format is sent as a file with its name, type and a sandbox policy."""
    answer = app.get(f"{page}/download?format={format}")
    assert 200 == answer.status_code
    assert DOWNLOADS[format].media_type == answer.headers["content-type"]
    suffix = DOWNLOADS[format].suffix
    assert f'attachment; filename="Rye-oats{suffix}"' in answer.headers["content-disposition"]
    assert answer.headers["content-security-policy"].endswith("sandbox")
    if format == "epub":
        assert answer.content.startswith(b"PK")
    else:
        assert b"oats" in answer.content and b"sown in autumn" in answer.content
        assert answer.content.endswith(b"\n")


def test_choices_count(app: TestClient, page: str) -> None:
    """Method and scope in the query apply to the page and its downloads."""
    assert "by the method keep_all" in app.get(f"{page}?method=keep_all").text
    assert "Home page" in app.get(f"{page}/download?method=keep_all").text
    assert "Home page" not in app.get(f"{page}/download").text
    assert 'value="article" selected' in app.get(f"{page}?scope=article").text
    for wrong in ("method=x", "scope=x", "favor=x"):
        assert 400 == app.get(f"{page}?{wrong}").status_code
    assert 400 == app.get(f"{page}/download?format=x").status_code
    assert 404 == app.get("/read/none").status_code == app.get("/read/none/download").status_code
    # No query can choose a file of weights.
    assert "stands green" in app.get(f"{page}?learned.model=/nowhere.npz&model=/nowhere.npz").text


def test_images_are_remembered_until_they_are_switched_off(app: TestClient, page: str) -> None:
    """The choice of the form holds for other pages, but a link from elsewhere is no choice."""

    def is_shown(path: str, **headers: str) -> bool:
        text = app.get(path, headers=headers).text
        assert ("images=on" in text.partition("Export")[2]) == (f'src="{page}/image' in text)
        return f'src="{page}/image' in text

    plain = f"{page}?method=keep_all"
    assert not is_shown(plain)
    assert is_shown(f"{plain}&images=on", **{"sec-fetch-site": "cross-site"})
    assert not is_shown(plain)
    assert is_shown(f"{plain}&images=off&images=on", **{"sec-fetch-site": "same-origin"})
    assert is_shown(plain)
    assert not is_shown(f"{plain}&images=off", **{"sec-fetch-site": "same-origin"})
    assert not is_shown(plain)


def test_images_can_be_off(open_app: OpenApp, post: Post) -> None:
    """With images disabled, none are offered or fetched."""
    with open_app(images=False) as client:
        page = post(client, "/read", data={"html": PAGE}).headers["location"]
        text = client.get(f"{page}?images=on").text
        assert f"{page}/image" not in text and "fetched by this server" not in text
        assert 403 == client.get(f"{page}/image?url=https://e.org/a.png").status_code


PNG = b"\x89PNG\r\n\x1a\n...."
PICTURED = '<article><p>Rye is sown in autumn.<img src="https://e.org/a.png" alt="x"></p></article>'


@pytest.mark.parametrize(("body", "status"), [(PNG, 200), (b"<html>", 415), (b"", 415)])
def test_images_are_passed_on_when_they_are_images(
    app: TestClient, post: Post, web: Web, body: bytes, status: int
) -> None:
    """Images are told by their bytes, sandboxed, and refused without a valid signature."""
    web.pages["https://e.org/a.png"] = body
    page = post(app, "/read", data={"html": PICTURED}).headers["location"]
    found = re.search(
        r'<img src="(/read/[^"]*)"', app.get(f"{page}?images=on&method=keep_all").text
    )
    assert found
    path = unescape(found[1])
    other = path.replace("a.png", "b.png")
    for wrong in (other, path.partition("&proof")[0], path.partition("?")[0], f"{path}é"):
        assert 403 == app.get(wrong).status_code
    assert [] == web.asked
    answer = app.get(path)
    assert status == answer.status_code
    ((url, asked),) = web.asked
    assert ("https://e.org/a.png", False) == (url, asked["allow_private"])
    assert asked["max_bytes"] <= 2**23 and asked["timeout_s"] <= 15
    if status == 200:
        assert "image/png" == answer.headers["content-type"]
        assert "sandbox" in answer.headers["content-security-policy"]


def test_book_has_the_pictures_if_they_are_shown(app: TestClient, post: Post, web: Web) -> None:
    """Pictures are fetched only where the reader shows them; one that fails is described."""
    web.pages["https://e.org/a.png"] = PNG
    html = (
        "<title>Rye</title><article><p>"
        + "Rye is sown in autumn, and stands green. " * 20
        + '<figure><img src="https://e.org/a.png" alt="Field" width=600 height=400></figure>'
        + '<figure><img src="https://e.org/b.png" alt="Barn" width=600 height=400></figure>'
    )
    path = post(app, "/read", data={"html": html}).headers["location"]
    target = f"{path}/download?format=epub&method=keep_all"
    plain = ZipFile(io.BytesIO(app.get(target).content))
    assert not [name for name in plain.namelist() if "picture" in name]
    book = ZipFile(io.BytesIO(app.get(f"{target}&images=on").content))
    assert PNG == book.read("EPUB/picture-1.png")
    assert "EPUB/picture-2.png" not in book.namelist()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (PNG, "image/png"),
        (b"GIF89a..", "image/gif"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\0\0\0\0WAVE", None),
        (b"\0\0\0\x20ftypavif", "image/avif"),
        (b"\0\0\0\x20ftypmp42", None),
        (b"<?xml version='1.0'?>\n<!-- a --><svg xmlns=''>", "image/svg+xml"),
        (b"<html><svg>", None),
    ],
)
def test_types_are_told_by_the_first_bytes(body: bytes, kind: str | None) -> None:
    """Six image types are detected, and nothing else."""
    assert kind == media_type_of(body)
