"""Loaders that ask peers for metadata: a file for `leaderboard.worker`, in their environments.

Every function here returns a ``find(html, url, lang)`` whose answer is JSON:
``{"title": text or null, "authors": [names], "date": text or null}``. Only the form of a peer's
answer is changed; `scores` handles the separators of names.

Modules are imported by name, since only the peer's environment has them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from typing import Any, Final

Find = Callable[[str, "str | None", "str | None"], str]

SOME_URL: Final = "https://page.example/"
"""For peers that require a URL."""
NO_AUTHOR: Final = "[no-author]"
NO_TITLE: Final = "[no-title]"
"""Values that readability-lxml returns if it finds none."""


def _answer(title: Any = None, authors: Iterable[Any] | str | None = None, date: Any = None) -> str:
    names = [authors] if isinstance(authors, str) else list(authors or ())
    fields = {
        "title": str(title) if title else None,
        "authors": [str(name) for name in names if name],
        "date": str(date) if date else None,
    }
    return json.dumps(fields)


def _trafilatura() -> Find:
    extract = import_module("trafilatura").extract_metadata

    def find(html: str, url: str | None, lang: str | None) -> str:
        metadata = extract(html, default_url=url)
        # Its manual joins authors with semicolons; without any metadata it returns None.
        return _answer(metadata.title, metadata.author, metadata.date) if metadata else _answer()

    return find


def _htmldate(**settings: bool) -> Find:
    find_date = import_module("htmldate").find_date
    return lambda html, url, lang: _answer(date=find_date(html, url=url, **settings))


def _newspaper4k() -> Find:
    module = import_module("newspaper")
    languages = set(import_module("newspaper.utils").get_available_languages())

    def find(html: str, url: str | None, lang: str | None) -> str:
        settings = {"language": lang} if lang in languages else {}
        article = module.Article(url or SOME_URL, fetch_images=False, **settings)
        article.download(input_html=html)
        article.parse()
        return _answer(article.title, article.authors, article.publish_date)

    return find


def _goose3() -> Find:
    goose = import_module("goose3").Goose

    def find(html: str, url: str | None, lang: str | None) -> str:
        with goose({"target_language": lang or "en"}) as extractor:
            article = extractor.extract(raw_html=html)
            return _answer(article.title, article.authors, article.publish_date)

    return find


def _readability() -> Find:
    document = import_module("readability").Document

    def find(html: str, url: str | None, lang: str | None) -> str:
        page = document(html, url=url)
        title, author = page.short_title(), page.author()
        return _answer(
            None if title == NO_TITLE else title, None if author == NO_AUTHOR else author
        )

    return find


LOADERS: Final[dict[str, Callable[[], Find]]] = {
    "trafilatura": _trafilatura,
    "htmldate": _htmldate,
    "htmldate original": partial(_htmldate, original_date=True),
    "newspaper4k": _newspaper4k,
    "goose3": _goose3,
    "readability-lxml": _readability,
}
"""By the name of `scores.METADATA_PEERS`."""
