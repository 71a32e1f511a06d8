"""What the proxy remembers of pages and sites; bounded in number, bytes and time."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeVar

from thresher.filters.settings import Filters
from thresher.proxy.rewrite_model import ReceivedPage, RewriteOptions
from thresher.proxy.settings import Profile
from thresher.sites.rulebook import HostRules
from thresher.support.bounded_cache import ByteCache
from thresher.support.files import save_text
from thresher.support.hosts import host_of

_Key = TypeVar("_Key")
_T = TypeVar("_T")


def _put_last(kept: OrderedDict[_Key, _T], key: _Key, value: _T, limit: int) -> None:
    """Put an entry behind all others, and forget the first beyond the limit."""
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > limit:
        kept.popitem(last=False)


_MAX: Final = 1000
"""Maximum number of pages; the oldest are evicted first."""
_KEEP_S: Final = 600.0
"""Seconds for which a choice stays in effect, so that the page can be reloaded."""

_N_SLASH_OF_ORIGIN: Final = 3
"""Slashes in ``https://host/``."""


class PerPage(Generic[_T]):
    """Choices for single pages, by user and address; bounded in number and time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: OrderedDict[tuple[str | None, str], tuple[_T, float]] = OrderedDict()

    def put(self, user: str | None, url: str, choice: _T) -> None:
        """Let a choice hold for a page for some minutes."""
        kept = choice, self._clock() + _KEEP_S
        _put_last(self._known, (user, without_fragment(url)), kept, _MAX)

    def get(self, user: str | None, url: str) -> _T | None:
        """Return the choice; None if there is none or it has expired."""
        key = (user, without_fragment(url))
        choice, until = self._known.get(key, (None, 0.0))
        if choice is not None and until < self._clock():
            del self._known[key]
            return None
        return choice

    def take(self, user: str | None, url: str) -> _T | None:
        """Return the choice as `get` does, and forget it."""
        choice = self.get(user, url)
        self._known.pop((user, without_fragment(url)), None)
        return choice


class TemporaryViews(PerPage[str]):
    """Views of single pages, by user and address; bounded in number and time."""

    def shows_original(self, user: str | None, referer: str) -> bool:
        """Return whether the page that a request names is shown unmodified.

        To other sites browsers name only the page's origin: then any page there counts.
        """
        if referer.count("/") == _N_SLASH_OF_ORIGIN and referer.endswith("/"):
            urls = [url for name, url in self._known if name == user and url.startswith(referer)]
            return any(self.get(user, url) == "original" for url in urls)
        return self.get(user, referer) == "original"


def without_fragment(url: str) -> str:
    """Return an address without its fragment, as it is sent to servers."""
    return url.partition("#")[0]


@dataclass(frozen=True, slots=True)
class OwnedPage:
    """A page as its server sent it, kept for one user."""

    user: str | None
    """None without users."""
    page: ReceivedPage


_Kept = TypeVar("_Kept", bound=OwnedPage)
_MAX_BYTES: Final = 32 * 2**20
"""Maximum total for all users; the least recently used are evicted first."""


class OwnedPages(Generic[_Kept]):
    """Pages by an unguessable name, each for its user alone; bounded in bytes and time."""

    def __init__(
        self,
        keep_s: float = inf,
        max_bytes: int = _MAX_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_bytes = max_bytes
        self._known = ByteCache[_Kept](
            max_bytes, lambda kept: len(kept.page.body), max_age_s=keep_s, clock=clock
        )

    def put(self, page: _Kept) -> str:
        """Keep a page, however large; return its name."""
        return self._known.put(page)

    def keep(self, name: str, page: _Kept) -> None:
        """Keep a page under a name, unless it is too large."""
        if len(page.page.body) <= self._max_bytes:
            self._known.put(page, name)

    def get(self, name: str, user: str | None) -> _Kept | None:
        """Return a page of a user; None if it is somebody else's, unknown or no longer kept."""
        page = self._known.get(name)
        return page if page and page.user == user else None


KEEP_RECENT_S: Final = 1800.0
"""Seconds for which `RecentPage` is kept: people read before they look for what is missing."""


