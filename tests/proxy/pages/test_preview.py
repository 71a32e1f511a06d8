"""Preview of a page before and after rewriting."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.proxy.pages.conftest import BY_PROXY, START, Pages
from tests.proxy.site import ARTICLE
from thresher.proxy.pages.preview import Preview, preview
from thresher.proxy.rewrite_model import ReceivedPage, RewriteOptions
from thresher.proxy.settings import Profile
from thresher.proxy.state import ListFile
from thresher.sites.rulebook import NO_RULES

MEAN = ARTICLE.replace("</article>", "<script>alert(1)</script></article>")


def ask(pages: Pages, client: Any, user: str | None = None, **fields: str) -> Any:
    """Request a preview."""
    return pages.post(client, "/preview", user, **(pages.spelled() | fields))


def frames(text: str) -> list[str]:
    """Return the addresses of the frames of a preview."""
    found = re.findall(r'<iframe sandbox title="\w+" src="([^"]+)"', text)
    assert 2 == len(found)
    return found


def test_before_and_after(pages: Pages) -> None:
    """The frames show the page before and after, with counts by filter."""
    answer = ask(pages, pages.admin, html=ARTICLE, url="http://mill.example/a")
    assert 200 == answer.status_code
    assert "<li>link lists: 2</li>" in answer.text
    before, after = (pages.admin.get(path) for path in frames(answer.text))
    assert "doubleclick" in before.text
    assert "doubleclick" not in after.text
    assert "Paragraph 7" in after.text
    assert '<base href="http://mill.example/a">' in before.text
    other = ask(pages, pages.admin, html=ARTICLE, link_lists="off")
    assert "link lists: " not in other.text
    assert re.search(r"<li>ads: \d", other.text)
    assert START == pages.state.settings.current  # nothing was saved


def test_a_page_can_do_nothing(pages: Pages) -> None:
    """The policy disables scripts, forms and our origin, even outside the frame."""
    answer = ask(pages, pages.admin, html=MEAN)
    for path in frames(answer.text):
        policy = pages.admin.get(path).headers["content-security-policy"]
        assert policy.startswith("sandbox; default-src 'none';")
        assert "script-src" not in policy
        assert "allow" not in policy
        assert "form-action 'none'" in policy
        assert "frame-ancestors 'self'" in policy
    assert "alert(1)</script>" not in answer.text


def test_left_alone(pages: Pages) -> None:
    """The reason for not filtering a page is shown."""
    links = "".join(f'<li><a href="/{i}">Headline {i} of the day</a></li>' for i in range(80))
    answer = ask(pages, pages.admin, html=f"<title>News</title><ul>{links}</ul>")
    assert "would not filter this page" in answer.text


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "enter the address"),
        ({"url": "file:///etc/passwd"}, "start with http"),
        ({"url": "javascript:alert(1)"}, "javascript"),
        ({"html": "<p>Rye.", "pixel_size": "no"}, "pixel_size must be"),
    ],
)
def test_what_is_wrong(pages: Pages, fields: dict[str, str], says: str) -> None:
    """Errors are shown, and the form is kept."""
    answer = ask(pages, pages.admin, **fields)
    assert 422 == answer.status_code
    assert says in answer.text
    assert "<iframe" not in answer.text


def test_previews_are_ones_own(pages: Pages) -> None:
    """Previews are visible to their owner only, and users cannot preview private addresses."""
    pages.add_users("anna", "bert")
    anna = pages.by(BY_PROXY, "anna")
    path = frames(ask(pages, anna, "anna", html=ARTICLE).text)[0]
    assert 200 == anna.get(path).status_code
    assert 404 == pages.by(BY_PROXY, "bert").get(path).status_code
    assert 404 == pages.admin.get(path).status_code
    answer = ask(pages, anna, "anna", url="http://127.0.0.1:9/")
    assert (422, True) == (answer.status_code, "public" in answer.text)


URL = "http://mill.example/a/b"


def look(body: bytes, view: str = "inplace") -> Preview:
    """Return the preview of a page in a view."""
    page = ReceivedPage(body, "text/html", URL)
    return preview(page, Profile(view=view), NO_RULES, ListFile(), RewriteOptions())


@pytest.mark.parametrize("view", ["inplace", "reader", "text", "original"])
def test_charsets(view: str) -> None:
    """Both versions are in UTF-8 and keep every character."""
    html = ARTICLE.replace('charset="utf-8"', 'charset="windows-1251"')
    body = html.replace("Paragraph", "Мельница").encode("cp1251")
    shown = look(body, view)
    assert 8 == shown.before.decode().count("Мельница")
    assert 8 == shown.after.decode().count("Мельница")
    assert view == shown.done.outcome
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
    assert expected in look(html.encode()).before.decode()
