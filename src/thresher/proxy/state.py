"""State of a running proxy, shared by the addon and the settings pages.

Settings, rules and block list are immutable objects that are replaced as a whole, so a page in
progress keeps those it started with. Statistics and the log of the latest requests are in memory
only, and bounded: what people visit is never written to disk. For use in one event loop.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import shutil
import tempfile
import time
import weakref
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from thresher.errors import UsageError
from thresher.filters.blocklist import BlockList, own_blocklist
from thresher.proxy.memory import (
    KEEP_RECENT_S,
    EarlyHeads,
    OwnedPages,
    PerPage,
    PostResults,
    RecentPage,
    SiteKinds,
    TemporaryViews,
)
from thresher.proxy.settings import ProxySettings
from thresher.proxy.settings_store import NO_OPTIONS, RunOptions, SettingsStore, WatchedFile
from thresher.sites.rulebook import HostRules, Rulebook, change_rulebook, read_rulebook
from thresher.support.files import save_text

_N_TIME: Final = 1024
"""Number of pages from which quantiles of the added time are computed."""
_N_STOPPED: Final = 1000
"""Number of hosts for which stopped requests are counted."""
_N_RECENT: Final = 100
"""Number of pages that are listed."""


@dataclass(frozen=True, slots=True)
class PageRecord:
    """Outcome of one page."""

    host: str
    outcome: str
    """``inplace``, ``reader``, ``text``: the view. ``left alone``, ``passed``: with a reason."""
    reason: str = ""
    """Why it was left alone (a portal …) or passed (a failure); one of a few texts."""
    n_byte: int = 0
    """Bytes of the page, decompressed."""
    n_byte_out: int = 0
    added_s: float = 0.0
    """Seconds from the last byte received to the first byte sent that depends on it."""
    queued_s: float = field(default=0.0, kw_only=True)
    """Seconds of these in which it waited for a worker."""
    removed: Mapping[str, int] = field(default_factory=dict)
    """Filter → elements it removed."""
    removed_chars: int = 0
    when: float = field(default_factory=time.time)
    """Seconds since the epoch."""


class Statistics:
    """Counters of pages and requests."""

    def __init__(self) -> None:
        self.since = time.time()
        """Seconds since the epoch."""
        self.pages = self.removed_chars = self.n_byte = self.n_byte_out = 0
        self.outcomes: Counter[str] = Counter()
        """Outcome → pages."""
        self.reasons: Counter[str] = Counter()
        """Reason for leaving pages alone or passing them → pages."""
        self.removed: Counter[str] = Counter()
        """Filter → removed elements."""
        self.recent: deque[PageRecord] = deque(maxlen=_N_RECENT)
        """The latest pages, newest first."""
        self.n_stopped = 0
        """Requests of pages that were stopped."""
        self.stopped: Counter[str] = Counter()
        """Host → requests to it that were stopped; of 1,000 hosts at most."""
        self._added_s: deque[float] = deque(maxlen=_N_TIME)
        self._queued_s: deque[float] = deque(maxlen=_N_TIME)

    def count(self, seen: PageRecord) -> None:
        """Count one page."""
        self.pages += 1
        self.outcomes[seen.outcome] += 1
        if seen.reason:
            self.reasons[seen.reason] += 1
        self.removed.update(seen.removed)
        self.removed_chars += seen.removed_chars
        self.n_byte += seen.n_byte
        self.n_byte_out += seen.n_byte_out
        self._added_s.append(seen.added_s)
        self._queued_s.append(seen.queued_s)
        self.recent.appendleft(seen)

    def count_stopped(self, host: str) -> None:
        """Count one stopped request."""
        self.n_stopped += 1
        if host in self.stopped or len(self.stopped) < _N_STOPPED:
            self.stopped[host] += 1

    def added_s(self, percent: int) -> float:
        """Return a quantile of the added time of the last 1,024 pages; 0 before the first."""
        return _quantile(self._added_s, percent)

    def queued_s(self, percent: int) -> float:
        """Return a quantile of their wait for a worker."""
        return _quantile(self._queued_s, percent)


def _quantile(values: Iterable[float], percent: int) -> float:
    ranked = sorted(values) or [0.0]
    return ranked[min(len(ranked) - 1, len(ranked) * percent // 100)]


_MAX_ENTRIES: Final = 500
_MAX_URL_CHARS: Final = 500


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One request."""

    user: str
    """Empty without users."""
    url: str
    outcome: str
    """The view of a page, ``left alone`` or ``passed``; ``stopped`` for a request of a page."""
    reason: str = ""
    when: float = field(default_factory=time.time)
    """Seconds since the epoch."""


class RequestLog:
    """The latest entries, newest first. Without a lock, for use in one event loop."""

    def __init__(self) -> None:
        self._entries: deque[LogEntry] = deque(maxlen=_MAX_ENTRIES)

    def add(self, user: str | None, url: str, outcome: str, reason: str = "") -> None:
        """Add a request."""
        self._entries.appendleft(LogEntry(user or "", url[:_MAX_URL_CHARS], outcome, reason))

    def find(self, words: str = "") -> tuple[LogEntry, ...]:
        """Return the entries that contain every word, in any field."""
        wanted = words.lower().split()

        def is_wanted(entry: LogEntry) -> bool:
            text = f"{entry.user} {entry.url} {entry.outcome} {entry.reason}".lower()
            return all(word in text for word in wanted)

        return tuple(filter(is_wanted, self._entries))


_LIST_NAME: Final = "blocklist.txt"
_KINDS_NAME: Final = "applications.json"


@dataclass(frozen=True, slots=True)
class ListFile:
    """Block list for workers: a file that each reads once, instead of a set sent with each page.

    None as path stands for the list that ships with Thresher.
    """

    path: Path | None = None
    digest: str = ""
    """Digest of the file, which identifies the version of the list."""


