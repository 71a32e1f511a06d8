"""Image proxy of the reading page."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from html import unescape
from typing import Any
from zipfile import ZipFile

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

from starlette.testclient import TestClient

from thresher.app.pages.read import media_type_of
from thresher.errors import FetchError
from thresher.fetching.model import Fetched

PNG = b"\x89PNG\r\n\x1a\n...."
PAGE = '<article><p>Rye is sown in autumn.<img src="https://e.org/a.png" alt="x"></p></article>'


def place(app: TestClient, post: Callable[..., Any]) -> str:
    """Return the proxied address of an image on a reading page."""
    page = post(app, "/read", data={"html": PAGE}).headers["location"]
    shown = app.get(f"{page}?images=on&method=keep_all").text
    found = re.search(r'<img src="(/read/[^"]*)"', shown)
    assert found
    return unescape(found[1])


@pytest.mark.parametrize(("body", "status"), [(PNG, 200), (b"<html>", 415), (b"", 415)])
def test_images_are_passed_on_when_they_are_images(
    app: TestClient,
    post: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    body: bytes,
    status: int,
) -> None:
    """Images are recognized by their bytes, not the header, and sent with a sandbox policy."""
    asked: dict[str, Any] = {}

    def fetch(url: str, **options: Any) -> Fetched:
        asked.update(options, url=url)
        return Fetched(url, body, None, "text/html", 200, is_public=True)

    monkeypatch.setattr("thresher.fetching.fetch.fetch", fetch)
    answer = app.get(place(app, post))
    assert status == answer.status_code
    assert ("https://e.org/a.png", False) == (asked["url"], asked["allow_private"])
    assert asked["max_bytes"] <= 2**23 and asked["timeout_s"] <= 15
    if status == 200:
        assert "image/png" == answer.headers["content-type"]
        assert "sandbox" in answer.headers["content-security-policy"]


def test_book_has_the_pictures_if_they_are_shown(
    app: TestClient, post: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pictures are fetched only where the reader shows them; one that fails is described."""

    def fetch(url: str, **options: Any) -> Fetched:
        if url.endswith("b.png"):
            raise FetchError("no such picture", url=url)
        return Fetched(url, PNG, None, "image/png", 200, is_public=True)

    monkeypatch.setattr("thresher.fetching.fetch.fetch", fetch)
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


def test_images_are_refused_without_their_proof(app: TestClient, post: Callable[..., Any]) -> None:
    """Images without a valid signature are rejected."""
    path = place(app, post)
    other = path.replace("a.png", "b.png")
    assert other != path
    for wrong in (other, path.partition("&proof")[0], path.partition("?")[0], f"{path}é"):
        assert 403 == app.get(wrong).status_code


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
