"""Sites that are applications or shops, judged by their pages so far.

A page by itself may have too few signs: on the first page of an application little may stand but
text. If some pages of it were filtered and others not, its menu would come and go. So pages of a
site are counted, and all are left alone, except for advertisements and tracking, once it is known.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from thresher.support.files import save_text
from thresher.support.hosts import host_of

__all__ = ["SiteKinds"]

_MAX_SITES: Final = 5000
"""Maximum of sites; the least recently seen are forgotten first."""
_MAX_PAGES: Final = 60
"""Pages of a site from which on old ones count half."""
_RETURN_SHARE: Final = 1 / 3
"""Share of applications among its pages below which a site is one no longer."""
_MAX_BYTES: Final = 2**20


class _Pages(NamedTuple):
    """Pages of a site."""

    n_application: int = 0
    n_read: int = 0
    is_application: bool = False

    def with_page(self, *, is_application: bool) -> _Pages:
        """Return the same with one page more."""
        n_application = self.n_application + is_application
        n_read = self.n_read + (not is_application)
        if n_application + n_read > _MAX_PAGES:
            n_application, n_read = n_application // 2, n_read // 2
        share = n_application / max(1, n_application + n_read)
        # It changes back later than it came, so that it does not come and go.
        limit = _RETURN_SHARE if self.is_application else 0.5
        return _Pages(n_application, n_read, n_application > 0 and share >= limit)


class SiteKinds:
    """What the pages of each site were; for use in one event loop."""

    def __init__(self, path: Path | None = None) -> None:
        """Read the sites of a file; without one they are forgotten at the end."""
        self._path = path
        self._pages: OrderedDict[str, _Pages] = OrderedDict()
        with suppress(OSError, ValueError, TypeError, AttributeError):
            if path and path.stat().st_size <= _MAX_BYTES:
                known = json.loads(path.read_text(encoding="utf-8"))
                for site, (n_application, n_read) in list(known.items())[-_MAX_SITES:]:
                    self._pages[str(site)] = _Pages(int(n_application), int(n_read), True)

    def is_application(self, url: str) -> bool:
        """Return whether the site of a page is an application or a shop, as far as is known."""
        site = _site_of(url)
        return site in self._pages and self._pages[site].is_application

    def note(self, url: str, *, is_application: bool) -> None:
        """Count a page of a site; save the sites if that changes what it is."""
        site = _site_of(url)
        before = self._pages.pop(site, _Pages())
        now = before.with_page(is_application=is_application)
        self._pages[site] = now
        if len(self._pages) > _MAX_SITES:
            self._pages.popitem(last=False)
        if now.is_application != before.is_application:
            self._save()

    def _save(self) -> None:
        if self._path is None:
            return
        known = {site: each[:2] for site, each in self._pages.items() if each.is_application}
        # On a disk that cannot be written, sites are learned anew.
        with suppress(OSError):
            save_text(self._path, json.dumps(known, indent=0) + "\n", mode=0o600)


def _site_of(url: str) -> str:
    return host_of(url).removeprefix("www.")
