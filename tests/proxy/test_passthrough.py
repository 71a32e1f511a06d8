"""Pages that pass unchanged: lists, forms, applications and shops."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import thresher
from tests.helpers.fixture_pages import PAGES
from tests.helpers.harbour import HARBOUR
from tests.proxy.scripted_pages import CASES
from tests.proxy.site import ARTICLE, PORTAL
from thresher.algorithms import MethodName
from thresher.filters.blocklist import BlockList
from thresher.proxy.passthrough import find_rows, is_application, passthrough_reason
from thresher.proxy.rewrite import rewrite
from thresher.proxy.rewrite_model import ReceivedPage, RewriteOptions
from thresher.proxy.settings import Profile

APP = (
    "<!DOCTYPE html><title>App</title><body><noscript>You need to enable JavaScript to run this"
    ' app.</noscript><div id="root"></div><script src="/static/js/main.js"></script></body>'
)


CONTACT = (
    f"<title>Contact</title><h1>Contact</h1><p>{'We answer letters within some days. ' * 9}</p>"
    f"<form>{'<label>Name<input></label>' * 4}<button>Send</button></form>"
)


@pytest.mark.parametrize("method", ["learned", "crunch", "keep_all"])
def test_portals_by_any_method(method: MethodName) -> None:
    """Portals are recognized with any method."""
    assert passthrough_reason(thresher.extract(PORTAL, method=method))
    assert passthrough_reason(thresher.extract(ARTICLE, method=method)) is None


@pytest.mark.parametrize(
    ("html", "reason"),
    [(APP, "application"), ("<html><body></body></html>", ""), (CONTACT, "a form")],
    ids=["application", "nothing", "form"],
)
def test_pages_without_an_article(html: str, reason: str) -> None:
    """Pages rendered by scripts, to be filled in, with any words beside it, or empty are seen."""
    assert reason in (passthrough_reason(thresher.extract(html, method="keep_all")) or "?")


FORUM = (CASES / "forum.html").read_text()


@pytest.mark.parametrize("method", ["learned", "prune_shake_purify", "keep_all"])
def test_an_index_of_a_forum_is_a_list(method: MethodName) -> None:
    """Rows of topics are recognized with any method, and so none is lost."""
    document = thresher.extract(FORUM, method=method)
    rows = find_rows(document)
    assert rows is not None
    assert 18 == int(rows.sum())
    assert "list" in (passthrough_reason(document) or "")


@pytest.mark.parametrize("name", ["forum-thread", "news-article", "documentation"])
def test_what_is_read_is_no_list(name: str) -> None:
    """Posts, paragraphs and sections are no rows."""
    assert find_rows(PAGES[name].document()) is None


def test_a_reader_of_an_index_has_all_topics() -> None:
    """Whoever asks for the reader view of a list gets every row."""
    page = ReceivedPage(FORUM.encode(), "text/html", "https://forum.example/")
    done = rewrite(page, Profile(view="reader"), options=RewriteOptions(forced=True))
    assert "reader" == done.outcome
    assert done.body is not None
    assert set(re.findall(r'"/(t\d+)"', FORUM)) <= set(re.findall(r"/(t\d+)", done.body.decode()))


APPLICATIONS = sorted((CASES / "applications").glob("*.html"))


@pytest.mark.parametrize("path", APPLICATIONS, ids=lambda path: path.stem)
def test_an_application_is_left_alone(path: Path) -> None:
    """No field, button, price or menu of an application or a shop is lost."""
    page = ReceivedPage(path.read_bytes(), "text/html", f"https://site.example/{path.stem}")
    done = rewrite(page, Profile())
    assert done.is_application
    assert ("left alone", None) == (done.outcome, done.body)


@pytest.mark.parametrize("name", ["ads", "battery", "button", "svg"])
def test_an_article_with_controls_is_read(name: str) -> None:
    """An article is one, whatever it holds."""
    document = thresher.extract((CASES / f"{name}.html").read_bytes())
    assert not is_application(document)
    assert not passthrough_reason(document)


def test_advertisements_go_from_applications() -> None:
    """The first stage works on every page."""
    html = (
        APPLICATIONS[0]
        .read_text()
        .replace("</main>", '<img src="https://ads.example/1.png"></main>')
    )
    page = ReceivedPage(html.encode(), "text/html", "https://site.example/")
    done = rewrite(page, Profile(), blocklist=BlockList.parse(["ads.example"]))
    assert {"ads": 1} == done.removed


def test_pages_of_an_application_are_left_alone() -> None:
    """A text on the site of an application keeps its menu, but not if a view is asked for."""
    page = ReceivedPage(HARBOUR.encode(), "text/html", "https://site.example/")
    done = rewrite(page, Profile(), options=RewriteOptions(of_application=True))
    assert ("left alone", "an application or a shop") == (done.outcome, done.reason)
    assert done.is_application is False
    asked = RewriteOptions(of_application=True, forced=True)
    assert "inplace" == rewrite(page, Profile(), options=asked).outcome
