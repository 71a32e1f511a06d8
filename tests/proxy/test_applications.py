"""Applications and shops are told from pages that are read."""

from __future__ import annotations

from pathlib import Path

import pytest

import thresher
from tests.helpers.harbour import HARBOUR
from tests.proxy.scripted_pages import CASES
from thresher.filters.blocklist import BlockList
from thresher.proxy.passthrough import is_application, passthrough_reason
from thresher.proxy.rewrite import rewrite
from thresher.proxy.rewrite_model import ReceivedPage, RewriteOptions
from thresher.proxy.settings import Profile

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