@dataclass(frozen=True, slots=True)
class RecentPage(OwnedPage):
    """A page that was changed, and how it was shown.

    The list of what was removed is made from it when somebody opens the list: to make one of every
    page would take time that nobody gets back.
    """

    profile: Profile
    rules: HostRules
    options: RewriteOptions


@dataclass(frozen=True, slots=True)
class PostResult(OwnedPage):
    """An answer to a form."""

    headers: tuple[tuple[bytes, bytes], ...]


class PostResults(OwnedPages[PostResult]):
    """Results of forms that were sent with POST, so that other views need no second submission.

    To show such a page in another view by asking its server again would send the form again, or
    show the page without its result. So the original is kept for some minutes, and what the badge's
    links lead to is made from it, once for each click.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(_KEEP_S, clock=clock)
        self._chosen = PerPage[str](clock)

    def choose(self, user: str | None, name: str, url: str) -> None:
        """Answer the user's next request for an address with a result, if it is of both."""
        result = self.get(name, user)
        if result and without_fragment(result.page.url) == without_fragment(url):
            self._chosen.put(user, url, name)

    def take(self, user: str | None, url: str) -> tuple[str, PostResult] | None:
        """Return the chosen result for a request, with its name, and forget the choice."""
        name = self._chosen.take(user, url)
        result = self.get(name, user) if name else None
        return (name, result) if name and result else None


_MAX_HOSTS: Final = 10_000
"""Maximum number of hosts; the least recently noted are evicted first."""
_OF_HEADS: Final = (
    "scripts styles external_styles refreshes style_attributes backgrounds text_links image_links "
    "objects iframes"
).split()
"""Filters that the user switches on to change what may be in a head, or the root element."""


def leaves_heads(filters: Filters, *, stops_requests: bool) -> bool:
    """Return whether heads can stay as they are without loading what the filters remove.

    In a head these are scripts, style sheets and hints of advertisers and consent services, the
    requests for which are stopped too.
    """
    loads = filters.ads or filters.consent_scripts
    chosen = any(getattr(filters, name) for name in _OF_HEADS)
    return not chosen and (stops_requests or not loads)


class EarlyHeads:
    """A record of the hosts on one of whose pages the rest did not fit a head that was sent."""

    def __init__(self) -> None:
        self._misfits: OrderedDict[str, None] = OrderedDict()

    def note_misfit(self, host: str) -> None:
        """Record that a page of a host could not be rewritten after its head was sent."""
        # For good: if such pages alternated with others, each would pass unfiltered.
        _put_last(self._misfits, host, None, _MAX_HOSTS)

    def fits(self, host: str) -> bool:
        """Return whether no page of a host has misfitted so far."""
        return host not in self._misfits


_MAX_SITES: Final = 5000
"""Maximum number of sites; the least recently seen are forgotten first."""
_MAX_PAGES: Final = 60
"""Pages of a site from which on old ones count half."""
_RETURN_SHARE: Final = 1 / 3
"""Share of applications among its pages below which a site is one no longer."""
_MAX_FILE_BYTES: Final = 2**20


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
            if path and path.stat().st_size <= _MAX_FILE_BYTES:
                sites = json.loads(path.read_text(encoding="utf-8"))
                for site, (n_application, n_read) in list(sites.items())[-_MAX_SITES:]:
                    self._pages[str(site)] = _Pages(int(n_application), int(n_read), True)

    def is_application(self, url: str) -> bool:
        """Return whether the site of a page is an application or a shop, as far as is known."""
        return self._pages.get(_site_of(url), _Pages()).is_application

    def note(self, url: str, *, is_application: bool) -> None:
        """Count a page of a site; save the sites if that changes what it is."""
        site = _site_of(url)
        before = self._pages.get(site, _Pages())
        now = before.with_page(is_application=is_application)
        _put_last(self._pages, site, now, _MAX_SITES)
        if now.is_application != before.is_application:
            self._save()

    def _save(self) -> None:
        if self._path is None:
            return
        sites = {site: pages[:2] for site, pages in self._pages.items() if pages.is_application}
        # On a disk that cannot be written, sites are learned anew.
        with suppress(OSError):
            save_text(self._path, json.dumps(sites, indent=0) + "\n", mode=0o600)


def _site_of(url: str) -> str:
    return host_of(url).removeprefix("www.")
