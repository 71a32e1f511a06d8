"""Preview of a page before and after rewriting."""

from __future__ import annotations

import pytest

from tests.proxy.site import ARTICLE
from thresher.proxy.pages.before_after import preview
from thresher.proxy.rewrite_model import ReceivedPage, RewriteOptions
from thresher.proxy.settings import Profile
from thresher.proxy.state import ListFile
from thresher.sites.rulebook import NO_RULES

URL = "http://mill.example/a/b"


@pytest.mark.parametrize("view", ["inplace", "reader", "text", "original"])
def test_charsets(view: str) -> None:
    """Both versions are in UTF-8 and keep every character."""
    html = ARTICLE.replace('charset="utf-8"', 'charset="windows-1251"')
    body = html.replace("Paragraph", "Мельница").encode("cp1251")
    shown = preview(
        ReceivedPage(body, "text/html", URL),
        Profile(view=view),
        NO_RULES,
        ListFile(),
        RewriteOptions(),
    )
    assert 8 == shown.before.decode().count("Мельница")
    assert 8 == shown.after.decode().count("Мельница")
    assert view == shown.outcome
    assert len(body) == shown.n_byte


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<html><head lang=en><title>a", f'<head lang=en><base href="{URL}"><title>'),
        ("<!DOCTYPE html><p>a", f'<!DOCTYPE html><base href="{URL}"><p>'),
        ("<p>a", f'<base href="{URL}"><p>'),
        (
            '<head><base href="/c/"><p>a',
            '<head><base href="http://mill.example/c/"><base href="/c/">',
        ),
    ],
)
def test_base(html: str, expected: str) -> None:
    """The base element is the page's address or its own base."""
    shown = preview(
        ReceivedPage(html.encode(), "text/html", URL),
        Profile(),
        NO_RULES,
        ListFile(),
        RewriteOptions(),
    )
    assert expected in shown.before.decode()
