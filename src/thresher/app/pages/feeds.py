"""Feeds page: subscriptions and their items; and feeds with full texts, for other readers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.app.context import AppContext, context_of, form_of, render
from thresher.app.engine import PageSource
from thresher.app.full_feeds import FullFeeds
from thresher.app.imports import ImportedFeed, ImportedPage
from thresher.app.pages.opening import (
    complete_address,
    list_path,
    list_query,
    list_steps,
    path_of,
)
from thresher.app.pages.saved import ask_list, format_day, wake
from thresher.app.saved_files import add_pages
from thresher.app.subscriptions import (
    FEEDS_FILE,
    ReadItem,
    Subscription,
    Subscriptions,
    write_opml,
)
from thresher.app.texts import read_number
from thresher.errors import InputError, ThresherError, UsageError
from thresher.feeds.reading import SourceFeed, find_feed, read_feed
from thresher.fetching.model import Fetched
from thresher.serving.pages import status_of

_T = TypeVar("_T")
_N_SHOWN: Final = 50
"""Items shown at a time."""
_ASKED: Final = ("feed", "show", "start")
"""Names of the query's values that stay while items of the list are changed."""


async def show_full_feed(request: Request) -> Response:
    """Send the feed at ``?url=`` with the contents of its pages."""
    url = request.query_params.get("url", "").strip()
    if not url:
        raise HTTPException(400, "name the address of a feed: /feed?url=https://…")
    feeds: FullFeeds = request.app.state.feeds
    written, media_type = await feeds.fill(url)
    return Response(written, media_type=media_type)


async def show_feeds(request: Request) -> Response:
    """Show the items of ``?feed=`` or of all feeds, unread ones unless ``?show=all``."""
    return await _show(request)


async def subscribe(request: Request) -> Response:
    """Subscribe to the feed at an address, or to the one that the page there names."""
    context, typed = context_of(request), str(form_of(request).get("url", "")).strip()
    try:
        if not typed:
            raise UsageError("enter the address of a feed, or of a site that has one")
        fetched, feed = await _find_feed(context, complete_address(typed))
        found = ImportedFeed(fetched.url, feed.title)

        def store(feeds: Subscriptions) -> int | None:
            feeds.add([found])
            number = feeds.number_of(found.url)
            if number is not None:
                feeds.store(
                    number,
                    feed,
                    is_public=fetched.is_public,
                    etag=fetched.etag,
                    modified=fetched.last_modified,
                )
            return number

        number = await ask_feeds(context, store)
    except ThresherError as error:
        return await _show(request, (typed, f"{error}."), status_of(error))
    return RedirectResponse(f"/feeds?feed={number}", 303)


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
    item, feed, until = (read_number(str(form.get(key, ""))) for key in ("item", "feed", "until"))
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
    return RedirectResponse(list_path("/feeds", _query(request, **more)), 303)


async def download_opml(request: Request) -> Response:
    """Send the subscriptions, for other readers."""
    feeds = await ask_feeds(context_of(request), lambda feeds: feeds.feeds())
    headers = {"Content-Disposition": 'attachment; filename="feeds.opml"'}
    return Response(write_opml(feeds), media_type="text/x-opml", headers=headers)


async def ask_feeds(context: AppContext, question: Callable[[Subscriptions], _T]) -> _T:
    """Use the subscriptions in a thread, as it may have to wait for another writer."""
    path = context.settings.data_dir / FEEDS_FILE
    return await anyio.to_thread.run_sync(lambda: question(Subscriptions(path)))


class _FeedView(NamedTuple):
    """What the page shows."""

    latest: int
    feeds: tuple[Subscription, ...]
    n_found: int
    items: tuple[ReadItem, ...]


async def _show(
    request: Request, failed: tuple[str, str] | None = None, status: int = 200
) -> Response:
    """Show the page, with an address that could not be subscribed to and the reason."""
    query = request.query_params
    feed, start = read_number(query.get("feed", "")), read_number(query.get("start", "")) or 0
    only_unread = query.get("show") != "all"

    def ask(feeds: Subscriptions) -> _FeedView:
        found = feeds.items(feed, only_unread=only_unread, start=start, limit=_N_SHOWN)
        return _FeedView(feeds.latest(), feeds.feeds(), *found)

    latest, feeds, n_found, items = await ask_feeds(context_of(request), ask)
    return render(
        request,
        "feeds.html",
        status=status,
        feeds=feeds,
        here_feed=next((each for each in feeds if each.id == feed), None),
        n_unread=sum(each.n_unread for each in feeds),
        items=items,
        n_found=n_found,
        until=latest,
        only_unread=only_unread,
        failed=failed,
        removed=read_number(query.get("removed", "")),
        is_refreshing="refreshing" in query,
        added={name: read_number(query.get(name, "")) for name in ("new", "known")},
        here_query=_query(request),
        query_with=lambda **more: _query(request, **more),
        **list_steps(request, _ASKED, start=start, n_shown=_N_SHOWN, n_found=n_found),
        n_shown=_N_SHOWN,
        day_of=format_day,
    )


def _query(request: Request, **more: object) -> str:
    """Return the query of the page that a request came from, with other values."""
    return list_query(request, _ASKED, **more)


async def _find_feed(context: AppContext, url: str) -> tuple[Fetched, SourceFeed]:
    """Fetch a feed, or the first one that the page at the address names; InputError if none."""
    fetched = await context.get(url, allow_private=True)
    try:
        return fetched, await _read(context, fetched)
    except InputError:
        target = await context.work(find_feed, fetched.body, fetched.url, fetched.http_charset)
        if target is None:
            raise InputError("there is no feed at this address, and the page names none") from None
    # No page of the web may lead to this machine or its network.
    fetched = await context.get(target, allow_private=not fetched.is_public)
    return fetched, await _read(context, fetched)


async def _read(context: AppContext, fetched: Fetched) -> SourceFeed:
    return await context.work(read_feed, fetched.body, fetched.url, fetched.http_charset)


async def _fetch_item(context: AppContext, item: ReadItem) -> PageSource | None:
    """Fetch the page of an item; None if it has none, or it cannot be fetched."""
    if item.url is None:
        return None
    try:
        # A feed of the web must not make the app access its private network.
        return PageSource.of_fetched(await context.get(item.url, allow_private=not item.is_public))
    except ThresherError:
        return None


async def _save_item(context: AppContext, number: int) -> None:
    """Put the page of an item into the saved list, to be fetched with its pictures."""
    item = await ask_feeds(context, lambda feeds: feeds.item(number))
    if item is None or item.url is None:
        raise UsageError("this item has no page to save")
    link = PageSource(b"", item.url, is_public=item.is_public, is_fetched=True)
    page = ImportedPage(item.url, item.title, source=link)
    await ask_list(context, lambda saved: add_pages(saved, [page], is_wanted=True))
    await ask_feeds(context, lambda feeds: feeds.mark([number], is_read=True))
