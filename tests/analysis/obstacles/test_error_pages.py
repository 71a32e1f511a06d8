"""Evidence required for an error page."""

from __future__ import annotations

import pytest

from tests.analysis.obstacles.pages import NOINDEX, SENTENCE, page
from thresher.analysis.obstacles.errors import find_error_page
from thresher.analysis.obstacles.page_signals import PageSignals
from thresher.page.parse import parse

H1 = "<h1>Page not found</h1>"


def confidence_of(html: str, url: str | None = None) -> float:
    found = find_error_page(PageSignals(parse(html, url=url)))
    return found.confidence if found else 0


def texts(n_word: int) -> str:
    """Write so many words in short blocks."""
    return "<p>rye and oats and barley</p>" * (n_word // 5)


@pytest.mark.parametrize(
    ("html", "needed"),
    [
        (page("", "Not Found"), 30),
        (page("", "Not Found", NOINDEX), 60),
        (page(H1, "Not Found"), 150),
        (page(H1, "Not Found", NOINDEX), 300),
    ],
)
def test_more_text_needs_more_signs(html: str, needed: int) -> None:
    """Each sign lets an error page have some more words, up to a limit."""
    own = 3 if H1 in html else 0
    assert confidence_of(html.replace("</body>", texts(needed - own)))
    assert not confidence_of(html.replace("</body>", texts(needed - own + 5)))


@pytest.mark.parametrize(
    ("html", "url", "confidence"),
    [
        (page("", "Not Found"), None, 0.7),
        (page("", "Not Found", NOINDEX), None, 0.8),
        (page(H1, "Not Found"), None, 0.85),
        (page(H1, "Not Found", NOINDEX), None, 0.9),
        (page(H1, "Not Found", NOINDEX), "https://mill.test/404.html", 0.95),
        (page(H1, "Not Found", "<link rel=canonical href=/page-not-found>"), None, 0.9),
        (page(H1, "Not Found", "<link rel=canonical href='//[/404'>"), None, 0.85),
        (page(f"<div class=not-found>{H1}</div>", "Not Found"), None, 0.9),
        (page(f"<main class=not-found>{H1}</main>", "Not Found"), None, 0.95),
        (page("", head="<meta name=prerender-status-code content=' 410'>"), None, 0.8),
        (page("", head="<meta name=prerender-status-code content=200>"), None, 0),
        (page("<p>404. That is an error.", "Not Found"), None, 0.8),
        (page("", "The mill", NOINDEX), "https://mill.test/404", 0),
        (page("<div class=not-found></div>", "The mill", NOINDEX), None, 0),
    ],
)
def test_signs_make_sure(html: str, url: str | None, confidence: float) -> None:
    """Signs add up; hints alone, without a text or a mark of the whole page, are none."""
    assert confidence == confidence_of(html, url)


@pytest.mark.parametrize(
    "title",
    [
        "Not Found | The mill",
        "The mill — Not Found",
        "mill.test | 502: Bad gateway",
        "The mill: 404",
        "404 · The mill",
    ],
)
def test_site_name_in_the_title_is_left_out(title: str) -> None:
    """A title says an error beside the name of its site."""
    assert confidence_of(page("", title))


def test_vague_text_is_clear_beside_a_clear_one() -> None:
    """A heading "Forbidden" could be of a film; under "403 Forbidden" it is no film."""
    assert not confidence_of(page("<h1>Forbidden</h1>", "Forbidden"))
    assert confidence_of(page("<h1>Forbidden</h1>" + texts(100), "403 Forbidden"))


def test_paragraph_makes_it_a_page_about_something() -> None:
    """An error page has no block of many words."""
    assert confidence_of(page(f"{H1}<p>{SENTENCE * 3}", "Not Found"))
    assert not confidence_of(page(f"{H1}<p>{SENTENCE * 5}", "Not Found"))
