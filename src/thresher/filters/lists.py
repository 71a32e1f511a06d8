"""Block lists from addresses that the user sets, updated periodically; the last valid copy is kept.

As in the paper (section 3), lists are updated from their maintainers. Nothing waits for an update
or fails with it: if a list cannot be fetched or is not a block list, the copy on disk stays and the
reason is recorded. A list is one file, with its server's validators in a comment at the top.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Final

from thresher.errors import FetchError, ThresherError
from thresher.fetching.model import Fetched
from thresher.filters.address_rules import NOT_A_RULE
from thresher.filters.blocklist import NO_HOSTS, BlockList
from thresher.support.files import explain_os_error, save_text

_INTERVAL_S: Final = 24 * 60 * 60.0
"""Seconds between updates; most lists ask for one to four days."""
_RETRY_S: Final = 60 * 60.0
"""Seconds until the next attempt after a failure."""
MAX_LIST_BYTES: Final = 32 * 2**20
"""Maximum bytes of a list, decompressed. The largest common ones have about 8 MB."""
TIMEOUT_S: Final = 60.0
_HEADER: Final = "! thresher "
_NOT_MODIFIED: Final = 304
_ACCEPT: Final = "text/plain,*/*;q=0.8"

Get = Callable[[str, dict[str, str]], Fetched]
"""URL and headers → response; raises ThresherError if there is none."""


@dataclass(frozen=True, slots=True)
class ListState:
    """One list, as a settings page shows it."""

    url: str
    n_rule: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Unsupported feature → number of its rules skipped because they use it."""
    checked_s: float | None = None
    """Time of the last request, seconds since 1970; None before the first one of this process."""
    changed_s: float | None = None
    """Time of the last replacement, seconds since 1970."""
    message: str = ""
    """Reason why the last update failed; empty if it succeeded."""

    @property
    def n_skipped(self) -> int:
        """Number of its rules that are not supported."""
        return sum(self.skipped.values())


class ListStore:
    """The lists of some addresses, on disk and in memory; thread-safe."""

    def __init__(
        self,
        folder: Path,
        urls: Iterable[str],
        *,
        allow_private: bool = False,
        get: Get | None = None,
    ) -> None:
        """Load the lists from disk. ``get`` fetches them; default: the library's own fetcher."""
        self.folder = folder
        self.urls = tuple(dict.fromkeys(urls))
        self._get = get or _getter(allow_private)
        self._lock = Lock()
        self._lists = {url: _read_list(folder, url) for url in self.urls}
        self._headers = {url: _read_header(_path_of(folder, url)) for url in self.urls}
        self._states = {url: self._state(url) for url in self.urls}

    @property
    def blocklist(self) -> BlockList:
        """All lists merged into one."""
        return _join(self._lists.values())

    @property
    def states(self) -> tuple[ListState, ...]:
        """The state of each list, in the order of the addresses."""
        return tuple(self._states[url] for url in self.urls)

    def update(self) -> bool:
        """Update every list and return whether any changed. Never raises for server failures."""
        with self._lock:
            changed = [self._update(url) for url in self.urls]
        return any(changed)

    def _update(self, url: str) -> bool:
        try:
            fetched = self._get(url, {"Accept": _ACCEPT, **_conditions(self._headers[url])})
            text, blocklist = _read_answer(fetched)
        except FetchError as error:
            message = "" if error.status == _NOT_MODIFIED else str(error)
        except ThresherError as error:
            message = str(error)
        else:
            message = ""
            header = {"url": url, "etag": fetched.etag, "last_modified": fetched.last_modified}
            try:
                save_text(_path_of(self.folder, url), f"{_HEADER}{json.dumps(header)}\n{text}")
            except OSError as error:
                message = f"it cannot be saved: {explain_os_error(error)}"
            self._lists[url], self._headers[url] = blocklist, header
            self._states[url] = replace(self._state(url, checked_s=time.time()), message=message)
            return True
        self._states[url] = replace(self._states[url], checked_s=time.time(), message=message)
        return False

    def _state(self, url: str, checked_s: float | None = None) -> ListState:
        blocklist = self._lists[url]
        changed_s = None
        with suppress(OSError):
            changed_s = _path_of(self.folder, url).stat().st_mtime
        return ListState(url, len(blocklist), blocklist.skipped, checked_s, changed_s)


