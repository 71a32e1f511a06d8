"""Feeds page: subscriptions and their items; and feeds with full texts, for other readers.

In a full-text feed each item gets the content of the page that it leads to. Feed readers ask again
every hour or so, and wait for half a minute. So pages are kept for a while, and pages that there
was no time for stay as they are in the feed until the next time. Pages are fetched politely: as
robots.txt allows, with pauses.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.app.context import AppContext, context_of, form_of, path_with, render
from thresher.app.engine import PageSource, Task, extract_task, number_in
from thresher.app.imports import ImportedFeed, ImportedPage
from thresher.app.pages.opening import complete_address, list_query, list_steps, path_of
from thresher.app.pages.saved import ask_list, format_day, wake
from thresher.app.saved_files import add_pages
from thresher.app.subscriptions import FEEDS_FILE, ReadItem, Subscriptions, write_opml
from thresher.errors import FetchError, InputError, ThresherError, UsageError
from thresher.feeds.filling import is_fuller, name_of, write_content
from thresher.feeds.reading import FeedItem, SourceFeed, find_feed, read_feed
from thresher.fetching.model import DELAY_S, MAX_ROBOTS_BYTES, Fetched
from thresher.fetching.robots import Robots
from thresher.serving.pages import status_of
from thresher.support.bounded_cache import ByteCache

_T = TypeVar("_T")
_N_SHOWN: Final = 50
"""Items shown at a time."""
_ASKED: Final = ("feed", "show", "start")
"""Names of the query's values that stay while items of the list are changed."""
_query: Final = partial(list_query, names=_ASKED)


async def show_full_feed(request: Request) -> Response:
    """Send the feed at ``?url=`` with the contents of its pages."""
    url = request.query_params.get("url", "").strip()
    if not url:
        raise HTTPException(400, "name the address of a feed: /feed?url=https://…")
    feeds: FullFeeds = request.app.state.feeds
    written, media_type = await feeds.fill(url)
    return Response(written, media_type=media_type)


async def subscribe(request: Request) -> Response:
    """Subscribe to the feed at an address, or to the one that the page there names."""
    context, typed = context_of(request), str(form_of(request).get("url", "")).strip()
    try:
        if not typed:
            raise UsageError("enter the address of a feed, or of a site that has one")
        fetched, feed = await _find_feed(context, complete_address(typed))
        imported = ImportedFeed(fetched.url, feed.title)

        def store(feeds: Subscriptions) -> int | None:
            feeds.add([imported])
            number = feeds.number_of(imported.url)
            if number is not None:
                feeds.store(number, fetched, feed)
            return number

        number = await ask_feeds(context, store)
    except ThresherError as error:
        return await show_feeds(request, (typed, f"{error}."), status_of(error))
    # Another tab may have removed it meanwhile.
    return RedirectResponse("/feeds" if number is None else f"/feeds?feed={number}", 303)


async def open_item(request: Request) -> Response:
    """Mark an item as read and open its page in Read; what the feed says of it if there is none."""
    context, number = context_of(request), request.path_params["item"]
    item = await ask_feeds(context, lambda feeds: feeds.item(number))
    if item is None:
        raise HTTPException(404, "this item is no longer kept")
    await ask_feeds(context, lambda feeds: feeds.mark([number], is_read=True))
    source = await _fetch_item(context, item)
    if source is None:
        source = PageSource.of_content(item.content, item.title, item.url, is_public=item.is_public)
        return RedirectResponse(f"/read/{context.page_cache.put(source)}?method=keep_all", 303)
    return RedirectResponse(path_of("read", context.page_cache.put(source), source), 303)


async def change(request: Request) -> Response:
    """Make the change ``do`` to an item, a feed or all of them."""
    context, form = context_of(request), form_of(request)
    name = str(form.get("do", ""))
    item, feed, until = (number_in(form, key) for key in ("item", "feed", "until"))
    more: dict[str, object] = {}
    match name:
        case "read" | "unread" if item is not None:
            is_read = name == "read"
            await ask_feeds(context, lambda feeds: feeds.mark([item], is_read=is_read))
        case "read-all" if until is not None:
            await ask_feeds(context, lambda feeds: feeds.mark_all(feed, until))
        case "refresh":
            await ask_feeds(context, lambda feeds: feeds.hasten(feed))
            wake(request)
            more = {"refreshing": 1}
        case "remove" if feed is not None:
            await ask_feeds(context, lambda feeds: feeds.remove(feed))
            more = {"feed": None, "removed": feed}
        case "restore" if feed is not None:
            await ask_feeds(context, lambda feeds: feeds.restore(feed))
            more = {"feed": feed}
        case "save" if item is not None:
            await _save_item(context, item)
            wake(request)
        case _:
            raise UsageError("unknown change")
    return RedirectResponse(path_with("/feeds", list_query(request, _ASKED, **more)), 303)


