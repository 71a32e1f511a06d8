"""What the integrations share: pages from files and addresses, columns of pages, and facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from thresher.document import Document
from thresher.errors import InputError, LimitError, ThresherError, UsageError
from thresher.extraction import extract
from thresher.support.hosts import is_web
from thresher.support.quoting import quote
from thresher.writers.formats import FormatName
from thresher.writers.jsonl import describe

__all__ = ["DEADLINE_S", "ON_ERROR", "Text", "extract_texts", "read_sources", "read_text"]

DEADLINE_S: Final = 10.0
"""Seconds a page, unless ``deadline_s`` is among the options: one page should not hold up many."""
ON_ERROR: Final = ("raise", "skip")
"""What becomes of a page that cannot be read."""


class Text(NamedTuple):
    """The content of a page, and what is known about it."""

    text: str
    facts: dict[str, Any]
    """Strings and numbers by name, as databases of documents store them; none is null."""


def read_text(html: str | bytes, format: FormatName = "markdown", **options: Any) -> Text:
    """Extract a page; ``options`` are those of `thresher.extract`, and errors as well."""
    return _describe(_extract(html, options), format)


def read_sources(
    sources: Iterable[str | Path], format: FormatName, on_error: str, **options: Any
) -> Iterator[Text]:
    """Yield the text of each file or web address, as it is asked for.

    Raises UsageError for another ``on_error`` than `ON_ERROR`. With "skip" a page that cannot be
    read or fetched is left out, a file that is missing, too; otherwise that is an OSError.
    """
    if on_error not in ON_ERROR:
        raise UsageError(f"on_error must be one of {', '.join(ON_ERROR)}, not {quote(on_error)}")
    for source in sources:
        try:
            yield _describe(_extract_source(source, options), format, str(source))
        except UsageError:
            raise
        except (OSError, ThresherError):
            if on_error == "raise":
                raise


def extract_texts(
    pages: Iterable[str | bytes | None], format: FormatName, **options: Any
) -> Iterator[str | None]:
    """Yield the content of each page of a column; None for no page, or one that cannot be read."""
    for html in pages:
        if not isinstance(html, str | bytes):
            yield None
            continue
        try:
            yield _extract(html, options).write(format)
        except (InputError, LimitError):
            yield None


def _extract(html: str | bytes, options: dict[str, Any]) -> Document:
    return extract(html, **{"deadline_s": DEADLINE_S} | options)


def _extract_source(source: str | Path, options: dict[str, Any]) -> Document:
    """Extract a file, or an address, which is fetched as the command does."""
    if not (isinstance(source, str) and is_web(source)):
        return _extract(Path(source).read_bytes(), options)
    # Files need no network.
    from thresher.fetching.fetch import fetch

    fetched = fetch(source)
    own = {"url": fetched.url, "http_charset": fetched.http_charset}
    return _extract(fetched.body, own | options)


def _describe(document: Document, format: FormatName, source: str | None = None) -> Text:
    text = document.write(format)
    facts = {"source": source, **describe(document, text)}
    del facts["text"]
    return Text(
        text,
        {
            name: "; ".join(value) if isinstance(value, list | tuple) else value
            for name, value in facts.items()
            if value is not None
        },
    )
