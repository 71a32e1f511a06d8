"""Feeds with full texts, for feed readers."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from thresher.app.full_feeds import FullFeeds
from thresher.feeds.writing import write_rss

__all__ = ["show_full_feed"]


async def show_full_feed(request: Request) -> Response:
    """Send the feed at ``?url=`` as RSS with the contents of its pages."""
    url = request.query_params.get("url", "").strip()
    if not url:
        raise HTTPException(400, "name the address of a feed: /feed?url=https://…")
    feeds: FullFeeds = request.app.state.feeds
    return Response(write_rss(await feeds.fill(url)), media_type="application/rss+xml")