@lru_cache(maxsize=2)
def load_list(file: ListFile) -> BlockList:
    """Return the block list of a file, cached; the shipped list if the file is missing."""
    if file.path is None:
        return own_blocklist()
    try:
        with file.path.open(encoding="utf-8") as lines:
            return BlockList.parse(lines)
    except OSError:
        return own_blocklist()


class ProxyState:
    """State of one proxy. Files are written atomically."""

    def __init__(
        self,
        settings: ProxySettings,
        *,
        run: RunOptions = NO_OPTIONS,
        settings_path: Path | None = None,
        rules_path: Path | None = None,
        data_dir: Path | None = None,
        upstream_ca: Path | None = None,
    ) -> None:
        """Raise UsageError if the rulebook, or an option with these settings, is invalid.

        ``settings`` are those of the file, ``run`` those of the command line; a path of None
        disables saving. ``data_dir`` keeps fetched block lists, and which sites are applications;
        without it they are discarded at the end. ``upstream_ca`` is a file of certificate
        authorities to trust for servers, besides the usual ones.
        """
        self.rules_path = rules_path
        self.data_dir = data_dir
        self.upstream_ca = upstream_ca
        self.statistics = Statistics()
        self.log = RequestLog()
        self.temporary_views = TemporaryViews()
        self.restored = PerPage[tuple[str, ...]]()
        """Selectors of what is shown on a page for some minutes, though it would be removed."""
        self.picking = PerPage[bool]()
        """Pages that are shown with the picker of elements, once."""
        self.recent_pages = OwnedPages[RecentPage](KEEP_RECENT_S)
        self.post_results = PostResults()
        self.early_heads = EarlyHeads()
        self.site_kinds = SiteKinds(data_dir / _KINDS_NAME if data_dir else None)
        self.settings = SettingsStore(settings, run, settings_path)
        self.started = self.settings.current
        """The settings at the start, with which the proxy listens."""
        self.listening_port = 0
        """The port, once the proxy listens; the settings may ask for any."""
        self.rules_error = ""
        """Why the last change of the rulebook's file could not be read; empty if it could."""
        self._rules_file = WatchedFile(rules_path)
        self._rulebook = read_rulebook(rules_path) if rules_path else Rulebook()
        self.blocklist = own_blocklist()
        """Rules of what is removed from pages, and of requests that are stopped."""
        self.list_file = ListFile()
        """The block list as a file, for workers."""
        self._work_folder: Path | None = None
        self._secret = secrets.token_bytes(32)

    @property
    def is_reverse(self) -> bool:
        """Whether the proxy stands for one site, which clients know by the proxy's address."""
        return self.started.mode.startswith("reverse:")

    @property
    def rulebook(self) -> Rulebook:
        """The rules of all hosts; reloaded if the file has changed."""
        if self.rules_path and self._rules_file.has_changed():
            self.rules_error = ""
            try:
                self._rulebook = read_rulebook(self.rules_path)
            except UsageError as error:
                self.rules_error = str(error)
        return self._rulebook

    def change_rules(self, host: str, change: Callable[[HostRules], HostRules]) -> None:
        """Change and save the rules of a host; UsageError for an invalid host, OSError on failure.

        ``change`` receives the rules that the file has by now, and may raise an error itself.
        """
        if self.rules_path:
            _, self._rulebook = change_rulebook(self.rules_path, host, change)
            self._rules_file.note()
        else:
            self._rulebook = self._rulebook.with_change(host, change)

    def book_of(self, user: str | None) -> Rulebook:
        """Return what a user has chosen for single sites; without a user, the rules of all."""
        own = self.settings.current.user_of(user)
        return own.book if own else self.rulebook

    def rules_of(self, user: str | None, url: str) -> HostRules:
        """Return the rules of a page for a user: their own choices, then those for everybody."""
        shared = self.rulebook.of(url)
        own = self.settings.current.user_of(user)
        return own.book.of(url).over(shared) if own else shared

    def change_choices(
        self, user: str | None, host: str, change: Callable[[HostRules], HostRules]
    ) -> None:
        """Change and save the rules of a host, for one user or everybody. Raises as above."""
        settings = self.settings.current
        own = settings.user_of(user)
        if user is None or own is None:
            self.change_rules(host, change)
            return
        own = replace(own, book=own.book.with_change(host, change))
        self.settings.replace(replace(settings, users={**settings.users, user: own}))

    def replace_blocklist(self, blocklist: BlockList) -> None:
        """Apply a block list from the next page on, and write it to a file for the workers.

        The file is temporary, so that lists apply where settings cannot be saved. Raises OSError.
        """
        if self._work_folder is None:
            self._work_folder = Path(tempfile.mkdtemp(prefix="thresher-"))
            weakref.finalize(self, shutil.rmtree, self._work_folder, ignore_errors=True)
        text = "\n".join(blocklist.lines()) + "\n"
        digest = hashlib.sha256(text.encode()).hexdigest()
        path = self._work_folder / _LIST_NAME
        save_text(path, text)
        self.list_file = ListFile(path, digest)
        self.blocklist = blocklist

    def token(self, user: str | None, purpose: str) -> str:
        """Return the token that proves that a form or link is from the proxy's own pages."""
        about = f"{user or ''}\0{purpose}".encode("utf-8", "surrogatepass")
        return hmac.new(self._secret, about, hashlib.sha256).hexdigest()[:32]

    def is_token(self, token: str, user: str | None, purpose: str) -> bool:
        """Return whether a token is valid for a user and a purpose."""
        given = token.encode("utf-8", "surrogatepass")
        return hmac.compare_digest(given, self.token(user, purpose).encode())
