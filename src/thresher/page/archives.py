"""The kinds of archives from which a page is read."""

from __future__ import annotations

from typing import Final

from thresher.page.mhtml import ArchivedPage, unpack_mhtml
from thresher.page.webarchive import unpack_webarchive

ARCHIVE_SUFFIXES: Final = (".mhtml", ".mht", ".webarchive")
"""Of the names of their files, in lower case."""


def unpack_archive(data: bytes | str) -> ArchivedPage | None:
    """Return the page of an archive of any kind, None for any other input.

    InputError for an archive without a page or with one that cannot be read.
    """
    page = unpack_mhtml(data)
    return unpack_webarchive(data) if page is None else page