class Updater:
    """Updates lists periodically in its own thread until stopped."""

    def __init__(
        self,
        store: ListStore,
        on_change: Callable[[BlockList], object],
        *,
        interval_s: float = _INTERVAL_S,
    ) -> None:
        """``on_change`` is called in that thread with all lists merged when one has changed."""
        self._store = store
        self._on_change = on_change
        self._interval_s = interval_s
        self._wake = Event()
        self._is_stopped = False

    def start(self) -> None:
        """Start the thread, which updates immediately; does not wait for it."""
        Thread(target=self._run, name="thresher-lists", daemon=True).start()

    def update_now(self) -> None:
        """Request an immediate update; does not wait for it."""
        self._wake.set()

    def stop(self) -> None:
        """Stop the thread; does not wait for a fetch in progress."""
        self._is_stopped = True
        self._wake.set()

    def _run(self) -> None:
        while not self._is_stopped:
            if self._store.update():
                self._on_change(self._store.blocklist)
            failed = any(state.message for state in self._store.states)
            self._wake.wait(min(self._interval_s, _RETRY_S) if failed else self._interval_s)
            self._wake.clear()


def read_lists(folder: Path, urls: Iterable[str]) -> BlockList:
    """Read the lists of some addresses from disk, merged into one; missing files are skipped."""
    return _join(_read_list(folder, url) for url in urls)


def version_of(folder: Path, urls: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Return a version that changes whenever the result of `read_lists` would.

    Cheap, so that a process can check whether its lists in memory are current.
    """
    versions = []
    for url in urls:
        try:
            status = _path_of(folder, url).stat()
            versions.append((status.st_mtime_ns, status.st_size))
        except OSError:
            versions.append((0, 0))
    return tuple(versions)


def _getter(allow_private: bool) -> Get:
    def get(url: str, headers: dict[str, str]) -> Fetched:
        # The HTTP library is needed only to update lists.
        from thresher.fetching.fetch import fetch

        return fetch(
            url,
            timeout_s=TIMEOUT_S,
            max_bytes=MAX_LIST_BYTES,
            allow_private=allow_private,
            headers=headers,
        )

    return get


def _read_answer(fetched: Fetched) -> tuple[str, BlockList]:
    """Return the text and the rules of a list; FetchError if the response is not a block list."""
    text = fetched.body.decode("utf-8-sig", "replace")
    blocklist = BlockList.parse(text.splitlines())
    if (
        text.lstrip()[:1] == "<"
        or "\0" in text
        or blocklist.skipped.get(NOT_A_RULE, 0) >= len(blocklist)
    ):
        raise FetchError("what came is no block list", url=fetched.url, status=fetched.status)
    return text, blocklist


def _read_list(folder: Path, url: str) -> BlockList:
    try:
        with _path_of(folder, url).open(encoding="utf-8", errors="replace") as lines:
            return BlockList.parse(lines)
    except OSError:
        return NO_HOSTS


def _read_header(path: Path) -> dict[str, Any]:
    """Return the server's validators for the list on disk; empty if there are none."""
    with suppress(OSError, ValueError), path.open(encoding="utf-8", errors="replace") as lines:
        header = json.loads(lines.readline().removeprefix(_HEADER))
        if isinstance(header, dict):
            return header
    return {}


def _conditions(header: dict[str, Any]) -> dict[str, str]:
    """Return headers that request a list only if it has changed (RFC 9110, 13.1.2 and 13.1.3)."""
    names = {"If-None-Match": "etag", "If-Modified-Since": "last_modified"}
    return {name: str(header[key]) for name, key in names.items() if header.get(key)}


def _path_of(folder: Path, url: str) -> Path:
    return folder / f"{blake2b(url.encode('utf-8', 'replace'), digest_size=12).hexdigest()}.txt"


def _join(lists: Iterable[BlockList]) -> BlockList:
    joined = NO_HOSTS
    for blocklist in lists:
        joined |= blocklist
    return joined
