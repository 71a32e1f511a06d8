"""readability-lxml's `Document`, answered by Thresher.

>>> from thresher.compat.readability import Document
>>> Document("<title>Rye</title><p>The story itself.</p>").summary(html_partial=True)
'<div><p>The story itself.</p></div>'
"""

from __future__ import annotations

from typing import Any, Final

import thresher
from thresher.compat.page_input import read_input
from thresher.document import WriteOptions
from thresher.errors import InputError
from thresher.support.cached import cached_property

__all__ = ["Document", "ReadableDocument", "Unparseable"]

_NO_TITLE: Final = "[no-title]"
_NO_AUTHOR: Final = "[no-author]"
"""Returned by readability-lxml for none."""


class Unparseable(InputError):  # noqa: N818 - readability-lxml's name
    """The input cannot be read as a page."""


class ReadableDocument:
    """One page; its content and titles are computed when asked for.

    The arguments are readability-lxml's. ``positive_keywords``, ``negative_keywords``,
    ``min_text_length``, ``retry_length`` and ``handle_failures`` set up a heuristic that is not
    used here, and have no effect. UsageError for ``xpath``: `thresher.Block.path` has the paths.
    """

    def __init__(
        self,
        input: Any,
        positive_keywords: Any = None,
        negative_keywords: Any = None,
        url: str | None = None,
        min_text_length: int = 25,
        retry_length: int = 250,
        xpath: bool = False,
        handle_failures: str | None = "discard",
    ) -> None:
        if xpath:
            raise thresher.UsageError("no paths in the markup; thresher.Block.path has them")
        self.input = input
        self.url = url

    @cached_property
    def _document(self) -> thresher.Document:
        try:
            return thresher.extract(read_input(self.input), url=self.url)
        except InputError as error:
            raise Unparseable(str(error)) from error

    def summary(self, html_partial: bool = False, keep_all_images: bool = False) -> str:
        """Return the content as clean HTML: a whole page, or with ``html_partial`` a ``div``.

        Without ``keep_all_images`` pictures are left out. Raises `Unparseable`.
        """
        options = WriteOptions(images=keep_all_images, title=False)
        content = f"<div>{self._document.write('html', options)}</div>"
        return content if html_partial else f"<html><body>{content}</body></html>"

    def content(self) -> str:
        """Return the whole body of the page as clean HTML. Raises `Unparseable`."""
        page = self._document.page
        whole = thresher.document_of(thresher.select(page, "keep_all"))
        return f"<body>{whole.write('html', WriteOptions(title=False))}</body>"

    def title(self) -> str:
        """Return the text of the element ``title``; "[no-title]" if there is none."""
        page = self._document.page
        for row in page.tagged(("title",)).nonzero()[0].tolist():
            if title := " ".join(page.text_of(row).split()):
                return title
        return _NO_TITLE

    def short_title(self) -> str:
        """Return the headline, without the name of the site; "[no-title]" if there is none."""
        title = self._document.page_title.text
        return title or _NO_TITLE

    def author(self) -> str:
        """Return the authors, separated by commas; "[no-author]" if none is known."""
        authors = self._document.metadata.authors
        return ", ".join(authors.value) if authors else _NO_AUTHOR

    def get_clean_html(self) -> str:
        """Return the content as `summary` does."""
        return self.summary()


Document = ReadableDocument
"""The name that readability-lxml has for it."""
