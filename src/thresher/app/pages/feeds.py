"""Feeds with full texts, for feed readers."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from thresher.app.full_feeds import FullFeeds

__all__ = ["show_full_feed"]


async def show_full_feed(request: Request) -> Response:
    """Send the feed at ``?url=`` with the contents of its pages."""
    url = request.query_params.get("url", "").strip()
    if not url:
        raise HTTPException(400, "name the address of a feed: /feed?url=https://…")
    feeds: FullFeeds = request.app.state.feeds
    written, media_type = await feeds.fill(url)
    return Response(written, media_type=media_type)
