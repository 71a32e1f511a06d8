"""Texts that only say that a page is unavailable."""

from __future__ import annotations

import pytest

from thresher.analysis.obstacles.errors import read_error_text

CLEAR = """
404
404 Not Found
Not Found
Error 404 (Not Found)!!1
403 Forbidden
HTTP Error 503. The service is unavailable.
Internal Server Error
Page not found
Oops! That page can’t be found.
We couldn't find the page you were looking for
Sorry, this page isn't available.
Access Denied
Something went wrong
Seite nicht gefunden
Fehler 404: Die aufgerufene Seite existiert nicht
Page introuvable
La page demandée n'existe pas
Página no encontrada
Página não encontrada
Pagina non trovata
Pagina niet gevonden
Sidan kunde inte hittas
Siden blev ikke fundet
Sivua ei löydy
Nie znaleziono strony
Stránka nenalezena
Страница не найдена
Сторінку не знайдено
Sayfa bulunamadı
Halaman tidak ditemukan
الصفحة غير موجودة
页面不存在
404 - 找不到页面
ページが見つかりません
페이지를 찾을 수 없습니다
""".strip().splitlines()

VAGUE = ["410", "500", "Gone", "Forbidden", "Unauthorized", "Unavailable", "Error 500"]

OTHER = """
How to fix a 404 Not Found error
404 Media
Peugeot 504
Fortune 500 companies
Lost and found
We found it
Error
Page
The page
Nothing
Access to the site
He was not found guilty
Not found in translation: ten words
The book you cannot find
Les clés introuvables
Das Kind, das nicht gefunden wurde
不存在的骑士与看不见的城市以及其他许多许多的故事
123
!?
""".strip().splitlines()


@pytest.mark.parametrize("text", CLEAR)
def test_error_text_clear_when_it_can_be_nothing_else(text: str) -> None:
    """A phrase of two words or with a code, in any language, and 404 alone, say an error."""
    found = read_error_text(text)
    assert found is not None
    assert found.is_clear


@pytest.mark.parametrize("text", VAGUE)
def test_error_text_vague_when_it_could_be_a_name(text: str) -> None:
    """One word, or a number that counts miles as well, may say an error."""
    found = read_error_text(text)
    assert found is not None
    assert not found.is_clear


@pytest.mark.parametrize("text", ["", *OTHER])
def test_none_when_a_text_speaks_of_something(text: str) -> None:
    """A text with a word that error messages lack is not an error text."""
    assert read_error_text(text) is None


def test_code_told() -> None:
    """The first status code in the text is returned."""
    found = read_error_text("Error 503: Service Unavailable")
    assert found is not None
    assert "503" == found.code
    assert found.has_phrase


def test_none_when_a_text_is_long() -> None:
    """A long text is not an error text."""
    assert read_error_text("Page not found. " * 5) is not None
    assert read_error_text("Page not found. " * 6) is None
