"""The glue: bytes or text in, a Document out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD, Select
from thresher.decode import decode
from thresher.document import Document
from thresher.errors import UsageError
from thresher.page import Page
from thresher.parse import parse
from thresher.selection import Selection
from thresher.sniff import refuse_non_html
from thresher.writers import WRITERS

__all__ = ["document_of", "extract", "read_page", "select"]


def extract(
    html: str | bytes,
    *,
    url: str | None = None,
    http_charset: str | None = None,
    method: str | Select = DEFAULT_METHOD,
    params: Mapping[str, object] | Any = None,
) -> Document:
    """Extract the main content of a page.

    ``url`` is the base of relative links. ``http_charset`` is the charset of the HTTP response,
    for bytes. ``method`` is a name of `ALGORITHMS` or any ``select(page, params) -> Selection``;
    ``params`` its parameters, by name or as its own dataclass.

    Raises InputError where the input is no page (empty, a PDF, an image …), LimitError where it is
    too large, UsageError for an unknown method or parameter.
    """
    return document_of(select(read_page(html, url=url, http_charset=http_charset), method, params))


def read_page(
    html: str | bytes, *, url: str | None = None, http_charset: str | None = None
) -> Page:
    """Decode and parse HTML into a Page; raises as `extract` does."""
    refuse_non_html(html)
    if isinstance(html, str):
        return parse(html, url=url)
    decoded = decode(html, http_charset=http_charset)
    return parse(decoded.text, url=url, encoding=decoded.encoding)


def select(
    page: Page, method: str | Select = DEFAULT_METHOD, params: Mapping[str, object] | Any = None
) -> Selection:
    """Run one method on a page; `method` and `params` are those of `extract`."""
    if callable(method):
        return method(page, params)
    if method not in ALGORITHMS:
        raise UsageError(f"unknown method {method!r}; one of {', '.join(ALGORITHMS)}")
    algorithm = ALGORITHMS[method]
    if not isinstance(params, algorithm.params):
        params = algorithm.build_params(params)
    return algorithm.select(page, params)


def document_of(selection: Selection) -> Document:
    """Make a Document of any selection, such as a combination of several."""
    return Document(selection.page, selection, WRITERS)
