"""The kinds of archives from which a page is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from thresher.page.mhtml import ArchivedPage, unpack_mhtml
from thresher.page.webarchive import unpack_webarchive


class Archive(NamedTuple):
    """One kind of archive."""

    name: str
    suffixes: tuple[str, ...]
    """Of its files, in lower case."""
    unpack: Callable[[bytes | str], ArchivedPage | None]
    """Returns the page of such an archive, None for any other input; raises InputError for an
    archive without a page or with one that cannot be read."""


ARCHIVES: Final = (
    Archive("MHTML", (".mhtml", ".mht"), unpack_mhtml),
    Archive("webarchive", (".webarchive",), unpack_webarchive),
)


def unpack_archive(data: bytes | str) -> ArchivedPage | None:
    """Return the page of an archive of any kind, None for any other input.

    InputError for an archive without a page or with one that cannot be read.
    """
    for archive in ARCHIVES:
        if (page := archive.unpack(data)) is not None:
            return page
    return None
