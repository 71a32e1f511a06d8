"""Pages that people opened, as they were received."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from thresher.fetching.model import Fetched
from thresher.page.archives import unpack_archive

__all__ = ["PageSource"]

_OVERHEAD_BYTES: Final = 1000
"""Bytes added per page, so that the number of empty pages is bounded too."""


@dataclass(frozen=True, slots=True)
class PageSource:
    """Page as received; picklable."""

    body: bytes | str
    url: str | None = None
    http_charset: str | None = None
    name: str = ""
    """Name of the uploaded file, if any."""
    is_public: bool = True
    """Whether the page is from the public internet, and must not load private addresses."""
    is_fetched: bool = False
    """Whether it was fetched from its address, and can be fetched again."""
    label: str | None = None
    """Text that a person marked as its content; None if there is no label."""

    @classmethod
    def of_fetched(cls, fetched: Fetched) -> PageSource:
        """Build the source of a fetched page."""
        return cls(
            fetched.body,
            fetched.url,
            fetched.http_charset,
            is_public=fetched.is_public,
            is_fetched=True,
        )

    @classmethod
    def of_file(cls, body: bytes, url: str | None, name: str) -> PageSource:
        """Build the source of a file; that of an archive (MHTML, webarchive) is its page.

        InputError for an archive without a page.
        """
        archived = unpack_archive(body)
        if archived is None:
            return cls(body, url, name=name)
        return cls(archived.html, url or archived.url, archived.charset, name)

    @classmethod
    def of_content(
        cls, content: str, title: str, url: str | None, *, is_public: bool = True
    ) -> PageSource:
        """Build the source of a page from the HTML of its content alone, and its title."""
        head = title.replace("&", "&amp;").replace("<", "&lt;")
        html = f"<title>{head}</title><article><h1>{head}</h1>{content}</article>"
        return cls(html, url, is_public=is_public)

    @property
    def n_bytes(self) -> int:
        """Approximate bytes of memory."""
        is_wide = isinstance(self.body, str) and not self.body.isascii()
        n_label = len(self.label or "")
        return (len(self.body) + n_label) * (2 if is_wide else 1) + _OVERHEAD_BYTES
