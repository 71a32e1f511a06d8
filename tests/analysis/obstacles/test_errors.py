"""Error pages, and texts that state an error."""

from __future__ import annotations

import pytest

from tests.analysis.obstacles.pages import NOINDEX, SENTENCE, page
from tests.helpers.known import known
from thresher.analysis.obstacles.errors import find_error_page, read_error_text
from thresher.analysis.obstacles.page_signals import PageSignals
from thresher.page.parse import parse


def _split(table: str) -> list[str]:
    return [text.strip() for line in table.strip().splitlines() for text in line.split(" | ")]


CLEAR = _split(
    """
404 | 404 Not Found | Not Found | Error 404 (Not Found)!!1 | 403 Forbidden
HTTP Error 503. The service is unavailable. | Internal Server Error | Page not found
Oops! That page can’t be found. | We couldn't find the page you were looking for
Sorry, this page isn't available. | Access Denied | Something went wrong | Seite nicht gefunden
Fehler 404: Die aufgerufene Seite existiert nicht | Page introuvable
La page demandée n'existe pas | Página no encontrada | Página não encontrada
Pagina non trovata | Pagina niet gevonden | Sidan kunde inte hittas | Siden blev ikke fundet
Sivua ei löydy | Nie znaleziono strony | Stránka nenalezena | Страница не найдена
Сторінку не знайдено | Sayfa bulunamadı | Halaman tidak ditemukan | الصفحة غير موجودة | 页面不存在
404 - 找不到页面 | ページが見つかりません | 페이지를 찾을 수 없습니다
"""
)

VAGUE = ["410", "500", "Gone", "Forbidden", "Unauthorized", "Unavailable", "Error 500"]

OTHER = _split(
    """
How to fix a 404 Not Found error | 404 Media | Peugeot 504 | Fortune 500 companies
Lost and found | We found it | Error | Page | The page | Nothing | Access to the site
He was not found guilty | Not found in translation: ten words | The book you cannot find
Les clés introuvables | Das Kind, das nicht gefunden wurde
不存在的骑士与看不见的城市以及其他许多许多的故事 | 123 | !?
"""
)


def clarity_of(text: str) -> bool | None:
    """Return whether an error text is clear; None if it is none."""
    found = read_error_text(text)
    return found and found.is_clear


@pytest.mark.parametrize(
    ("texts", "is_clear"), [(CLEAR, True), (VAGUE, False), (["", *OTHER], None)]
)
def test_error_texts_are_told_apart(texts: list[str], is_clear: bool | None) -> None:
    """Phrases and codes are clear, words and numbers that mean other things vague, others none."""
    assert dict.fromkeys(texts, is_clear) == {text: clarity_of(text) for text in texts}


def test_code_told() -> None:
    """The first status code in the text is returned."""
    found = known(read_error_text("Error 503: Service Unavailable"))
    assert "503" == found.code
    assert found.has_phrase


def test_none_when_a_text_is_long() -> None:
    """A long text is not an error text."""
    assert read_error_text("Page not found. " * 5) is not None
    assert read_error_text("Page not found. " * 6) is None


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
        "The mill: 404",
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
