"""The proxy's own requests, by the same route as pages, and background updates of block lists."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from thresher.fetching.model import Fetched
from thresher.filters.blocklist import BlockList, own_blocklist
from thresher.filters.lists import MAX_LIST_BYTES, TIMEOUT_S, Get, ListState, ListStore, Updater
from thresher.filters.public_lists import list_addresses
from thresher.proxy.state import ProxyState


def fetch_as_proxy(
    state: ProxyState,
    url: str,
    *,
    timeout_s: float,
    max_bytes: int,
    allow_private: bool,
    headers: Mapping[str, str],
) -> Fetched:
    """Fetch an address, as `thresher.fetching.fetch`, through the upstream proxy if there is one.

    The certificate authorities of ``--upstream-ca`` are trusted too.
    """
    # The HTTP library is needed only here.
    from thresher.fetching.fetch import fetch

    return fetch(
        url,
        timeout_s=timeout_s,
        max_bytes=max_bytes,
        allow_private=allow_private,
        headers=headers,
        via=state.settings.current.upstream or None,
        ca_file=state.upstream_ca,
    )


_FOLDER: Final = "lists"
_HOUR_S: Final = 60 * 60.0


class ListUpdates:
    """Loads the lists from disk, fetches new versions periodically, and applies them.

    All work is done in threads: no page waits for a list. For use in one event loop, which must be
    running when `apply` is called.
    """

    def __init__(self, state: ProxyState, *, get: Get | None = None) -> None:
        """``get`` fetches a list; by default as `fetch_as_proxy`."""
        self._state = state
        self._get = get or self._fetch
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._applied: tuple[tuple[str, ...], int] | None = None
        self._store: ListStore | None = None
        self._updater: Updater | None = None
        self._task: asyncio.Task[None] | None = None
        self._checked_before: dict[str, float | None] | None = None

    @property
    def states(self) -> tuple[ListState, ...]:
        """The state of each list, in the order of the settings."""
        states = {state.url: state for state in self._store.states} if self._store else {}
        urls = list_addresses(self._state.settings.current.list_urls)
        return tuple(states.get(url, ListState(url)) for url in urls)

    @property
    def is_updating(self) -> bool:
        """True if an update requested by `update_now` is still pending for some list."""
        before = self._checked_before
        if before is None:
            return False
        is_asked = any(state.checked_s == before.get(state.url) for state in self.states)
        if not is_asked:
            self._checked_before = None
        return is_asked

    def apply(self) -> None:
        """Apply the addresses of the settings if they have changed; do not wait."""
        settings = self._state.settings.current
        wanted = (list_addresses(settings.list_urls), settings.list_hours)
        if wanted == self._applied:
            return
        self._applied = wanted
        if self._updater:
            self._updater.stop()
        self._updater = None
        self._task = asyncio.get_running_loop().create_task(self._begin(*wanted))

    def update_now(self) -> None:
        """Fetch all lists now; do not wait."""
        self._checked_before = {state.url: state.checked_s for state in self.states}
        if self._updater:
            self._updater.update_now()

    def stop(self) -> None:
        """Stop fetching lists; do not wait for a pending fetch."""
        if self._task:
            self._task.cancel()
        if self._updater:
            self._updater.stop()
        if self._temporary:
            self._temporary.cleanup()

    async def _begin(self, urls: tuple[str, ...], hours: int) -> None:
        store = await asyncio.to_thread(ListStore, self._folder(), urls, get=self._get)
        if self._applied != (urls, hours):  # changed again meanwhile
            return
        self._store = store
        self._use(await asyncio.to_thread(_with_own, store.blocklist))
        if not urls:
            return
        loop = asyncio.get_running_loop()

        def hand_on(blocklist: BlockList) -> None:
            if self._store is store and not loop.is_closed():
                loop.call_soon_threadsafe(self._use, _with_own(blocklist))

        self._updater = Updater(store, hand_on, interval_s=hours * _HOUR_S)
        self._updater.start()

    def _fetch(self, url: str, headers: dict[str, str]) -> Fetched:
        return fetch_as_proxy(
            self._state,
            url,
            timeout_s=TIMEOUT_S,
            max_bytes=MAX_LIST_BYTES,
            # The addresses come from the administrator, and may be in a private network.
            allow_private=True,
            headers=headers,
        )

    def _use(self, blocklist: BlockList) -> None:
        if blocklist != self._state.blocklist:
            self._state.replace_blocklist(blocklist)

    def _folder(self) -> Path:
        if self._state.data_dir:
            return self._state.data_dir / _FOLDER
        self._temporary = self._temporary or tempfile.TemporaryDirectory(
            prefix="thresher-", ignore_cleanup_errors=True
        )
        return Path(self._temporary.name)


def _with_own(blocklist: BlockList) -> BlockList:
    """Return a list with the one that ships; in a thread, since a large one takes a while."""
    return (own_blocklist() | blocklist).prepare()