async def download_opml(request: Request) -> Response:
    """Send the subscriptions, for other readers."""
    feeds = await ask_feeds(context_of(request), lambda feeds: feeds.feeds())
    headers = {"Content-Disposition": 'attachment; filename="feeds.opml"'}
    return Response(write_opml(feeds), media_type="text/x-opml", headers=headers)


async def ask_feeds(context: AppContext, question: Callable[[Subscriptions], _T]) -> _T:
    """Use the subscriptions in a thread, as it may have to wait for another writer."""
    path = context.settings.data_dir / FEEDS_FILE
    return await anyio.to_thread.run_sync(lambda: question(Subscriptions(path)))


async def show_feeds(
    request: Request, failed: tuple[str, str] | None = None, status: int = 200
) -> Response:
    """Show the items of ``?feed=`` or of all feeds, unread ones unless ``?show=all``.

    ``failed`` is an address that could not be subscribed to, and the reason.
    """
    query = request.query_params
    feed, start = number_in(query, "feed"), number_in(query, "start") or 0
    only_unread = query.get("show") != "all"
    latest, feeds, (n_found, items) = await ask_feeds(
        context_of(request),
        lambda feeds: (
            feeds.latest(),
            feeds.feeds(),
            feeds.items(feed, only_unread=only_unread, start=start, limit=_N_SHOWN),
        ),
    )
    return render(
        request,
        "feeds.html",
        status=status,
        feeds=feeds,
        here_feed=next((subscription for subscription in feeds if subscription.id == feed), None),
        n_unread=sum(subscription.n_unread for subscription in feeds),
        items=items,
        n_found=n_found,
        until=latest,
        only_unread=only_unread,
        failed=failed,
        removed=number_in(query, "removed"),
        is_refreshing="refreshing" in query,
        added={name: number_in(query, name) for name in ("new", "known")},
        here_query=_query(request),
        query_with=lambda **more: _query(request, **more),
        **list_steps(request, _ASKED, start=start, n_shown=_N_SHOWN, n_found=n_found),
        n_shown=_N_SHOWN,
        day_of=format_day,
    )


async def _find_feed(context: AppContext, url: str) -> tuple[Fetched, SourceFeed]:
    fetched = await context.get(url, allow_private=True)
    try:
        return fetched, await _read_feed(context, fetched)
    except InputError:
        target = await context.work(find_feed, fetched.body, fetched.url, fetched.http_charset)
        if target is None:
            raise InputError("there is no feed at this address, and the page names none") from None
    # No page of the web may lead to this machine or its network.
    fetched = await context.get(target, allow_private=not fetched.is_public)
    return fetched, await _read_feed(context, fetched)


async def _read_feed(context: AppContext, fetched: Fetched) -> SourceFeed:
    return await context.work(read_feed, fetched.body, fetched.url, fetched.http_charset)


async def _fetch_item(context: AppContext, item: ReadItem) -> PageSource | None:
    if item.url is None:
        return None
    try:
        # A feed of the web must not make the app access its private network.
        return PageSource.of_fetched(await context.get(item.url, allow_private=not item.is_public))
    except ThresherError:
        return None


async def _save_item(context: AppContext, number: int) -> None:
    item = await ask_feeds(context, lambda feeds: feeds.item(number))
    if item is None or item.url is None:
        raise UsageError("this item has no page to save")
    link = PageSource(b"", item.url, is_public=item.is_public, is_fetched=True)
    page = ImportedPage(item.url, item.title, source=link)
    await ask_list(context, lambda saved: add_pages(saved, [page], is_wanted=True))
    await ask_feeds(context, lambda feeds: feeds.mark([number], is_read=True))


_ROBOTS_S: Final = 5.0
"""Seconds for the robots.txt of a site; one that takes longer allows nothing this time."""


class PoliteFetcher:
    """Fetches pages one after the other, and remembers what each site allows."""

    def __init__(self, context: AppContext, delay_s: float, *, allow_private: bool = False) -> None:
        self._get = partial(context.get, allow_private=allow_private)
        self._delay_s = delay_s
        self._robots = Robots(self._get_robots, context.settings.user_agent)

    async def pause_s(self, url: str) -> float:
        """Return the seconds to wait before a page; FetchError if it must not be fetched."""
        return await anyio.to_thread.run_sync(self._robots.pause_s, url, self._delay_s)

    async def get(self, url: str, *, timeout_s: float | None = None) -> Fetched:
        """Fetch a page at once; whoever calls it has waited."""
        return await self._get(url, timeout_s=timeout_s)

    def _get_robots(self, url: str) -> Fetched:
        """Fetch a robots.txt; called in a thread that serves the event loop."""
        get = partial(self._get, max_bytes=MAX_ROBOTS_BYTES, timeout_s=_ROBOTS_S)
        return anyio.from_thread.run(get, url)


MAX_ITEMS: Final = 20
"""Items of a feed that are filled, the first ones: what most publishers write into theirs."""
_BUDGET_S: Final = 20.0
"""Seconds for the pages of a feed: readers of feeds wait for 30 or more."""
_MAX_AT_ONCE: Final = 4
"""Feeds at a time; each keeps at most one fetch busy."""
_KEPT_BYTES: Final = 32 * 2**20
_KEPT_S: Final = 24 * 60 * 60.0
"""Seconds for which the content of a page is kept."""


@dataclass(slots=True)
class FullFeeds:
    """Fills feeds, and keeps the contents of their pages in memory."""

    context: AppContext
    delay_s: float = DELAY_S
    """Seconds between two pages, at least; a robots.txt may ask for more."""
    _kept: ByteCache[str] = field(
        default_factory=lambda: ByteCache(_KEPT_BYTES, len, max_age_s=_KEPT_S)
    )
    _at_once: anyio.CapacityLimiter = field(
        default_factory=lambda: anyio.CapacityLimiter(_MAX_AT_ONCE)
    )

    async def fill(self, url: str) -> tuple[str, str]:
        """Fetch a feed; return it with the contents of its pages, and its media type.

        An item keeps its own content where that is longer, where its page cannot be read or
        robots.txt disallows it, and where there is no time left. Raises FetchError and LimitError
        as fetching does, InputError for what is no feed.
        """
        async with self._at_once:
            context = self.context
            fetched = await context.get(url, allow_private=context.settings.allow_private)
            feed = await _read_feed(context, fetched)
            # No feed of the web may lead to this machine or its network.
            polite = PoliteFetcher(context, self.delay_s, allow_private=not fetched.is_public)
            until = time.monotonic() + _BUDGET_S
            contents = {}
            for number, item in enumerate(feed.items[:MAX_ITEMS]):
                content = await self._fill_item(item, polite, until)
                if is_fuller(content, item):
                    contents[number] = content
        return feed.write(contents), feed.media_type

    async def _fill_item(self, item: FeedItem, polite: PoliteFetcher, until: float) -> str:
        if item.url is None:
            return ""
        task = self.context.task(PageSource(b"", item.url))
        name = name_of(item.url, task.request)
        content = self._kept.get(name)
        if content is None:
            try:
                content = await self._read(task, item.url, polite, until)
            except ThresherError:
                return ""
            self._kept.put(content, name)
        return content

    async def _read(self, task: Task, url: str, polite: PoliteFetcher, until: float) -> str:
        """Fetch a page politely and return its content; FetchError if it must not be fetched."""
        pause_s = await polite.pause_s(url) if time.monotonic() < until else 0.0
        left_s = until - time.monotonic() - pause_s
        if left_s <= 0:
            raise FetchError("there is no time left", url=url)
        await anyio.sleep(pause_s)
        fetched = await polite.get(url, timeout_s=left_s)
        source = PageSource.of_fetched(fetched)
        return await self.context.work(_write_page, replace(task, source=source))


def _write_page(task: Task) -> str:
    """Return the content of a page as HTML; runs in a worker."""
    return write_content(extract_task(task))
